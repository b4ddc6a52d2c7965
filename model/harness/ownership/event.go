package ownership

import (
	"fmt"
	"strings"

	"example.com/commitpoint/model"
)

// A Kind is what happens in an event.
type Kind uint8

// The kinds of event. Those of a request come first, in the order of its chain; then the
// world's, the lease's, and the inventory's.
const (
	Ask    Kind = iota + 1 // the request names the workload that A has then
	Look                   // it reads who is in the slot
	Take                   // it decides, and removes what is in the slot now, or refuses
	Report                 // it says what came of it
	Acked                  // the answer to its removal arrives
	List                   // an inventory is taken, after its removal

	Advance     // A's next generation starts, in place of the one before
	Exit        // A's workload ends by itself
	ReuseByB    // B's next workload takes the slot, if it is free
	ReuseByRun  // a workload of another run does
	Approve     // that A's workload is retained, for the generation that A has then
	PriorExpiry // the lease so far runs out: an approval is late from here on
	FinalExpiry // the lease as approved runs out, unless it was renewed
	Renew       // the lease as approved is extended, beyond all that happens
	Down        // inventories fail from here on
	Up          // and until here
	End         // nothing happens any more
)

var kinds = [...]struct{ name, actor, object string }{
	Ask:         {"ask", "cleanup", "workload"},
	Look:        {"look", "cleanup", "slot"},
	Take:        {"remove", "cleanup", "slot"},
	Report:      {"report", "cleanup", "report"},
	Acked:       {"acked", "runtime", "answer"},
	List:        {"list", "runtime", "inventory"},
	Advance:     {"a:advance", "session A", "slot"},
	Exit:        {"a:exit", "session A", "slot"},
	ReuseByB:    {"b:reuse", "session B", "slot"},
	ReuseByRun:  {"other:reuse", "another run", "slot"},
	Approve:     {"approve", "authority", "lease"},
	PriorExpiry: {"prior-expiry", "clock", "lease"},
	FinalExpiry: {"final-expiry", "clock", "lease"},
	Renew:       {"renew", "authority", "lease"},
	Down:        {"inventory-down", "runtime", "inventory"},
	Up:          {"inventory-up", "runtime", "inventory"},
	End:         {"end", "clock", "run"},
}

// Requests is how often the cleanup of A is requested.
const Requests = 2

// requests are the actors of requests, in the text form of their events.
var requests = [1 + Requests]string{1: "first", 2: "retry"}

// An Event is something that happens once. Request is that of a request's events, from 1,
// and 0 in all others.
type Event struct {
	Request uint8
	Kind    Kind
}

// OfRequest reports whether an event of kind k is one of a request.
func (k Kind) OfRequest() bool { return Ask <= k && k <= List }

// Decides reports whether a decision comes with an event of kind k.
func (k Kind) Decides() bool { return k == Take || k == Report }

// String returns the event's text form: first:ask, retry:remove, a:exit, renew.
func (e Event) String() string {
	if e.Kind == 0 || int(e.Kind) >= len(kinds) {
		return fmt.Sprintf("event(%d)", e.Kind)
	}
	if e.Request == 0 || e.Request > Requests {
		return kinds[e.Kind].name
	}
	return requests[e.Request] + ":" + kinds[e.Kind].name
}

// GoString is String, for the messages of tests that print values with %#v.
func (e Event) GoString() string { return e.String() }

// Actor returns who causes the event, with the requests told apart.
func (e Event) Actor() string {
	if e.Kind <= Report {
		return requests[e.Request] + " request"
	}
	return kinds[e.Kind].actor
}

// Object returns what the event acts on.
func (e Event) Object() string { return kinds[e.Kind].object }

// All returns every event, those of the requests first, as the study declares them.
func All() []Event {
	var all []Event
	for r := range uint8(Requests) {
		for k := Ask; k <= List; k++ {
			all = append(all, Event{r + 1, k})
		}
	}
	for k := Advance; k <= End; k++ {
		all = append(all, Event{Kind: k})
	}
	return all
}

// ParseEvent reads the text form of an event. The error is a model.ErrUnknownEvent, and
// lists what there is.
func ParseEvent(text string) (Event, error) {
	var names []string
	for _, e := range All() {
		if e.String() == text {
			return e, nil
		}
		names = append(names, e.String())
	}
	return Event{}, fmt.Errorf("%w %q: the events are %s", model.ErrUnknownEvent, text, strings.Join(names, ", "))
}
