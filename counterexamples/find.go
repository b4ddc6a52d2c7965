package counterexamples

import (
	"context"
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
// Its errors are those of enumerate.Walk.
func Find[S, E comparable, R comparable](ctx context.Context, orders []enumerate.Order[E], m enumerate.Machine[S, E],
	judge Judge[S, E, R]) (map[R][]E, error) {
	type found struct {
		indices []int
		history []E
	}
	best := make(map[R]found)
	var reasons []R
	err := enumerate.Walk(ctx, orders, m, func(order int, history []E, s *S) (extend bool) {
		reasons, extend = judge(reasons[:0], history, *s)
		for _, r := range reasons {
			b, ok := best[r]
			if ok && len(b.indices) < len(history) {
				continue
			}
			if indices := indices(orders[order], history); !ok || enumerate.CompareHistories(indices, b.indices) < 0 {
				best[r] = found{indices, slices.Clone(history)}
			}
		}
		return extend
	})
	if err != nil {
		return nil, err
	}
	histories := make(map[R][]E, len(best))
	for r, b := range best {
		histories[r] = b.history
	}
	return histories, nil
}

// indices returns the declaration indices of a history's events.
func indices[E comparable](o enumerate.Order[E], history []E) []int {
	list := make([]int, len(history))
	for i, e := range history {
		list[i] = o.Index(e)
	}
	return list
}
