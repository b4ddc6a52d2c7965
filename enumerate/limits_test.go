package enumerate_test

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"sync/atomic"
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
		var incomplete *enumerate.IncompleteError
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
		var incomplete *enumerate.IncompleteError
		if got != nil || !errors.As(err, &incomplete) || !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("%d workers: got %v, %v; want no result and an incomplete run", workers, got, err)
		}
		if incomplete.Schedules == 0 || !strings.HasPrefix(err.Error(), "incomplete after ") {
			t.Errorf("%d workers: %v does not say how far it got", workers, err)
		}
	}
	// The last goroutine may still be on its way out.
	for deadline := time.Now().Add(5 * time.Second); runtime.NumGoroutine() > before; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%d goroutines before, %d after", before, runtime.NumGoroutine())
		}
	}
}

// Walk says how far it got, too, also when visit declines everything that is long
// enough to be a schedule.
func TestWalkIsCancelled(t *testing.T) {
	for _, depth := range []int{13, 8} {
		ctx, cancel := context.WithCancel(t.Context())
		visited := 0
		err := enumerate.Walk(ctx, free(t, 12), mixer{3, 5, 7}, func(_ int, prefix []int, _ *uint16) bool {
			if visited++; visited == 100_000 {
				cancel()
			}
			return len(prefix) < depth
		})
		var incomplete *enumerate.IncompleteError
		if !errors.As(err, &incomplete) || !errors.Is(err, context.Canceled) || visited > 102_000 || (depth == 13) != (incomplete.Schedules > 0) {
			t.Errorf("to depth %d: %v after %d prefixes", depth, err, visited)
		}
	}
}

// The number of schedules that an incomplete run reports is that of all workers.
func TestIncompleteCountsEveryWorker(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	gate := &meeting{want: 2, together: make(chan struct{}), after: cancel}
	_, err := enumerate.Outcomes(ctx, free(t, 12), gate, enumerate.Options{Workers: 2})
	var incomplete *enumerate.IncompleteError
	if !errors.As(err, &incomplete) {
		t.Fatalf("error = %v, want an incomplete run", err)
	}
	// Each of the two looks at the context after 1,024 prefixes, of which 374 are
	// complete.
	if incomplete.Schedules != 2*374 {
		t.Errorf("incomplete after %d schedules, want 748", incomplete.Schedules)
	}
}

// A meeting is a machine whose first steps wait until several goroutines are in
// Next at the same time.
type meeting struct {
	want     int64
	inside   atomic.Int64
	together chan struct{}
	after    func() // called once, by the last to come
}

func (m *meeting) Init() uint16 { return 0 }
func (m *meeting) Next(s uint16, e int) uint16 {
	switch n := m.inside.Add(1); {
	case n == m.want:
		m.after()
		close(m.together)
	case n < m.want:
		select {
		case <-m.together:
		case <-time.After(10 * time.Second): // the test fails by what comes out
		}
	}
	return s | 1<<e
}

func TestWorkersWorkAtTheSameTime(t *testing.T) {
	met := false
	m := &meeting{want: 2, together: make(chan struct{}), after: func() { met = true }}
	start := time.Now()
	if _, err := enumerate.Outcomes(context.Background(), free(t, 5), m, enumerate.Options{Workers: 2}); err != nil {
		t.Fatal(err)
	}
	if !met || time.Since(start) > 9*time.Second {
		t.Error("two workers never were in Next at the same time")
	}
}

// A machine that ends its goroutine, as t.FailNow does, must not pass for one
// whose schedules are all walked.
type leaver struct{}

func (leaver) Init() uint16 { return 0 }
func (leaver) Next(s uint16, e int) uint16 {
	if s == 0b110 && e == 0 {
		runtime.Goexit()
	}
	return s | 1<<e
}

func TestMachineThatEndsItsGoroutine(t *testing.T) {
	for _, workers := range []int{2, 3} {
		got, err := enumerate.Outcomes(context.Background(), free(t, 4), leaver{}, enumerate.Options{Workers: workers})
		var incomplete *enumerate.IncompleteError
		if got != nil || !errors.As(err, &incomplete) || !strings.Contains(err.Error(), "the machine ended its goroutine (runtime.Goexit)") {
			t.Errorf("%d workers: got %v, %v; want no result", workers, got, err)
		}
	}
}
