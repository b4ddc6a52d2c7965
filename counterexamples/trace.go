package counterexamples

import "cmp"

// A Trace is one history in full: what happened step by step, what was decided,
// what the oracle says of that, and what would have changed it. It holds nothing but
// text, so that every format can show it and JSON brings it back.
type Trace struct {
	Mechanism string `json:"mechanism"`        // family/name; the study's go by their name
	Kind      string `json:"kind"`             // of error; "" if the decision is right
	Reason    string `json:"reason,omitempty"` // that tells it from others of its kind
	Summary   string `json:"summary"`

	Schedule     []string `json:"schedule"` // the events
	Decision     string   `json:"decision"`
	ReliedOn     []string `json:"relied_on"`     // checks, when the mechanism names them
	FailedChecks []string `json:"failed_checks"` // that refused, or ought to have
	Oracle       Oracle   `json:"oracle"`

	Initial State    `json:"initial"` // before any event
	Steps   []Step   `json:"steps"`
	Notes   []string `json:"notes"`             // why, and what recovery is legitimate
	Nearest *Nearest `json:"nearest,omitempty"` // nil if no swap changes the outcome
	Replay  string   `json:"-"`                 // a line to paste that runs it again
}

// An Oracle is what the oracle says of the request that was decided.
type Oracle struct {
	Eligible bool     `json:"eligible"`
	Reasons  []string `json:"reasons"` // why it is not
}

// A Step is one event and what came of it.
type Step struct {
	Actor   string   `json:"actor"`
	Event   string   `json:"event"`
	Object  string   `json:"object"` // what the event acts on
	Effect  string   `json:"effect"`
	Marked  bool     `json:"marked,omitempty"` // set off, as what makes the difference
	Changed []Change `json:"changed"`
	State   State    `json:"state"` // after the event
	Holds   []string `json:"holds"` // checks, of a request that were made now
	Fails   []string `json:"fails"`
}

// A Field is a named part of a state.
type Field struct{ Name, Value string }

// A State is a state's fields, in the protocol's order.
type State []Field

// A Change is a field that an event changed.
type Change struct {
	Field string `json:"field"`
	From  string `json:"from"`
	To    string `json:"to"`
}

// A Nearest is a history of the same events, two adjacent ones swapped, with the
// other outcome.
type Nearest struct {
	Schedule []string `json:"schedule"`
	Later    string   `json:"later"` // now directly before
	Earlier  string   `json:"earlier"`
	Decision string   `json:"decision"`
	Eligible bool     `json:"eligible"`
}

// SameOutcome reports whether t and u come to the same decision, the same kind of error
// and the same judgement, whatever they say about the way there; and if not, what differs.
func (t Trace) SameOutcome(u Trace) (same bool, difference string) {
	for _, d := range []struct{ what, a, b string }{
		{"the decision", t.Decision, u.Decision},
		{"the request", eligibility(t.Oracle), eligibility(u.Oracle)},
		{"the list of checks that fail", list(t.FailedChecks), list(u.FailedChecks)},
		{"the list of the oracle's reasons", list(t.Oracle.Reasons), list(u.Oracle.Reasons)},
		{"the kind of error", t.Kind, cmp.Or(u.Kind, "none")},
	} {
		if d.a != "" && d.a != d.b { // a document can leave the kind out
			return false, d.what + " was " + d.a + " and is " + d.b + " now"
		}
	}
	return true, ""
}
