package enumerate

import "context"

// A node is a point of the search: how it got there and what can come next. Its
// path holds event indices.
type node struct {
	path    []int
	done    set
	enabled set
}

// root returns the node of no events.
func (o Order[E]) root() node {
	n := node{done: ^o.live}
	for rest := o.live; rest != 0; rest &= rest - 1 {
		if i := rest.least(); o.before[i]&o.live == 0 {
			n.enabled |= only(i)
		}
	}
	return n
}

// A search is the depth-first search below Walk and Outcomes.
type search[S, E comparable] struct {
	table  *table[S, E]
	before []set
	covers []set // covers[i]: those that come directly after i
	path   []E
	asked  int // how much of path led to what was faulty

	order    int                                    // that visit is told
	visit    func(order int, prefix []E, s *S) bool // called for every prefix, if not nil; false leaves out its extensions
	complete func(history []E, id int32)            // called where nothing is enabled

	ctx    context.Context
	polled uint64 // prefixes
	err    error  // what ended the search, beside a fault of the table
}

func newSearch[S, E comparable](ctx context.Context, o Order[E], t *table[S, E]) *search[S, E] {
	return &search[S, E]{table: t, before: o.before, covers: o.covers(), path: make([]E, o.Len()), ctx: ctx, err: context.Cause(ctx)}
}

// from searches everything that extends n, n itself included.
func (s *search[S, E]) from(n node) {
	if s.err != nil {
		return
	}
	id := s.table.start()
	for depth, i := range n.path { // empty if events can be blocked
		if id < 0 {
			break
		}
		s.path[depth], s.asked = s.table.events[i], depth+1
		id = s.table.after(id, i)
	}
	switch depth := len(n.path); {
	case id < 0:
	case s.visit != nil && !s.visit(s.order, s.path[:depth], s.table.state(id)):
	case depth == len(s.path):
		s.complete(s.path, id)
	default:
		s.extend(depth, n.done, n.enabled, id)
	}
}

// extend searches every prefix that is longer than the current one, which has
// depth events and ends in state id. It reports whether to go on.
func (s *search[S, E]) extend(depth int, done, enabled set, id int32) bool {
	t := s.table
	rest, stuck := enabled, true
	for rest != 0 {
		i := rest.least()
		rest &= rest - 1
		s.path[depth] = t.events[i]
		to := t.next[int(id)*len(t.events)+i]
		if to == unknown {
			to = t.after(id, i)
		}
		if to < 0 {
			if to == blocked {
				continue
			}
			s.asked = depth + 1
			return false
		}
		stuck = false
		if s.polled++; s.polled%pollEvery == 0 && !s.goOn() {
			return false
		}
		if s.visit != nil && !s.visit(s.order, s.path[:depth+1], t.state(to)) {
			continue
		}
		if depth+1 == len(s.path) {
			s.complete(s.path, to)
			continue
		}
		next := s.enable(i, done, enabled)
		if rest == 0 { // the last, as most are: nothing to come back for
			depth, done, enabled, id = depth+1, done|only(i), next, to
			rest, stuck = enabled, true
		} else if !s.extend(depth+1, done|only(i), next, to) {
			return false
		}
	}
	if stuck {
		s.asked = depth
		s.complete(s.path[:depth], id)
		return t.fault == nil
	}
	return true
}

// goOn looks at the context.
func (s *search[S, E]) goOn() bool {
	s.err = context.Cause(s.ctx)
	return s.err == nil
}

// enable returns what is enabled after event i, given what was done and
// enabled before it: i is gone, and only what comes directly after it can have
// been waiting for nothing else.
func (s *search[S, E]) enable(i int, done, enabled set) set {
	done |= only(i)
	enabled &^= only(i)
	for rest := s.covers[i]; rest != 0; rest &= rest - 1 {
		if j := rest.least(); s.before[j]&^done == 0 {
			enabled |= only(j)
		}
	}
	return enabled
}

// covers returns, for each event, those that come after it with none between.
func (o Order[E]) covers() []set {
	covers := make([]set, len(o.events))
	for rest := o.live; rest != 0; rest &= rest - 1 {
		i := rest.least()
		covers[i] = o.after[i] & o.live
		for between := covers[i]; between != 0; between &= between - 1 {
			covers[i] &^= o.after[between.least()]
		}
	}
	return covers
}
