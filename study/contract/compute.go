// Package contract brings the contract model, its mechanisms and its oracle together:
// every mechanism decides every request in every schedule of the families of scenarios.
//
// It shows, within the bounds of the families, that each predicate of the contract is
// necessary and that all together are sufficient. It says nothing beyond those bounds.
package contract

import (
	"context"
	"fmt"

	"example.com/commitpoint/enumerate"
	"example.com/commitpoint/mechanisms/contract"
	model "example.com/commitpoint/model/contract"
	oracle "example.com/commitpoint/oracle/contract"
)

// A Score counts a mechanism's decisions: one for every request in every schedule.
type Score struct {
	SafeAccept     uint64 `json:"safe_accept"`
	UnsafeAccept   uint64 `json:"unsafe_accept"`
	UnsafeReject   uint64 `json:"unsafe_reject"`
	EligibleReject uint64 `json:"eligible_reject"`
}

// Right reports whether no decision is wrong.
func (s Score) Right() bool { return s.UnsafeAccept == 0 && s.EligibleReject == 0 }

// A seen is what is observed of a decision.
type seen struct {
	accepted bool
	eligible bool
	reasons  oracle.Reasons
	failed   model.Checks // that refused, by the mechanism
	mismatch bool
	early    bool // nothing failed at preflight
}

// observe observes decisions.
func (m machine) observe() enumerate.Observer[state, model.Event, seen] {
	return enumerate.ObserveOn(decides, func(before state, e model.Event, _ state) (seen, bool) {
		d := m.at(&before, e)
		return seen{
			accepted: d.decision.Accepted,
			eligible: d.verdict.Eligible(),
			reasons:  d.verdict.Reasons,
			failed:   d.decision.Failed,
			mismatch: d.decision.Mismatch,
			early:    d.early == 0,
		}, true
	})
}

func decides(e model.Event) bool { return e.Kind.Decides() }

func (o seen) wrong() bool { return o.accepted != o.eligible }

// anyWrong wants every wrong decision.
func anyWrong(seen) bool { return true }

// add counts n decisions. The families' bounds keep the numbers far below 2⁶⁴.
func (s *Score) add(o seen, n uint64) {
	switch {
	case o.accepted && o.eligible:
		s.SafeAccept += n
	case o.accepted:
		s.UnsafeAccept += n
	case o.eligible:
		s.EligibleReject += n
	default:
		s.UnsafeReject += n
	}
}

// A found is the shortest wrong decision of a mechanism.
type found struct {
	family  int // position of its family; negative if there is none
	history []model.Event
	seen    seen
}

// judged is what one mechanism comes to in all families.
type judged struct {
	score    Score
	shortest found
}

// judge scores a mechanism in the given families, and finds the shortest history to a
// wrong decision that is wanted: of histories of equal length that of the first family.
func judge(ctx context.Context, in []scenarios, m contract.Mechanism, wanted func(seen) bool, opt enumerate.Options) (judged, error) {
	j := judged{shortest: found{family: -1}}
	for i, f := range in {
		walked := machine{mechanism: m}
		tallied, err := enumerate.TallyAll(ctx, f.orders, walked, walked.observe(), opt)
		if err != nil {
			return j, fmt.Errorf("count the decisions of %s in family %s: %w", m.Name, f.family.Name, err)
		}
		before := j.score
		for _, t := range tallied {
			for _, o := range t.Observed {
				j.score.add(o.Value, o.Count.Big().Uint64())
			}
		}
		if before.UnsafeAccept == j.score.UnsafeAccept && before.EligibleReject == j.score.EligibleReject {
			continue // nothing is wrong here
		}
		witnesses, err := enumerate.Witnesses(ctx, f.orders, walked, walked.observe(), opt)
		if err != nil {
			return j, fmt.Errorf("find the shortest history of %s in family %s: %w", m.Name, f.family.Name, err)
		}
		for _, w := range witnesses {
			if !w.Value.wrong() || !wanted(w.Value) {
				continue
			}
			if j.shortest.family < 0 || len(w.History) < len(j.shortest.history) {
				j.shortest = found{i, w.History, w.Value}
			}
			break
		}
	}
	return j, nil
}

// scenarios are those of a family.
type scenarios struct {
	family Family
	orders []enumerate.Order[model.Event]
}

// allScenarios returns the scenarios of every family.
func allScenarios() ([]scenarios, error) {
	var all []scenarios
	for _, f := range families {
		orders, err := f.Scenarios()
		if err != nil {
			return nil, err
		}
		all = append(all, scenarios{f, orders})
	}
	return all, nil
}
