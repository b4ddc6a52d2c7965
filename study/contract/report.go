package contract

import (
	"context"
	"fmt"

	"example.com/commitpoint/counterexamples"
	"example.com/commitpoint/enumerate"
	"example.com/commitpoint/mechanisms/contract"
	model "example.com/commitpoint/model/contract"
	"example.com/commitpoint/study"
)

// Schema is the schema of a Result in JSON.
const Schema = "commitpoint/contract/v1"

// A Result is what the whole contract comes to. Counts of schedules are of scenarios: a
// family with n events that happen or not has 2ⁿ.
type Result struct {
	Schema      string         `json:"schema"`
	Families    []FamilyResult `json:"families"`
	Schedules   uint64         `json:"schedules"`
	Complete    Score          `json:"complete"`
	Obligations []Obligation   `json:"obligations"` // what comes of leaving each predicate out
	Hybrids     []Hybrid       `json:"hybrids"`
	Hoist       Hoist          `json:"hoist"`
	Invariants  []Invariant    `json:"invariants"`
}

// A FamilyResult says what a family of scenarios is.
type FamilyResult struct {
	Name      string `json:"name"`
	About     string `json:"about"`
	Events    int    `json:"events"` // in the largest scenario
	Scenarios int    `json:"scenarios"`
	Schedules uint64 `json:"schedules"`
}

// An Obligation is a predicate, and what goes wrong without it.
type Obligation struct {
	Predicate      string   `json:"predicate"`
	UnsafeAccept   uint64   `json:"unsafe_accept"`
	EligibleReject uint64   `json:"eligible_reject"`
	Family         string   `json:"family"` // of the shortest history
	Shortest       []string `json:"shortest"`
}

// A Hybrid is a mechanism that people build instead.
type Hybrid struct {
	Name           string   `json:"name"`
	Meaning        string   `json:"meaning"`
	UnsafeAccept   uint64   `json:"unsafe_accept"`
	EligibleReject uint64   `json:"eligible_reject"`
	Family         string   `json:"family"`
	Shortest       []string `json:"shortest"` // of a wrong decision; empty if there is none
}

// An Invariant is a property of the task beyond single decisions, and a mechanism with
// the shortest history that breaks it. The complete mechanism breaks none.
type Invariant struct {
	Property  string   `json:"property"`
	Mechanism string   `json:"mechanism"`
	Family    string   `json:"family"`
	Shortest  []string `json:"shortest"`
}

// ErrUnsound is the error of a result that shows the contract itself to be wrong: the
// complete mechanism errs, or nothing goes wrong without a predicate. It is the study's, so
// that callers treat both alike.
var ErrUnsound = study.ErrUnsound

// FenceSentence says what the study could not show: what a fence is good for by itself.
const FenceSentence = "A fence has a benefit of its own: an authority that restarts and issues attempt ids again\n" +
	"hands a new holder the identity of the old one, and only the fence, which survives, tells\n" +
	"them apart. In the study attempt ids never come again, so that nothing there needs it."

// identity names the obligation beside the predicates.
const identity = "identity"

// Compute decides every request in every schedule of the families, by every mechanism.
// The result does not depend on the options, but for a limit that is reached: then the
// error is an *enumerate.IncompleteError.
func Compute(ctx context.Context, opt enumerate.Options) (Result, error) {
	in, err := allScenarios()
	if err != nil {
		return Result{}, err
	}
	r := Result{Schema: Schema}
	for _, f := range in {
		n := uint64(0)
		for _, o := range f.orders {
			schedules, err := enumerate.Tally(ctx, o, still{}, enumerate.Observer[bool, model.Event, bool]{}, opt)
			if err != nil {
				return Result{}, fmt.Errorf("count the schedules of family %s: %w", f.family.Name, err)
			}
			n += schedules.Schedules.Big().Uint64()
		}
		r.Families = append(r.Families, FamilyResult{f.family.Name, f.family.About, f.orders[len(f.orders)-1].Len(), len(f.orders), n})
		r.Schedules += n
	}
	complete, err := judge(ctx, in, contract.Complete, anyWrong, opt)
	if err != nil {
		return Result{}, err
	}
	if r.Complete = complete.score; !r.Complete.Right() {
		return Result{}, fmt.Errorf("%w: the complete mechanism errs: %v", ErrUnsound, complete.shortest.history)
	}
	if err := r.obligations(ctx, in, opt); err != nil {
		return Result{}, err
	}
	if r.Hoist, err = hoist(ctx, in, opt); err != nil {
		return Result{}, err
	}
	r.Invariants, err = breaks(ctx, in, opt)
	return r, err
}

// A still machine has one state: its tally counts the schedules of an order.
type still struct{}

func (still) Init() bool                  { return false }
func (still) Next(bool, model.Event) bool { return false }

// obligations fills in the mechanisms without one predicate, and the hybrids.
func (r *Result) obligations(ctx context.Context, in []scenarios, opt enumerate.Options) error {
	for _, m := range contract.All()[1:] {
		j, err := judge(ctx, in, m, anyWrong, opt)
		if err != nil {
			return err
		}
		family, shortest := names(in, j.shortest)
		missing := model.All &^ m.Requires
		switch {
		case m.Name == contract.Without(missing).Name:
			r.Obligations = append(r.Obligations, Obligation{missing.String(), j.score.UnsafeAccept, j.score.EligibleReject, family, shortest})
		case m.Identity == contract.NoIdentity:
			r.Obligations = append(r.Obligations, Obligation{identity, j.score.UnsafeAccept, j.score.EligibleReject, family, shortest})
		default:
			r.Hybrids = append(r.Hybrids, Hybrid{m.Name, m.Meaning, j.score.UnsafeAccept, j.score.EligibleReject, family, shortest})
		}
	}
	for _, o := range r.Obligations {
		if len(o.Shortest) == 0 {
			return fmt.Errorf("%w: nothing goes wrong without %s", ErrUnsound, o.Predicate)
		}
	}
	return nil
}

// names returns the name of a finding's family and of its events.
func names(in []scenarios, f found) (family string, events []string) {
	events = []string{}
	if f.family >= 0 {
		family = in[f.family].family.Name
	}
	return family, append(events, eventNames(f.history)...)
}

func eventNames(history []model.Event) []string {
	var names []string
	for _, e := range history {
		names = append(names, e.String())
	}
	return names
}

// properties are the invariants.
func properties() enumerate.Properties[state] {
	var list enumerate.Properties[state]
	for i, x := range invariants {
		list = append(list, enumerate.Always(x.property, func(s state) bool { return s.broken>>i&1 == 0 }))
	}
	return list
}

// breaks returns the shortest history of each invariant's mechanism that breaks it. It is
// an ErrUnsound if there is none, or if the complete mechanism breaks one.
func breaks(ctx context.Context, in []scenarios, opt enumerate.Options) ([]Invariant, error) {
	broken := func(m contract.Mechanism, f scenarios) ([]counterexamples.Counterexample[model.Event, string], error) {
		all, err := counterexamples.FindViolations(ctx, f.orders, machine{mechanism: m}, properties(), opt)
		if err != nil {
			return nil, fmt.Errorf("check the invariants of %s in family %s: %w", m.Name, f.family.Name, err)
		}
		return all, nil
	}
	list := make([]Invariant, len(invariants))
	for _, f := range in {
		all, err := broken(contract.Complete, f)
		if err != nil {
			return nil, err
		}
		if len(all) > 0 {
			return nil, fmt.Errorf("%w: the complete mechanism breaks %q: %v", ErrUnsound, all[0].Reason, all[0].History)
		}
		for i, x := range invariants {
			m, err := contract.Named(x.brokenBy)
			if err != nil {
				return nil, err
			}
			all, err := broken(m, f)
			if err != nil {
				return nil, err
			}
			for _, b := range all {
				if b.Reason == x.property && (list[i].Property == "" || len(b.History) < len(list[i].Shortest)) {
					list[i] = Invariant{x.property, m.Name, f.family.Name, eventNames(b.History)}
				}
			}
		}
	}
	for i, x := range list {
		if x.Property == "" {
			return nil, fmt.Errorf("%w: %s does not break %q, which says nothing then", ErrUnsound, invariants[i].brokenBy, invariants[i].property)
		}
	}
	return list, nil
}
