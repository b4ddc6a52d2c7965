package episode

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// ErrRefused matches the error of a call that the rules of the episode forbid at this
// moment. What was attempted, and why it was refused, is on the record. Any other error is
// about the call itself, which names nothing that is there or has a guard that gives no
// answer, and left no trace.
var ErrRefused = errors.New("refused")

// None is the accepted value of a fact that is named after an action if it is established
// that the action had no effect. With any other accepted value it had one.
const None = "none"

// An Answer is what a guard says to an intent. The zero value is no answer: admission is
// then an error.
type Answer uint8

// The answers. Of several the largest counts.
const (
	NoAnswer Answer = iota
	Pass
	Hold     // not now: something that can be waited for is missing
	Escalate // somebody with more authority has to decide
	Deny
)

// A Status is what a fact is worth under the declared reconciliation policy.
type Status uint8

// The statuses.
const (
	Unknown   Status = iota // nothing was said in time, or nothing at all
	Claimed                 // only by sources that the policy does not admit
	Observed                // by admissible sources, but by too few of them
	Accepted                // as having happened
	Contested               // admissible sources contradict one another
)

// An Ending is how an episode ended.
type Ending uint8

// The endings.
const (
	Open Ending = iota // it has not ended
	Fulfilled
	Failed
	Cancelled
	Breached
	Disputed
	Unresolved
)

// The texts are part of what is published: they are never renamed.
var (
	answerNames = []string{"NO ANSWER", "PASS", "HOLD", "ESCALATE", "DENY"}
	statusNames = []string{"unknown", "claimed", "observed", "accepted", "contested"}
	endingNames = []string{"open", "fulfilled", "failed", "cancelled", "breached", "disputed", "unresolved"}
)

// String returns the answer's text, such as "ESCALATE", or "Answer(200)" for no answer of
// this package.
func (a Answer) String() string { return name(a, "Answer", answerNames) }

// String returns the status's text, such as "accepted", or "Status(200)" for no status of
// this package.
func (s Status) String() string { return name(s, "Status", statusNames) }

// String returns the ending's text, such as "disputed", or "Ending(200)" for no ending of
// this package.
func (e Ending) String() string { return name(e, "Ending", endingNames) }

// MarshalText returns what String does; a value that is not of this package is an error.
func (a Answer) MarshalText() ([]byte, error) { return marshal(a, "answer", answerNames) }

// MarshalText returns what String does; a value that is not of this package is an error.
func (s Status) MarshalText() ([]byte, error) { return marshal(s, "status", statusNames) }

// MarshalText returns what String does; a value that is not of this package is an error.
func (e Ending) MarshalText() ([]byte, error) { return marshal(e, "ending", endingNames) }

// UnmarshalText reads exactly what MarshalText writes.
func (a *Answer) UnmarshalText(text []byte) error { return unmarshal(a, text, "answer", answerNames) }

// UnmarshalText reads exactly what MarshalText writes.
func (s *Status) UnmarshalText(text []byte) error { return unmarshal(s, text, "status", statusNames) }

// UnmarshalText reads exactly what MarshalText writes.
func (e *Ending) UnmarshalText(text []byte) error { return unmarshal(e, text, "ending", endingNames) }

func name[T ~uint8](value T, kind string, names []string) string {
	if int(value) >= len(names) {
		return fmt.Sprintf("%s(%d)", kind, uint8(value))
	}
	return names[value]
}

func marshal[T ~uint8](value T, kind string, names []string) ([]byte, error) {
	if int(value) >= len(names) {
		return nil, fmt.Errorf("write %s: %d is none; use one of %s", kind, uint8(value), strings.Join(names, ", "))
	}
	return []byte(names[value]), nil
}

func unmarshal[T ~uint8](value *T, text []byte, kind string, names []string) error {
	at := slices.Index(names, string(text))
	if at < 0 {
		return fmt.Errorf("read %s: %.40q is none; use one of %s", kind, text, strings.Join(names, ", "))
	}
	*value = T(at)
	return nil
}
