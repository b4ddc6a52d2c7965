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

// A broken machine is a set of done events that goes wrong in one way.
type broken struct {
	next      func(s uint16, e int) // called first
	enabled   func(s uint16, e int) bool
	canonical func(s uint16) uint16
}

func (b broken) Init() uint16 { return 0 }
func (b broken) Next(s uint16, e int) uint16 {
	if b.next != nil {
		b.next(s, e)
	}
	return s | 1<<e
}

// The optional methods are on types of their own, since having them means
// something.
type (
	brokenGuard     struct{ broken }
	brokenCanonical struct{ broken }
)

func (b brokenGuard) Enabled(s uint16, e int) bool { return b.enabled(s, e) }
func (b brokenCanonical) Canonical(_ enumerate.Events[int], s uint16) uint16 {
	return b.canonical(s)
}

func done(_ uint16, e int, after uint16) (uint16, bool) { return after, e == 2 }

func TestFaults(t *testing.T) {
	var calls atomic.Int64
	panics := func(s uint16, e int) {
		if s == 0b101 && e == 1 {
			panic("no such row")
		}
	}
	tests := []struct {
		name    string
		machine enumerate.Machine[uint16, int]
		observe enumerate.Observer[uint16, int, uint16]
		want    string
	}{
		{"the machine panics", broken{next: panics}, enumerate.Observe(done), "the machine panics: no such row in state 5, after 0, 2, 1"},
		{"the guard panics", brokenGuard{broken{enabled: func(s uint16, e int) bool { panics(s, e); return true }}}, enumerate.Observe(done),
			"the machine panics: no such row in state 5, after 0, 2, 1"},
		{"the observer panics", broken{}, enumerate.Observe(func(s uint16, e int, _ uint16) (uint16, bool) { panics(s, e); return 0, false }),
			"the machine panics: no such row in state 5, after 0, 2, 1"},
		{"the machine is not pure", impure{&calls}, enumerate.Observer[uint16, int, uint16]{}, "the machine is not pure: it led to "},
		{"the canonical form is not stable", brokenCanonical{broken{canonical: func(s uint16) uint16 { return s ^ 8 }}}, enumerate.Observer[uint16, int, uint16]{},
			"the machine has a canonical form that is not stable: "},
		{"the canonical form is observed", brokenCanonical{broken{canonical: func(s uint16) uint16 { return s &^ 2 }}}, enumerate.Observe(done),
			"the machine has a canonical form that changes what is observed at 2: "},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for workers := 1; workers <= 2; workers++ {
				_, err := enumerate.Tally(t.Context(), free(t, 5)[0], tt.machine, tt.observe, enumerate.Options{Workers: workers})
				var fault *enumerate.Fault
				if !errors.As(err, &fault) || !strings.HasPrefix(err.Error(), tt.want) {
					t.Errorf("%d workers: %v\nwant %s", workers, err, tt.want)
				}
			}
		})
	}
}

// An impure machine answers every call with another state.
type impure struct{ calls *atomic.Int64 }

func (impure) Init() uint16              { return 0 }
func (m impure) Next(uint16, int) uint16 { return uint16(m.calls.Add(1)) }

func TestFaultBeforeAnyEvent(t *testing.T) {
	_, err := enumerate.Tally(t.Context(), free(t, 2)[0], unborn{}, enumerate.Observe(look), enumerate.Options{})
	if want := "the machine panics: not today, before any event"; err == nil || err.Error() != want {
		t.Errorf("error = %v, want %s", err, want)
	}
}

type unborn struct{}

func (unborn) Init() uint16                { panic("not today") }
func (unborn) Next(s uint16, _ int) uint16 { return s }

func TestTallyNoticesGoexit(t *testing.T) {
	leaves := broken{next: func(s uint16, e int) {
		if s == 0b111111 && e == 7 { // in a layer that is large enough for two workers
			runtime.Goexit()
		}
	}}
	_, err := enumerate.Tally(t.Context(), free(t, 12)[0], leaves, enumerate.Observe(done), enumerate.Options{Workers: 2})
	var incomplete *enumerate.IncompleteError
	if !errors.As(err, &incomplete) || !strings.Contains(err.Error(), "runtime.Goexit") {
		t.Errorf("error = %v, want an incomplete run", err)
	}
}

// Whatever ends a run early, it is incomplete: it has no result, says how far it
// got, and leaves no goroutine.
func TestEveryLimitIsIncomplete(t *testing.T) {
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	soon, cancelSoon := context.WithTimeout(t.Context(), 30*time.Millisecond)
	defer cancelSoon()
	before := runtime.NumGoroutine()
	tests := []struct {
		name  string
		ctx   context.Context
		opt   enumerate.Options
		cause error
		want  string
	}{
		{"nodes", t.Context(), enumerate.Options{MaxNodes: 70_000}, enumerate.ErrLimit, "limit reached: more than 70000 nodes"},
		{"nodes, less than down-sets", t.Context(), enumerate.Options{MaxNodes: 9}, enumerate.ErrLimit, "limit reached: more than 9 nodes"},
		{"bytes", t.Context(), enumerate.Options{MaxBytes: 300_000}, enumerate.ErrLimit, "limit reached: more than 300000 bytes of nodes"},
		{"time", t.Context(), enumerate.Options{MaxTime: 10 * time.Millisecond}, enumerate.ErrLimit, "limit reached: more than 10ms"},
		{"context, before the start", cancelled, enumerate.Options{}, context.Canceled, "context canceled"},
		{"context, on the way", soon, enumerate.Options{}, context.DeadlineExceeded, "context deadline exceeded"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for workers := 1; workers <= 2; workers++ {
				tt.opt.Workers = workers
				got, err := enumerate.Tally(tt.ctx, free(t, 16)[0], mixer{31, 17, 9973}, enumerate.Observe(look), tt.opt)
				var incomplete *enumerate.IncompleteError
				if !errors.As(err, &incomplete) || !errors.Is(err, tt.cause) || got.Schedules != (enumerate.Count{}) || got.Observed != nil {
					t.Fatalf("got %v, %v; want no result", got, err)
				}
				if text := err.Error(); !strings.HasPrefix(text, "incomplete after ") || !strings.HasSuffix(text, tt.want) {
					t.Errorf("error = %s, want how far it got and %q", text, tt.want)
				}
				checked, err := enumerate.Check(tt.ctx, free(t, 16)[0], mixer{31, 17, 9973},
					enumerate.Properties[uint16]{enumerate.Always("true", func(uint16) bool { return true })}, tt.opt)
				if checked.Verdict != enumerate.Incomplete || !errors.As(err, &incomplete) {
					t.Errorf("Check: %v, %v; want incomplete", checked.Verdict, err)
				}
			}
		})
	}
	for deadline := time.Now().Add(5 * time.Second); runtime.NumGoroutine() > before; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%d goroutines before, %d after", before, runtime.NumGoroutine())
		}
	}
}

func TestOptionsThatMakeNoSense(t *testing.T) {
	for _, tt := range []struct {
		opt  enumerate.Options
		want string
	}{
		{enumerate.Options{Workers: -2}, "-2 workers: use 1 or more, or 0 for one a processor"},
		{enumerate.Options{MaxTime: -time.Second}, "a time limit of -1s: use a positive duration, or 0 for none"},
	} {
		if _, err := enumerate.Tally(t.Context(), free(t, 2)[0], mixer{1, 1, 2}, enumerate.Observe(look), tt.opt); err == nil || err.Error() != tt.want {
			t.Errorf("error = %v, want %s", err, tt.want)
		}
	}
}

func TestProgress(t *testing.T) {
	var all []enumerate.Progress
	got, err := enumerate.Tally(t.Context(), free(t, 6)[0], mixer{3, 5, 31}, enumerate.Observe(look),
		enumerate.Options{Progress: func(p enumerate.Progress) { all = append(all, p) }})
	if err != nil || len(all) != 7 {
		t.Fatalf("%d reports of 7 layers, %v", len(all), err)
	}
	last := all[6]
	if last.Layer != 6 || last.Layers != 6 || last.Nodes != got.Nodes || last.Edges != got.Edges || last.Histories != got.Schedules {
		t.Errorf("last report %+v of %+v", last, got)
	}
	for i, p := range all {
		if p.Layer != i || i > 0 && (p.Nodes <= all[i-1].Nodes || p.Elapsed < all[i-1].Elapsed) {
			t.Errorf("report %d = %+v after %+v", i, p, all[max(0, i-1)])
		}
	}
	if p := (enumerate.Progress{Edges: 10, Elapsed: 2 * time.Second}); p.Rate() != 5 || (enumerate.Progress{}).Rate() != 0 {
		t.Errorf("rate = %v", p.Rate())
	}
}
