package ownership

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/commitpoint/counterexamples"
	"example.com/commitpoint/enumerate"
	mechanisms "example.com/commitpoint/mechanisms/harness/ownership"
	model "example.com/commitpoint/model/harness/ownership"
	oracle "example.com/commitpoint/oracle/harness/ownership"
)

// small are restrictions whose schedules can be replayed one by one. Together they have
// every event and a schedule in which every mechanism is wrong.
var small = []struct{ name, events, schedules string }{
	{"slot", "first:ask first:look first:remove a:advance a:exit b:reuse other:reuse end", "840"},
	{"lease", "first:ask first:look first:remove first:report a:advance approve prior-expiry final-expiry renew end", "3780"},
	{"retained", "first:ask first:look first:remove a:advance a:exit approve prior-expiry final-expiry renew end", "15120"},
	{"report", "first:ask first:look first:remove first:report first:acked first:list a:exit inventory-down inventory-up end", "1512"},
	{"retry", "first:ask first:look first:remove retry:ask retry:look retry:remove retry:report retry:acked retry:list a:advance end", "1680"},
	{"two removals", "first:ask first:look first:remove retry:ask retry:look retry:remove a:advance a:exit b:reuse end", "5040"},
	{"two reports", "first:ask first:look first:remove first:acked first:report retry:ask retry:look retry:remove retry:report a:advance approve end", "15400"},
}

// What the tally says of a restriction, with states that forget, is what replaying each
// schedule says, each from the start, with nothing merged and nothing forgotten.
func TestAgreesWithDumbReplay(t *testing.T) {
	wrong := map[string]bool{}
	for _, r := range small {
		order := restricted(r.events)
		for _, m := range mechanisms.All() {
			dumb, schedules := map[sight]uint64{}, uint64(0)
			for schedule := range order.Schedules() {
				schedules++
				states := counterexamples.Replay(machine{m}, schedule)
				for i, e := range schedule {
					if e.Kind.Decides() {
						dumb[decide(m, &states[i], e)]++
					}
				}
				h := states[len(states)-1].history
				dumb[sight{event: model.Event{Kind: model.End}, broken: h.Broken, arose: h.Arose}]++
				wrong[m.Name] = wrong[m.Name] || h.Broken != 0
			}
			walked := tallied{machine{m}, true}
			tally, err := enumerate.Tally(t.Context(), order, walked, observe(walked), enumerate.Options{})
			if err != nil {
				t.Fatal(err)
			}
			merged := map[sight]uint64{}
			for _, o := range tally.Observed {
				merged[o.Value] = o.Count.Big().Uint64()
			}
			if !cmp.Equal(dumb, merged, cmp.AllowUnexported(sight{})) {
				t.Errorf("%s, %s: replayed\n%+v\nmerged\n%+v", r.name, m.Name, dumb, merged)
			}
			if n := enumerate.NewCount(schedules).String(); n != tally.Schedules.String() || n != r.schedules {
				t.Errorf("%s: %s schedules, and %v in the tally; want %s", r.name, n, tally.Schedules, r.schedules)
			}
		}
	}
	for _, m := range mechanisms.All() {
		if wrong[m.Name] == (m.Name == "exact") {
			t.Errorf("%s is wrong: %v", m.Name, wrong[m.Name])
		}
	}
}

// Properties that are checked in every state fail in as many schedules as end with them
// broken.
func TestAgreesWithCheckedProperties(t *testing.T) {
	var always enumerate.Properties[state]
	for i, name := range oracle.PropertyNames() {
		always = append(always, enumerate.Always(name, func(s state) bool { return !s.history.Broken.Has(i) }))
	}
	violations := 0
	for _, r := range small {
		order := restricted(r.events)
		for _, m := range mechanisms.All() {
			checked, err := enumerate.Check(t.Context(), order, machine{m}, always, enumerate.Options{})
			if err != nil {
				t.Fatal(err)
			}
			walked := tallied{machine: machine{m}}
			tally, err := enumerate.Tally(t.Context(), order, walked, observe(walked), enumerate.Options{})
			if err != nil {
				t.Fatal(err)
			}
			list, err := properties(tally, func(s sight) oracle.Properties { return s.broken })
			if err != nil {
				t.Fatal(err)
			}
			want, got := map[string]string{}, map[string]string{}
			for _, v := range checked.Violations {
				want[v.Property] = v.Schedules.String()
			}
			for _, p := range list {
				if p.Schedules != (enumerate.Count{}) {
					got[p.Property] = p.Schedules.String()
				}
			}
			if violations += len(want); !cmp.Equal(want, got) {
				t.Errorf("%s, %s: checked %v, tallied %v", r.name, m.Name, want, got)
			}
			if (checked.Verdict == enumerate.Holds) != (len(want) == 0) {
				t.Errorf("%s, %s: %v with %v", r.name, m.Name, checked.Verdict, want)
			}
		}
	}
	if violations != wantViolations {
		t.Errorf("%d violations, want %d", violations, wantViolations)
	}
}

const wantViolations = 77

// A canonical machine is a tallied one by the engine's own terms.
type canonical struct {
	machine
	forgets tallied
}

func (c canonical) Canonical(_ enumerate.Events[model.Event], s state) state {
	c.forgets.forget(&s.model)
	s.history.Forget()
	s.history.Arose = 0
	return s
}

// The engine samples whether what is forgotten is forgotten once and for all, and changes
// nothing that is observed; and it merges as many states.
func TestForgettingIsCanonical(t *testing.T) {
	for _, r := range small {
		for _, m := range mechanisms.All() {
			walked := tallied{machine: machine{m}}
			c := canonical{machine{m}, walked}
			byEngine, err := enumerate.Tally(t.Context(), restricted(r.events), c, observe(walked), enumerate.Options{})
			if err != nil {
				t.Fatalf("%s, %s: %v", r.name, m.Name, err)
			}
			tally, err := enumerate.Tally(t.Context(), restricted(r.events), walked, observe(walked), enumerate.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if byEngine.Nodes != tally.Nodes || byEngine.Edges != tally.Edges {
				t.Errorf("%s, %s: %d nodes, and %d by the engine", r.name, m.Name, tally.Nodes, byEngine.Nodes)
			}
		}
	}
}
