package episode

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// An Agent is who acts for a principal.
type Agent uint8

// The agents. First carries the purchase until it is replaced, and then Successor does.
// Second wants the same resource for an episode of its own, in which it was admitted: all
// that this one has of it is that it reserves.
const (
	Nobody Agent = iota // the events that no agent causes
	First
	Successor
	Second
)

var agents = [...]string{"", "first", "successor", "second"}

// String returns the agent's name; it is empty for Nobody.
func (a Agent) String() string { return agents[a] }

// A Kind is a kind of event.
type Kind uint8

// The kinds of event. The first four are an agent's.
const (
	Observe  Kind = iota // it looks at authority, approval, evidence and the world's version
	Admit                // its admission is decided, and recorded, from what it observed
	Reserve              // it asks for the resource
	Dispatch             // it hands the purchase to the provider

	Replace   // the carrier is replaced; its successor gets a copy of the task
	Authorize // the principal gives the successor authority of its own
	Approve   // the principal approves the purchase, which is above the threshold
	Revoke    // the principal takes back all authority that was given so far
	Evidence  // evidence arrives for which admission has to wait
	Expire    // the world moves on to its next version

	Effect     // the purchase takes effect, if it was dispatched
	Ack        // the provider acknowledges what was dispatched to it
	Repeat     // the scheduler wants to dispatch again what was dispatched
	Confirm    // the provider confirms the effect, if it happened
	Contradict // another source says that there is no such effect, if it was dispatched
	Review     // somebody with the authority to settle it looks at whether it happened

	Accept    // outcome evidence is presented for acceptance
	Discharge // the promised service is provided, if the purchase took effect
	Transfer  // what is still owed is taken over by somebody else
	Close     // the episode is to be closed as fulfilled

	End // nothing more happens
	kinds
)

// details are the names of the kinds, who causes them and what they are about. The agents'
// own are caused by them.
var details = [kinds]struct{ name, actor, object string }{
	Observe:    {"observe", "", "the view"},
	Admit:      {"admit", "", "the admission"},
	Reserve:    {"reserve", "", "the resource"},
	Dispatch:   {"dispatch", "", "the purchase"},
	Replace:    {"replace", "service", "the carrier"},
	Authorize:  {"authorize", "principal", "the successor's authority"},
	Approve:    {"approve", "principal", "the approval"},
	Revoke:     {"revoke", "principal", "the authority"},
	Evidence:   {"evidence", "world", "the evidence"},
	Expire:     {"expire", "world", "the version"},
	Effect:     {"effect", "provider", "the effect"},
	Ack:        {"ack", "provider", "the purchase"},
	Repeat:     {"repeat", "scheduler", "the purchase"},
	Confirm:    {"confirm", "provider", "the effect"},
	Contradict: {"contradict", "source", "the effect"},
	Review:     {"review", "reviewer", "the effect"},
	Accept:     {"accept", "reviewer", "the outcome"},
	Discharge:  {"discharge", "service", "the obligation"},
	Transfer:   {"transfer", "service", "the obligation"},
	Close:      {"close", "service", "the episode"},
	End:        {"end", "service", "the episode"},
}

// An Event happens at most once; N tells repetitions apart: 0 for the first, then 2.
type Event struct {
	Agent Agent
	Kind  Kind
	N     uint8
}

// String returns the event's text form, first:admit#2 or revoke.
func (e Event) String() string {
	text := details[e.Kind].name
	if e.Agent != Nobody {
		text = e.Agent.String() + ":" + text
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
	if e.Agent != Nobody {
		return e.Agent.String()
	}
	return details[e.Kind].actor
}

// Object returns what the event is about.
func (e Event) Object() string { return details[e.Kind].object }

// ErrUnknownEvent is the error of a text that is no event.
var ErrUnknownEvent = errors.New("unknown event")

// ParseEvent reads the text form of an event. Whether an order has it is for the order to
// say.
func ParseEvent(text string) (Event, error) {
	name, number, repeated := strings.Cut(text, "#")
	if repeated && number != "2" {
		return Event{}, fmt.Errorf("%w %q: an event is repeated as #2, once", ErrUnknownEvent, text)
	}
	who, what, named := strings.Cut(name, ":")
	if !named {
		who, what = "", name
	}
	agent := slices.Index(agents[:], who)
	kind := slices.IndexFunc(details[:], func(d struct{ name, actor, object string }) bool { return d.name == what })
	if agent < 0 || kind < 0 || named == (agent == int(Nobody)) || named != (Kind(kind) <= Dispatch) {
		return Event{}, fmt.Errorf("%w %q: an event is an agent (%s) and what it does (%s), as in first:admit, or one of %s",
			ErrUnknownEvent, text, strings.Join(agents[First:], ", "), names(Observe, Replace), names(Replace, kinds))
	}
	e := Event{Agent: Agent(agent), Kind: Kind(kind)}
	if repeated {
		e.N = 2
	}
	return e, nil
}

// names lists the names of some kinds.
func names(from, to Kind) string {
	var list []string
	for _, d := range details[from:to] {
		list = append(list, d.name)
	}
	return strings.Join(list, ", ")
}

// An Act is what the service does at an event.
type Act uint8

// The acts. Allow, Hold, Escalate and Deny are decisions about an admission.
const (
	Nothing Act = iota

	Allow    // it may reserve, and nothing more
	Hold     // blocked until a fresh admission, for which something is waited for
	Escalate // blocked until a fresh admission, for which somebody has to approve
	Deny     // blocked

	Agree  // reserves, dispatches, accepts the evidence, closes as fulfilled
	Refuse // does not

	// Rewrite changes what was recorded: at an approval the decisions that escalated, which
	// become ALLOW; at a revocation what is owed; at an observation the contrary one.
	Rewrite
)

var acts = [...]string{"none", "ALLOW", "HOLD", "ESCALATE", "DENY", "agree", "refuse", "rewrite"}

// String returns the name of a decision in capitals, and of another act in small letters.
func (a Act) String() string { return acts[a] }
