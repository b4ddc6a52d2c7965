package episode

import (
	"iter"
	"slices"
	"strings"
)

// Fields yields the names and values of what changes in a history, in a fixed order, for
// people: the desks of some agents, and the facts.
func (s State) Fields(of []Agent) iter.Seq2[string, string] {
	return func(yield func(name, value string) bool) {
		for a := First; a <= Successor; a++ {
			if !slices.Contains(of, a) {
				continue
			}
			if !yield(a.String()+" acts on", s.Desk(a).String()) {
				return
			}
		}
		for _, f := range fields {
			if !yield(f.name, s.Facts.say(f)) {
				return
			}
		}
	}
}

// A field is a part of the facts that people look at together.
type field struct {
	name, none string
	words      []word
}

type word struct {
	text string
	fact Facts
}

var fields = [...]field{
	{"authority", "as delegated", []word{
		{"revoked", Revoked}, {"carrier replaced", Replaced}, {"successor authorized", Authorized}, {"successor revoked", Withdrawn}}},
	{"guards", "nothing there", []word{{"approved", Approved}, {"evidence there", Evidenced}}},
	{"version", "1", []word{{"2", Moved}}},
	{"resource", "free", []word{{"reserved", Held}, {"reserved by the second", Taken}}},
	{"purchase", "not dispatched", []word{{"dispatched", Sent}, {"dispatched again", Twice}, {"in effect", Happened}}},
	{"heard", "nothing", []word{
		{"acknowledged", Acked}, {"confirmed", Confirmed}, {"contradicted", Contradicted},
		{"reviewed", Reviewed}, {"contradiction dropped", Overridden}, {"confirmation dropped", Retracted}}},
	{"outcome", "not accepted", []word{{"accepted", Accepted}}},
	{"obligation", "open", []word{{"settled", Settled}, {"erased", Erased}}},
	{"episode", "open", []word{{"FULFILLED", Fulfilled}}},
}

// say returns which facts of a field hold.
func (f Facts) say(of field) string {
	var words []string
	for _, w := range of.words {
		if f&w.fact != 0 {
			words = append(words, w.text)
		}
	}
	if words == nil {
		return of.none
	}
	return strings.Join(words, ", ")
}

// String says what an agent has before it: nothing, a view, a decision, or ALLOW with the view
// that it was made from.
func (d Desk) String() string {
	switch {
	case d.Decision == Allow:
		return "ALLOW on " + d.View.String()
	case d.Decision != Nothing:
		return d.Decision.String()
	}
	return d.View.String()
}

// String says what a view shows.
func (v View) String() string {
	if v == 0 {
		return "nothing"
	}
	words := []string{"version 1"}
	if v&ShowsSecond != 0 {
		words[0] = "version 2"
	}
	for _, w := range [...]struct {
		text  string
		shows View
	}{{"authority", ShowsAuthority}, {"approval", ShowsApproval}, {"evidence", ShowsEvidence}} {
		if v&w.shows != 0 {
			words = append(words, w.text)
		}
	}
	return strings.Join(words, ", ")
}
