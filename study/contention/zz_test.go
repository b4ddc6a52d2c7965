package contention

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"testing"
	"time"
	"unsafe"

	"example.com/commitpoint/enumerate"
)

func TestZ(t *testing.T) {
	w, _ := strconv.Atoi(os.Getenv("W"))
	wk, _ := strconv.Atoi(os.Getenv("K"))
	o, err := Order(w)
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	r, err := enumerate.Tally(context.Background(), o, machine{}, decide, enumerate.Options{Workers: wk})
	fmt.Println(unsafe.Sizeof(state{}), o.Len(), r.DownSets, r.Nodes, r.Edges, r.Schedules, len(r.Observed), err, time.Since(start))
}

func BenchmarkZ(b *testing.B) {
	o, _ := Order(3)
	for b.Loop() {
		enumerate.Tally(context.Background(), o, machine{}, decide, enumerate.Options{Workers: 1})
	}
}
