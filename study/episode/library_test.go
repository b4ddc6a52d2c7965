package episode

import (
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/commitpoint/episode"
	mechanisms "example.com/commitpoint/mechanisms/episode"
	model "example.com/commitpoint/model/episode"
)

// answers are those of the mechanisms, as the library has them.
var answers = [...]episode.Answer{
	mechanisms.Pass: episode.Pass, mechanisms.Hold: episode.Hold, mechanisms.Escalate: episode.Escalate, mechanisms.Deny: episode.Deny,
}

// The model's purchase, and what is delegated for it, as the library has them.
var (
	rebooking = episode.Intent{
		ID: "rebooking", Carrier: "first", Action: "buy", Cost: 80, Final: true, Resource: "seat", Evidence: []string{"accessibility"}}
	delegated = episode.Delegation{Principal: "traveller", Carrier: "first", Actions: []string{"buy"}, Budget: 100, Threshold: 50}
)

// The library admits on any answers of four guards what the reference does.
func TestLibraryDecides(t *testing.T) {
	for n := range 1 << 8 {
		var ours []mechanisms.Answer
		var theirs []episode.Guard
		for i := range 4 {
			a := mechanisms.Answer(n >> (2 * i) & 3)
			ours = append(ours, a)
			theirs = append(theirs, episode.Guard{
				Name:  string(rune('a' + i)),
				Check: func(episode.View, episode.Intent) (episode.Answer, string) { return answers[a], "it is said" },
			})
		}
		d, err := episode.Admit(episode.View{}, episode.Intent{ID: "rebooking"}, theirs...)
		if want := mechanisms.Decide(ours...).String(); err != nil || d.String() != want {
			t.Errorf("on %v the library comes to %v (%v), the reference to %s", ours, d, err, want)
		}
	}
}

// The library's own guards, on all that the first can have observed and in all that there
// can be then, decide what the reference does.
func TestLibraryAdmits(t *testing.T) {
	facts := [...]model.Facts{model.Revoked, model.Replaced, model.Approved, model.Evidenced, model.Moved}
	decided := map[string]int{}
	for bits := range 1 << len(facts) {
		for later := range 1 << len(facts) {
			then, now := model.State{}, model.State{}
			for i, f := range facts {
				if bits>>i&1 != 0 {
					then.Facts |= f
				}
				if (bits|later)>>i&1 != 0 { // nothing that happened goes away
					now.Facts |= f
				}
			}
			now.Desk(model.First).View = then.Look(model.First)
			want := mechanisms.Complete.Act(&now, model.Event{Agent: model.First, Kind: model.Admit}).String()
			d, err := episode.Admit(observed(&then, &now), rebooking, episode.Guards()...)
			if err != nil || d.String() != want {
				t.Errorf("observed %b, and there is %b: the library comes to %v (%v), the reference to %s", then.Facts, now.Facts, d, err, want)
			}
			decided[want]++
		}
	}
	if len(decided) != 4 {
		t.Errorf("decided were %v: not every decision", decided)
	}
}

// observed returns the library's view of what the first observed in one state, when it is
// judged in another.
func observed(then, now *model.State) episode.View {
	v := episode.View{
		Version: 1, Latest: 1, Carrier: "first", Policy: "v1", Resources: []string{"seat"},
		Delegation: delegated,
	}
	v.Delegation.Revoked = then.Is(model.Revoked)
	if then.Look(model.First) != now.Look(model.First) {
		v.Latest = 2
	}
	if then.Is(model.Replaced) {
		v.Successor = "successor"
	}
	if then.Is(model.Approved) {
		v.Approved = []string{"rebooking"}
	}
	if then.Is(model.Evidenced) {
		v.Facts = []episode.Fact{{Name: "accessibility", Value: "step-free", Status: episode.Accepted, Sources: []string{"provider"}}}
	}
	return v
}

// What is not the first's to say, as the model and the library have it. An approval comes
// before a revocation at the same moment, since the library refuses it afterwards.
var outside = [...]struct {
	event string
	do    func(e *episode.Episode) error
}{
	{"approve", func(e *episode.Episode) error { return e.Approve("traveller", rebooking.ID) }},
	{"evidence", func(e *episode.Episode) error { return e.Report("airport", "accessibility", "step-free") }},
	{"expire", func(e *episode.Episode) error { return e.Govern("v2") }},
	{"replace", func(e *episode.Episode) error { return e.Replace("first", "successor") }},
	{"revoke", func(e *episode.Episode) error { return e.Revoke("traveller", "first") }},
}

// The library's episode answers what the reference does, whenever the others have their say:
// before the first observes, is admitted, reserves or dispatches, or never.
func TestLibraryActs(t *testing.T) {
	steps := [...]string{"first:observe#2", "first:admit#2", "first:reserve", "first:dispatch"}
	ended := map[string]int{}
	var run func(when []int)
	run = func(when []int) {
		if len(when) < len(outside) {
			for moment := range len(steps) + 1 {
				run(append(slices.Clone(when), moment))
			}
			return
		}
		p := begun(t)
		for i, step := range steps {
			for j, o := range outside {
				if when[j] == i {
					p.hear(t, o.event, o.do)
				}
			}
			ours, theirs := p.act(t, step)
			if ours != theirs {
				t.Fatalf("with %v: at %s the library comes to %s, the reference to %s", when, step, theirs, ours)
			}
			ended[step+" "+ours]++
		}
	}
	run(nil)
	// What counts for the decision is there before the observation: without authority (9 of 25
	// pairs of moments) it is DENY, and without approval ESCALATE. Nothing may come between
	// that and the admission, and then the reservation, and then the dispatch.
	want := map[string]int{
		"first:observe#2 none": 3125,
		"first:admit#2 DENY":   9 * 125, "first:admit#2 ESCALATE": 16 * 4 * 25, "first:admit#2 HOLD": 16*25 - 4*3*3, "first:admit#2 ALLOW": 4 * 3 * 3,
		"first:reserve agree": 3 * 2 * 2, "first:reserve refuse": 3125 - 3*2*2,
		"first:dispatch agree": 2, "first:dispatch refuse": 3125 - 2,
	}
	if d := cmp.Diff(want, ended); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// A pair is one episode, of the model with its reference, and of the library.
type pair struct {
	model   model.State
	library *episode.Episode
}

// begun returns a pair in which the first has asked once: there is nothing to approve before.
func begun(t *testing.T) *pair {
	t.Helper()
	e, err := episode.Begin(episode.Terms{
		Reconciliation: episode.Reconciliation{Sources: []string{"airport"}}, Policy: "v1", Resources: []string{"seat"},
		Delegations: []episode.Delegation{delegated}, Outcome: []episode.Want{{Fact: "arrival"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	p := &pair{library: e}
	for _, step := range []string{"first:observe", "first:admit"} {
		if ours, theirs := p.act(t, step); ours != theirs {
			t.Fatalf("at %s the library comes to %s, the reference to %s", step, theirs, ours)
		}
	}
	return p
}

// hear has somebody else's say in both. The library may refuse it: what is approved after a
// revocation changes nothing.
func (p *pair) hear(t *testing.T, event string, do func(*episode.Episode) error) {
	t.Helper()
	p.model.Step(declared(event), model.Nothing)
	granted(t, do(p.library))
}

// act has the first take a step in both, and returns what either does at it.
func (p *pair) act(t *testing.T, step string) (ours, theirs string) {
	t.Helper()
	e := declared(step)
	act := mechanisms.Complete.Act(&p.model, e)
	p.model.Step(e, act)
	return act.String(), p.answer(t, e.Kind)
}

// answer returns what the library does at a step, in the words of the model.
func (p *pair) answer(t *testing.T, k model.Kind) string {
	t.Helper()
	switch k {
	case model.Admit:
		d, err := p.library.Admit(rebooking)
		if err != nil {
			t.Fatal(err)
		}
		return d.String()
	case model.Reserve:
		return granted(t, p.library.Reserve(rebooking.ID)).String()
	case model.Dispatch:
		return granted(t, p.library.Dispatch(rebooking.ID)).String()
	}
	if _, err := p.library.Observe("first"); err != nil {
		t.Fatal(err)
	}
	return model.Nothing.String()
}

// granted says whether the library agreed to something, or refused it.
func granted(t *testing.T, err error) model.Act {
	t.Helper()
	switch {
	case err == nil:
		return model.Agree
	case errors.Is(err, episode.ErrRefused):
		return model.Refuse
	}
	t.Fatal(err)
	return model.Nothing
}
