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

// isDownSet reports whether d is a down-set of o.
func (o Order[E]) isDownSet(d set) bool {
	if d&^o.live != 0 {
		return false
	}
	for rest := d; rest != 0; rest &= rest - 1 {
		if o.before[rest.least()]&o.live&^d != 0 {
			return false
		}
	}
	return true
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
	ways   []Count // by number; nil if the order alone does not decide them
}

func newDownSets() *downSets {
	x := &downSets{layers: [][]set{{0}}, ids: newIndex[set]()}
	empty := set(0)
	x.ids.number(&empty)
	return x
}

// id returns the number of a down-set, negative if it is not known. Several
// goroutines may ask at the same time, but not while the sets grow.
func (x *downSets) id(d *set) int32 { return x.ids.find(d) }

// size returns how many down-sets are known.
func (x *downSets) size() int { return x.ids.values.size }

// grow adds the layer of those down-sets that extend one of below by an event.
func (x *downSets) grow(below []set, above func(set) set, hold func(nodes uint64) error) error {
	var next []set
	var d set // the one at hand
	for _, b := range below {
		known := x.size()
		for rest := above(b); rest != 0; rest &= rest - 1 {
			d = b | only(rest.least())
			if _, isNew := x.ids.number(&d); isNew {
				next = append(next, d)
			}
		}
		if err := hold(uint64(x.size() - known)); err != nil {
			return err
		}
	}
	slices.SortFunc(next, compareSets)
	x.layers = append(x.layers, next)
	return nil
}

// downSets returns the down-sets and their completions. It fails if hold does,
// which is told of every new set, and if the completions do not fit in a Count.
func (o Order[E]) downSets(hold func(sets uint64) error) (*downSets, error) {
	x := newDownSets()
	for k := range o.Len() {
		if err := x.grow(x.layers[k], o.above, hold); err != nil {
			return nil, err
		}
	}
	return x, o.complete(x, hold)
}

// complete counts the completions, from the whole of the events down.
func (o Order[E]) complete(x *downSets, hold func(sets uint64) error) error {
	x.ways = make([]Count, x.size())
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
			if err := hold(0); err != nil {
				return err
			}
		}
	}
	return nil
}
