package enumerate

import (
	"context"
	"slices"
)

// A Machine is a deterministic state machine over the events of an order.
//
// Init and Next must be pure: the same arguments give the same answer, and
// nothing else changes. Next must be total: it is called for every event of
// the order in every state that some schedule reaches. A Machine is used by
// several goroutines at once.
type Machine[S, E comparable] interface {
	Init() S
	Next(S, E) S
}

// A Stepper is a Machine that can also step in place: Step(&s, e) must leave in s
// what Next(s, e) returns. A Tally uses it, since copying a state in and out of
// Next can cost more than the step; Next is called now and then to compare. Walk
// and Outcomes use it, too.
type Stepper[S, E comparable] interface {
	Machine[S, E]
	Step(*S, E)
}

// Walk goes through every schedule of every order depth first. It calls visit for
// every prefix, the empty one and the complete schedules included, with the
// position of its order in orders and the state after its last event. Orders come
// one after the other, and the prefixes of each lexicographically, each before its
// extensions. When visit returns false the extensions of that prefix are left out.
// Events that a Guarded machine blocks are left out, too.
//
// The prefix and the state are the walk's own: visit must copy what it keeps and
// change nothing. Walk allocates nothing a schedule; it keeps each distinct state
// once, and asks the machine once for each state and event, now and then twice.
// Orders that are restrictions of one order share what it answered.
//
// When ctx ends before the walk does, the error is an *IncompleteError. A machine
// that panics or is not pure is a *Fault. A panic of visit is the caller's own.
func Walk[S, E comparable](ctx context.Context, orders []Order[E], m Machine[S, E],
	visit func(order int, prefix []E, s *S) (extend bool)) error {
	var t *table[S, E]
	var schedules uint64
	for i, o := range orders {
		t = tableFor(t, m, o)
		s := newSearch(ctx, o, t)
		s.order, s.visit = i, visit
		s.complete = func([]E, int32) { schedules++ }
		s.from(o.root())
		switch {
		case t.fault != nil:
			return t.fault.after(o.namesOf(o.indices(s.path[:s.asked])))
		case s.err != nil:
			return &IncompleteError{Progress: Progress{Schedules: schedules}, Cause: s.err}
		}
	}
	return nil
}

// tableFor returns t if it is of o's events, and otherwise a new table.
func tableFor[S, E comparable](t *table[S, E], m Machine[S, E], o Order[E]) *table[S, E] {
	if t != nil && slices.Equal(t.events, o.events) {
		return t
	}
	return newTable(m, o.events)
}
