package enumerate

import (
	"context"
	"errors"
)

// Cover returns the fewest schedules of the orders that together take every edge of the
// merged graph: from every distinct pair of the events done and a state, every event
// that some order has next. The orders must be restrictions of one order.
//
// It is for what can't be merged, a program outside of the machine for instance: whatever
// that does after some events, if its state is a function of the machine's, one of the
// schedules shows. Those of the study have 6,694 schedules, and this takes far fewer.
// There can be many smallest sets; which one is returned depends on the orders and the
// machine only. The schedules are in lexicographical order.
//
// It keeps all nodes, with about 60 bytes an edge beside the states. Errors are those of
// Tally; a machine that is Guarded is an error, since its schedules are not the orders'.
func Cover[S, E comparable](ctx context.Context, orders []Order[E], m Machine[S, E], opt Options) ([][]E, error) {
	if len(orders) == 0 {
		return nil, errors.New("cover: no orders, which have no schedules; give at least one")
	}
	t, err := newTallier(orders, m, Observer[S, E, bool]{}, opt)
	if err != nil {
		return nil, err
	}
	if t.guard != nil {
		return nil, errors.New("cover: the machine blocks events, and its schedules are not those of the orders; use Walk")
	}
	t.keep = true
	var cover [][]E
	err = t.all(ctx, func(ctx context.Context) error {
		n := t.network()
		if err := t.meter.hold(ctx, 0, uint64(len(n.arcs))*arcBytes); err != nil {
			return err
		}
		if err := n.minimize(ctx); err != nil {
			return err
		}
		for _, path := range n.paths() {
			cover = append(cover, t.order.eventsOf(path))
		}
		return nil
	})
	return cover, err
}

// network returns the merged graph as a network, in which a path may end where the
// events of one of the orders are done.
func (t *tallier[S, E, O]) network() *network {
	first := make(map[set]int32) // number of a cell's first node
	nodes := int32(0)
	for _, layer := range t.layers {
		for _, c := range layer {
			first[c.done] = nodes
			nodes += int32(c.states.size)
		}
	}
	n := newNetwork(nodes)
	for _, layer := range t.layers {
		for _, c := range layer {
			for _, in := range c.in {
				from := first[c.done&^only(in.last)]
				for state, target := range in.targets {
					n.add(from+int32(state), first[c.done]+target, int32(in.last), 1)
				}
			}
		}
	}
	for i := range t.shares {
		whole := t.shares[i].order.live
		for _, c := range t.layers[whole.size()] {
			if c.done != whole || n.ends[first[whole]] {
				continue
			}
			for state := range int32(c.states.size) {
				n.end(first[whole] + state)
			}
		}
	}
	n.index()
	return n
}
