package counterexamples

import (
	"context"

	"example.com/commitpoint/enumerate"
)

// A Counterexample is the shortest history that is wrong for a reason.
type Counterexample[E comparable, R comparable] struct {
	Reason  R
	History []E // ends with the deciding event
}

// Find returns the shortest counterexample for each distinct reason, the shortest
// of all first. It looks at every step that a schedule of any of the orders takes:
// observe says what there is to see in one, and reasons what a value that it
// reported is a counterexample to, which is nothing for most.
//
// What is found depends on the orders, the machine and the two functions only. Each
// distinct state is visited once, however many schedules there are. Errors are those
// of enumerate.Witnesses.
func Find[S, E, O, R comparable](ctx context.Context, orders []enumerate.Order[E], m enumerate.Machine[S, E],
	observe enumerate.Observer[S, E, O], reasons func(O) []R, opt enumerate.Options) ([]Counterexample[E, R], error) {
	witnesses, err := enumerate.Witnesses(ctx, orders, m, observe, opt)
	if err != nil {
		return nil, err
	}
	var found []Counterexample[E, R]
	known := make(map[R]bool)
	for _, w := range witnesses { // the shortest first
		for _, r := range reasons(w.Value) {
			if !known[r] {
				known[r] = true
				found = append(found, Counterexample[E, R]{r, w.History})
			}
		}
	}
	return found, nil
}
