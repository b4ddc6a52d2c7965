package enumerate

import "fmt"

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
	learned uint64
	next    []int32 // next[id*len(events)+i] is 1 + the state after event i, 0 if not known yet, negative if blocked
}

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

// start returns the number of the initial state.
func (t *table[S, E]) start() int32 {
	t.last = t.machine.Init()
	return t.id()
}

// state returns the state with number id.
func (t *table[S, E]) state(id int32) S { return *t.states.values.at(id) }

// id returns the number of the last state.
func (t *table[S, E]) id() int32 {
	id, isNew := t.states.number(&t.last)
	if isNew {
		t.next = append(t.next, make([]int32, len(t.events))...)
	}
	return id
}

// after returns the number of the state that follows state id on event i, or a
// negative number if the event is blocked.
func (t *table[S, E]) after(id int32, i int) int32 {
	if to := t.next[int(id)*len(t.events)+i]; to != 0 {
		return to - 1
	}
	return t.learn(id, i)
}

func (t *table[S, E]) learn(id int32, i int) int32 {
	s, e := t.states.values.at(id), t.events[i]
	to := int32(blocked)
	if t.guard == nil || t.guard(*s, e) {
		if t.step != nil {
			t.last = *s
			t.step(&t.last, e)
		} else {
			t.last = t.machine.Next(*s, e)
		}
		if t.learned++; t.learned&(t.learned-1) == 0 || t.learned%pollEvery == 0 {
			if again := t.machine.Next(*s, e); again != t.last {
				panic(&Fault{What: fmt.Sprintf("is not pure: it led to %v, and then to %v in state %v", t.last, again, *s)})
			}
		}
		to = t.id() + 1 // may move t.next
	}
	t.next[int(id)*len(t.events)+i] = to
	return to - 1
}
