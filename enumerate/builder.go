package enumerate

import (
	"fmt"
	"slices"
	"strings"
)

// A Builder collects the events and the precedence relation of an Order. Its
// methods return the Builder, so that a declaration reads as one expression;
// what is wrong with it is reported once, by Build.
type Builder[E comparable] struct {
	events []E
	names  []string
	pairs  []pair[E]
}

type pair[E comparable] struct{ first, then E }

// NewOrder returns an empty Builder.
func NewOrder[E comparable]() *Builder[E] { return new(Builder[E]) }

// Chain declares events that happen one after the other. The actor, which may
// be empty, becomes part of their text form; it does not tell events apart.
func (b *Builder[E]) Chain(actor string, events ...E) *Builder[E] {
	b.Free(actor, events...)
	for i := 1; i < len(events); i++ {
		b.Before(events[i-1], events[i])
	}
	return b
}

// Free declares events without precedence: each can happen at any time.
func (b *Builder[E]) Free(actor string, events ...E) *Builder[E] {
	for _, e := range events {
		name := fmt.Sprint(e)
		if actor != "" {
			name = actor + ":" + name
		}
		b.events = append(b.events, e)
		b.names = append(b.names, name)
	}
	return b
}

// Before makes first precede then. Both have to be declared by the time of
// Build, before or after this call.
func (b *Builder[E]) Before(first, then E) *Builder[E] {
	b.pairs = append(b.pairs, pair[E]{first, then})
	return b
}

// Build returns the order. It is an error to declare more than MaxEvents
// events, to declare an event (or a text form) twice, to use an event in
// Before that is not declared, and to declare a cycle; the error names the
// events.
func (b *Builder[E]) Build() (Order[E], error) {
	n := len(b.events)
	if n > MaxEvents {
		return Order[E]{}, fmt.Errorf("order has %d events, at most %d are possible: %s is one too many",
			n, MaxEvents, b.names[MaxEvents])
	}
	if i := b.duplicate(); i >= 0 {
		return Order[E]{}, fmt.Errorf("order declares %s twice: events have to differ, whoever their actor", b.names[i])
	}
	o := Order[E]{
		events: slices.Clone(b.events),
		names:  slices.Clone(b.names),
		places: make(map[E]int, n),
		before: make([]set, n),
		after:  make([]set, n),
		live:   lowest(n),
	}
	for i, e := range o.events {
		o.places[e] = i
	}
	for _, p := range b.pairs {
		i, j := o.Index(p.first), o.Index(p.then)
		if i < 0 || j < 0 {
			unknown := p.first
			if i >= 0 {
				unknown = p.then
			}
			return Order[E]{}, fmt.Errorf("order has no event %v, in %v before %v: declare it with Chain or Free",
				unknown, p.first, p.then)
		}
		o.before[j] |= only(i)
	}
	o.close()
	if cycle := o.cycle(); cycle != nil {
		return Order[E]{}, fmt.Errorf("order has a cycle through %s: no schedule can have each of them before itself",
			strings.Join(cycle, ", "))
	}
	return o, nil
}

// duplicate returns the index of the first event that repeats an earlier one,
// as a value or in its text form, or -1.
func (b *Builder[E]) duplicate() int {
	for i := range b.events {
		if slices.Contains(b.events[:i], b.events[i]) || slices.Contains(b.names[:i], b.names[i]) {
			return i
		}
	}
	return -1
}

// lowest returns the set of the first n indices; n may be MaxEvents.
func lowest(n int) set {
	if n == MaxEvents {
		return ^set(0)
	}
	return only(n) - 1
}

// close makes before transitive (Warshall) and derives after from it.
func (o Order[E]) close() {
	for k := range o.events {
		for j := range o.events {
			if o.before[j].has(k) {
				o.before[j] |= o.before[k]
			}
		}
	}
	for j := range o.events {
		for i := range o.events {
			if o.before[j].has(i) {
				o.after[i] |= only(j)
			}
		}
	}
}

// cycle returns the names of the events that precede themselves.
func (o Order[E]) cycle() []string {
	var names []string
	for i, name := range o.names {
		if o.before[i].has(i) {
			names = append(names, name)
		}
	}
	return names
}
