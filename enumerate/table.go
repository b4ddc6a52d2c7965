package enumerate

import (
	"fmt"
	"slices"
)

// A table numbers the states of a machine as they are met and remembers its
// transitions. Schedules meet the same few states again and again, so that
// walking them is mostly looking up: the study's 6,694 schedules have 23,443
// prefixes, and 1,465 pairs of a state and an event.
//
// A table is used by one goroutine.
type table[S, E comparable] struct {
	machine Machine[S, E]
	step    func(*S, E)     // nil if the machine has Next only
	guard   func(S, E) bool // nil if nothing is blocked
	ends    func(S) bool    // nil if schedules end with the last event only
	events  []E
	states  index[S]
	last    S // to be numbered
	asked   uint64
	next    []int32 // next[id*len(events)+i] is the state after event i, or one of the following
	fault   *Fault  // what was faulty
}

// What there can be instead of the number of a state.
const (
	blocked = -1 // the event can't happen
	faulty  = -2 // the machine did something that it must not
	unknown = -3 // nobody has asked
)

func newTable[S, E comparable](m Machine[S, E], events []E) *table[S, E] {
	t := &table[S, E]{machine: m, events: events, states: newIndex[S]()}
	if s, ok := m.(Stepper[S, E]); ok {
		t.step = s.Step
	}
	if g, ok := m.(Guarded[S, E]); ok {
		t.guard = g.Enabled
	}
	if g, ok := m.(Ending[S, E]); ok {
		t.ends = g.Done
	}
	return t
}

// start returns the number of the initial state, or faulty.
func (t *table[S, E]) start() (id int32) {
	defer t.guardAgainstPanic(&id)
	t.last = t.machine.Init()
	return t.number()
}

// state returns the state with number id.
func (t *table[S, E]) state(id int32) *S { return t.states.values.at(id) }

// number returns the number of the last state.
func (t *table[S, E]) number() int32 {
	id, isNew := t.states.number(&t.last)
	if isNew {
		known := len(t.next)
		t.next = slices.Grow(t.next, len(t.events))[:known+len(t.events)]
		for i := range t.next[known:] {
			t.next[known+i] = unknown
		}
	}
	return id
}

// after returns the number of the state that follows state id on event i, blocked,
// or faulty.
func (t *table[S, E]) after(id int32, i int) int32 {
	at := int(id)*len(t.events) + i
	if t.next[at] == unknown {
		to := t.ask(id, i) // may move t.next
		t.next[at] = to
	}
	return t.next[at]
}

// ask asks the machine what event i does in state id.
func (t *table[S, E]) ask(id int32, i int) (to int32) {
	defer t.guardAgainstPanic(&to)
	s, e := t.state(id), t.events[i]
	if t.guard != nil && !t.guard(*s, e) {
		return blocked
	}
	if t.step != nil {
		t.last = *s
		t.step(&t.last, e)
	} else {
		t.last = t.machine.Next(*s, e)
	}
	if t.asked++; t.asked&(t.asked-1) == 0 || t.asked%pollEvery == 0 {
		if again := t.machine.Next(*s, e); again != t.last {
			t.fault = &Fault{What: fmt.Sprintf("is not pure: it led to %v, and then to %v in state %v", t.last, again, *s)}
			return faulty
		}
	}
	return t.number()
}

// ended reports whether a schedule may end in state id with events left over.
func (t *table[S, E]) ended(id int32) (end bool) {
	if t.ends == nil {
		return false
	}
	var panicked int32
	defer t.guardAgainstPanic(&panicked)
	return t.ends(*t.state(id))
}

// guardAgainstPanic, deferred, makes a fault of a panic of the machine.
func (t *table[S, E]) guardAgainstPanic(answer *int32) {
	if p := recover(); p != nil {
		t.fault = &Fault{What: fmt.Sprintf("panics: %v", p)}
		*answer = faulty
	}
}
