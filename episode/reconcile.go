package episode

import (
	"fmt"
	"slices"
)

// A Reconciliation is the policy by which reports become facts. See section 6.2.
//
// A fact is accepted when Quorum admissible sources have reported the same value. As soon
// as two of their reports differ, be it those of one source, it is contested: none of them
// wins by being the latest. The reviewer's value is accepted instead of what was reported
// before, and is contested by a report that differs later. What other sources report is a
// claim, and changes nothing that admissible ones have said.
type Reconciliation struct {
	Sources  []string `json:"sources"`            // those that are admissible
	Quorum   int      `json:"quorum,omitempty"`   // how many have to agree; 0 means 1
	Reviewer string   `json:"reviewer,omitempty"` // who settles facts; if empty, nobody can
}

// validate refuses a policy by which no report could ever be accepted.
func (r Reconciliation) validate() error {
	switch {
	case len(r.Sources) == 0 || slices.Contains(r.Sources, ""):
		return fmt.Errorf("the reconciliation policy has no source, or one without a name; name those whose reports count")
	case r.Quorum < 0 || r.Quorum > len(r.Sources):
		return fmt.Errorf("the reconciliation policy wants %d of %d sources to agree; use at least 1, or 0 for 1, and at most all", r.Quorum, len(r.Sources))
	}
	for i, s := range r.Sources {
		if slices.Contains(r.Sources[:i], s) {
			return fmt.Errorf("the reconciliation policy names source %s twice; it can agree with itself no better; name it once", s)
		}
	}
	return nil
}

// A standing is what was said of one fact so far. It is a fold over the record: history
// decides, and nothing else does.
type standing struct {
	fact   Fact
	values []string // those that differ among what counts, since the last review
	by     []string // the admissible sources since then
	claim  string   // the last one
	settled,
	late bool
}

// report folds in what a source says.
func (s standing) report(r Reconciliation, source, value string) standing {
	s.fact.Sources = addTo(s.fact.Sources, source)
	if !slices.Contains(r.Sources, source) {
		s.claim = value
		return s.judge(r)
	}
	s.values, s.by, s.late = addTo(s.values, value), addTo(s.by, source), false
	return s.judge(r)
}

// review folds in what the reviewer settles.
func (s standing) review(r Reconciliation, value string) standing {
	s.fact.Sources = addTo(s.fact.Sources, r.Reviewer)
	s.values, s.by, s.settled, s.late = []string{value}, nil, true, false
	return s.judge(r)
}

// timeout folds in that nobody waits any longer.
func (s standing) timeout(r Reconciliation) standing {
	s.late = true
	return s.judge(r)
}

// judge sets the fact's status and value.
func (s standing) judge(r Reconciliation) standing {
	s.fact.Value = ""
	switch {
	case len(s.values) > 1:
		s.fact.Status = Contested
	case s.settled || len(s.by) >= max(r.Quorum, 1):
		s.fact.Status, s.fact.Value = Accepted, s.values[0]
	case s.late:
		s.fact.Status = Unknown
	case len(s.by) > 0:
		s.fact.Status, s.fact.Value = Observed, s.values[0]
	case s.claim != "":
		s.fact.Status, s.fact.Value = Claimed, s.claim
	default:
		s.fact.Status = Unknown
	}
	return s
}

// addTo returns a set with an element, in the order in which they came. It never writes to
// the set that it is given: earlier standings may share it.
func addTo(set []string, element string) []string {
	if slices.Contains(set, element) {
		return set
	}
	return append(slices.Clip(set), element)
}
