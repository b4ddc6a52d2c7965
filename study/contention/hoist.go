package contention

import (
	"context"
	"fmt"

	"example.com/commitpoint/enumerate"
	checks "example.com/commitpoint/mechanisms/contention"
	"example.com/commitpoint/model"
	"example.com/commitpoint/model/contention"
	"example.com/commitpoint/study"
)

// ComputeHoist decides every commit of TracedSubmitters, in every schedule, for each
// subset of the checks evaluated at that submitter's preflight and the rest at its
// commit.
func ComputeHoist(ctx context.Context, opt enumerate.Options) (study.Hoist, error) {
	order, err := Order(TracedSubmitters)
	if err != nil {
		return study.Hoist{}, err
	}
	looked := enumerate.ObserveOn(isCommit, look)
	tallied, err := enumerate.Tally(ctx, order, looker{}, looked, opt)
	if err != nil {
		return study.Hoist{}, fmt.Errorf("count the decisions of every subset of checks: %w", err)
	}
	witnesses, err := enumerate.Witnesses(ctx, []enumerate.Order[contention.Event]{order}, looker{}, looked, opt)
	if err != nil {
		return study.Hoist{}, fmt.Errorf("find the shortest history of every subset of checks: %w", err)
	}
	return study.NewHoist(tallied.Observed, witnesses)
}

// A looker remembers what all checks said at each submitter's preflight.
type looker struct{}

type lookedState struct {
	state
	early [contention.MaxSubmitters]model.Checks // that failed
}

func (looker) Init() lookedState { return lookedState{state: machine{}.Init()} }

func (looker) Next(s lookedState, e contention.Event) lookedState {
	if e.Kind == model.Preflight {
		s.early[e.Submitter-1] = checks.Failed(s.model, e.Submitter) & model.All
	}
	s.state = machine{}.Next(s.state, e)
	return s
}

func look(before lookedState, e contention.Event, _ lookedState) (study.Looked, bool) {
	return study.Looked{
		Early:    before.early[e.Submitter-1],
		Late:     checks.Failed(before.model, e.Submitter) & model.All,
		Eligible: before.history.Eligible(e.Submitter),
	}, true
}
