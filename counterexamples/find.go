package counterexamples

import (
	"slices"

	"example.com/commitpoint/enumerate"
)

// A Judge looks at one history, with the state after its last event. It
// appends to reasons what the history is a counterexample to, which is nothing
// for most, and says whether longer histories that start with this one are to
// be searched.
type Judge[S, E comparable, R comparable] func(reasons []R, history []E, s S) (_ []R, extend bool)

// Find returns the shortest counterexample for each distinct reason that judge
// gives in any of the orders. A reason that never occurs has none.
// Like enumerate.Walk it panics with an *enumerate.Fault if m is not pure.
func Find[S, E comparable, R comparable](orders []enumerate.Order[E], m enumerate.Machine[S, E],
	judge Judge[S, E, R]) map[R][]E {
	type found struct {
		indices []int
		history []E
	}
	best := make(map[R]found)
	var reasons []R
	for _, o := range orders {
		enumerate.Walk(o, m, func(history []E, s S) (extend bool) {
			reasons, extend = judge(reasons[:0], history, s)
			for _, r := range reasons {
				b, ok := best[r]
				if ok && len(b.indices) < len(history) {
					continue
				}
				if indices := indices(o, history); !ok || enumerate.CompareHistories(indices, b.indices) < 0 {
					best[r] = found{indices, slices.Clone(history)}
				}
			}
			return extend
		})
	}
	histories := make(map[R][]E, len(best))
	for r, b := range best {
		histories[r] = b.history
	}
	return histories
}

// indices returns the declaration indices of a history's events.
func indices[E comparable](o enumerate.Order[E], history []E) []int {
	list := make([]int, len(history))
	for i, e := range history {
		list[i] = o.Index(e)
	}
	return list
}
