package deadline

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/commitpoint/counterexamples"
	"example.com/commitpoint/enumerate"
	mechanisms "example.com/commitpoint/mechanisms/deadline"
	model "example.com/commitpoint/model/deadline"
)

// The whole result is a function of nothing but the model: it is pinned in results, and
// does not depend on the workers.
func TestAnyNumberOfWorkers(t *testing.T) {
	one, err := Compute(t.Context(), enumerate.Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	three, err := Compute(t.Context(), enumerate.Options{Workers: 3})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(one, three); d != "" {
		t.Errorf("-1 +3 workers\n%s", d)
	}
}

// What the tally says of some scenarios is what walking every schedule of them says, each
// from the start, with nothing merged.
func TestAgreesWithDumbReplay(t *testing.T) {
	schedules := 0
	for _, g := range []Grid{Between, AtProbe} {
		orders := Scenarios(g)
		few := slices.DeleteFunc(slices.Clone(orders), func(o enumerate.Order[model.Event]) bool { return o.Len() > 8 })
		seen, err := sum(enumerate.TallyAll(t.Context(), few, machine{}, atEnd(), enumerate.Options{}))
		if err != nil {
			t.Fatal(err)
		}
		dumb := make(map[decided]uint64)
		for _, o := range few {
			for schedule := range o.Schedules() {
				states := counterexamples.Replay(machine{}, schedule)
				dumb[decide(&states[len(states)-1])]++
				schedules++
			}
		}
		if fmt.Sprint(dumb) != fmt.Sprint(seen) {
			t.Errorf("%v: the tally and the replay of %d scenarios differ", g, len(few))
		}
	}
	if schedules < 200_000 {
		t.Errorf("only %d schedules were replayed", schedules)
	}
}

// The number of schedules by the closed form: a chain of the clock, and the rest free, all
// before the end.
func TestNumberOfSchedules(t *testing.T) {
	for g, chain := range map[Grid]int{Between: 4, AtProbe: 3} {
		want := uint64(0)
		for op := range 2 { // none, or one of three
			for chosen := range 7 {
				ways := choose(6, chosen) * uint64([]int{1, 3}[op]) * uint64(8)
				for i := range op + chosen {
					ways *= uint64(chain + i + 1)
				}
				want += ways
			}
		}
		all := uint64(0)
		tallied, err := enumerate.TallyAll(t.Context(), Scenarios(g), machine{}, atEnd(), enumerate.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, one := range tallied {
			all += one.Schedules.Big().Uint64()
		}
		if all != want {
			t.Errorf("%v: %d schedules, and %d by the closed form", g, all, want)
		}
	}
}

func choose(n, k int) uint64 {
	ways := uint64(1)
	for i := range k {
		ways = ways * uint64(n-i) / uint64(i+1)
	}
	return ways
}

// What a probe exactly at the deadline changes: nothing becomes true after the last one.
// And what the scores have to add up to.
func TestWhatTheResultSays(t *testing.T) {
	r, err := Compute(t.Context(), enumerate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	between, at := r.Grids[0], r.Grids[1]
	for _, g := range r.Grids {
		differs := uint64(0)
		for _, d := range g.Reference.Differs {
			differs += d.Schedules
		}
		ref := g.Policies[len(g.Policies)-1]
		if g.Reference.Fulfilled+g.Reference.Violated+g.Reference.NotDetermined != g.Schedules ||
			g.Reference.Fulfilled+differs != g.InTime || ref.FalseAlarm != differs || ref.FalsePass != 0 || ref.FalseAlarmByRef != 0 {
			t.Errorf("%+v", g)
		}
	}
	if between.Reference.Differs[1].Schedules == 0 || at.Reference.Differs[1].Schedules != 0 || at.Reference.Differs[1].Why != afterLastProbe {
		t.Errorf("after the last probe: %+v and %+v", between.Reference.Differs, at.Reference.Differs)
	}
	for i, r := range r.Gate {
		if r.AtFirst+r.AfterRecovery+r.Terminated != r.Schedules || r.AtFirst == 0 || r.AfterRecovery == 0 || r.Invocations < r.Schedules {
			t.Errorf("%d: %+v", i, r)
		}
	}
	routed, wait, again := r.Gate[0], r.Gate[1], r.Gate[2]
	if !(wait.AfterRecovery < routed.AfterRecovery && routed.AfterRecovery < again.AfterRecovery) ||
		!(wait.Invocations < routed.Invocations && routed.Invocations < again.Invocations) || wait.Invocations != wait.Schedules {
		t.Errorf("routed %+v, waiting %+v, re-invoking %+v", routed, wait, again)
	}
}

func TestComputeIsCutShort(t *testing.T) {
	incomplete := (*enumerate.IncompleteError)(nil)
	if _, err := Compute(t.Context(), enumerate.Options{MaxNodes: 100}); !errors.As(err, &incomplete) {
		t.Error(err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Compute(ended, enumerate.Options{}); !errors.As(err, &incomplete) || !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// Each property of the gate is one that a gate can lack: without what brings it about, the
// check fails and names it.
func TestGatePropertiesCanFail(t *testing.T) {
	routed := Strategies()[0]
	ends, err := walkGate(t.Context(), routed, enumerate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := checkGate(routed, ends, nil); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		property string
		wrong    ended
	}{
		{"nothing is released without Fulfilled", ended{outcome: mechanisms.FulfilledAtFirst, unverified: true, right: true}},
		{"the first verdict never changes", ended{outcome: mechanisms.TerminatedUnverified, cycles: 2, rewritten: true}},
		{"recovery ends within three cycles", ended{outcome: mechanisms.Open, cycles: 3}},
		{"a released completion is contradicted later only if somebody undid it", ended{outcome: mechanisms.FulfilledAtFirst, contradicted: true, right: true}},
		{"nothing is verified without an operation that can take effect", ended{outcome: mechanisms.VerifiedAfterRecovery, cycles: 2}},
	} {
		with := map[ended]uint64{tt.wrong: 1}
		for e, n := range ends {
			with[e] += n
		}
		if _, err := checkGate(routed, with, nil); !errors.Is(err, ErrUnsound) || !slices.ContainsFunc(gateProperties, func(p struct {
			name    string
			reached func(ended) bool
			holds   func(ended) bool
		}) bool {
			return p.name == tt.property && err != nil && fmt.Sprint(err) == fmt.Sprintf("%v: with recovery routed it is not so that %s", ErrUnsound, p.name)
		}) {
			t.Errorf("%s: %v", tt.property, err)
		}
		nothing := map[ended]uint64{{outcome: mechanisms.TerminatedUnverified}: 1}
		if _, err := checkGate(routed, nothing, nil); !errors.Is(err, ErrUnsound) {
			t.Errorf("nothing is reached, and it is fine: %v", err)
		}
	}
}

// A gate that waits whatever the verdict never invokes the agent again, and what the agent
// left out stays left out.
func TestWaitingNeverCreatesAnOperation(t *testing.T) {
	ends, err := walkGate(t.Context(), Strategies()[1], enumerate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	missing := uint64(0)
	for e, n := range ends {
		if !e.right {
			missing += n
		}
		if e.invocations != 1 || !e.right && e.released() {
			t.Errorf("%+v", e)
		}
	}
	if missing == 0 {
		t.Error("no operation is ever missing")
	}
}
