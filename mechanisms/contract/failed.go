package contract

import (
	"slices"

	"example.com/commitpoint/model/contract"
)

// predicates says what each check means: whether it holds of r in s.
var predicates = [...]struct {
	check contract.Checks
	holds func(s *contract.State, r *contract.Request) bool
}{
	{contract.Active, func(s *contract.State, _ *contract.Request) bool { return s.Status == contract.Running }},
	{contract.Caller, func(s *contract.State, r *contract.Request) bool { return r.Caller == s.Owner.Principal }},
	{contract.Attempt, func(s *contract.State, r *contract.Request) bool {
		return r.Attempt.Outer == s.Owner.Outer && r.Attempt.Inner == s.Owner.Inner
	}},
	{contract.Fence, func(s *contract.State, r *contract.Request) bool { return r.Attempt.Fence == s.Owner.Fence }},
	{contract.Incarnation, func(s *contract.State, r *contract.Request) bool { return r.Attempt.Incarnation == s.Authority }},
	{contract.Lease, func(s *contract.State, _ *contract.Request) bool { return s.Owner.Lease > 0 }},
	{contract.Scope, func(s *contract.State, r *contract.Request) bool { return contract.InScope.Has(s.Writes(r.Content)) }},
	{contract.Grant, func(s *contract.State, r *contract.Request) bool {
		return r.Caller != 0 && s.Grants[r.Caller-1].Has(s.Writes(r.Content))
	}},
	{contract.Contract, func(s *contract.State, r *contract.Request) bool { return r.Contract == s.Contract }},
	{contract.Dependencies, func(s *contract.State, r *contract.Request) bool {
		return r.Content.Inputs == s.Inputs && r.Content.Members == s.Members
	}},
	{contract.Bases, func(s *contract.State, r *contract.Request) bool {
		return !slices.ContainsFunc(s.Writes(r.Content).Each(), func(t contract.Target) bool {
			return r.Content.Bases[t] != s.Revisions[t]
		})
	}},
	{contract.Binding, func(s *contract.State, r *contract.Request) bool {
		return !slices.ContainsFunc(s.Required(), func(c contract.Criterion) bool {
			receipt := receiptFor(s, r, c)
			return receipt != contract.Receipt{} && !bound(r, receipt)
		})
	}},
	{contract.Criteria, func(s *contract.State, r *contract.Request) bool {
		return !slices.ContainsFunc(s.Required(), func(c contract.Criterion) bool {
			receipt := receiptFor(s, r, c)
			return !receipt.Pass || receipt.Version != s.Admitted[c]
		})
	}},
}

// receiptFor returns the receipt that the store has for a criterion of the request's
// author, the zero Receipt if there is none.
func receiptFor(s *contract.State, r *contract.Request, c contract.Criterion) contract.Receipt {
	if r.Author == 0 {
		return contract.Receipt{}
	}
	return s.Of(r.Author).Receipts[c]
}

// bound reports whether a receipt is about the request: its attempt, the contract that it
// names, its candidate's bytes and dependencies. Nothing of that ever changes.
func bound(r *contract.Request, receipt contract.Receipt) bool {
	return receipt.Attempt == r.Attempt &&
		receipt.Contract == r.Contract &&
		receipt.Bytes == r.Content.Bytes &&
		receipt.Inputs == r.Content.Inputs && receipt.Members == r.Content.Members
}

// Failed returns the checks that r fails in s.
func Failed(s *contract.State, r *contract.Request) contract.Checks {
	var failed contract.Checks
	for i := range predicates {
		if !predicates[i].holds(s, r) {
			failed |= predicates[i].check
		}
	}
	return failed
}
