package deadline

import (
	"fmt"
	"strconv"
	"strings"

	"example.com/commitpoint/model"
)

// A Kind is what happens in an event.
type Kind uint8

// The kinds of event. A scenario has at most one of the operations, and of each probe
// either the one that succeeds or the one that fails.
const (
	Observe          Kind = iota + 1 // the agent looks at the state
	Operate                          // the agent's operation, accepted, with the right arguments
	OperateElsewhere                 // the same, accepted, on another target
	OperateMalformed                 // the same with a path that the service refuses
	ReportDone                       // the agent reports
	Converge                         // the operation takes effect, if there was a right one
	SignalEnded                      // the service says that its job has ended
	GoBad                            // the target's health goes bad
	Undo                             // somebody undoes the state
	Probe                            // the verifier samples the predicate
	Miss                             // it tries to, and can't read it
	ProbeAtDeadline                  // it samples the predicate exactly at the deadline
	MissAtDeadline                   // it tries to, exactly at the deadline
	Close                            // the deadline passes, between two probes
	End                              // the verifier stops looking
)

var kinds = [...]struct{ name, actor, object string }{
	Observe:          {"observe", "agent", "state"},
	Operate:          {"operate", "agent", "service"},
	OperateElsewhere: {"operate-elsewhere", "agent", "service"},
	OperateMalformed: {"operate-malformed", "agent", "service"},
	ReportDone:       {"report", "agent", "report"},
	Converge:         {"converge", "service", "state"},
	SignalEnded:      {"signal-ended", "service", "job"},
	GoBad:            {"health-bad", "service", "health"},
	Undo:             {"undo", "other writer", "state"},
	Probe:            {"probe", "verifier", "state"},
	Miss:             {"miss", "verifier", "state"},
	ProbeAtDeadline:  {"probe-at-deadline", "verifier", "state"},
	MissAtDeadline:   {"miss-at-deadline", "verifier", "state"},
	Close:            {"deadline", "clock", "contract"},
	End:              {"end", "verifier", "contract"},
}

// An Event is something that happens once. N tells repetitions apart, as in model.Event.
type Event struct {
	Kind Kind
	N    uint8
}

// String returns the event's text form, kind or kind#n.
func (e Event) String() string {
	text := fmt.Sprintf("event(%d)", e.Kind)
	if e.Kind > 0 && int(e.Kind) < len(kinds) {
		text = kinds[e.Kind].name
	}
	if e.N > 1 {
		text += "#" + strconv.Itoa(int(e.N))
	}
	return text
}

// GoString is String, for the messages of tests that print values with %#v.
func (e Event) GoString() string { return e.String() }

// Actor returns who causes the event.
func (e Event) Actor() string { return kinds[e.Kind].actor }

// Object returns what the event acts on.
func (e Event) Object() string { return kinds[e.Kind].object }

// Samples reports whether an event of kind k is an attempt to sample the predicate.
func (k Kind) Samples() bool { return Probe <= k && k <= MissAtDeadline }

// Reads reports whether the attempt succeeds.
func (k Kind) Reads() bool { return k == Probe || k == ProbeAtDeadline }

// Closes reports whether the deadline is reached in an event of kind k.
func (k Kind) Closes() bool { return k == ProbeAtDeadline || k == MissAtDeadline || k == Close }

// ParseEvent reads the text form of an event. The error is a model.ErrUnknownEvent if no
// event has that name.
func ParseEvent(text string) (Event, error) {
	name, number, numbered := strings.Cut(text, "#")
	var names []string
	for k := Observe; k <= End; k++ {
		if kinds[k].name != name {
			names = append(names, kinds[k].name)
			continue
		}
		e := Event{Kind: k}
		if !numbered {
			return e, nil
		}
		n, err := strconv.ParseUint(number, 10, 8)
		if e.N = uint8(n); err == nil && n >= 2 && e.String() == text {
			return e, nil
		}
		return Event{}, fmt.Errorf("event %q has a bad number: repeated events are %s#2, %s#3, … up to #255", text, name, name)
	}
	return Event{}, fmt.Errorf("%w %q: the events are %s", model.ErrUnknownEvent, text, strings.Join(names, ", "))
}
