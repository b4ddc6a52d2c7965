// Package harness has what is published of the harness operations: the contract checks, and
// the exact counts of what budget ledgers and cleanups do wrong under every order of events.
package harness

import (
	"context"
	"fmt"

	"example.com/commitpoint/enumerate"
	"example.com/commitpoint/study"
	"example.com/commitpoint/study/harness/budget"
	"example.com/commitpoint/study/harness/checks"
	"example.com/commitpoint/study/harness/ownership"
)

// Schema is the schema of a Result in JSON.
const Schema = "commitpoint/harness/v1"

// A Result is what can be computed anywhere. What the checks of real workloads observe on
// one machine is no result, and is not in it.
type Result struct {
	Schema    string           `json:"schema"`
	Contracts []checks.Case    `json:"contracts"`
	Budget    budget.Result    `json:"budget"`
	Ownership ownership.Result `json:"ownership"`
}

// Compute makes the contract checks and counts the schedules. The result does not depend on
// the options, but for a limit that is reached, or a context that ends: then the error is
// an *enumerate.IncompleteError. It is a study.ErrUnsound if a contract check fails, or a
// reference is wrong.
func Compute(ctx context.Context, opt enumerate.Options) (Result, error) {
	r := Result{Schema: Schema, Contracts: checks.Contracts(ctx)}
	if err := ctx.Err(); err != nil {
		return Result{}, fmt.Errorf("make the contract checks: %w", &enumerate.IncompleteError{Cause: err})
	}
	for _, c := range r.Contracts {
		if c.Result != checks.Pass {
			return Result{}, fmt.Errorf("%w: %s is %s: %s", study.ErrUnsound, c.ID, c.Result, c.Observation)
		}
	}
	var err error
	if r.Budget, err = budget.Compute(ctx, opt); err != nil {
		return Result{}, err
	}
	if r.Ownership, err = ownership.Compute(ctx, opt); err != nil {
		return Result{}, err
	}
	return r, nil
}
