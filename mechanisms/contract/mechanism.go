// Package contract says what the predicates of the whole completion contract mean, and
// has the mechanisms that the contract is measured with: the complete one, one without
// each predicate, and those that people build instead.
package contract

import (
	"fmt"
	"strings"

	"example.com/commitpoint/model/contract"
)

// An Identity is how a mechanism recognizes a request that it has recorded before.
type Identity uint8

// The ways.
const (
	WholeRequest  Identity = iota // everything in it, the caller included
	NoIdentity                    // it does not: every request is decided anew
	IDAlone                       // by the request id
	WithoutCaller                 // everything but who is calling
)

// A Flaw is something that a mechanism does otherwise than the complete one, beside
// leaving checks out.
type Flaw uint16

// The flaws.
const (
	OuterOnly      Flaw = 1 << iota // the attempt is its outer id alone
	InnerOnly                       // it is its inner id alone
	OwnReceipts                     // receipts that the worker brings are believed
	FirstGrant                      // the grant is looked at for the first target only
	DeclaredPaths                   // the scope is compared with the declared paths as they are written
	CachedGrants                    // grants are those that were held at the start
	UnguardedSweep                  // the sweeper goes by the task's id alone
	UnguardedFail                   // anybody's report of a failure ends the task
	FailOnRefusal                   // a refused request ends the task as failed, whoever's it is
	TornPublish                     // targets are published one by one, outside of the transaction
)

// A Mechanism is a way to decide requests. The zero Mechanism accepts everything.
type Mechanism struct {
	Name     string
	Meaning  string // in a clause
	Requires contract.Checks
	Early    contract.Checks // those of Requires that are evaluated at preflight, and remembered for that request
	Identity Identity
	Flaws    Flaw
}

// A Decision is what a mechanism makes of a request.
type Decision struct {
	Accepted bool
	Replayed bool            // it was recorded before: the original receipt, and no write
	Failed   contract.Checks // that refused it
	Mismatch bool            // it was refused because its id belongs to another request
}

// Complete is the mechanism that checks everything in the transaction.
var Complete = Mechanism{Name: "complete", Meaning: "every predicate, in the transaction that records the completion", Requires: contract.All}

// All returns the complete mechanism, those without one predicate each, in the order of
// the predicates, that without request identity, and the hybrids.
func All() []Mechanism {
	list := []Mechanism{Complete}
	for _, c := range contract.All.Each() {
		list = append(list, Without(c))
	}
	return append(list, hybrids...)
}

// Without returns the mechanism that has all predicates but those of c.
func Without(c contract.Checks) Mechanism {
	return Mechanism{
		Name:     "without-" + strings.Join(c.Names(), "-"),
		Meaning:  "all but " + c.String(),
		Requires: contract.All &^ c,
	}
}

// Hoisted returns the mechanism that evaluates the predicates of c at preflight.
func Hoisted(c contract.Checks) Mechanism {
	return Mechanism{
		Name:     "early-" + strings.Join(c.Names(), "-"),
		Meaning:  c.String() + " at preflight, the rest in the transaction",
		Requires: contract.All,
		Early:    c,
	}
}

var hybrids = []Mechanism{
	{Name: "without-identity", Meaning: "a request that was recorded is decided again", Requires: contract.All, Identity: NoIdentity},
	{Name: "id-alone", Meaning: "a request is recognized by its id alone", Requires: contract.All, Identity: IDAlone},
	{Name: "any-caller", Meaning: "a recorded request is answered whoever sends it", Requires: contract.All, Identity: WithoutCaller},
	{Name: "preflight", Meaning: "every predicate at preflight, and nothing later", Requires: contract.All, Early: contract.All},
	{Name: "fence-for-attempt", Meaning: "the fence instead of the attempt's ids", Requires: contract.All &^ contract.Attempt &^ contract.Incarnation},
	{Name: "attempt-for-fence", Meaning: "the attempt's ids instead of a fence", Requires: contract.All &^ contract.Fence &^ contract.Incarnation},
	{Name: "outer-attempt", Meaning: "the attempt is its outer id, and there is no fence", Requires: contract.All &^ contract.Fence &^ contract.Caller, Flaws: OuterOnly},
	{Name: "inner-attempt", Meaning: "the attempt is its inner id, and there is no fence", Requires: contract.All &^ contract.Fence &^ contract.Caller, Flaws: InnerOnly},
	{Name: "own-receipts", Meaning: "a receipt of the worker's own making is believed", Requires: contract.All, Flaws: OwnReceipts},
	{Name: "first-grant", Meaning: "the grant is looked at for the first target only", Requires: contract.All, Flaws: FirstGrant},
	{Name: "declared-paths", Meaning: "the scope is compared with the paths as they are written", Requires: contract.All, Flaws: DeclaredPaths},
	{Name: "cached-grant", Meaning: "grants are those that were held at the start", Requires: contract.All, Flaws: CachedGrants},
	{Name: "unguarded-sweeper", Meaning: "the sweeper goes by the task's id alone", Requires: contract.All, Flaws: UnguardedSweep},
	{Name: "unguarded-failure", Meaning: "a refused worker's failure report is written to whatever runs now", Requires: contract.All, Flaws: UnguardedFail},
	{Name: "fail-on-refusal", Meaning: "a request that is refused ends the task as failed", Requires: contract.All, Flaws: FailOnRefusal},
	{Name: "torn-publication", Meaning: "targets are published one by one, outside of the transaction", Requires: contract.All, Flaws: TornPublish},
}

// Named returns the mechanism of All with that name or, for "without" or "early" and the
// names of predicates, as in "without lease grant", that which lacks just these or
// evaluates them at preflight; its own name, with dashes, names it as well. The error lists
// what there is.
func Named(name string) (Mechanism, error) {
	var names []string
	for _, m := range All() {
		if m.Name == strings.ReplaceAll(name, " ", "-") {
			return m, nil
		}
		names = append(names, m.Name)
	}
	words := strings.FieldsFunc(name, func(r rune) bool { return r == ' ' || r == '-' })
	if len(words) > 1 && (words[0] == "without" || words[0] == "early") {
		checks, err := checksNamed(words[1:])
		switch {
		case err != nil:
			return Mechanism{}, err
		case words[0] == "early":
			return Hoisted(checks), nil
		}
		return Without(checks), nil
	}
	return Mechanism{}, fmt.Errorf("unknown mechanism %q: the mechanisms are %s, and without or early PREDICATE …", name, strings.Join(names, ", "))
}

// checksNamed returns the predicates with the given names.
func checksNamed(names []string) (checks contract.Checks, err error) {
	for _, name := range names {
		found := contract.Checks(0)
		for _, c := range contract.All.Each() {
			if c.String() == name {
				found = c
			}
		}
		if found == 0 {
			return 0, fmt.Errorf("unknown predicate %q: the predicates are %v", name, contract.All)
		}
		checks |= found
	}
	return checks, nil
}

// Has reports whether the mechanism has a flaw.
func (m Mechanism) Has(f Flaw) bool { return m.Flaws&f != 0 }

// Look returns the checks that r fails in s, as the mechanism evaluates them.
func (m Mechanism) Look(s *contract.State, r *contract.Request) contract.Checks {
	failed := Failed(s, r)
	for _, alternative := range alternatives {
		if !m.Has(alternative.flaw) {
			continue
		}
		failed &^= alternative.check
		if !alternative.holds(s, r) {
			failed |= alternative.check
		}
	}
	return failed
}

// alternatives are what flawed mechanisms look at instead.
var alternatives = [...]struct {
	flaw  Flaw
	check contract.Checks
	holds func(s *contract.State, r *contract.Request) bool
}{
	{OuterOnly, contract.Attempt, func(s *contract.State, r *contract.Request) bool { return r.Attempt.Outer == s.Owner.Outer }},
	{InnerOnly, contract.Attempt, func(s *contract.State, r *contract.Request) bool { return r.Attempt.Inner == s.Owner.Inner }},
	{OwnReceipts, contract.Criteria, func(*contract.State, *contract.Request) bool { return true }},
	{FirstGrant, contract.Grant, func(s *contract.State, r *contract.Request) bool {
		targets := s.Writes(r.Content).Each()
		return r.Caller != 0 && len(targets) > 0 && s.Grants[r.Caller-1].Has(contract.TargetSet(targets[0]))
	}},
	{CachedGrants, contract.Grant, func(s *contract.State, r *contract.Request) bool {
		held := contract.Initial(s.Setup).Grants
		return r.Caller != 0 && held[r.Caller-1].Has(s.Writes(r.Content))
	}},
	{DeclaredPaths, contract.Scope, func(_ *contract.State, r *contract.Request) bool {
		for _, p := range r.Content.Manifest.Declared() {
			if !strings.HasPrefix(p, "out/") {
				return false
			}
		}
		return true
	}},
}

// Decide returns the decision on r, where early is what failed of it at preflight:
// everything, if preflight did not look at just this request.
func (m Mechanism) Decide(s *contract.State, r *contract.Request, early contract.Checks) Decision {
	if s.Ledger.Writes > 0 && m.Identity != NoIdentity && r.ID == s.Ledger.Bound.ID {
		if m.recognizes(s.Ledger.Bound, *r) {
			return Decision{Accepted: true, Replayed: true}
		}
		return Decision{Mismatch: true}
	}
	failed := early&m.Early | m.Look(s, r)&(m.Requires&^m.Early)
	return Decision{Accepted: failed == 0, Failed: failed}
}

// recognizes reports whether r is the recorded request, as far as the mechanism looks.
func (m Mechanism) recognizes(recorded, r contract.Request) bool {
	switch m.Identity {
	case IDAlone:
		return true
	case WithoutCaller:
		r.Caller = recorded.Caller
	}
	return r == recorded
}
