package model

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// A Kind is what happens in an event.
type Kind uint8

// The kinds of event, in declaration order: the main chain, then the
// environment. Their text forms are the study's names.
const (
	Read          Kind = iota + 1 // the worker records the input's value and revision
	Snapshot                      // "candidate": the worker's output bytes, also written to the artifact
	TrustedVerify                 // the admitted checker looks at the artifact; the service keeps a receipt
	Preflight                     // the service evaluates the checks and remembers the answer
	Commit                        // the completion request is decided
	InputEdit                     // another writer publishes a new input revision
	ArtifactEdit                  // another writer overwrites the artifact
	LeaseExpire                   // the current attempt's lease runs out
	Reassign                      // the task gets a new attempt, of another worker
	Revoke                        // the submitting principal's grant is withdrawn
	PublishV2                     // a new default policy is published; the task stays pinned
)

var kindNames = [...]string{
	Read:          "read",
	Snapshot:      "candidate",
	TrustedVerify: "trusted-verify",
	Preflight:     "preflight",
	Commit:        "commit",
	InputEdit:     "input-edit",
	ArtifactEdit:  "artifact-edit",
	LeaseExpire:   "lease-expire",
	Reassign:      "reassign",
	Revoke:        "revoke",
	PublishV2:     "publish-behavior-v2",
}

// kindRoles says who causes an event of each kind, and what it acts on.
var kindRoles = [...]struct{ actor, object string }{
	Read:          {"worker A", "input"},
	Snapshot:      {"worker A", "artifact"},
	TrustedVerify: {"checker", "evidence store"},
	Preflight:     {"service", "task"},
	Commit:        {"service", "task"},
	InputEdit:     {"other writer", "input"},
	ArtifactEdit:  {"other writer", "artifact"},
	LeaseExpire:   {"clock", "task"},
	Reassign:      {"scheduler", "task"},
	Revoke:        {"authority", "grants"},
	PublishV2:     {"authority", "policy"},
}

// Actor returns who causes events of this kind; the worker is always A, whose
// completion request is decided.
func (k Kind) Actor() string { return kindRoles[k].actor }

// Object returns what events of this kind act on.
func (k Kind) Object() string { return kindRoles[k].object }

// An Event is something that happens once in a history. N tells repetitions
// apart: it is 0 for the first event of a kind and 2, 3, … for further ones.
type Event struct {
	Kind Kind
	N    uint8
}

// Chain returns the worker's events, in the order in which they always happen.
func Chain() []Event { return events(Read, Commit) }

// Environment returns the events that can happen at any time, in declaration
// order.
func Environment() []Event { return events(InputEdit, PublishV2) }

// Names returns the text forms of a history's events; it is empty, not nil, for
// none.
func Names(history []Event) []string {
	names := make([]string, len(history))
	for i, e := range history {
		names[i] = e.String()
	}
	return names
}

func events(first, last Kind) []Event {
	var list []Event
	for k := first; k <= last; k++ {
		list = append(list, Event{Kind: k})
	}
	return list
}

// String returns the event's text form, kind or kind#n, which ParseEvent
// reads.
func (e Event) String() string {
	if int(e.Kind) >= len(kindNames) || e.Kind == 0 {
		return fmt.Sprintf("event(%d)", e.Kind)
	}
	if e.N < 2 {
		return kindNames[e.Kind]
	}
	return kindNames[e.Kind] + "#" + strconv.Itoa(int(e.N))
}

// GoString is String, for the messages of tests that print values with %#v.
func (e Event) GoString() string { return e.String() }

// ErrUnknownEvent is the error of a name that no event has.
var ErrUnknownEvent = errors.New("unknown event")

// ParseEvent reads the text form of an event. The error names the text and
// what would have been understood.
func ParseEvent(text string) (Event, error) {
	name, number, numbered := strings.Cut(text, "#")
	for k := Read; k <= PublishV2; k++ {
		if kindNames[k] != name {
			continue
		}
		if !numbered {
			return Event{Kind: k}, nil
		}
		n, err := strconv.ParseUint(number, 10, 8)
		if e := (Event{Kind: k, N: uint8(n)}); err == nil && n >= 2 && e.String() == text {
			return e, nil
		}
		return Event{}, fmt.Errorf("event %q has a bad number: repeated events are %s#2, %s#3, … up to #255", text, name, name)
	}
	return Event{}, fmt.Errorf("%w %q: the events are %s", ErrUnknownEvent, text, strings.Join(kindNames[Read:], ", "))
}
