// Package rapidgen generates schedules for property tests with
// pgregory.net/rapid: complete ones, histories that stop somewhere, and the
// scenarios to draw them in.
//
//	rapid.Check(t, func(t *rapid.T) {
//		scenario := rapidgen.Restriction(order, optional).Draw(t, "scenario")
//		schedule := rapidgen.Schedule(scenario).Draw(t, "schedule")
//		// run what is tested on the schedule
//	})
//
// All that the order admits can be drawn, and nothing else. How often is not
// promised, and it is not uniform: enumerate.Sample draws each schedule with the
// same probability, but does not shrink. Passing says nothing about what was not
// drawn.
//
// What fails shrinks towards fewer events and towards the lexicographically first
// schedule. Rapid stops at a local minimum, which need not be the least;
// counterexamples.Shrink can go on from there.
package rapidgen

import (
	"slices"

	"pgregory.net/rapid"

	"example.com/commitpoint/enumerate"
)

// Schedule generates complete schedules of o. They shrink towards the first one,
// event by event: of the events that can come next, the one declared first.
func Schedule[E comparable](o enumerate.Order[E]) *rapid.Generator[[]E] {
	if o.Len() == 0 {
		return rapid.Just([]E{}) // a custom generator has to draw something
	}
	d := newDrawer(o)
	return rapid.Custom(func(t *rapid.T) []E { return d.draw(t, o.Len()) })
}

// History generates precedence-closed prefixes of schedules of o, from the empty
// one to complete schedules. They shrink by losing their last events, then like
// schedules; it takes a Restriction to leave out others.
func History[E comparable](o enumerate.Order[E]) *rapid.Generator[[]E] {
	d := newDrawer(o)
	return rapid.Custom(func(t *rapid.T) []E {
		return d.draw(t, rapid.IntRange(0, o.Len()).Draw(t, "length"))
	})
}

// Restriction generates orders with all events of o that are not optional and any
// of those that are. They shrink towards fewer events.
func Restriction[E comparable](o enumerate.Order[E], optional func(E) bool) *rapid.Generator[enumerate.Order[E]] {
	if optional == nil {
		panic("rapidgen.Restriction: optional is nil; pass a function that says which events may be missing")
	}
	events := slices.DeleteFunc(o.Events(), func(e E) bool { return !optional(e) })
	if len(events) == 0 {
		return rapid.Just(o)
	}
	return rapid.Custom(func(t *rapid.T) enumerate.Order[E] {
		kept := make(map[E]bool)
		for _, e := range events {
			kept[e] = rapid.Bool().Draw(t, o.Name(e))
		}
		return o.Restrict(func(e E) bool { return kept[e] || !slices.Contains(events, e) })
	})
}

// A drawer has the events of an order and, for each, those that must happen
// before it, one bit each.
type drawer[E comparable] struct {
	events []E
	before []uint64
}

func newDrawer[E comparable](o enumerate.Order[E]) drawer[E] {
	d := drawer[E]{events: o.Events()}
	for _, then := range d.events {
		var before uint64
		for i, first := range d.events {
			if o.Precedes(first, then) {
				before |= 1 << i
			}
		}
		d.before = append(d.before, before)
	}
	return d
}

// draw draws a history of n events.
func (d drawer[E]) draw(t *rapid.T, n int) []E {
	history := make([]E, 0, n)
	var done uint64
	for range n {
		next := rapid.SampledFrom(d.enabled(done)).Draw(t, "next")
		done |= 1 << next
		history = append(history, d.events[next])
	}
	return history
}

// enabled returns the indices of the events that can come next.
func (d drawer[E]) enabled(done uint64) []int {
	var list []int
	for i, before := range d.before {
		if done>>i&1 == 0 && before&^done == 0 {
			list = append(list, i)
		}
	}
	return list
}
