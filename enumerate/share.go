package enumerate

import (
	"errors"
	"fmt"
	"slices"
)

// A share is what one of several orders gets of a tally. The nodes of a down-set
// are the same in every order that has it, since restricting an order changes
// nothing among the events that stay; what differs is how they are completed.
type share[E, O comparable] struct {
	order     Order[E]
	sets      *downSets // of the order; nil if the machine decides which there are
	index     index[O]  // numbers observations in result.Observed
	result    Tallied[O]
	histories Count // of the last layer
}

func newShare[E, O comparable](o Order[E]) share[E, O] {
	return share[E, O]{order: o, index: newIndex[O]()}
}

// prepare finds the down-sets of the order.
func (s *share[E, O]) prepare(hold func(sets uint64) error) (err error) {
	s.sets, err = s.order.downSets(hold)
	if err == nil {
		s.result.Schedules = s.sets.ways[0] // the empty set is the first
	}
	return err
}

// add adds the size of a cell.
func (s *share[E, O]) add(nodes, edges uint64, merged Merged) {
	s.result.DownSets++
	s.result.Nodes += nodes
	s.result.Edges += edges
	s.result.Canonical.Raw += merged.Raw
	s.result.Canonical.Kept += merged.Kept
}

// observe counts an observation, each of whose histories is completed in ways.
func (s *share[E, O]) observe(seen *sighting[O], ways Count) error {
	n, err := seen.count.Times(ways)
	if err != nil {
		return fmt.Errorf("count an observation: %w", err)
	}
	id, isNew := s.index.number(&seen.value)
	if isNew {
		s.result.Observed = append(s.result.Observed, Observed[O]{Value: seen.value})
	}
	if err := addTo(&s.result.Observed[id].Count, n); err != nil {
		return fmt.Errorf("count an observation: %w", err)
	}
	return nil
}

// allDownSets returns the down-sets of all orders together.
func allDownSets[E, O comparable](shares []share[E, O]) *downSets {
	if len(shares) == 1 {
		return shares[0].sets
	}
	all := newDownSets()
	for k := 1; ; k++ {
		var layer []set
		for _, s := range shares {
			if k > s.order.Len() {
				continue
			}
			for i := range s.sets.layers[k] {
				if d := &s.sets.layers[k][i]; all.ids.isNew(d) {
					layer = append(layer, *d)
				}
			}
		}
		if layer == nil {
			return all
		}
		slices.SortFunc(layer, compareSets)
		all.layers = append(all.layers, layer)
	}
}

// union returns the order of all events that the given orders have. It is an error
// if they are not restrictions of one order.
func union[E comparable](orders []Order[E]) (Order[E], error) {
	all := orders[0]
	for _, o := range orders[1:] {
		if !slices.Equal(o.events, all.events) || !slices.Equal(o.before, all.before) {
			return all, errors.New("the orders are not restrictions of one order; use Restrict, or a run for each")
		}
		all.live |= o.live
	}
	return all, nil
}

// above returns the events that come next, in one order or another, when those of
// d are done.
func (t *tallier[S, E, O]) above(d set) (enabled set) {
	for i := range t.shares {
		if o := &t.shares[i].order; o.isDownSet(d) {
			enabled |= o.above(d)
		}
	}
	return enabled
}
