package enumerate

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
)

// Draw draws schedules of the orders at random, with replacement, each with exactly the
// same probability: an order with twice as many schedules is drawn from twice as often.
// The draw is decided by seed: the same arguments give the same schedules.
//
// The down-sets of each order have to fit in the node limit, one order at a time; counts
// that leave 128 bits are ErrOverflow.
func Draw[E comparable](ctx context.Context, orders []Order[E], samples int, seed uint64, opt Options) ([][]E, error) {
	if samples < 1 {
		return nil, fmt.Errorf("draw: %d schedules to draw; use 1 or more", samples)
	}
	if len(orders) == 0 {
		return nil, errors.New("draw: no orders, which have no schedules; give at least one")
	}
	opt, err := opt.complete()
	if err != nil {
		return nil, err
	}
	d := drawer[E]{orders: orders, sets: make([]*downSets, len(orders)), random: rand.New(rand.NewPCG(seed, 0))}
	for i, o := range orders {
		if err := d.prepare(ctx, i, o, opt); err != nil {
			return nil, err
		}
	}
	drawn := make([][]E, samples)
	for n := range drawn {
		if err := context.Cause(ctx); err != nil {
			return nil, &IncompleteError{Progress: Progress{Schedules: uint64(n)}, Cause: err}
		}
		drawn[n] = d.draw()
	}
	return drawn, nil
}

// A drawer draws schedules of several orders.
type drawer[E comparable] struct {
	orders []Order[E]
	sets   []*downSets
	all    Count // schedules of all orders
	random *rand.Rand
}

// prepare counts the schedules of an order.
func (d *drawer[E]) prepare(ctx context.Context, i int, o Order[E], opt Options) (err error) {
	sets := uint64(0)
	d.sets[i], err = o.downSets(func(n uint64) error {
		if sets += n; sets > opt.MaxNodes {
			return errNodes(opt.MaxNodes)
		}
		return context.Cause(ctx)
	})
	if err == nil {
		err = addTo(&d.all, d.sets[i].ways[0])
	}
	switch {
	case errors.Is(err, ErrOverflow):
		return fmt.Errorf("draw: %w", err)
	case err != nil:
		return &IncompleteError{Cause: err}
	}
	return nil
}

func (d *drawer[E]) draw() []E {
	r := below(d.random, d.all)
	i := 0
	for ; r.Cmp(d.sets[i].ways[0]) >= 0; i++ {
		r = r.minus(d.sets[i].ways[0])
	}
	o := d.orders[i]
	history := make([]E, 0, o.Len())
	for done := set(0); done != o.live; {
		e := o.pick(d.sets[i], done, d.random)
		history = append(history, o.events[e])
		done |= only(e)
	}
	return history
}
