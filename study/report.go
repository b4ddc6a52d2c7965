package study

import (
	"context"
	"fmt"

	"example.com/commitpoint/counterexamples"
	"example.com/commitpoint/enumerate"
	"example.com/commitpoint/mechanisms"
	"example.com/commitpoint/model"
	"example.com/commitpoint/oracle"
)

// A Report has every figure of the study.
type Report struct {
	Bounds          Bounds
	Scenarios       []ScenarioScore
	Mechanisms      []mechanisms.Mechanism
	Scores          []Score // one a mechanism, over all scenarios
	Schedules       uint64
	Eligible        uint64
	Replays         Replays
	Controls        []ControlResult
	Counterexamples []Counterexample
}

// Bounds says what was enumerated.
type Bounds struct {
	Chain          []model.Event
	Environment    []model.Event
	MaxEnvironment int
	Precedence     [][2]model.Event
}

// A ControlResult says which mechanisms accepted a control.
type ControlResult struct {
	Control    Control
	AcceptedBy []string
	Verdict    oracle.Verdict
}

// A Counterexample is the shortest history in which a mechanism makes one kind
// of error. It ends at the commit.
type Counterexample struct {
	Mechanism string
	Kind      Kind
	Schedule  []model.Event
	// Failed has, for an unsafe accept, the checks of the contract that the
	// request failed at the commit, any of which should have refused it; for an
	// eligible reject, the checks that refused it.
	Failed  model.Checks
	Reasons oracle.Reasons // none for an eligible reject
}

// Compute runs the study's thirteen mechanisms in its 42 scenarios and seven
// controls. The result does not depend on the number of workers.
func Compute(ctx context.Context, workers int) (Report, error) {
	opt, err := Options{Workers: workers}.complete()
	if err != nil {
		return Report{}, err
	}
	r := Report{
		Bounds: Bounds{
			Chain:          model.Chain(),
			Environment:    model.Environment(),
			MaxEnvironment: MaxEnvironment,
			Precedence:     Precedence(),
		},
		Mechanisms: opt.Mechanisms,
		Scores:     make([]Score, len(opt.Mechanisms)),
	}
	if r.Scenarios, err = Evaluate(ctx, opt); err != nil {
		return Report{}, err
	}
	for _, s := range r.Scenarios {
		r.Schedules += s.Schedules
		r.Eligible += s.Eligible
		r.Replays.add(s.Replays)
		for i := range r.Scores {
			r.Scores[i].add(s.Scores[i])
		}
	}
	r.Controls = controlResults(opt.Mechanisms)
	if r.Counterexamples, err = shortest(ctx, opt); err != nil {
		return Report{}, err
	}
	return r, nil
}

func controlResults(list []mechanisms.Mechanism) []ControlResult {
	var results []ControlResult
	for _, c := range controls {
		result := ControlResult{Control: c, AcceptedBy: []string{}}
		for _, m := range list {
			s := runControl(m, c)
			result.Verdict = s.verdict
			if s.recorded {
				result.AcceptedBy = append(result.AcceptedBy, m.Name)
			}
		}
		results = append(results, result)
	}
	return results
}

// shortest returns the counterexamples of every mechanism and kind that has
// one, in that order.
func shortest(ctx context.Context, opt Options) ([]Counterexample, error) {
	type key struct {
		mechanism int
		kind      Kind
	}
	found, err := counterexamples.Find(ctx, opt.Scenarios, newMachine(opt.Mechanisms), atCommit(state.outcome),
		func(o outcome) []key {
			var keys []key
			for i := range opt.Mechanisms {
				if kind, isWrong := wrong(o.accepted.has(i), o.eligible); isWrong {
					keys = append(keys, key{i, kind})
				}
			}
			return keys
		}, enumerate.Options{Workers: opt.Workers})
	if err != nil {
		return nil, fmt.Errorf("find the shortest counterexamples: %w", err)
	}
	histories := make(map[key][]model.Event, len(found))
	for _, c := range found {
		histories[c.Reason] = c.History
	}
	var list []Counterexample
	for i, m := range opt.Mechanisms {
		for _, kind := range Kinds() {
			if history, ok := histories[key{i, kind}]; ok {
				list = append(list, counterexample(m, kind, history))
			}
		}
	}
	return list, nil
}

// counterexample replays a history for the details.
func counterexample(m mechanisms.Mechanism, kind Kind, history []model.Event) Counterexample {
	states := counterexamples.Replay(solo{mechanism: m}, history)
	final := states[len(states)-1]
	c := Counterexample{
		Mechanism: m.Name,
		Kind:      kind,
		Schedule:  history,
		Failed:    final.failed,
		Reasons:   final.verdict.Reasons,
	}
	if kind == EligibleReject {
		c.Failed = final.decision.Failed
	}
	return c
}
