package watch_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"time"

	"example.com/commitpoint/study/deadline/watch"
)

// A file is to be deleted within 30 s, and its service says 404 of what is not there.
func ExampleWatch() {
	service := httptest.NewServer(http.NotFoundHandler())
	defer service.Close()

	gone, err := watch.HTTP(nil, service.URL+"/files/7", watch.Expect{Status: http.StatusNotFound})
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := watch.Watch(context.Background(), watch.Options{Probe: gone, Deadline: 30 * time.Second, ProbeTimeout: 20 * time.Second})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Verdict, r.Observations)
	// Output: fulfilled 1
}
