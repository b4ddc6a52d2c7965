package contract

import (
	"context"
	"fmt"

	"example.com/commitpoint/enumerate"
	"example.com/commitpoint/mechanisms/contract"
	model "example.com/commitpoint/model/contract"
)

// A Hoist says which predicates may be evaluated before the transaction.
type Hoist struct {
	Singles       []Single   `json:"singles"`
	MaximalSafe   [][]string `json:"maximal_safe"`
	MinimalUnsafe [][]string `json:"minimal_unsafe"`
	Together      Score      `json:"together"` // what the maximal safe set comes to
	All           Score      `json:"all"`      // all of them at preflight
}

// ComputeHoist moves predicates to preflight, in every schedule of the families. Its
// errors are those of Compute.
func ComputeHoist(ctx context.Context, opt enumerate.Options) (Hoist, error) {
	in, err := allScenarios()
	if err != nil {
		return Hoist{}, err
	}
	return hoist(ctx, in, opt)
}

// A Single is one predicate evaluated at preflight, and the rest in the transaction.
type Single struct {
	Predicate      string   `json:"predicate"`
	UnsafeAccept   uint64   `json:"unsafe_accept"`
	EligibleReject uint64   `json:"eligible_reject"`
	Why            string   `json:"why"`
	Family         string   `json:"family"`
	Shortest       []string `json:"shortest"` // of an unsafe accept; empty if there is none
}

// whys says of each predicate why it may move, or why not: what it looks at can't change
// any more without another predicate failing, or can.
var whys = map[model.Checks]string{
	model.Active:       "a task can be cancelled at any moment",
	model.Caller:       "who calls is part of the request, and another owner has another attempt, fence or incarnation",
	model.Attempt:      "the task can be assigned again, with the same fence",
	model.Fence:        "the task can be assigned again, with the same attempt ids",
	model.Incarnation:  "the authority can begin anew, with the same ids and fences",
	model.Lease:        "a lease runs out by itself",
	model.Scope:        "what a candidate really writes does not change without its bases failing",
	model.Grant:        "a grant can be withdrawn",
	model.Contract:     "the task can migrate to another contract",
	model.Dependencies: "inputs and directories change",
	model.Bases:        "anybody can publish a target",
	model.Binding:      "the receipts that are looked up are the last ones, which a later verification replaces",
	model.Criteria:     "a checker version can be withdrawn",
}

// hoist moves each predicate alone, and then all together that are safe alone: they are
// safe if no request is accepted that is not eligible.
//
// That is the only maximal safe set. For each of the others there is a history in which
// it lets through what is not eligible and every predicate held at preflight, so that
// moving any more of them along changes nothing in it. The error is ErrUnsound if either
// turns out otherwise.
func hoist(ctx context.Context, in []scenarios, opt enumerate.Options) (Hoist, error) {
	var h Hoist
	var safe model.Checks
	unsafeAccept := func(o seen) bool { return o.accepted && o.early }
	for _, c := range model.All.Each() {
		j, err := judge(ctx, in, contract.Hoisted(c), unsafeAccept, opt)
		if err != nil {
			return h, err
		}
		single := Single{Predicate: c.String(), UnsafeAccept: j.score.UnsafeAccept, EligibleReject: j.score.EligibleReject, Why: whys[c]}
		single.Family, single.Shortest = names(in, j.shortest)
		h.Singles = append(h.Singles, single)
		switch {
		case j.score.UnsafeAccept == 0:
			safe |= c
		case len(single.Shortest) == 0:
			return h, fmt.Errorf("%w: %s is unsafe at preflight only where something else failed there", ErrUnsound, c)
		}
	}
	together, err := judge(ctx, in, contract.Hoisted(safe), anyWrong, opt)
	if err != nil {
		return h, err
	}
	if together.score.UnsafeAccept > 0 {
		return h, fmt.Errorf("%w: %v are safe at preflight one by one and not together", ErrUnsound, safe)
	}
	all, err := judge(ctx, in, contract.Hoisted(model.All), anyWrong, opt)
	if err != nil {
		return h, err
	}
	h.Together, h.All = together.score, all.score
	h.MaximalSafe, h.MinimalUnsafe = [][]string{safe.Names()}, [][]string{}
	for _, c := range (model.All &^ safe).Each() {
		h.MinimalUnsafe = append(h.MinimalUnsafe, []string{c.String()})
	}
	return h, nil
}
