package enumerate_test

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"
	"time"

	"example.com/commitpoint/enumerate"
)

func free(t testing.TB, n int) []enumerate.Order[int] {
	t.Helper()
	b := enumerate.NewOrder[int]()
	for e := range n {
		b.Free("", e)
	}
	o, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return []enumerate.Order[int]{o}
}

func TestNegativeWorkers(t *testing.T) {
	_, err := enumerate.Outcomes(context.Background(), free(t, 2), mixer{1, 1, 2}, enumerate.Options{Workers: -1})
	if want := "-1 workers: use 1 or more, or 0 for one a processor"; err == nil || err.Error() != want {
		t.Errorf("error = %v, want %s", err, want)
	}
}

func TestCancelledBeforeTheStart(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, workers := range []int{1, 3} {
		got, err := enumerate.Outcomes(ctx, free(t, 3), mixer{1, 1, 2}, enumerate.Options{Workers: workers})
		var incomplete *enumerate.Incomplete
		if got != nil || !errors.As(err, &incomplete) || !errors.Is(err, context.Canceled) || incomplete.Schedules != 0 {
			t.Errorf("%d workers: got %v, %v; want no result, incomplete after 0 schedules", workers, got, err)
		}
	}
}

// Twelve free events have 479,001,600 schedules: the walk can only end because
// it was told to.
func TestCancelledOnTheWay(t *testing.T) {
	before := runtime.NumGoroutine()
	for _, workers := range []int{1, 2, 5} {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
		got, err := enumerate.Outcomes(ctx, free(t, 12), mixer{3, 5, 7}, enumerate.Options{Workers: workers})
		cancel()
		var incomplete *enumerate.Incomplete
		if got != nil || !errors.As(err, &incomplete) || !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("%d workers: got %v, %v; want no result and an incomplete run", workers, got, err)
		}
		if incomplete.Schedules == 0 || !strings.HasPrefix(err.Error(), "incomplete after ") {
			t.Errorf("%d workers: %v does not say how far it got", workers, err)
		}
	}
	if after := runtime.NumGoroutine(); after > before {
		t.Errorf("%d goroutines before, %d after", before, after)
	}
}
