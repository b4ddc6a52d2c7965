package enumerate

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"
	"strings"
)

// MaxEvents is the largest number of events in one order: sets of events are
// single machine words.
const MaxEvents = 64

// An Order is a finite set of events with a precedence relation: the
// schedules of the order are its linear extensions. It is immutable and safe
// to share. The zero value has no events and exactly one schedule, the empty
// one.
//
// Declaration order, the order in which the events were given to the Builder,
// decides every tie: enabled events are tried in it, so schedules come out
// lexicographically.
type Order[E comparable] struct {
	events []E
	names  []string
	places map[E]int // of events, in events
	before []set     // before[i]: all that must happen before event i
	after  []set     // after[i]: all that event i must precede
	live   set       // the events that this order has; Restrict removes some
}

// set holds event indices, one bit each.
type set uint64

func only(i int) set         { return 1 << i }
func (s set) has(i int) bool { return s>>i&1 != 0 }
func (s set) size() int      { return bits.OnesCount64(uint64(s)) }

// least returns the smallest index in s, which must not be empty.
func (s set) least() int { return bits.TrailingZeros64(uint64(s)) }

// Len returns the number of events.
func (o Order[E]) Len() int { return o.live.size() }

// Events returns the events in declaration order.
func (o Order[E]) Events() []E {
	events := make([]E, 0, o.Len())
	for rest := o.live; rest != 0; rest &= rest - 1 {
		events = append(events, o.events[rest.least()])
	}
	return events
}

// Index returns the position of e in the declaration, counting events that a
// Restrict removed, so that indices of all restrictions of one order compare;
// -1 when this order does not have e.
func (o Order[E]) Index(e E) int {
	if i, declared := o.places[e]; declared && o.live.has(i) {
		return i
	}
	return -1
}

// indices returns the declaration indices of a history's events.
func (o Order[E]) indices(history []E) []int {
	list := make([]int, len(history))
	for i, e := range history {
		list[i] = o.Index(e)
	}
	return list
}

// eventsOf returns a history given by declaration indices.
func (o Order[E]) eventsOf(history []int) []E {
	events := make([]E, len(history))
	for n, i := range history {
		events[n] = o.events[i]
	}
	return events
}

// namesOf returns the text forms of a history given by declaration indices.
func (o Order[E]) namesOf(history []int) []string {
	names := make([]string, len(history))
	for n, i := range history {
		names[n] = o.names[i]
	}
	return names
}

// Name returns the text form of e, [actor:]event, where event is what
// fmt.Sprint makes of it; the empty string when this order does not have e.
func (o Order[E]) Name(e E) string {
	if i := o.Index(e); i >= 0 {
		return o.names[i]
	}
	return ""
}

// Precedes reports whether every schedule has a before b. It is false when the
// order lacks one of them.
func (o Order[E]) Precedes(a, b E) bool {
	i, j := o.Index(a), o.Index(b)
	return i >= 0 && j >= 0 && o.after[i].has(j)
}

// CompareHistories orders histories, given as lists of declaration indices: fewest
// events first, then the least sorted list of indices, then the least sequence.
// It returns a negative number, zero or a positive number. The shortest history
// is always the least in this order.
func CompareHistories(a, b []int) int {
	return cmp.Or(
		cmp.Compare(len(a), len(b)),
		slices.Compare(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b))),
		slices.Compare(a, b),
	)
}

// Restrict returns the order of those events that keep accepts. Precedence
// that ran through a removed event stays: with a before b before c, a is still
// before c when b is gone.
func (o Order[E]) Restrict(keep func(E) bool) Order[E] {
	for rest := o.live; rest != 0; rest &= rest - 1 {
		if i := rest.least(); !keep(o.events[i]) {
			o.live &^= only(i)
		}
	}
	return o
}

// Validate returns nil when history is a precedence-closed prefix of a schedule
// of the order, and otherwise an error that names the first event that can't
// stand where it does.
func (o Order[E]) Validate(history []E) error {
	done := ^o.live
	for _, e := range history {
		i := o.Index(e)
		switch {
		case i < 0:
			return fmt.Errorf("history has %v, which is not an event of the order", e)
		case done.has(i):
			return fmt.Errorf("history has %s twice", o.names[i])
		case o.before[i]&^done != 0:
			missing := o.before[i] &^ done
			return fmt.Errorf("history has %s before %s, which must precede it", o.names[i], o.names[missing.least()])
		}
		done |= only(i)
	}
	return nil
}

// String lists the events in declaration order, for messages.
func (o Order[E]) String() string {
	var names []string
	for rest := o.live; rest != 0; rest &= rest - 1 {
		names = append(names, o.names[rest.least()])
	}
	return "{" + strings.Join(names, ", ") + "}"
}

// GoString is String, for the messages of tests that print values with %#v.
func (o Order[E]) GoString() string { return o.String() }
