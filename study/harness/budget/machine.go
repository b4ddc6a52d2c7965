package budget

import (
	"example.com/commitpoint/enumerate"
	mechanisms "example.com/commitpoint/mechanisms/harness/budget"
	model "example.com/commitpoint/model/harness/budget"
	oracle "example.com/commitpoint/oracle/harness/budget"
	"example.com/commitpoint/study"
)

// A state is what the engine walks. The oracle's history adds few nodes: it is a function of
// the events done and the model's state, but for what was broken on the way.
type state struct {
	model      model.State
	history    oracle.History
	overbooked bool // the books exceeded the cap, in some step so far
}

// A machine is the model with a ledger and the oracle.
type machine struct{ ledger mechanisms.Mechanism }

func (machine) Init() state { return state{} }

func (m machine) Next(s state, e model.Event) state {
	m.Step(&s, e)
	return s
}

func (m machine) Step(s *state, e model.Event) {
	act, seen := m.ledger.Act(&s.model, e), m.ledger.Seen(&s.model, e)
	s.history.Step(e, act)
	s.model.Step(e, act, seen)
	if act.Admits() || act.Settles() {
		s.overbooked = s.overbooked || booked(&s.model) > model.Cap
	}
}

// booked returns what is settled and pending by the ledger's own books.
func booked(s *model.State) (sum int) {
	for _, e := range s.Entries {
		sum += int(e.Held) + int(e.Settled)
	}
	return sum
}

// properties are those that a schedule can show to be broken: one of the ledger's books,
// and those of the oracle, which does not know them.
var properties = append([]string{"settled plus pending never exceeds the cap"}, oracle.PropertyNames[:]...)

// broken returns the positions in properties of those that are, one bit each.
func (s *state) broken() uint64 {
	bits := uint64(s.history.Broken) << 1
	if s.overbooked {
		bits |= 1
	}
	return bits
}

// An answer is what the ledger says to what an event asks of it.
type answer struct {
	question oracle.Question
	yes      bool
	against  oracle.Reasons
}

// answered returns what the ledger says at an event: the zero answer if nothing is asked.
func (m machine) answered(before *state, e model.Event) answer {
	q, against := before.history.Ask(e)
	return answer{q, q.Accepts(m.ledger.Act(&before.model, e)), against}
}

// An errorKey tells the errors of one ledger apart: by what stood against its yes, or by
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
	broken   uint64 // of properties
	reused   bool
	admitted int
}

func isEnd(e model.Event) bool { return e.Kind == model.End }

// endingOf returns what a schedule comes to that ends in a state.
func endingOf(s state) ending {
	admitted := 0
	for _, e := range s.model.Entries {
		if e.Is(model.Known) {
			admitted++
		}
	}
	return ending{s.broken(), s.history.Reused, admitted}
}

// A seen is what is observed in a schedule: one ending, and the answers.
type seen struct {
	ended  bool
	ending ending
	answer answer
}

// asks reports whether the ledger can be asked something at an event.
func asks(e model.Event) bool {
	switch e.Kind {
	case model.Write, model.Dispatch, model.Timeout, model.Cancel, model.Confirm, model.Overcharge, model.Charge, model.Reconcile:
		return true
	}
	return false
}

// observer observes everything that a result says.
func (m machine) observer() enumerate.Observer[state, model.Event, seen] {
	tells := func(e model.Event) bool { return asks(e) || isEnd(e) }
	return enumerate.ObserveOn(tells, func(before state, e model.Event, _ state) (seen, bool) {
		if isEnd(e) {
			return seen{ended: true, ending: endingOf(before)}, true
		}
		a := m.answered(&before, e)
		return seen{answer: a}, a.question != oracle.None
	})
}
