package enumerate

import (
	"fmt"
	"slices"
)

// The sets of events that can be done at one time are the order's down-sets:
// with an event, they have everything that precedes it. They form layers by
// size.

// below returns the events that can be the last of those of d: d without one of
// them is a down-set, too.
func (o Order[E]) below(d set) (maximal set) {
	for rest := d & o.live; rest != 0; rest &= rest - 1 {
		if i := rest.least(); o.after[i]&d == 0 {
			maximal |= only(i)
		}
	}
	return maximal
}

// above returns the events that are enabled when those of d are done.
func (o Order[E]) above(d set) (enabled set) {
	for rest := o.live &^ d; rest != 0; rest &= rest - 1 {
		if i := rest.least(); o.before[i]&o.live&^d == 0 {
			enabled |= only(i)
		}
	}
	return enabled
}

// compareSets orders sets of equal size by the lists of their indices.
func compareSets(a, b set) int {
	switch differ := a ^ b; {
	case differ == 0:
		return 0
	case a.has(differ.least()):
		return -1
	}
	return 1
}

// downSets are the down-sets of an order, and in how many ways each can be
// completed.
type downSets struct {
	layers [][]set // by size, each sorted by the lists of their indices
	ids    index[set]
	ways   []Count // by number
}

// id returns the number of a down-set, which is not kept. Several goroutines may
// ask at the same time.
func (x *downSets) id(d *set) int32 {
	id, _ := x.ids.number(d)
	return id
}

// downSets returns the down-sets. It fails if there are more than limit, or if
// the completions do not fit in a Count.
func (o Order[E]) downSets(limit uint64) (*downSets, error) {
	x := &downSets{layers: [][]set{{0}}, ids: newIndex[set]()}
	var d set // the one at hand
	x.ids.number(&d)
	for k := range o.Len() {
		var next []set
		for _, below := range x.layers[k] {
			for rest := o.above(below); rest != 0; rest &= rest - 1 {
				d = below | only(rest.least())
				if _, isNew := x.ids.number(&d); isNew {
					next = append(next, d)
				}
			}
		}
		if uint64(x.ids.values.size) > limit {
			return nil, errNodes(limit)
		}
		slices.SortFunc(next, compareSets)
		x.layers = append(x.layers, next)
	}
	return x, o.complete(x)
}

// complete counts the completions, from the whole of the events down.
func (o Order[E]) complete(x *downSets) error {
	x.ways = make([]Count, x.ids.values.size)
	d := o.live
	x.ways[x.id(&d)] = NewCount(1)
	for k := len(x.layers) - 2; k >= 0; k-- {
		for _, below := range x.layers[k] {
			var sum Count
			for rest := o.above(below); rest != 0; rest &= rest - 1 {
				d = below | only(rest.least())
				if err := addTo(&sum, x.ways[x.id(&d)]); err != nil {
					return fmt.Errorf("count the schedules: %w", err)
				}
			}
			d = below
			x.ways[x.id(&d)] = sum
		}
	}
	return nil
}
