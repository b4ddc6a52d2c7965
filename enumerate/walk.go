package enumerate

// A Machine is a deterministic state machine over the events of an order.
//
// Init and Next must be pure: the same arguments give the same answer, and
// nothing else changes. Next must be total: it is called for every event of
// the order in every state that some schedule reaches. A Machine is used by
// several goroutines at once.
type Machine[S, E comparable] interface {
	Init() S
	Next(S, E) S
}

// A Stepper is a Machine that can also step in place: Step(&s, e) must leave in s
// what Next(s, e) returns. A Tally uses it, since copying a state in and out of
// Next can cost more than the step; Next is called now and then to compare. Walk
// and Outcomes use it, too.
type Stepper[S, E comparable] interface {
	Machine[S, E]
	Step(*S, E)
}

// Walk goes through every schedule of o depth first. It calls visit for every
// prefix, the empty one and the complete schedules included, with the state
// after its last event; prefixes come in lexicographic order, each before its
// extensions. When visit returns false the extensions of that prefix are left
// out. Events that a Guarded machine blocks are left out, too.
//
// The prefix is reused: visit must copy what it keeps. Walk allocates nothing a
// schedule; it keeps each distinct state once, and calls Next once for each
// state and event, now and then twice: it panics with a *Fault if the machine is not pure.
func Walk[S, E comparable](o Order[E], m Machine[S, E], visit func(prefix []E, s S) bool) {
	t := newTable(m, o.events)
	w := newWalker(o, t)
	w.visit = func(prefix []E, id int32) bool { return visit(prefix, t.state(id)) }
	w.complete = func(int, int32) bool { return true }
	w.from(o.root())
}

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

// A walker is the depth-first search below Walk and Outcomes.
type walker[S, E comparable] struct {
	table  *table[S, E]
	before []set
	covers []set // covers[i]: those that come directly after i
	path   []E
	asked  int // how much of path led to what the machine is asked now

	visit    func(prefix []E, id int32) bool // called for every prefix, if not nil; false leaves out its extensions
	complete func(depth int, id int32) bool  // called where nothing is enabled, with the history in path; false ends the walk
}

func newWalker[S, E comparable](o Order[E], t *table[S, E]) *walker[S, E] {
	return &walker[S, E]{table: t, before: o.before, covers: o.covers(), path: make([]E, o.Len())}
}

// from walks everything that extends n, n itself included.
func (w *walker[S, E]) from(n node) {
	id := w.table.start()
	for depth, i := range n.path { // empty for a Guarded machine
		w.path[depth], w.asked = w.table.events[i], depth+1
		id = w.table.after(id, i)
	}
	switch {
	case w.visit != nil && !w.visit(w.path[:len(n.path)], id):
	case len(n.path) == len(w.path):
		w.complete(len(n.path), id)
	default:
		w.extend(len(n.path), n.done, n.enabled, id)
	}
}

// extend walks every prefix that is longer than the current one, which has
// depth events and ends in state id. It reports whether to go on.
func (w *walker[S, E]) extend(depth int, done, enabled set, id int32) bool {
	stuck := true
	for rest := enabled; rest != 0; rest &= rest - 1 {
		i := rest.least()
		w.path[depth], w.asked = w.table.events[i], depth+1
		to := w.table.after(id, i)
		if to < 0 {
			continue
		}
		stuck = false
		if w.visit != nil && !w.visit(w.path[:depth+1], to) {
			continue
		}
		goOn := false
		if depth+1 == len(w.path) {
			goOn = w.complete(depth+1, to)
		} else {
			goOn = w.extend(depth+1, done|only(i), w.enable(i, done, enabled), to)
		}
		if !goOn {
			return false
		}
	}
	if !stuck {
		return true
	}
	w.asked = depth
	return w.complete(depth, id)
}

// enable returns what is enabled after event i, given what was done and
// enabled before it: i is gone, and only what comes directly after it can have
// been waiting for nothing else.
func (w *walker[S, E]) enable(i int, done, enabled set) set {
	done |= only(i)
	enabled &^= only(i)
	for rest := w.covers[i]; rest != 0; rest &= rest - 1 {
		if j := rest.least(); w.before[j]&^done == 0 {
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
