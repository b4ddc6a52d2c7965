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
