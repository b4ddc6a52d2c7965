package budget

import (
	"iter"
	"strconv"
	"strings"
)

// Facts are what has happened to an operation.
type Facts uint8

// The facts. Dispatched, Ran and Stopped are the world's; what the ledger has heard of them
// is in its books.
const (
	Willing    Facts = 1 << iota // the comparison came out in favour, and is not written yet
	Known                        // it was admitted once
	Cleared                      // it may be dispatched
	Dispatched                   //
	Ran                          //
	Stopped                      // it was cancelled before it ran, and will not run
	Acked                        // its acknowledgement arrived before the timeout
)

// An Entry is the ledger's entry of an operation, with what has happened to it.
type Entry struct {
	Seen    uint8 // the figure that was read for its request, until it is compared
	Held    uint8 // pending
	Settled uint8
	Facts   Facts
}

// Is reports whether all of some facts hold.
func (e Entry) Is(f Facts) bool { return e.Facts&f == f }

// A State is the ledger and the world around it. The racers have the places of the others:
// they are never in one history.
type State struct {
	Entries [Racers]Entry
	Away    bool // accounting is not available
}

// Entry returns the entry of an operation.
func (s *State) Entry(op Op) *Entry { return &s.Entries[place(op)] }

func place(op Op) Op {
	if op >= Racer {
		return op - Racer
	}
	return op - Original
}

// InFlight reports whether an operation was dispatched and may still run.
func (e Entry) InFlight() bool { return e.Is(Dispatched) && e.Facts&(Ran|Stopped) == 0 }

// Step does one event, at which the ledger acts. Seen is what is remembered of a Read, and
// may be 0 for a ledger that reads again when it writes.
func (s *State) Step(e Event, a Act, seen uint8) {
	switch e.Kind {
	case Down:
		s.Away = true
		return
	case Up:
		s.Away = false
		return
	case End:
		return
	}
	entry := s.Entry(e.Op)
	switch e.Kind {
	case Read:
		entry.Seen = seen
	case Decide:
		entry.Seen = 0
		entry.set(Willing, a.Admits())
	case Write:
		entry.set(Willing, false)
		entry.admit(a, Of(e.Op).Bound)
	case Dispatch:
		entry.set(Dispatched, a == Proceed)
	case Run:
		entry.set(Ran, entry.InFlight())
	case Ack:
		entry.set(Acked, entry.Is(Dispatched))
	case Cancel:
		entry.set(Stopped, entry.InFlight())
	}
	switch {
	case a == Free:
		entry.Held = 0
		entry.set(Cleared, false)
	case a.Settles():
		entry.settle(a, charged(e))
	}
}

// set adds facts if they hold now. What has happened stays, but for what is about the
// future: Willing and Cleared.
func (e *Entry) set(f Facts, holds bool) {
	switch {
	case holds:
		e.Facts |= f
	case f == Willing || f == Cleared:
		e.Facts &^= f
	}
}

func (e *Entry) admit(a Act, bound uint8) {
	if !a.Admits() {
		return
	}
	e.Facts |= Known | Cleared
	if a == Admit {
		e.Held = bound
	}
}

// settle books a charge. What was booked before stays: nothing but a mechanism keeps a
// charge from being booked twice.
func (e *Entry) settle(a Act, charge uint8) {
	e.Settled += charge
	rest := e.Held - min(e.Held, charge)
	if e.Held = 0; a == Hoard {
		e.Held = rest
	}
}

func charged(e Event) uint8 {
	if e.Kind == Overcharge {
		return Over
	}
	return Of(e.Op).Charge
}

// Fields yields the names and values of what the events of some operations change, in a
// fixed order, for people.
func (s State) Fields(ops []Op) iter.Seq2[string, string] {
	return func(yield func(name, value string) bool) {
		away := "available"
		if s.Away {
			away = "away"
		}
		if !yield("accounting", away) {
			return
		}
		for _, op := range ops {
			e, name := *s.Entry(op), Of(op).Name
			for _, f := range [...][2]string{
				{"", e.Facts.String()},
				{" pending", units(e.Held)},
				{" settled", units(e.Settled)},
			} {
				if !yield(name+f[0], f[1]) {
					return
				}
			}
		}
	}
}

func units(n uint8) string { return strconv.Itoa(int(n)) }

// String says what has become of an operation.
func (f Facts) String() string {
	var words []string
	for _, w := range [...]struct {
		word  string
		holds bool
	}{
		{"to be admitted", f&Willing != 0},
		{"admitted", f&(Known|Cleared) == Known|Cleared},
		{"given back", f&(Known|Cleared) == Known},
		{"dispatched", f&Dispatched != 0},
		{"acknowledged", f&Acked != 0},
		{"done", f&Ran != 0},
		{"stopped", f&Stopped != 0},
	} {
		if w.holds {
			words = append(words, w.word)
		}
	}
	if words == nil {
		return "not admitted"
	}
	return strings.Join(words, ", ")
}
