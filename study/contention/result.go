// Package contention counts, exactly, how the study's thirteen mechanisms decide
// when several submitters race for one task: under every order of
// their events, which for four submitters are more than 6 × 10¹⁹ schedules.
package contention

import (
	"context"
	"fmt"

	"example.com/commitpoint/enumerate"
	"example.com/commitpoint/mechanisms"
)

// Schema is the schema of a Result in JSON.
const Schema = "commitpoint/contention/v1"

// A Result is what all schedules of a number of submitters come to. In JSON every
// count is a decimal string, since they exceed what readers of numbers can hold.
type Result struct {
	Schema     string          `json:"schema"`
	Submitters int             `json:"submitters"`
	Events     int             `json:"events"`
	DownSets   enumerate.Count `json:"down_sets"` // sets of events that can be done at one time
	Nodes      enumerate.Count `json:"nodes"`     // distinct pairs of the events done and the state
	Edges      enumerate.Count `json:"edges"`
	Schedules  enumerate.Count `json:"schedules"`
	Decisions  []Decisions     `json:"decisions"` // one a submitter
}

// Decisions counts what was decided on one submitter's commit: in each schedule
// once.
type Decisions struct {
	Submitter  int             `json:"submitter"`
	Eligible   enumerate.Count `json:"eligible"`
	Mechanisms []Score         `json:"mechanisms"` // in the study's order
}

// A Score counts one mechanism's decisions.
type Score struct {
	Name           string          `json:"name"`
	SafeAccept     enumerate.Count `json:"safe_accept"`
	UnsafeAccept   enumerate.Count `json:"unsafe_accept"`
	UnsafeReject   enumerate.Count `json:"unsafe_reject"`
	EligibleReject enumerate.Count `json:"eligible_reject"`
}

// Compute counts the schedules of 1 to 6 submitters. Five are more nodes than
// the default limit allows: the error is then an *enumerate.IncompleteError.
func Compute(ctx context.Context, submitters int, opt enumerate.Options) (Result, error) {
	order, err := Order(submitters)
	if err != nil {
		return Result{}, err
	}
	t, err := enumerate.Tally(ctx, order, machine{}, enumerate.ObserveOn(isCommit, decide), opt)
	if err != nil {
		return Result{}, fmt.Errorf("count the schedules of %d submitters: %w", submitters, err)
	}
	r := Result{
		Schema:     Schema,
		Submitters: submitters,
		Events:     order.Len(),
		DownSets:   enumerate.NewCount(t.DownSets),
		Nodes:      enumerate.NewCount(t.Nodes),
		Edges:      enumerate.NewCount(t.Edges),
		Schedules:  t.Schedules,
		Decisions:  make([]Decisions, submitters),
	}
	for i := range r.Decisions {
		r.Decisions[i] = Decisions{Submitter: i + 1, Mechanisms: make([]Score, len(mechanisms.All()))}
		for j, m := range mechanisms.All() {
			r.Decisions[i].Mechanisms[j].Name = m.Name
		}
	}
	for _, seen := range t.Observed {
		if err := r.Decisions[seen.Value.submitter-1].add(seen.Value, seen.Count); err != nil {
			return Result{}, fmt.Errorf("count the decisions: %w", err)
		}
	}
	return r, nil
}

// add counts a decision that was made in n schedules.
func (d *Decisions) add(made decision, n enumerate.Count) error {
	if made.eligible {
		if err := add(&d.Eligible, n); err != nil {
			return err
		}
	}
	for i, m := range mechanisms.All() {
		s := &d.Mechanisms[i]
		count := &s.UnsafeReject
		switch accepts := made.acceptedBy(m); {
		case accepts && made.eligible:
			count = &s.SafeAccept
		case accepts:
			count = &s.UnsafeAccept
		case made.eligible:
			count = &s.EligibleReject
		}
		if err := add(count, n); err != nil {
			return err
		}
	}
	return nil
}

func add(sum *enumerate.Count, n enumerate.Count) (err error) {
	*sum, err = sum.Plus(n)
	return err
}
