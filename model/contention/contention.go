// Package contention is the completion contract with several submitters: W
// workers race for one task, each with the whole chain of the study and at any
// time, whether it owns the task or not. It asks the study's question where
// ownership really moves, and is the model on which the engine is measured.
//
// Nothing gates an event. A commit is a decision that changes nothing shared, so
// that more than one can be accepted; what a mechanism decided is not state.
package contention

import (
	"fmt"
	"iter"
	"strconv"
	"strings"

	"example.com/commitpoint/model"
)

// MaxSubmitters is the largest number of submitters. Every one makes every state
// larger, and the nodes of five are more than a machine holds.
const MaxSubmitters = 6

// An Event is one of a submitter's or, with submitter 0, of the environment. N
// tells repetitions apart, as in model.Event.
type Event struct {
	Submitter uint8 // from 1
	Kind      model.Kind
	N         uint8
}

// String returns the event's text form, w2:read or reassign#2.
func (e Event) String() string {
	text := model.Event{Kind: e.Kind, N: e.N}.String()
	if e.Submitter == 0 {
		return text
	}
	return "w" + strconv.Itoa(int(e.Submitter)) + ":" + text
}

// GoString is String, for the messages of tests that print values with %#v.
func (e Event) GoString() string { return e.String() }

// Actor returns who causes the event, and Object what it acts on, as those of its
// Kind, with the submitters told apart.
func (e Event) Actor() string {
	if e.Submitter > 0 && e.Kind <= model.Snapshot {
		return "submitter " + strconv.Itoa(int(e.Submitter))
	}
	return e.Kind.Actor()
}

// Object returns what the event acts on.
func (e Event) Object() string { return e.Kind.Object() }

// ParseEvent reads the text form of an event.
func ParseEvent(text string) (Event, error) {
	name, submitter := text, 0
	if who, what, ok := strings.Cut(text, ":"); ok {
		n, err := strconv.Atoi(strings.TrimPrefix(who, "w"))
		if err != nil || n < 1 || n > MaxSubmitters || who != "w"+strconv.Itoa(n) {
			return Event{}, fmt.Errorf("%w %q: there is no such submitter, they are w1 to w%d", model.ErrUnknownEvent, text, MaxSubmitters)
		}
		name, submitter = what, n
	}
	e, err := model.ParseEvent(name)
	if err != nil {
		return Event{}, err
	}
	if chain := e.Kind <= model.Commit; chain != (submitter > 0) || chain && e.N != 0 {
		return Event{}, fmt.Errorf("%w %q: submitters go once through %v, as in w1:read, and the environment's events have no submitter",
			model.ErrUnknownEvent, text, model.Chain())
	}
	return Event{uint8(submitter), e.Kind, e.N}, nil
}

// A Blob is the artifact's content: who wrote it, and from which input. The
// candidates of two submitters are different bytes even for the same input.
type Blob struct {
	Writer uint8 // a submitter; 0 before anybody wrote
	Inputs uint8 // the input revision that a submitter's candidate comes from
}

// String says whose content it is.
func (b Blob) String() string {
	switch b {
	case Blob{}:
		return "draft"
	case Edited:
		return "edited"
	}
	return fmt.Sprintf("w%d's of input %d", b.Writer, b.Inputs)
}

// Edited is what an artifact edit leaves.
var Edited = Blob{Writer: 255}

// A Submitter is what is remembered of one submitter.
type Submitter struct {
	Read     uint8 // the input revision that it read
	Observed Blob  // the content that its receipt is about
	Early    bool  // whether all eight checks held at its preflight
}

// Candidate returns the content that submitter w prepares from what it read.
func (s Submitter) Candidate(w uint8) Blob { return Blob{w, s.Read} }

// A State is all that the service, the shared objects and the submitters know.
type State struct {
	Input      uint8 // revision, from 1
	Owner      uint8 // the submitter whose attempt is current
	LeaseLive  bool
	Granted    bool // one grant for all submitters
	NewPolicy  bool // a newer default than the task is pinned to
	Artifact   Blob
	Submitters [MaxSubmitters]Submitter // from submitter 1
}

// Initial returns the state before any event: submitter 1 owns the task.
func Initial() State {
	return State{Input: 1, Owner: 1, LeaseLive: true, Granted: true}
}

// Of returns what is remembered of submitter w, from 1.
func (s *State) Of(w uint8) Submitter { return s.Submitters[w-1] }

// Fields yields the names and values of what the events of a number of submitters
// change, in a fixed order, for people.
func (s State) Fields(submitters int) iter.Seq2[string, string] {
	return func(yield func(name, value string) bool) {
		fields := [][2]string{
			{"input", strconv.Itoa(int(s.Input))},
			{"owner", "w" + strconv.Itoa(int(s.Owner))},
			{"lease", either(s.LeaseLive, "live", "expired")},
			{"grant", either(s.Granted, "held", "revoked")},
			{"default policy", either(s.NewPolicy, "newer", "as pinned")},
			{"artifact", s.Artifact.String()},
		}
		for w := range uint8(submitters) {
			own, name := s.Of(w+1), "w"+strconv.Itoa(int(w)+1)
			read, receipt := "none", "none"
			if own.Read != 0 {
				read = strconv.Itoa(int(own.Read))
			}
			if own.Observed != (Blob{}) {
				receipt = "about " + own.Observed.String()
			}
			fields = append(fields, [2]string{name + " read", read}, [2]string{name + " receipt", receipt},
				[2]string{name + " preflight", either(own.Early, "all held", "not all held")})
		}
		for _, f := range fields {
			if !yield(f[0], f[1]) {
				return
			}
		}
	}
}

func either(holds bool, yes, no string) string {
	if holds {
		return yes
	}
	return no
}

// Next returns the state after e. Preflight and commit change nothing: what they
// do depends on a mechanism.
func Next(s State, e Event) State {
	s.Step(e)
	return s
}

// Step is Next in place, for walks through many states.
func (s *State) Step(e Event) {
	switch e.Kind {
	case model.Read:
		s.Submitters[e.Submitter-1].Read = s.Input
	case model.Snapshot:
		s.Artifact = s.Of(e.Submitter).Candidate(e.Submitter)
	case model.TrustedVerify:
		s.Submitters[e.Submitter-1].Observed = s.Artifact
	case model.InputEdit:
		s.Input++
	case model.ArtifactEdit:
		s.Artifact = Edited
	case model.LeaseExpire:
		s.LeaseLive = false
	case model.Reassign:
		s.Owner++
		s.LeaseLive = true
	case model.Revoke:
		s.Granted = false
	case model.PublishV2:
		s.NewPolicy = true
	}
}
