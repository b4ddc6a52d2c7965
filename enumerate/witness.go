package enumerate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
)

// A Witness is an observed value and the shortest history that ends with an
// observation of it, the least by CompareHistories.
type Witness[E, O comparable] struct {
	Value   O
	History []E
}

// Witnesses returns a Witness of each value that is observed in any of the orders,
// the shortest history first. There must be an order, and all restrictions of one.
//
// It visits every node once, however many schedules there are, and keeps all of
// them, with 16 bytes a node and 4 for each event tried in it beside the state. The
// result depends on the orders, the machine and the observer only. Errors are those
// of Tally, but histories that deadlock are none.
func Witnesses[S, E, O comparable](ctx context.Context, orders []Order[E], m Machine[S, E], observe Observer[S, E, O], opt Options) ([]Witness[E, O], error) {
	if len(orders) == 0 {
		return nil, errors.New("witnesses: no orders, in which nothing is ever observed; give at least one")
	}
	t, err := newTallier(orders, m, observe, opt)
	if err != nil {
		return nil, err
	}
	t.keep = true
	var found []Witness[E, O]
	err = t.all(ctx, func(ctx context.Context) (err error) {
		found, err = t.witnesses(ctx)
		return err
	})
	return found, err
}

func (t *tallier[S, E, O]) witnesses(ctx context.Context) ([]Witness[E, O], error) {
	var found []Witness[E, O]
	known := newIndex[O]()
	for _, layer := range t.layers {
		for _, c := range layer { // in the order of their sets of events
			first := known.values.size
			for i := range c.seen {
				known.number(&c.seen[i].value)
			}
			if known.values.size == first {
				continue
			}
			ends, err := t.leastSights(ctx, c, &known, first)
			if err != nil {
				return nil, err
			}
			for _, end := range ends {
				if end.key == math.MaxUint64 {
					return nil, &Fault{What: "is not pure: it no longer shows what was observed"}
				}
				last := eventOf(end.key)
				path := append(t.history(c.done&^only(last), end.state), last)
				found = append(found, Witness[E, O]{*known.values.at(end.value), t.order.eventsOf(path)})
			}
		}
	}
	return found, nil
}

// A sight is an edge on which a value is observed: that of event i from a state of
// the cell below.
type sight struct {
	key   uint64 // as in ranked
	state int32
	value int32 // its number
}

// leastSights returns, for each value from number first on, the edge to c at which
// the least history that observes it ends, the least first.
func (t *tallier[S, E, O]) leastSights(ctx context.Context, c *cell[S, O], known *index[O], first int) ([]sight, error) {
	if err := t.rank(ctx, c.done.size()-1); err != nil {
		return nil, err
	}
	least := make([]sight, known.values.size-first)
	for i := range least {
		least[i].key = math.MaxUint64
	}
	for _, in := range c.in {
		if t.see[in.last] == nil {
			continue
		}
		below := c.done &^ only(in.last)
		ranks := t.ranked[below.size()][below].ranks
		for state := range in.targets {
			key := keyOf(ranks[state], in.last)
			value, seen, err := t.observed(below, int32(state), in)
			if err != nil {
				return nil, err
			}
			if !seen {
				continue
			}
			n := int(known.find(&value)) - first
			if n >= 0 && key < least[n].key {
				least[n] = sight{key, int32(state), int32(n + first)}
			}
		}
	}
	slices.SortFunc(least, func(a, b sight) int { return cmp.Compare(a.key, b.key) })
	return least, nil
}

// observed observes the edge of an incoming event from a state again.
func (t *tallier[S, E, O]) observed(below set, state int32, in incoming) (value O, seen bool, err error) {
	if in.targets[state] == blocked {
		return value, false, nil
	}
	before, e := t.cells[t.sets.id(&below)].states.at(state), t.order.events[in.last]
	defer func() {
		if p := recover(); p != nil {
			err = &edgeFault[S]{edge[S]{below, before, in.last}, fmt.Sprintf("panics: %v", p)}
		}
	}()
	value, seen = t.see[in.last](*before, e, t.machine.Next(*before, e))
	return value, seen, nil
}
