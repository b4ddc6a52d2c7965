package budget

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Cap is what settled and pending units together may come to.
const Cap = 10

// An Op names an operation: an attempt to have something done, with an identity of its own.
type Op uint8

// The operations. A retry and a fallback are operations of their own, which count against
// the same cap; Racer is the first of eight that are alike.
const (
	Accounting Op = iota // no operation: the events of the ledger's own service
	Original
	Retry
	Fallback
	Unpriced
	Racer
)

// Racers is the number of operations that are alike.
const Racers = 8

// An Operation is what is known of one before anything happens.
type Operation struct {
	Name   string
	Route  string
	Bound  uint8 // the most that its provider may charge; 0 if its route has no price
	Charge uint8 // what it charges if it runs
}

// Over is what the provider presents, against the bound, when it breaks the contract.
const Over = 7

var operations = func() []Operation {
	list := []Operation{
		Original: {"original", "a", 6, 4},
		Retry:    {"retry", "a", 6, 4},
		Fallback: {"fallback", "b", 5, 5},
		Unpriced: {"unpriced", "c", 0, 0},
	}
	for i := range Racers {
		list = append(list, Operation{"r" + strconv.Itoa(i+1), "a", 3, 3})
	}
	return list
}()

// Of returns the operation with a name.
func Of(op Op) Operation { return operations[op] }

// At returns the operation that has a place among the entries of a state, in a history of
// the given one.
func At(place int, op Op) Operation {
	if op >= Racer {
		return operations[int(Racer)+place]
	}
	return operations[int(Original)+place]
}

// A Kind is a kind of event.
type Kind uint8

// The kinds of event. A reservation is three steps, between which others take theirs.
const (
	Read   Kind = iota // the ledger's figures are read for a request
	Decide             // they are compared with the cap
	Write              // the reservation is written, or the request is denied

	Dispatch // it is handed to its provider, if it was admitted
	Run      // the provider does it, if it was dispatched and not cancelled before
	Ack      // the provider's acknowledgement of the dispatch arrives
	Timeout  // the scheduler stops waiting for an acknowledgement

	Cancel  // a cancellation reaches the provider: in time, if it has not run
	Confirm // the answer to the cancellation arrives

	Overcharge // a charge above the bound is presented, if it ran
	Charge     // its charge is presented, if it ran
	Reconcile  // what became of it is looked up where that is known for certain

	Down // accounting goes away
	Up   // and comes back

	End // nothing more happens
	kinds
)

var names = [kinds]string{
	"read", "decide", "write", "dispatch", "run", "ack", "timeout", "cancel", "confirm", "overcharge", "charge", "reconcile",
	"down", "up", "end",
}

// An Event happens at most once; N tells repetitions apart: 0 for the first, then 2.
type Event struct {
	Op   Op
	Kind Kind
	N    uint8
}

// String returns the event's text form, original:charge#2 or down.
func (e Event) String() string {
	text := names[e.Kind]
	if e.Op != Accounting {
		text = Of(e.Op).Name + ":" + text
	}
	if e.N > 0 {
		text += "#" + strconv.Itoa(int(e.N))
	}
	return text
}

// GoString is String, for the messages of tests that print values with %#v.
func (e Event) GoString() string { return e.String() }

// Actor returns who causes the event.
func (e Event) Actor() string {
	switch e.Kind {
	case Read, Decide, Write:
		return "ledger"
	case Run, Ack, Confirm, Overcharge, Charge:
		return "provider"
	case Down, Up, End:
		return "service"
	}
	return "scheduler"
}

// Object returns what the event is about.
func (e Event) Object() string {
	if e.Op == Accounting {
		return "accounting"
	}
	return "operation " + Of(e.Op).Name
}

// ErrUnknownEvent is the error of a text that is no event.
var ErrUnknownEvent = errors.New("unknown event")

// ParseEvent reads the text form of an event. Whether an order has it is for the order to
// say.
func ParseEvent(text string) (Event, error) {
	var e Event
	name, number, repeated := strings.Cut(text, "#")
	if repeated {
		if number != "2" {
			return e, fmt.Errorf("%w %q: an event is repeated as #2, once", ErrUnknownEvent, text)
		}
		e.N = 2
	}
	who, what, named := strings.Cut(name, ":")
	if !named {
		who, what = "", name
	}
	op, kind := -1, -1
	for i, o := range operations {
		if o.Name == who {
			op = i
		}
	}
	for i, n := range names {
		if n == what {
			kind = i
		}
	}
	if op < 0 || kind < 0 || (Kind(kind) >= Down) == named {
		return e, fmt.Errorf("%w %q: an event is an operation (original, retry, fallback, unpriced, r1 to r%d) and what happens to it (%s), as in original:charge, or down, up or end",
			ErrUnknownEvent, text, Racers, strings.Join(names[:Down], ", "))
	}
	e.Op, e.Kind = Op(op), Kind(kind)
	return e, nil
}

// An Act is what the ledger does at an event.
type Act uint8

// The acts.
const (
	Nothing Act = iota

	Admit  // reserves the bound
	Share  // admits, and reserves nothing
	Refuse // denies the request, turns the charge down, keeps the reservation

	Proceed // hands the operation to its provider
	Settle  // books the charge in place of the reservation
	Hoard   // books the charge, and keeps what is left of the reservation
	Free    // gives the reservation back
)

// Admits reports whether the act lets an operation proceed.
func (a Act) Admits() bool { return a == Admit || a == Share }

// Settles reports whether the act books a charge.
func (a Act) Settles() bool { return a == Settle || a == Hoard }
