package counterexamples

import (
	"context"
	"fmt"
	"slices"

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

// FindViolations returns the shortest history that breaks each Always property, by the
// property's name, in any of the orders: Find for the properties of enumerate.Check,
// which counts the schedules as well but takes one order. The empty history breaks
// what does not hold at the start.
func FindViolations[S, E comparable](ctx context.Context, orders []enumerate.Order[E], m enumerate.Machine[S, E],
	properties enumerate.Properties[S], opt enumerate.Options) ([]Counterexample[E, string], error) {
	if len(properties) == 0 || len(properties) > 64 {
		return nil, fmt.Errorf("find violations: %d properties; use 1 to 64", len(properties))
	}
	names := func(positions uint64) []string {
		var names []string
		for i, p := range properties {
			if positions>>i&1 != 0 {
				names = append(names, p.Name())
			}
		}
		return names
	}
	found, err := Find(ctx, orders, m, enumerate.Observe(func(_ S, _ E, after S) (uint64, bool) {
		broken := properties.Broken(after)
		return broken, broken != 0
	}), names, opt)
	if err != nil {
		return nil, err
	}
	broken, err := brokenAtStart(m, properties)
	if err != nil {
		return nil, err
	}
	var atStart []Counterexample[E, string]
	for _, name := range names(broken) {
		atStart = append(atStart, Counterexample[E, string]{name, []E{}})
		found = slices.DeleteFunc(found, func(c Counterexample[E, string]) bool { return c.Reason == name })
	}
	return append(atStart, found...), nil
}

// brokenAtStart returns the properties that do not hold of the initial state. One that
// panics there is a fault, as it is in any other state.
func brokenAtStart[S, E comparable](m enumerate.Machine[S, E], properties enumerate.Properties[S]) (positions uint64, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &enumerate.Fault{What: fmt.Sprintf("panics: %v", p), Known: true}
		}
	}()
	return properties.Broken(m.Init()), nil
}
