package checks

import (
	"context"

	"example.com/commitpoint/harness"
	"example.com/commitpoint/harness/adapter"
	"example.com/commitpoint/harness/budget"
)

// A library is what the checks are made on: each check has to fail on a wrong one.
type library struct {
	classify  func(harness.Receipt) harness.Decision
	normalize func(adapter string, payload []byte) (harness.Receipt, error)
	attempts  func(context.Context, func(context.Context, int) harness.Outcome) (int, harness.Decision, error)
	ledger    func(limit budget.Units, routes ...string) (accounts, error)
}

// accounts are the calls of a ledger that the checks make.
type accounts interface {
	Reserve(op, route string, bound budget.Units) error
	Dispatch(op string) error
	Cancel(op string, outcome budget.Outcome) error
	Settle(op string, charge budget.Units) error
	Reconcile(op string, charge budget.Units) error
	SetAvailable(available bool)
	Balance() budget.Balance
}

// ours are the packages of this module, with the policies that the experiment has: three
// attempts in total, and the two fixture adapters.
var ours = library{
	classify:  harness.Classify,
	normalize: adapter.Fixtures().Normalize,
	attempts:  harness.Retry{Attempts: 3}.Run,
	ledger: func(limit budget.Units, routes ...string) (accounts, error) {
		return budget.New(limit, routes...)
	},
}
