// Package budget counts, exactly, how often a budget ledger goes wrong under every order of
// what its operations, their provider, the scheduler and its own service can do; with one
// reference, and with ledgers that each have one flaw.
package budget

import (
	"context"
	"fmt"
	"slices"

	"example.com/commitpoint/enumerate"
	mechanisms "example.com/commitpoint/mechanisms/harness/budget"
	model "example.com/commitpoint/model/harness/budget"
	oracle "example.com/commitpoint/oracle/harness/budget"
	"example.com/commitpoint/study"
	"example.com/commitpoint/study/counts"
)

// ErrUnsound is the error of a result that shows the reference to be wrong, or never to
// have been put to the test. It is the study's, so that callers treat both alike.
var ErrUnsound = study.ErrUnsound

// A Result is what the schedules come to. In JSON counts are decimal strings.
type Result struct {
	Cap       int              `json:"cap"` // in units
	Scenarios []ScenarioResult `json:"scenarios"`
}

// A ScenarioResult is what the schedules of one scenario come to.
type ScenarioResult struct {
	Name      string          `json:"name"`
	Why       string          `json:"why"`
	Events    int             `json:"events"` // the end left out
	DownSets  enumerate.Count `json:"down_sets"`
	Alike     uint64          `json:"alike"` // how many schedules each that is counted stands for, by symmetry
	Schedules enumerate.Count `json:"schedules"`

	Faced   []counts.Tally  `json:"faced"`  // by the reference: what stood against a yes, in how many answers, of which a schedule has several
	Reused  enumerate.Count `json:"reused"` // schedules in which it admits what had not fit without something being freed
	Ledgers []Ledger        `json:"ledgers"`
}

// A Ledger is what one mechanism does in the schedules of a scenario.
type Ledger struct {
	Mechanism string          `json:"mechanism"`
	Nodes     enumerate.Count `json:"nodes"` // distinct pairs of the events done and the state
	Edges     enumerate.Count `json:"edges"`
	Admitted  []counts.Tally  `json:"admitted"` // schedules, by the number of operations
	Broken    []counts.Tally  `json:"broken"`   // schedules, by property
	Errors    []counts.Error  `json:"errors"`   // wrong answers
}

// Compute counts all schedules of all scenarios for every mechanism. The result does not
// depend on the options, but for a limit that is reached: then the error is an
// *enumerate.IncompleteError.
func Compute(ctx context.Context, opt enumerate.Options) (Result, error) {
	r := Result{Cap: model.Cap}
	for _, s := range scenarios() {
		computed, err := s.compute(ctx, opt)
		if err != nil {
			return Result{}, fmt.Errorf("count the schedules of the budget's %s: %w", s.name, err)
		}
		r.Scenarios = append(r.Scenarios, computed)
	}
	return r, r.validate()
}

func (s scenario) compute(ctx context.Context, opt enumerate.Options) (ScenarioResult, error) {
	r := ScenarioResult{Name: s.name, Why: s.why, Events: s.order.Len() - 1, Alike: s.alike}
	for _, m := range mechanisms.All() {
		t, err := enumerate.Tally(ctx, s.order, machine{m}, machine{m}.observer(), opt)
		if err != nil {
			return r, err
		}
		c := counter{alike: enumerate.NewCount(s.alike)}
		for _, o := range t.Observed {
			c.add(o.Value, o.Count)
		}
		r.DownSets, r.Schedules = enumerate.NewCount(t.DownSets), c.times(t.Schedules)
		if m.Flaws == 0 {
			r.Faced, r.Reused = counts.List(c.faced[:], reasons), c.reused
		}
		r.Ledgers = append(r.Ledgers, c.ledger(m, t))
		if c.Err() != nil {
			return r, c.Err()
		}
	}
	return r, nil
}

// validate returns an error if the reference is wrong, or if it was not put to the test: if
// there is a reason that it never met, a property that nothing breaks, a flaw that breaks
// nothing, or if the reference is safe because it admits nothing again.
func (r Result) validate() error {
	var met, broken, flawed []string
	reused := false
	for _, s := range r.Scenarios {
		met, reused = append(met, counts.Whats(s.Faced)...), reused || s.Reused != (enumerate.Count{})
		for _, l := range s.Ledgers {
			broken = append(broken, counts.Whats(l.Broken)...)
			if len(l.Broken)+len(l.Errors) > 0 {
				flawed = append(flawed, l.Mechanism)
			}
		}
	}
	if slices.Contains(flawed, mechanisms.Atomic.Name) {
		return fmt.Errorf("%w: the budget's %s is wrong", ErrUnsound, mechanisms.Atomic.Name)
	}
	for _, reason := range reasons[:oracle.NumReasons] {
		if !slices.Contains(met, reason) {
			return fmt.Errorf("%w: the budget's reference never meets %s", ErrUnsound, reason)
		}
	}
	for _, p := range properties {
		if !slices.Contains(broken, p) {
			return fmt.Errorf("%w: no budget breaks %q", ErrUnsound, p)
		}
	}
	for _, m := range mechanisms.All()[1:] {
		if !slices.Contains(flawed, m.Name) {
			return fmt.Errorf("%w: nothing shows the flaw of the budget's %s", ErrUnsound, m.Name)
		}
	}
	if !reused {
		return fmt.Errorf("%w: the budget's reference never admits what was freed", ErrUnsound)
	}
	return nil
}
