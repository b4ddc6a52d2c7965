package substrate

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A Hypothesis is what a study wants to know, and in which dimensions of the world it
// depends on that.
type Hypothesis struct {
	Name string `json:"name"`

	// Stances says what a change in each dimension means. One that is left out is Essential.
	Stances map[Dimension]Stance `json:"stances"`
}

// A Change is one dimension in which two bindings differ.
type Change struct {
	Dimension Dimension `json:"dimension"`
	Stance    Stance    `json:"stance"`
	From      string    `json:"from"`
	To        string    `json:"to"`
}

// A Delta says what changes from one binding of an object to another, and what that means
// for comparing results with respect to a hypothesis.
type Delta struct {
	Object     string     `json:"object"`
	From       string     `json:"from"` // the fingerprint
	To         string     `json:"to"`
	Hypothesis Hypothesis `json:"hypothesis"`
	Changes    []Change   `json:"changes"` // in the order of the dimensions
	Class      Class      `json:"class"`
	Reporting  string     `json:"reporting"` // what whoever reports results has to do
}

// reporting is what each class obliges to.
var reporting = map[Class]string{
	Breaking:   "results from before and after are not compared",
	WithCaveat: "results are compared only together with this delta; without it the outcome is not charged to the agent",
	Preserving: "results may be compared",
}

// Classify compares two bindings of the same object. It is comparison-breaking if a
// dimension changes that is essential to the hypothesis, else comparison-with-caveat if one
// changes to which it is sensitive, and else comparison-preserving. A capability that comes
// or goes is a change of the dimension that it is about, whatever the semantics say. Between
// substrates of different kinds it is never comparison-preserving: that they differ in
// nothing else that matters is what the bindings claim, and no result can rest on that alone.
//
// It is an error if a binding is not valid or the objects differ. See section 4.6.
func Classify(h Hypothesis, from, to Binding) (Delta, error) {
	for _, b := range []Binding{from, to} {
		if err := b.validate(); err != nil {
			return Delta{}, fmt.Errorf("classify a delta: %w", err)
		}
	}
	if from.Object != to.Object {
		return Delta{}, fmt.Errorf("classify a delta: the objects are %s and %s; compare two bindings of one object", from.Object, to.Object)
	}
	for _, d := range slices.Sorted(maps.Keys(h.Stances)) {
		if s := h.Stances[d]; d >= dimensions || s > Independent {
			return Delta{}, fmt.Errorf("classify a delta: hypothesis %q says %v of %v; use stances of %q on dimensions of %q",
				h.Name, s, d, stanceNames, dimensionNames)
		}
	}
	return classify(h, from, to), nil
}

// classify compares what is known to be valid.
func classify(h Hypothesis, from, to Binding) Delta {
	h.Stances = maps.Clone(h.Stances)
	delta := Delta{Object: from.Object, From: from.Fingerprint(), To: to.Fingerprint(), Hypothesis: h, Changes: []Change{}, Class: Preserving}
	for d := range Dimension(dimensions) {
		if from.Semantics[d] == to.Semantics[d] && slices.Equal(from.concerning(d), to.concerning(d)) {
			continue
		}
		stance := h.Stances[d]
		delta.Changes = append(delta.Changes, Change{d, stance, from.means(d), to.means(d)})
		delta.Class = min(delta.Class, classes[stance])
	}
	delta.Reporting = reporting[delta.Class]
	if delta.Class == Preserving && from.Substrate != to.Substrate {
		delta.Class = WithCaveat
		delta.Reporting = fmt.Sprintf("%s; the substrate changes from %v to %v, and no change that matters is declared",
			reporting[WithCaveat], from.Substrate, to.Substrate)
	}
	return delta
}

// classes says what a change in a dimension makes of the comparison; the strictest counts.
var classes = [...]Class{Essential: Breaking, Sensitive: WithCaveat, Independent: Preserving}

// about says which dimension a capability is about.
var about = map[Capability]Dimension{
	Observe: Observation, Act: Constraints, Synchronize: Time, Snapshot: Reversal, Reset: Reversal, Rollback: Reversal,
}

// concerning returns the capabilities that are about a dimension, in a fixed order.
func (b Binding) concerning(d Dimension) (texts []string) {
	for c := Observe; c <= Rollback; c++ {
		if about[c] == d && b.Declares(c) {
			texts = append(texts, c.String())
		}
	}
	return texts
}

// means says what a dimension means on the binding's substrate, with those capabilities.
func (b Binding) means(d Dimension) string {
	if able := b.concerning(d); len(able) > 0 {
		return fmt.Sprintf("%s [%s]", b.Semantics[d], strings.Join(able, ", "))
	}
	return b.Semantics[d]
}
