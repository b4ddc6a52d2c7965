package enumerate

import (
	"iter"
	"math/big"
	"slices"
)

// Schedules returns every schedule of the order, lexicographically by
// declaration order. Each slice is the caller's to keep.
//
// It is the plain way through the order, with nothing shared between
// schedules and nothing remembered; the other walks are tested against it. Use
// Walk or Outcomes where speed matters.
func (o Order[E]) Schedules() iter.Seq[[]E] {
	return func(yield func([]E) bool) {
		o.extend(make([]E, 0, o.Len()), ^o.live, yield)
	}
}

// extend yields every schedule that starts with prefix, whose events are done,
// and reports whether to go on.
func (o Order[E]) extend(prefix []E, done set, yield func([]E) bool) bool {
	if done == ^set(0) {
		return yield(slices.Clone(prefix))
	}
	for i, e := range o.events {
		if !done.has(i) && o.before[i]&^done == 0 {
			if !o.extend(append(prefix, e), done|only(i), yield) {
				return false
			}
		}
	}
	return true
}

// Extensions returns the number of schedules by a closed form, without
// walking any of them. It knows one for forests, orders in which whatever
// precedes an event is a chain (disjoint chains among them): n! divided by the
// product, over the events, of one plus the number of events that follow it
// (Knuth, The Art of Computer Programming 3, exercise 5.1.4-20). For any other
// order ok is false.
func (o Order[E]) Extensions() (n *big.Int, ok bool) {
	n = big.NewInt(1)
	hooks, factor := big.NewInt(1), new(big.Int)
	events := uint64(0)
	for rest := o.live; rest != 0; rest &= rest - 1 {
		i := rest.least()
		if !o.chain(o.before[i] & o.live) {
			return nil, false
		}
		events++
		n.Mul(n, factor.SetUint64(events))
		hooks.Mul(hooks, factor.SetUint64(uint64(1+(o.after[i]&o.live).size())))
	}
	return n.Quo(n, hooks), true
}

// chain reports whether the events of s are totally ordered: then they have
// 0, 1, 2, … predecessors among themselves, in some order.
func (o Order[E]) chain(s set) bool {
	var sizes set
	for rest := s; rest != 0; rest &= rest - 1 {
		sizes |= only((o.before[rest.least()] & s).size())
	}
	return sizes.size() == s.size()
}
