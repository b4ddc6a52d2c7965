// Package deadline puts the completion policies of contracts with a deadline to the test:
// against every order of what an agent, a service, a clock and a verifier can do, within
// bounds, where an oracle knows when the predicate truly held; and, in the package below,
// against recorded trials.
//
// # Bounds
//
// A scenario has at most one operation, right, on another target, or malformed; three
// probes, each of which succeeds or fails, with the deadline between the second and the
// third or exactly at the second; and each of six events or not: the agent looks, reports,
// the operation takes effect, the service says that its job has ended, the target's health
// goes bad, and somebody undoes the state. The gate's scenarios have three cycles of a
// probe and a deadline.
package deadline

import (
	"context"
	"errors"
	"fmt"

	"example.com/commitpoint/enumerate"
	model "example.com/commitpoint/model/deadline"
	"example.com/commitpoint/study"
)

// Schema is the schema of a Result in JSON.
const Schema = "commitpoint/deadline/v1"

// ErrUnsound is the error of a result that shows the reference or the gate to be wrong. It
// is the study's, so that callers treat both alike.
var ErrUnsound = study.ErrUnsound

// A Result is what the model comes to. Counts are of schedules.
type Result struct {
	Schema     string       `json:"schema"`
	Grids      []GridResult `json:"grids"`
	Gate       []Recovery   `json:"gate"`
	Properties []Property   `json:"properties"` // of the gate with routed recovery
}

// A GridResult is what the policies answer where the deadline is at one place among the
// probes.
type GridResult struct {
	Deadline  string    `json:"deadline"` // where it is
	Scenarios int       `json:"scenarios"`
	Schedules uint64    `json:"schedules"`
	InTime    uint64    `json:"in_time"` // the predicate held at some moment no later than the deadline
	Reference Reference `json:"reference"`
	Policies  []Score   `json:"policies"`
}

// A Reference is what the reference answers, and where it differs from the truth. It never
// accepts what was not true.
type Reference struct {
	Fulfilled     uint64 `json:"fulfilled"`
	Violated      uint64 `json:"violated"`
	Late          uint64 `json:"late"` // of those violated
	NotDetermined uint64 `json:"not_determined"`

	// Differs says why it did not see that the predicate held.
	Differs []Difference `json:"differs"`
}

// A Difference is a reason for which the reference is not the truth.
type Difference struct {
	Why       string `json:"why"`
	Schedules uint64 `json:"schedules"`
}

// A Score is how often a policy errs: it accepts a report that it ought not to, or does not
// accept one that it ought to.
type Score struct {
	Policy           string `json:"policy"`
	Meaning          string `json:"meaning"`
	FalsePass        uint64 `json:"false_pass"` // against the truth
	FalseAlarm       uint64 `json:"false_alarm"`
	FalsePassByRef   uint64 `json:"false_pass_by_reference"` // against the reference
	FalseAlarmByRef  uint64 `json:"false_alarm_by_reference"`
	AcceptsUndecided uint64 `json:"accepts_undetermined"` // it accepts, and the reference is not determined
}

// Compute decides every schedule of the model. The result does not depend on the options,
// but for a limit that is reached: then the error is an *enumerate.IncompleteError.
func Compute(ctx context.Context, opt enumerate.Options) (Result, error) {
	r := Result{Schema: Schema}
	for _, g := range []Grid{Between, AtProbe} {
		grid, err := computeGrid(ctx, g, opt)
		if err != nil {
			return Result{}, fmt.Errorf("decide the schedules with the deadline %v: %w", g, err)
		}
		r.Grids = append(r.Grids, grid)
	}
	var err error
	if r.Gate, r.Properties, err = computeGate(ctx, opt); err != nil {
		return Result{}, fmt.Errorf("walk the gate: %w", err)
	}
	return r, nil
}

func computeGrid(ctx context.Context, g Grid, opt enumerate.Options) (GridResult, error) {
	orders := Scenarios(g)
	r := GridResult{Deadline: g.String(), Scenarios: len(orders)}
	for _, p := range policies {
		r.Policies = append(r.Policies, Score{Policy: p.Name, Meaning: p.Meaning})
	}
	for _, why := range whys {
		r.Reference.Differs = append(r.Reference.Differs, Difference{Why: why})
	}
	seen, err := sum(enumerate.TallyAll(ctx, orders, machine{}, atEnd(), opt))
	for d, n := range seen {
		if d.reference() == model.Fulfilled && !d.truth.inTime {
			return r, fmt.Errorf("%w: the reference accepts what was not true", ErrUnsound)
		}
		r.add(d, n)
	}
	return r, err
}

// sum adds up what was observed in several orders.
func sum[O comparable](tallied []enumerate.Tallied[O], err error) (map[O]uint64, error) {
	seen := make(map[O]uint64)
	for _, t := range tallied {
		for _, o := range t.Observed {
			n := o.Count.Big()
			if !n.IsUint64() || seen[o.Value]+n.Uint64() < n.Uint64() {
				return nil, errors.New("a count does not fit in 64 bits")
			}
			seen[o.Value] += n.Uint64()
		}
	}
	return seen, err
}

// add adds n schedules that are decided alike.
func (r *GridResult) add(d decided, n uint64) {
	r.Schedules += n
	if d.truth.inTime {
		r.InTime += n
	}
	switch d.reference() {
	case model.Fulfilled:
		r.Reference.Fulfilled += n
	case model.Violated:
		r.Reference.Violated += n
		if d.mode == model.Late {
			r.Reference.Late += n
		}
	default:
		r.Reference.NotDetermined += n
	}
	for i, why := range whys {
		if d.truth.inTime && d.reference() != model.Fulfilled && why == d.truth.why() {
			r.Reference.Differs[i].Schedules += n
		}
	}
	for i := range r.Policies {
		r.Policies[i].add(d, d.answers[i] == model.Fulfilled, n)
	}
}

func (s *Score) add(d decided, accepts bool, n uint64) {
	for _, c := range []struct {
		count *uint64
		errs  bool
	}{
		{&s.FalsePass, accepts && !d.truth.inTime},
		{&s.FalseAlarm, !accepts && d.truth.inTime},
		{&s.FalsePassByRef, accepts && d.reference() == model.Violated},
		{&s.FalseAlarmByRef, !accepts && d.reference() == model.Fulfilled},
		{&s.AcceptsUndecided, accepts && d.reference() == model.NotDetermined},
	} {
		if c.errs {
			*c.count += n
		}
	}
}

// whys are the reasons for which nobody observed what held in time.
var whys = []string{probeFailed, afterLastProbe, betweenProbes}

const (
	probeFailed    = "its probe failed"
	afterLastProbe = "after the last probe"
	betweenProbes  = "between two probes"
)

// why returns the reason, if the predicate held in time and was not observed to.
func (t truth) why() string {
	switch {
	case t.atProbe:
		return probeFailed
	case t.atClose:
		return afterLastProbe
	}
	return betweenProbes
}
