package episode

import (
	"testing"

	"example.com/commitpoint/episode"
	mechanisms "example.com/commitpoint/mechanisms/episode"
	model "example.com/commitpoint/model/episode"
)

// answers are those of the mechanisms, as the library has them.
var answers = [...]episode.Answer{
	mechanisms.Pass: episode.Pass, mechanisms.Hold: episode.Hold, mechanisms.Escalate: episode.Escalate, mechanisms.Deny: episode.Deny,
}

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
	in := episode.Intent{ID: "rebooking", Carrier: "first", Action: "buy", Cost: 80, Final: true, Resource: "seat", Evidence: []string{"accessibility"}}
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
			d, err := episode.Admit(observed(&then, &now), in, episode.Guards()...)
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
		Delegation: episode.Delegation{
			Principal: "traveller", Carrier: "first", Actions: []string{"buy"}, Budget: 100, Threshold: 50, Revoked: then.Is(model.Revoked)},
	}
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
