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

// Walk goes through every schedule of o depth first, computing each state of a
// shared prefix once. It calls visit for every prefix, the empty one and the
// complete schedules included, with the state after its last event; prefixes
// come in lexicographic order, each before its extensions. When visit returns
// false the extensions of that prefix are left out.
//
// The prefix is reused: visit must copy what it keeps. Walk allocates nothing
// a schedule.
func Walk[S, E comparable](o Order[E], m Machine[S, E], visit func(prefix []E, s S) bool) {
	w := newWalker(o, m, visit)
	w.from(start(o, m))
}

// A walker is the depth-first search below Walk and Fold.
type walker[S, E comparable] struct {
	order   Order[E]
	machine Machine[S, E]
	visit   func(prefix []E, s S) bool
	path    []E
}

func newWalker[S, E comparable](o Order[E], m Machine[S, E], visit func([]E, S) bool) *walker[S, E] {
	return &walker[S, E]{order: o, machine: m, visit: visit, path: make([]E, 0, o.Len())}
}

// A node is a point of the search: what is done, what is enabled, and how it
// got there.
type node[S, E comparable] struct {
	path    []E
	done    set
	enabled set
	state   S
}

func start[S, E comparable](o Order[E], m Machine[S, E]) node[S, E] {
	root := node[S, E]{done: ^o.live, state: m.Init()}
	root.enabled = o.unblocked(o.live, root.done)
	return root
}

// from walks everything that extends n, n itself included.
func (w *walker[S, E]) from(n node[S, E]) {
	w.path = append(w.path[:0], n.path...)
	w.walk(n.done, n.enabled, n.state)
}

func (w *walker[S, E]) walk(done, enabled set, s S) {
	if !w.visit(w.path, s) {
		return
	}
	for rest := enabled; rest != 0; rest &= rest - 1 {
		i := rest.least()
		e := w.order.events[i]
		w.path = append(w.path, e)
		w.walk(done|only(i), w.order.enable(i, done, enabled), w.machine.Next(s, e))
		w.path = w.path[:len(w.path)-1]
	}
}

// enable returns what is enabled after event i, given what was done and
// enabled before it: only what i precedes can have become so.
func (o Order[E]) enable(i int, done, enabled set) set {
	done |= only(i)
	return enabled&^only(i) | o.unblocked(o.after[i]&^done, done)
}

// unblocked returns the events of s that have every predecessor done.
func (o Order[E]) unblocked(s, done set) set {
	for rest := s; rest != 0; rest &= rest - 1 {
		if i := rest.least(); o.before[i]&^done != 0 {
			s &^= only(i)
		}
	}
	return s
}
