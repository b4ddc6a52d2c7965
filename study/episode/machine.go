package episode

import (
	"example.com/commitpoint/enumerate"
	mechanisms "example.com/commitpoint/mechanisms/episode"
	model "example.com/commitpoint/model/episode"
	oracle "example.com/commitpoint/oracle/episode"
	"example.com/commitpoint/study"
)

// A state is what the engine walks. The oracle's history adds few nodes: it is nearly a
// function of the events done and the model's state, but for what was broken on the way.
type state struct {
	model   model.State
	history oracle.History
}

// A machine is the model with a service and the oracle.
type machine struct{ service mechanisms.Mechanism }

func (machine) Init() state { return state{} }

func (m machine) Next(s state, e event) state {
	act := m.service.Act(&s.model, e)
	s.history.Step(e, act)
	s.model.Step(e, act)
	return s
}

// An answer is what the service says to what an event asks of it.
type answer struct {
	question oracle.Question
	yes      bool
	against  oracle.Reasons
}

// answered returns what the service says at an event: the zero answer if nothing is asked.
func (m machine) answered(before *state, e event) answer {
	q, against := before.history.Ask(e)
	return answer{q, q.Accepts(m.service.Act(&before.model, e)), against}
}

// An errorKey tells the errors of one service apart: by what stood against its yes, or by
// what it said no to.
type errorKey struct {
	kind   study.Kind
	reason string
}

// keys returns what is wrong with an answer, nothing if it is right.
func (a answer) keys() []errorKey {
	switch {
	case a.question == oracle.None || a.yes == (a.against == 0):
		return nil
	case !a.yes:
		return []errorKey{{study.EligibleReject, a.question.String()}}
	}
	var keys []errorKey
	for _, name := range a.against.Names() {
		keys = append(keys, errorKey{study.UnsafeAccept, name})
	}
	return keys
}

// An ending is what a schedule comes to.
type ending struct {
	broken    oracle.Properties
	fulfilled bool
}

func isEnd(e event) bool { return e.Kind == model.End }

// endingOf returns what a schedule comes to that ends in a state.
func endingOf(s state) ending { return ending{s.history.Broken, s.model.Is(model.Fulfilled)} }

// A seen is what is observed in a schedule: one ending, and the answers.
type seen struct {
	ended  bool
	ending ending
	answer answer
}

// asks reports whether the service can be asked something at an event.
func asks(e event) bool {
	switch e.Kind {
	case model.Admit, model.Reserve, model.Dispatch, model.Repeat, model.Accept, model.Close:
		return true
	}
	return false
}

// observer observes everything that a result says.
func (m machine) observer() enumerate.Observer[state, event, seen] {
	tells := func(e event) bool { return asks(e) || isEnd(e) }
	return enumerate.ObserveOn(tells, func(before state, e event, _ state) (seen, bool) {
		if isEnd(e) {
			return seen{ended: true, ending: endingOf(before)}, true
		}
		a := m.answered(&before, e)
		return seen{answer: a}, a.question != oracle.None
	})
}
