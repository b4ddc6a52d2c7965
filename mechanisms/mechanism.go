package mechanisms

import (
	"fmt"
	"strings"

	"example.com/commitpoint/model"
)

// A Point is where a mechanism evaluates its checks.
type Point uint8

// The points. A mechanism that looks at preflight trusts that answer at
// commit.
const (
	Commit Point = iota
	Preflight
)

func (p Point) String() string {
	if p == Preflight {
		return "preflight"
	}
	return "commit"
}

// A Mechanism is an acceptance rule. The zero value accepts everything.
type Mechanism struct {
	Name     string
	Requires model.Checks // what it checks
	At       Point        // where it does
	// Rule, if not nil, decides instead of Requires. It must be pure.
	Rule func(model.State, model.Request) Decision
}

// Decide evaluates the mechanism's rule on s and r, wherever it is meant to be
// evaluated.
func (m Mechanism) Decide(s model.State, r model.Request) Decision {
	if m.Rule != nil {
		return m.Rule(s, r)
	}
	return Require(s, r, m.Requires)
}

// Func returns a mechanism of one's own: rule is evaluated at commit. It must
// be pure, since it is called for many schedules, in any order and from
// several goroutines.
func Func(name string, rule func(model.State, model.Request) Decision) Mechanism {
	if rule == nil {
		panic("mechanisms.Func: the rule is nil; pass a function")
	}
	return Mechanism{Name: name, Rule: rule}
}

// AtPreflight returns m evaluated at preflight: it looks early and trusts its
// answer at commit.
func AtPreflight(m Mechanism) Mechanism {
	m.At = Preflight
	return m
}

var table = [...]Mechanism{
	{Name: "self-report"},
	{Name: "attempt-lease", Requires: model.Attempt | model.Fence | model.Lease},
	{Name: "preflight-cached", Requires: model.All, At: Preflight},
	{Name: "atomic", Requires: model.All},
	{Name: "without-attempt", Requires: model.All &^ (model.Attempt | model.Fence)},
	{Name: "without-fence", Requires: model.All &^ model.Fence},
	{Name: "without-lease", Requires: model.All &^ model.Lease},
	{Name: "without-grant", Requires: model.All &^ model.Grant},
	{Name: "without-inputs", Requires: model.All &^ model.Inputs},
	{Name: "without-artifact", Requires: model.All &^ model.Artifact},
	{Name: "without-evidence", Requires: model.All &^ model.Evidence},
	{Name: "without-contract", Requires: model.All &^ model.Contract},
	{Name: "latest-policy", Requires: model.All | model.LatestPolicy},
}

// All returns the study's thirteen mechanisms (the report's section 6.2, table
// 2), in its order. The report names twelve of them in its text; self-report,
// which believes every claim, is our reading of the remaining row.
func All() []Mechanism {
	all := table
	return all[:]
}

// Named returns the one of the thirteen with that name. The error lists the
// names there are.
func Named(name string) (Mechanism, error) {
	var names []string
	for _, m := range table {
		if m.Name == name {
			return m, nil
		}
		names = append(names, m.Name)
	}
	return Mechanism{}, fmt.Errorf("unknown mechanism %q: the mechanisms are %s", name, strings.Join(names, ", "))
}
