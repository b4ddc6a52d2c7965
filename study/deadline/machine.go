package deadline

import (
	"example.com/commitpoint/enumerate"
	mechanisms "example.com/commitpoint/mechanisms/deadline"
	model "example.com/commitpoint/model/deadline"
	oracle "example.com/commitpoint/oracle/deadline"
)

// A state is what the engine walks.
type state struct {
	model   model.State
	history oracle.History
}

type machine struct{}

func (machine) Init() state { return state{} }

func (m machine) Next(s state, e model.Event) state {
	m.Step(&s, e)
	return s
}

func (machine) Step(s *state, e model.Event) {
	s.model.Step(e)
	s.history.Step(e)
}

var policies = mechanisms.Policies()

// A decided is what the policies and the oracle say of a history that has ended.
type decided struct {
	answers [5]model.Verdict // of the policies, the reference last
	mode    model.Mode       // of the reference
	truth   truth
}

// A truth is what the oracle knows.
type truth struct{ inTime, atProbe, atClose, ever bool }

func (d *decided) reference() model.Verdict { return d.answers[len(d.answers)-1] }

// decide lets every policy answer.
func decide(s *state) (d decided) {
	t := s.model.Trial()
	for i, p := range policies {
		d.answers[i] = p.Decide(&t)
	}
	_, d.mode = mechanisms.Verify(&t)
	h := &s.history
	d.truth = truth{h.InTime, h.AtProbe, h.AtClose, h.Ever}
	return d
}

// atEnd observes what is decided when the verifier stops.
func atEnd() enumerate.Observer[state, model.Event, decided] {
	return enumerate.ObserveOn(isEnd, func(_ state, _ model.Event, after state) (decided, bool) { return decide(&after), true })
}

func isEnd(e model.Event) bool { return e.Kind == model.End }
