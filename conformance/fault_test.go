package conformance_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"example.com/commitpoint/conformance"
	"example.com/commitpoint/enumerate"
	"example.com/commitpoint/internal/wrapped"
	"example.com/commitpoint/mechanisms"
)

// A hooked system is the atomic mechanism, but for what its functions do instead.
type hooked struct {
	conformance.System
	about    func(conformance.About) conformance.About
	reset    func(context.Context) error
	apply    func(ctx context.Context, event string) error
	submit   func(event string, d conformance.Decision) (conformance.Decision, error)
	recorded func(conformance.Record) (conformance.Record, error)
	close    func() error
}

func (h hooked) About() conformance.About {
	if h.about == nil {
		return h.System.About()
	}
	return h.about(h.System.About())
}

func (h hooked) Reset(ctx context.Context) error {
	if h.reset != nil {
		if err := h.reset(ctx); err != nil {
			return err
		}
	}
	return h.System.Reset(ctx)
}

func (h hooked) Apply(ctx context.Context, event string) error {
	if h.apply != nil {
		if err := h.apply(ctx, event); err != nil {
			return err
		}
	}
	return h.System.Apply(ctx, event)
}

func (h hooked) Submit(ctx context.Context, event string) (conformance.Decision, error) {
	d, err := h.System.Submit(ctx, event)
	if err == nil && h.submit != nil {
		return h.submit(event, d)
	}
	return d, err
}

func (h hooked) Recorded(ctx context.Context) (conformance.Record, error) {
	r, err := h.System.Recorded(ctx)
	if err == nil && h.recorded != nil {
		return h.recorded(r)
	}
	return r, err
}

func (h hooked) Close() error {
	if h.close == nil {
		return nil
	}
	return h.close()
}

// hook returns a function that opens atomic systems with hooks, which change makes for
// each of them.
func hook(change func(*hooked)) func() (conformance.System, error) {
	atomic, err := mechanisms.Named("atomic")
	if err != nil {
		panic(err)
	}
	open := wrapped.Study(atomic)
	return func() (conformance.System, error) {
		s, err := open()
		h := hooked{System: s}
		change(&h)
		return h, err
	}
}

var errBroken = errors.New("the connection is gone")

// brokenSystems can't be judged, each for another reason.
var brokenSystems = []struct {
	name   string
	change func(*hooked)
	call   string
	last   string // event of the schedule; the first schedule in which there is one
	want   string
}{
	{"reset errs", func(h *hooked) { h.reset = func(context.Context) error { return errBroken } }, "reset", "", "the connection is gone"},
	{"an event errs", func(h *hooked) { h.apply = failsOn("revoke", func() error { return errBroken }) }, "revoke", "revoke", "the connection is gone"},
	{"an event panics", func(h *hooked) { h.apply = failsOn("lease-expire", func() error { panic("no such row") }) }, "lease-expire", "lease-expire", "panics: no such row"},
	{"a request errs", func(h *hooked) {
		h.submit = func(string, conformance.Decision) (d conformance.Decision, err error) { return d, errBroken }
	}, "commit", "commit", "the connection is gone"},
	{"accepted without a receipt", func(h *hooked) {
		h.submit = func(_ string, d conformance.Decision) (conformance.Decision, error) { d.Receipt = ""; return d, nil }
	}, "commit", "commit", "without a receipt; give one"},
	{"refused with a receipt", func(h *hooked) {
		h.submit = func(_ string, d conformance.Decision) (conformance.Decision, error) {
			if !d.Accepted {
				d.Receipt = "r"
			}
			return d, nil
		}
	}, "retry-other", "retry-other", `refused, with receipt "r"`},
	{"accepted with a refusal", func(h *hooked) {
		h.submit = func(_ string, d conformance.Decision) (conformance.Decision, error) {
			d.Refusal = "no"
			return d, nil
		}
	}, "commit", "commit", `accepted, with refusal "no"`},
	{"a long refusal", func(h *hooked) {
		h.submit = func(_ string, d conformance.Decision) (conformance.Decision, error) {
			if !d.Accepted {
				d.Refusal = strings.Repeat("x", 101)
			}
			return d, nil
		}
	}, "retry-other", "retry-other", "at most 100 printable characters"},
	{"a refusal of two lines", func(h *hooked) {
		h.submit = func(_ string, d conformance.Decision) (conformance.Decision, error) {
			if !d.Accepted {
				d.Refusal = "no\nway"
			}
			return d, nil
		}
	}, "retry-other", "retry-other", "at most 100 printable characters"},
	{"reading back errs", func(h *hooked) {
		h.recorded = func(r conformance.Record) (conformance.Record, error) { return r, errBroken }
	}, "recorded", "", "the connection is gone"},
	{"an unknown status", func(h *hooked) {
		h.recorded = func(r conformance.Record) (conformance.Record, error) { r.Status = "done"; return r, nil }
	}, "recorded", "", `status "done"; the statuses are running, completed, cancelled, failed`},
	{"an empty receipt among those recorded", func(h *hooked) {
		h.recorded = func(r conformance.Record) (conformance.Record, error) {
			for i := range r.Receipts {
				r.Receipts[i] = ""
			}
			return r, nil
		}
	}, "recorded", "commit", "an empty receipt"},
	{"published less than never", func(h *hooked) {
		h.recorded = func(r conformance.Record) (conformance.Record, error) {
			r.Published = map[string]int{"out": -1}
			return r, nil
		}
	}, "recorded", "", `"out" was published -1 times`},
	{"reset leaves a completion", func(h *hooked) {
		h.recorded = func(r conformance.Record) (conformance.Record, error) {
			r.Receipts = append(r.Receipts, "old")
			return r, nil
		}
	}, "reset", "", "not the start of a scenario that it leads to (early-write)"},
	{"closing errs", func(h *hooked) { h.close = func() error { return errBroken } }, "close", "", "the connection is gone"},
	{"closing panics", func(h *hooked) { h.close = func() error { panic("twice") } }, "close", "", "panics: twice"},
	{"an event ends its goroutine", func(h *hooked) { h.apply = failsOn("revoke", func() error { runtime.Goexit(); return nil }) }, "revoke", "revoke", "ends its goroutine, as t.Fatal does"},
	{"about ends its goroutine", func(h *hooked) {
		h.about = func(conformance.About) conformance.About { runtime.Goexit(); panic("not reached") }
	}, "open", "", "ends its goroutine"},
	{"closing ends its goroutine", func(h *hooked) { h.close = func() error { runtime.Goexit(); return nil } }, "close", "", "ends its goroutine"},
	{"about panics", func(h *hooked) { h.about = func(conformance.About) conformance.About { panic("who") } }, "open", "", "panics: who"},
}

func failsOn(event string, with func() error) func(context.Context, string) error {
	return func(_ context.Context, e string) error {
		if e == event {
			return with()
		}
		return nil
	}
}

// A system that can't be judged is never a pass: it is said where it failed, the same for
// any number of workers.
func TestFaultsAreNeverAPass(t *testing.T) {
	for _, tt := range brokenSystems {
		t.Run(tt.name, func(t *testing.T) {
			first := ""
			for _, workers := range []int{1, 4} {
				opt := conformance.Options{Workers: workers}
				r, err := conformance.Check(t.Context(), hook(tt.change), opt)
				if err != nil {
					t.Fatal(err)
				}
				f := r.Fault
				if f == nil || r.Verdict() != enumerate.Incomplete || f.Call != tt.call || !strings.Contains(f.Error(), tt.want) {
					t.Fatalf("verdict %v, fault %+v; want one in %s with %q", r.Verdict(), f, tt.call, tt.want)
				}
				if n := len(f.Schedule); (n == 0) != (tt.last == "") || n > 0 && f.Schedule[n-1] != tt.last {
					t.Errorf("schedule %v, and it should end with %q", f.Schedule, tt.last)
				}
				fault := (*conformance.Fault)(nil)
				if err := conformance.Test(hook(tt.change), opt); !errors.As(err, &fault) || errors.Is(err, conformance.ErrWrong) {
					t.Errorf("Test returns %v", err)
				}
				if first == "" {
					first = document(t, r)
				} else if document(t, r) != first {
					t.Errorf("with %d workers:\n%s\nand with one:\n%s", workers, document(t, r), first)
				}
			}
		})
	}
}

// A call that does not return is given up after its time, whether it looks at its context
// or not. (Time is not real here.)
func TestHanging(t *testing.T) {
	for _, tt := range []struct {
		name   string
		call   string
		change func(*hooked, <-chan struct{})
	}{
		{"an event that looks at its context", "revoke", func(h *hooked, _ <-chan struct{}) {
			h.apply = func(ctx context.Context, e string) error {
				if e == "revoke" {
					<-ctx.Done()
					return ctx.Err()
				}
				return nil
			}
		}},
		{"an event that does not", "revoke", func(h *hooked, end <-chan struct{}) {
			h.apply = failsOn("revoke", func() error { <-end; return nil })
		}},
		{"a request", "commit", func(h *hooked, end <-chan struct{}) {
			h.submit = func(_ string, d conformance.Decision) (conformance.Decision, error) { <-end; return d, nil }
		}},
		{"reset", "reset", func(h *hooked, end <-chan struct{}) {
			h.reset = func(context.Context) error { <-end; return nil }
		}},
		{"reading back", "recorded", func(h *hooked, end <-chan struct{}) {
			h.recorded = func(r conformance.Record) (conformance.Record, error) { <-end; return r, nil }
		}},
		{"about", "open", func(h *hooked, end <-chan struct{}) {
			h.about = func(a conformance.About) conformance.About { <-end; return a }
		}},
		{"closing", "close", func(h *hooked, end <-chan struct{}) {
			h.close = func() error { <-end; return nil }
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				end, begun := make(chan struct{}), time.Now()
				defer close(end)
				r, err := conformance.Check(t.Context(), hook(func(h *hooked) { tt.change(h, end) }),
					conformance.Options{StepTimeout: 8 * time.Second, Workers: 3})
				if err != nil {
					t.Fatal(err)
				}
				if r.Fault == nil || r.Fault.Call != tt.call || r.Verdict() != enumerate.Incomplete ||
					!strings.Contains(r.Fault.Error(), "does not answer within the step's time limit of 8s") {
					t.Errorf("%v, %+v", r.Verdict(), r.Fault)
				}
				if took := time.Since(begun); took < 8*time.Second || took > 30*time.Second {
					t.Errorf("it took %v", took)
				}
			})
		})
	}
}

// What a system does after it was given up does not count, and it is asked nothing more,
// even if its call returns in the end. (Time is not real here.)
func TestGivenUpAndBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked atomic.Int64
		var gone atomic.Bool
		r, err := conformance.Check(t.Context(), hook(func(h *hooked) {
			late := false
			h.reset = func(context.Context) error {
				if late {
					asked.Add(1)
				}
				return nil
			}
			h.apply = func(_ context.Context, e string) error {
				if e == "revoke" && gone.CompareAndSwap(false, true) {
					late = true
					time.Sleep(20 * time.Second)
				}
				time.Sleep(time.Second)
				return nil
			}
		}), conformance.Options{StepTimeout: 8 * time.Second, Workers: 2, Mode: conformance.Sample, Samples: 50})
		if err != nil || r.Fault == nil || r.Fault.Call != "revoke" || asked.Load() != 0 {
			t.Errorf("%v, %+v, asked %d times afterwards", err, r.Fault, asked.Load())
		}
		time.Sleep(time.Minute)
		if asked.Load() != 0 {
			t.Errorf("asked %d times afterwards", asked.Load())
		}
	})
}

// A system that is only slow is judged.
func TestSlowIsNotHanging(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := hook(func(h *hooked) {
			h.apply = func(context.Context, string) error { time.Sleep(7 * time.Second); return nil }
		})
		r, err := conformance.Check(t.Context(), slow, conformance.Options{StepTimeout: 8 * time.Second, Mode: conformance.Sample, Samples: 20})
		if err != nil || r.Verdict() != enumerate.Holds || r.Sets[0].Ran != 20 {
			t.Errorf("%v, %v", r.Verdict(), err)
		}
	})
}

// A system that answers differently from one time to the next is found out when its
// failures are run again.
func TestAnswersHaveToStayTheSame(t *testing.T) {
	var requests atomic.Int64
	r, err := conformance.Check(t.Context(), hook(func(h *hooked) {
		h.submit = func(event string, d conformance.Decision) (conformance.Decision, error) {
			if d.Accepted && event == "commit" && requests.Add(1) == 100 {
				return conformance.Decision{Refusal: "busy"}, nil
			}
			return d, nil
		}
	}), conformance.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Fault == nil || !strings.Contains(r.Fault.Error(), "answers differently when a schedule is run again") || len(r.Failures) != 1 || r.Verdict() != enumerate.Violated {
		t.Errorf("%v, %+v, %q", r.Verdict(), r.Fault, reasons(r))
	}
	if err := r.Fault.Unwrap(); !strings.Contains(err.Error(), "eligible-reject/busy") {
		t.Error(err)
	}
}

// What makes no sense of the call itself is an error.
func TestCheckRefuses(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	about := func(change func(*conformance.About)) func() (conformance.System, error) {
		return hook(func(h *hooked) {
			h.about = func(a conformance.About) conformance.About { change(&a); return a }
		})
	}
	right := hook(func(*hooked) {})
	for _, tt := range []struct {
		name string
		ctx  context.Context
		open func() (conformance.System, error)
		opt  conformance.Options
		want string
	}{
		{"a mode", t.Context(), right, conformance.Options{Mode: 7}, "mode 7"},
		{"samples", t.Context(), right, conformance.Options{Samples: -1}, "-1 samples"},
		{"workers", t.Context(), right, conformance.Options{Workers: -1}, "-1 workers"},
		{"a time limit", t.Context(), right, conformance.Options{StepTimeout: -1}, "time limit of -1ns"},
		{"an unknown event", t.Context(), about(func(a *conformance.About) { a.Events = append(a.Events, "rewoke") }), conformance.Options{}, `lists event "rewoke", which no scenario has`},
		{"an event of no family, written wrongly", t.Context(), about(func(a *conformance.About) { a.Events = append(a.Events, "c:claim") }), conformance.Options{}, `lists event "c:claim"`},
		{"an event twice", t.Context(), about(func(a *conformance.About) { a.Events = append(a.Events, "revoke") }), conformance.Options{}, `lists event "revoke" twice`},
		{"no commit", t.Context(), about(func(a *conformance.About) { a.Events = []string{"read"} }), conformance.Options{}, "too few events"},
		{"a context that ended", ended, right, conformance.Options{}, "incomplete after 0 schedules: context canceled"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, err := conformance.Check(tt.ctx, tt.open, tt.opt)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%+v, %v; want %q", r, err, tt.want)
			}
			if conformance.Test(tt.open, tt.opt) == nil && tt.ctx == t.Context() {
				t.Error("Test passes")
			}
		})
	}
	more := about(func(a *conformance.About) { a.Events = append(a.Events, "a:claim", "reclaim#9") })
	if r, err := conformance.Check(t.Context(), more, conformance.Options{Mode: conformance.Covering}); err != nil || r.Verdict() != enumerate.Holds {
		t.Errorf("events of the contract that no family has are refused: %v, %v", r.Verdict(), err)
	}
	for _, open := range []func() (conformance.System, error){
		func() (conformance.System, error) { return nil, nil },
		func() (conformance.System, error) { return nil, errBroken },
		func() (conformance.System, error) { panic("no database") },
	} {
		if r, err := conformance.Check(t.Context(), open, conformance.Options{}); err != nil || r.Fault == nil || r.Fault.Call != "open" {
			t.Errorf("%+v, %v", r, err)
		}
	}
}

// A run that is interrupted is incomplete, and every system is closed.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var opened, closed, resets atomic.Int64
	r, err := conformance.Check(ctx, func() (conformance.System, error) {
		opened.Add(1)
		return hook(func(h *hooked) {
			h.reset = func(context.Context) error {
				if resets.Add(1) == 500 {
					cancel()
				}
				return nil
			}
			h.close = func() error { closed.Add(1); return nil }
		})()
	}, conformance.Options{Workers: 4})
	incomplete := (*enumerate.IncompleteError)(nil)
	if !errors.As(err, &incomplete) || !errors.Is(err, context.Canceled) || incomplete.Schedules == 0 || incomplete.Schedules > 500 {
		t.Errorf("%v, %v", r.Verdict(), err)
	}
	if opened.Load() != 4 || closed.Load() != 4 {
		t.Errorf("%d systems were opened and %d closed", opened.Load(), closed.Load())
	}
}

// Systems run in parallel only if they say that they can, and have to be the same.
func TestParallel(t *testing.T) {
	for _, parallel := range []bool{false, true} {
		var opened atomic.Int64
		open := hook(func(h *hooked) {
			opened.Add(1)
			h.about = func(a conformance.About) conformance.About { a.Parallel = parallel; return a }
		})
		r, err := conformance.Check(t.Context(), open, conformance.Options{Workers: 3})
		if want := map[bool]int64{false: 1, true: 3}[parallel]; err != nil || r.Verdict() != enumerate.Holds || opened.Load() != want {
			t.Errorf("parallel %v: %d systems, %v, %v", parallel, opened.Load(), r.Verdict(), err)
		}
	}
	var opened atomic.Int64
	r, err := conformance.Check(t.Context(), hook(func(h *hooked) {
		n := opened.Add(1)
		h.about = func(a conformance.About) conformance.About { a.Name = fmt.Sprint("system ", n); return a }
	}), conformance.Options{Workers: 2})
	if err != nil || r.Fault == nil || !strings.Contains(r.Fault.Error(), "a second system says that it is another") {
		t.Errorf("%+v, %v", r, err)
	}
}
