package enumerate_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"example.com/commitpoint/enumerate"
)

var mixed = enumerate.Properties[uint16]{
	enumerate.Always("not four", func(s uint16) bool { return s%7 != 4 }),
	enumerate.Always("small", func(s uint16) bool { return s < 60 }),
	enumerate.Reachable("three", func(s uint16) bool { return s%5 == 3 }),
}

// What Check says agrees with looking at every state of every history.
func TestCheckAgreesWithWalking(t *testing.T) {
	verdicts := map[enumerate.Verdict]int{}
	bothDrawn := func() bool { return verdicts[enumerate.Holds] > 0 && verdicts[enumerate.Violated] > 0 }
	checkUntil(t, bothDrawn, func(t *rapid.T) {
		o, m := drawOrder(t, 6), drawMixer(t)
		notFour, three, all := 0, 0, 0
		var shortest []int
		for schedule := range o.Schedules() {
			states := []uint16{m.Init()}
			for i, e := range schedule {
				states = append(states, m.Next(states[i], e))
			}
			bad := slices.IndexFunc(states, func(s uint16) bool { return s%7 == 4 })
			all++
			if bad >= 0 {
				notFour++
				if shortest == nil || less(o, schedule[:bad], shortest) {
					shortest = append([]int{}, schedule[:bad]...)
				}
			}
			if slices.ContainsFunc(states, func(s uint16) bool { return s%5 == 3 }) {
				three++
			}
		}
		for workers := 1; workers <= 2; workers++ {
			got, err := enumerate.Check(t.Context(), o, m, mixed, enumerate.Options{Workers: workers})
			if err != nil {
				t.Fatal(err)
			}
			verdicts[got.Verdict]++
			want := fmt.Sprintf("%d schedules;", all)
			verdict := enumerate.Holds
			if notFour > 0 {
				want += fmt.Sprintf(" not four %d %v;", notFour, shortest)
				verdict = enumerate.Violated
			}
			if three == 0 {
				want += fmt.Sprintf(" three %d [];", all)
				verdict = enumerate.Violated
			} else {
				want += fmt.Sprintf(" reached three %d", three)
			}
			text := got.Schedules.String() + " schedules;"
			for _, v := range got.Violations {
				text += fmt.Sprintf(" %s %v %v;", v.Property, v.Schedules, v.Schedule)
			}
			for _, r := range got.Reached {
				text += fmt.Sprintf(" reached %s %v", r.Property, r.Schedules)
			}
			if text != want || got.Verdict != verdict {
				t.Fatalf("%v: %v, %s\nwant %v, %s", o, got.Verdict, text, verdict, want)
			}
		}
	})
	if !bothDrawn() || verdicts[enumerate.Incomplete] > 0 {
		t.Errorf("verdicts drawn: %v", verdicts)
	}
}

// checkUntil is rapid.Check, again until enough was drawn: what a property is about can be
// missing in a hundred draws, but hardly in two thousand.
func checkUntil(t *testing.T, enough func() bool, property func(*rapid.T)) {
	t.Helper()
	for round := 0; round == 0 || round < 20 && !enough() && !t.Failed(); round++ {
		rapid.Check(t, property)
	}
}

func TestCheckRefuses(t *testing.T) {
	for _, n := range []int{0, 65} {
		properties := make(enumerate.Properties[uint16], n)
		_, err := enumerate.Check(t.Context(), free(t, 2)[0], mixer{1, 1, 2}, properties, enumerate.Options{})
		if want := fmt.Sprintf("check: %d properties; use 1 to 64", n); err == nil || err.Error() != want {
			t.Errorf("error = %v, want %s", err, want)
		}
	}
}

// A property that panics is a fault with its history, also in the initial state.
func TestPropertyThatPanics(t *testing.T) {
	check := func(at uint16) error {
		_, err := enumerate.Check(t.Context(), free(t, 3)[0], broken{}, enumerate.Properties[uint16]{
			enumerate.Always("fine", func(s uint16) bool {
				if s == at {
					panic("no")
				}
				return true
			}),
		}, enumerate.Options{})
		return err
	}
	var fault *enumerate.Fault
	if err := check(0b101); !errors.As(err, &fault) || !slices.Equal(fault.History, []string{"2", "0"}) {
		t.Errorf("error = %v", err)
	}
	if err := check(0); err == nil || !strings.HasSuffix(err.Error(), "before any event") {
		t.Errorf("error = %v", err)
	}
}

// A machine that erases what it has done once it has done it all twice.
type forgetful struct{ mixer }

func (f forgetful) Canonical(done enumerate.Events[int], s uint16) uint16 {
	if done.Has(0) && done.Len() > 2 {
		return 0 // look is not interested any more, see below
	}
	return s
}

// lookEarly looks at the only event that it waits for.
func lookEarly(before uint16, e int, after uint16) (sight, bool) {
	v, seen := look(before, e, after)
	return v, seen && e == 0
}

func TestCanonical(t *testing.T) {
	o, m := free(t, 7)[0], mixer{13, 7, 41}
	plain, err := enumerate.Tally(t.Context(), o, m, enumerate.Observe(lookEarly), enumerate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	short, err := enumerate.Tally(t.Context(), o, forgetful{m}, enumerate.Observe(lookEarly), enumerate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(plain.Observed) != fmt.Sprint(short.Observed) || plain.Schedules != short.Schedules {
		t.Errorf("canonical states change the counts:\n%v\n%v", plain, short)
	}
	if m := short.Canonical; short.Nodes >= plain.Nodes || m.Raw <= m.Kept || m.Kept == 0 || plain.Canonical != (enumerate.Merged{}) {
		t.Errorf("%d nodes instead of %d, said to be merged: %+v", short.Nodes, plain.Nodes, m)
	}
}

func TestEventsHas(t *testing.T) {
	var seen []string
	spy := watchful{func(done enumerate.Events[int]) {
		seen = append(seen, fmt.Sprint(done.Len(), done.Has(0), done.Has(1), done.Has(9)))
	}}
	o, err := enumerate.NewOrder[int]().Chain("", 1, 0).Build()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := enumerate.Tally(t.Context(), o, spy, enumerate.Observer[uint16, int, sight]{}, enumerate.Options{Workers: 1}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"1 false true false", "2 true true false"} {
		if !slices.Contains(seen, want) {
			t.Errorf("Canonical saw %q, want %q among it", seen, want)
		}
	}
}

type watchful struct{ see func(enumerate.Events[int]) }

func (watchful) Init() uint16                { return 0 }
func (watchful) Next(s uint16, _ int) uint16 { return s }
func (w watchful) Canonical(done enumerate.Events[int], s uint16) uint16 {
	w.see(done)
	return s
}
