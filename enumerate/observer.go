package enumerate

import "fmt"

// An Observer says what is to be counted on an edge, the step of an event from
// one state to the next. Make one with Observe or ObserveOn; the zero Observer
// observes nothing.
type Observer[S, E, O comparable] struct {
	on  func(E) bool
	see func(before S, e E, after S) (o O, seen bool)
}

// Observe observes whatever see reports, on every edge. Like a Machine, see must
// be pure.
func Observe[S, E, O comparable](see func(before S, e E, after S) (o O, seen bool)) Observer[S, E, O] {
	return Observer[S, E, O]{see: see}
}

// ObserveOn observes what see reports on the edges of those events that on
// accepts, which saves asking about the others.
func ObserveOn[S, E, O comparable](on func(E) bool, see func(before S, e E, after S) (o O, seen bool)) Observer[S, E, O] {
	return Observer[S, E, O]{on, see}
}

// byEvent returns what to ask on the edges of each event, nil if nothing is
// observed there.
func (o Observer[S, E, O]) byEvent(order Order[E]) (see []func(before S, e E, after S) (O, bool), err error) {
	name := ""
	defer func() {
		if p := recover(); p != nil {
			err = &Fault{What: fmt.Sprintf("panics: %v, when asked whether to observe %s", p, name)}
		}
	}()
	see = make([]func(S, E, S) (O, bool), len(order.events))
	for rest := order.live; rest != 0; rest &= rest - 1 {
		i := rest.least()
		if name = order.names[i]; o.on == nil || o.on(order.events[i]) {
			see[i] = o.see
		}
	}
	return see, nil
}
