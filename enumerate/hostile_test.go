package enumerate_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"example.com/commitpoint/enumerate"
)

// Forty free events have 2⁴⁰ down-sets. That a run on them comes back at all
// shows that it is stopped before it has found them.
func TestDownSetsHaveLimitsToo(t *testing.T) {
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	o := free(t, 40)[0]
	for name, tt := range map[string]struct {
		ctx   context.Context
		opt   enumerate.Options
		cause error
	}{
		"cancelled": {cancelled, enumerate.Options{}, context.Canceled},
		"time":      {t.Context(), enumerate.Options{MaxTime: 20 * time.Millisecond}, enumerate.ErrLimit},
		"bytes":     {t.Context(), enumerate.Options{MaxBytes: 1_000_000}, enumerate.ErrLimit},
		"nodes":     {t.Context(), enumerate.Options{MaxNodes: 10_000}, enumerate.ErrLimit},
	} {
		_, err := enumerate.Tally(tt.ctx, o, mixer{1, 1, 2}, enumerate.Observe(look), tt.opt)
		var incomplete *enumerate.IncompleteError
		if !errors.As(err, &incomplete) || !errors.Is(err, tt.cause) {
			t.Errorf("Tally, %s: %v", name, err)
		}
		if _, err = enumerate.Sample(tt.ctx, o, mixer{1, 1, 2}, enumerate.Observe(look), 5, 1, tt.opt); !errors.As(err, &incomplete) || !errors.Is(err, tt.cause) {
			t.Errorf("Sample, %s: %v", name, err)
		}
	}
}

// A queue lets events happen in declaration order only.
type queue struct{}

func (queue) Enabled(s uint16, e int) bool { return int(s) == e }
func (queue) Init() uint16                 { return 0 }
func (queue) Next(s uint16, _ int) uint16  { return s + 1 }

// What a guarded machine costs is decided by what it lets happen, not by what the
// order would.
func TestGuardedMachineOnAHugeOrder(t *testing.T) {
	got, err := enumerate.Tally(t.Context(), free(t, 60)[0], queue{}, enumerate.Observer[uint16, int, bool]{}, enumerate.Options{})
	if err != nil || got.Nodes != 61 || got.Edges != 60 || got.DownSets != 61 || got.Schedules.String() != "1" {
		t.Errorf("60 events one after the other: %+v, %v", got, err)
	}
}

// Memory that is given up can be used again: two layers fit where all do not.
func TestMaxBytesIsAboutTwoLayers(t *testing.T) {
	o := chains(t, 16, 16) // many layers, none of them large
	m := mixer{31, 17, 997}
	whole, err := enumerate.Tally(t.Context(), o, m, enumerate.Observe(look), enumerate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	limit := whole.Nodes * 18 / 3 // a state of two bytes and a count of 16
	got, err := enumerate.Tally(t.Context(), o, m, enumerate.Observe(look), enumerate.Options{MaxBytes: limit})
	if err != nil || got.Nodes != whole.Nodes {
		t.Errorf("%d nodes in %d bytes: %v", whole.Nodes, limit, err)
	}
	if _, err := enumerate.Check(t.Context(), o, m, mixed, enumerate.Options{MaxBytes: limit}); !errors.Is(err, enumerate.ErrLimit) {
		t.Errorf("Check keeps all nodes in %d bytes: %v", limit, err)
	}
}

// Check of a machine that blocks events, ends early and deadlocks agrees with
// walking.
func TestCheckOfGuardedMachines(t *testing.T) {
	seen := map[string]int{}
	checkUntil(t, func() bool { return len(seen) == 2 }, func(t *rapid.T) {
		o, m := drawOrder(t, 6), drawMaze(t)
		want := walkAll(o, m)
		got, err := enumerate.Check(t.Context(), o, m, enumerate.Properties[uint16]{
			enumerate.Always("nothing", func(uint16) bool { return true }),
		}, enumerate.Options{Workers: 2})
		var deadlock *enumerate.Deadlock
		if errors.As(err, &deadlock) != (want.deadlocks > 0) || err != nil && deadlock == nil {
			t.Fatalf("%v: %v, want %d deadlocks", o, err, want.deadlocks)
		}
		verdict := enumerate.Holds
		if want.deadlocks > 0 {
			verdict = enumerate.Violated
		}
		if got.Verdict != verdict || got.Schedules.String() != fmt.Sprint(want.schedules) || got.Nodes != uint64(len(want.nodes)) {
			t.Fatalf("%v: %+v, want %v, %d schedules, %d nodes", o, got, verdict, want.schedules, len(want.nodes))
		}
		seen[verdict.String()]++
	})
	if len(seen) != 2 {
		t.Errorf("verdicts drawn: %v", seen)
	}
}

// Something that only histories without an end reach is not reached.
func TestReachedInADeadlockOnly(t *testing.T) {
	o := free(t, 2)[0]
	stuck := brokenGuard{broken{enabled: func(s uint16, e int) bool { return s == 0 }}} // one event, and no more
	got, err := enumerate.Check(t.Context(), o, stuck, enumerate.Properties[uint16]{
		enumerate.Reachable("event 1", func(s uint16) bool { return s == 2 }),
		enumerate.Always("never event 0", func(s uint16) bool { return s != 1 }),
	}, enumerate.Options{})
	var deadlock *enumerate.Deadlock
	if !errors.As(err, &deadlock) || got.Verdict != enumerate.Violated || len(got.Reached) > 0 {
		t.Errorf("got %+v, %v", got, err)
	}
	if text := fmt.Sprint(got.Violations); text != "[{event 1 0 []} {never event 0 0 [0]}]" {
		t.Errorf("violations = %s", text)
	}
}

// erasing forgets event 1 as soon as it is done, by a canonical form.
type erasing struct{ broken }

func (erasing) Canonical(_ enumerate.Events[int], s uint16) uint16 { return s &^ 2 }

// erasingEnd has a Done that sees what is forgotten; nothing follows event 0.
type erasingEnd struct{ erasing }

func (erasingEnd) Enabled(s uint16, e int) bool { return s&1 == 0 }
func (erasingEnd) Done(s uint16) bool           { return s&2 != 0 }

// erasingGuard blocks event 2 after event 1.
type erasingGuard struct{ erasing }

func (erasingGuard) Enabled(s uint16, e int) bool { return e != 2 || s&2 == 0 }
func (erasingGuard) Done(uint16) bool             { return true }

// A canonical form that erases something that matters is found out, with the same
// words for any number of workers.
func TestCanonicalFormsThatMatter(t *testing.T) {
	o := free(t, 5)[0]
	forgotten := enumerate.Properties[uint16]{enumerate.Always("not both 1 and 2", func(s uint16) bool { return s&6 != 6 })}
	first := map[string]string{}
	for workers := 1; workers <= 4; workers++ {
		opt := enumerate.Options{Workers: workers}
		_, property := enumerate.Check(t.Context(), o, erasing{}, forgotten, opt)
		_, done := enumerate.Tally(t.Context(), o, erasingEnd{}, enumerate.Observer[uint16, int, bool]{}, opt)
		_, enabled := enumerate.Tally(t.Context(), o, erasingGuard{}, enumerate.Observer[uint16, int, bool]{}, opt)
		for want, err := range map[string]error{
			"changes what a property says": property,
			"changes whether it is done":   done,
			"changes whether 2 is enabled": enabled,
		} {
			var fault *enumerate.Fault
			if !errors.As(err, &fault) || !strings.Contains(fault.What, "has a canonical form that "+want) || !fault.Known {
				t.Errorf("%d workers: %v\nwant a canonical form that %s", workers, err, want)
				continue
			}
			if first[want] == "" {
				first[want] = err.Error()
			}
			if err.Error() != first[want] {
				t.Errorf("%d workers: %v\none worker: %s", workers, err, first[want])
			}
		}
	}
}

// Of several faults in a layer the first is reported, however fast the others are.
func TestFirstFault(t *testing.T) {
	slow := broken{next: func(s uint16, e int) {
		switch {
		case s == 0b0000_0011_1111 && e == 6: // the first down-set of seven events
			time.Sleep(20 * time.Millisecond)
			panic("slow")
		case s == 0b1111_1100_0000 && e == 0:
			panic("fast")
		}
	}}
	for workers := 1; workers <= 3; workers++ {
		_, err := enumerate.Tally(t.Context(), free(t, 12)[0], slow, enumerate.Observer[uint16, int, bool]{}, enumerate.Options{Workers: workers})
		if want := "the machine panics: slow in state 63, after 0, 1, 2, 3, 4, 5, 6"; err == nil || err.Error() != want {
			t.Errorf("%d workers: %v, want %s", workers, err, want)
		}
	}
}

type endless struct{ brokenGuard }

func (endless) Done(uint16) bool { panic("no end") }

// Whatever a user's function does, it is a fault, and a run does not crash.
func TestPanicsEverywhere(t *testing.T) {
	o := free(t, 3)[0]
	panics := broken{next: func(s uint16, e int) {
		if s == 0b101 {
			panic("no")
		}
	}}
	stuck := endless{brokenGuard{broken{enabled: func(s uint16, e int) bool { return s == 0 }}}}
	_, done := enumerate.Tally(t.Context(), o, stuck, enumerate.Observer[uint16, int, bool]{}, enumerate.Options{})
	_, on := enumerate.Tally(t.Context(), o, broken{}, enumerate.ObserveOn(func(e int) bool { panic("what?") }, look), enumerate.Options{})
	_, outcomes := enumerate.Outcomes(t.Context(), []enumerate.Order[int]{o}, panics, enumerate.Options{Workers: 2})
	_, sample := enumerate.Sample(t.Context(), o, panics, enumerate.Observe(done5), 100, 1, enumerate.Options{})
	_, impureOutcomes := enumerate.Outcomes(t.Context(), []enumerate.Order[int]{o}, lagging{mixer{3, 5, 31}}, enumerate.Options{Workers: 1})
	for want, err := range map[string]error{
		"the machine panics: no end in state 1, after 0":             done,
		"the machine panics: what?, when asked whether to observe 0": on,
		"the machine panics: no, after 0, 2, 1":                      outcomes,
		"the machine panics: no, after ":                             sample,
		"the machine is not pure: it led to ":                        impureOutcomes,
	} {
		var fault *enumerate.Fault
		if !errors.As(err, &fault) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("error = %v\nwant %s", err, want)
		}
	}
}

// A panic is reported with the history of what was asked, and the first in the
// order of schedules, for any number of workers and however little there is.
func TestOutcomesFaults(t *testing.T) {
	var empty enumerate.Order[int]
	stuck := endless{brokenGuard{broken{enabled: func(s uint16, e int) bool { return s == 0 }}}}
	two := broken{next: func(s uint16, e int) {
		switch {
		case s == 0b001 && e == 1:
			time.Sleep(20 * time.Millisecond)
			panic("slow")
		case s == 0b100 && e == 0:
			panic("fast")
		}
	}}
	late := broken{next: func(s uint16, e int) { // in parts that two workers take at once
		switch {
		case s == 0b001 && e == 1:
			time.Sleep(20 * time.Millisecond)
			panic("first")
		case s == 0b001 && e == 2:
			time.Sleep(60 * time.Millisecond)
			panic("second")
		}
	}}
	for workers := 1; workers <= 3; workers++ {
		for want, tt := range map[string]struct {
			order   enumerate.Order[int]
			machine enumerate.Machine[uint16, int]
		}{
			"the machine panics: not today, before any event": {empty, unborn{}},
			"the machine panics: no end, after 0":             {free(t, 3)[0], stuck},
			"the machine panics: slow, after 0, 1":            {free(t, 6)[0], two},
			"the machine panics: first, after 0, 1":           {free(t, 6)[0], late},
		} {
			_, err := enumerate.Outcomes(t.Context(), []enumerate.Order[int]{tt.order}, tt.machine, enumerate.Options{Workers: workers})
			if err == nil || err.Error() != want {
				t.Errorf("%d workers: %v, want %s", workers, err, want)
			}
		}
	}
}

func done5(_ uint16, _ int, after uint16) (uint16, bool) { return after, true }

// An overflow on the way is an overflow, and not an incomplete run.
func TestOverflowOnTheWay(t *testing.T) {
	o := chains(t, 12, 12, 13, 13, 14)
	open := maze{mixer{0, 0, 1}, 5, 0}
	_, err := enumerate.Tally(t.Context(), o, open, enumerate.Observer[uint16, int, bool]{}, enumerate.Options{})
	var incomplete *enumerate.IncompleteError
	if !errors.Is(err, enumerate.ErrOverflow) || errors.As(err, &incomplete) {
		t.Errorf("error = %v, want an overflow", err)
	}
}

// Beyond 2⁶⁴ schedules, too, the first event is as often of one chain as of
// another.
func TestSampleBeyond64Bits(t *testing.T) {
	o := chains(t, 16, 16, 16, 16)
	const samples = 2000
	got, err := enumerate.Sample(t.Context(), o, tracer{}, enumerate.Observe(func(before string, e int, _ string) (int, bool) {
		return e / 16, before == ""
	}), samples, 3, enumerate.Options{})
	if err != nil || len(got.Observed) != 4 {
		t.Fatalf("%+v, %v", got, err)
	}
	counts := []int{}
	for _, f := range got.Observed {
		counts = append(counts, f.Samples)
	}
	if deviation := math.Sqrt(samples * 3. / 16); float64(slices.Max(counts)-samples/4) > 5*deviation || float64(samples/4-slices.Min(counts)) > 5*deviation {
		t.Errorf("first events by chain: %v of %d", counts, samples)
	}
}
