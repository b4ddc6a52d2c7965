package counterexamples

import (
	"slices"

	"example.com/commitpoint/enumerate"
)

// Replay runs a history on m, event by event, and returns the states: the
// initial one first, then one after each event.
func Replay[S, E comparable](m enumerate.Machine[S, E], history []E) []S {
	states := make([]S, 1, len(history)+1)
	states[0] = m.Init()
	for i, e := range history {
		states = append(states, m.Next(states[i], e))
	}
	return states
}

// A Neighbor is a history that differs from another by one swap: Later now
// comes directly before Earlier.
type Neighbor[E comparable] struct {
	History        []E
	Earlier, Later E
}

// Neighbors returns the histories that o admits and that differ from history
// by swapping two adjacent events, the last such pair first: what comes close
// to the deciding event says most about why the order matters.
func Neighbors[E comparable](o enumerate.Order[E], history []E) []Neighbor[E] {
	var list []Neighbor[E]
	for i := len(history) - 2; i >= 0; i-- {
		swapped := slices.Clone(history)
		swapped[i], swapped[i+1] = swapped[i+1], swapped[i]
		if o.Validate(swapped) == nil {
			list = append(list, Neighbor[E]{swapped, history[i], history[i+1]})
		}
	}
	return list
}

// An Outcome is how a history comes out.
type Outcome struct {
	Decision string
	Eligible bool
	Wrong    bool // whether the decision is wrong
}

// FindNearest returns the nearest history that comes out right if the given one comes
// out wrong, or wrong if that comes out right: one that o admits, of the same events,
// with one adjacent swap as late as possible. It returns nil if there is none.
func FindNearest[E comparable](o enumerate.Order[E], history []E, outcome func([]E) Outcome) *Nearest {
	given := outcome(history)
	for _, n := range Neighbors(o, history) {
		other := outcome(n.History)
		if other.Wrong == given.Wrong {
			continue
		}
		nearest := &Nearest{Later: o.Name(n.Later), Earlier: o.Name(n.Earlier), Decision: other.Decision, Eligible: other.Eligible}
		for _, e := range n.History {
			nearest.Schedule = append(nearest.Schedule, o.Name(e))
		}
		return nearest
	}
	return nil
}
