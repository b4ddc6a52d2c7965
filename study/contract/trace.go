package contract

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"example.com/commitpoint/counterexamples"
	"example.com/commitpoint/enumerate"
	"example.com/commitpoint/mechanisms/contract"
	model "example.com/commitpoint/model/contract"
	"example.com/commitpoint/study"
)

// An errorKey tells the errors of one mechanism apart.
type errorKey struct {
	kind   study.Kind
	reason string // an oracle's reason, or a predicate that refused
}

// keys returns what is wrong with a decision, nothing if it is right.
func (o seen) keys() []errorKey {
	kind, names := study.UnsafeAccept, o.reasons.Names()
	switch {
	case !o.wrong():
		return nil
	case o.eligible:
		kind, names = study.EligibleReject, o.failed.Names()
		if o.mismatch {
			names = []string{identity}
		}
	}
	keys := make([]errorKey, len(names))
	for i, name := range names {
		keys[i] = errorKey{kind, name}
	}
	return keys
}

// Traces returns the shortest counterexample of a mechanism for each distinct reason, by
// kind and then the shortest first, over all families.
func Traces(ctx context.Context, m contract.Mechanism, opt enumerate.Options) ([]counterexamples.Trace, error) {
	in, err := allScenarios()
	if err != nil {
		return nil, err
	}
	type candidate struct {
		key     errorKey
		family  string
		history []model.Event
	}
	var best []candidate
	for _, f := range in {
		walked := machine{mechanism: m}
		found, err := counterexamples.Find(ctx, f.orders, walked, walked.observe(), seen.keys, opt)
		if err != nil {
			return nil, fmt.Errorf("find the counterexamples of %s in family %s: %w", m.Name, f.family.Name, err)
		}
		for _, c := range found {
			next := candidate{c.Reason, f.family.Name, c.History}
			at := slices.IndexFunc(best, func(b candidate) bool { return b.key == c.Reason })
			switch {
			case at < 0:
				best = append(best, next)
			case len(c.History) < len(best[at].history):
				best[at] = next
			}
		}
	}
	slices.SortStableFunc(best, func(a, b candidate) int { return len(a.history) - len(b.history) })
	var traces []counterexamples.Trace
	for _, kind := range study.Kinds() {
		for _, b := range best {
			if b.key.kind != kind {
				continue
			}
			order, err := orderOf(b.history)
			if err != nil {
				return nil, err
			}
			t := trace(m, order, b.history)
			t.Reason, t.Summary = b.key.reason, fmt.Sprintf("%s (family %s)", t.Summary, b.family)
			traces = append(traces, t)
		}
	}
	return traces, nil
}

// trace tells a history that ends with a decision.
func trace(m contract.Mechanism, order enumerate.Order[model.Event], history []model.Event) counterexamples.Trace {
	walked := machine{mechanism: m}
	states := counterexamples.Replay(walked, history)
	last, before := history[len(history)-1], states[len(states)-2]
	d := walked.at(&before, last)
	t := counterexamples.Trace{
		Mechanism:    "contract/" + m.Name,
		Schedule:     eventNames(history),
		Decision:     d.said(),
		ReliedOn:     []string{},
		FailedChecks: d.failedNames(),
		Oracle:       counterexamples.Oracle{Eligible: d.verdict.Eligible(), Reasons: d.verdict.Reasons.Names()},
		Notes:        d.notes(),
	}
	if d.decision.Accepted && !d.decision.Replayed {
		t.ReliedOn = m.Requires.Names()
	}
	if d.wrong() {
		t.Kind = string(study.UnsafeAccept)
		if d.verdict.Eligible() {
			t.Kind = string(study.EligibleReject)
		}
	}
	eligible := "eligible"
	if !d.verdict.Eligible() {
		eligible = "not eligible"
	}
	t.Summary = fmt.Sprintf("%q %s a request that was %s", t.Mechanism, d.said(), eligible)
	t.Initial, t.Steps = narrator(m, states, history, last.Worker).Tell(states, history)
	t.Nearest = counterexamples.FindNearest(order, history, func(history []model.Event) counterexamples.Outcome {
		states := counterexamples.Replay(walked, history)
		d := walked.at(&states[slices.Index(history, last)], last)
		return counterexamples.Outcome{Decision: d.said(), Eligible: d.verdict.Eligible(), Wrong: d.wrong()}
	})
	return t
}

// Explain runs a mechanism on a history, given by the names of its events, that ends with
// a request, and tells it step by step. Every order of events is legal.
func Explain(m contract.Mechanism, events ...string) (counterexamples.Trace, error) {
	history, err := parse(events)
	if err != nil {
		return counterexamples.Trace{}, err
	}
	order, err := orderOf(history)
	if err != nil {
		return counterexamples.Trace{}, err
	}
	if n := len(history); n == 0 || !decides(history[n-1]) {
		return counterexamples.Trace{}, fmt.Errorf("history %q does not end with a request, as in a:commit: there is nothing to judge", strings.Join(events, " "))
	}
	return trace(m, order, history), nil
}

func parse(names []string) ([]model.Event, error) {
	events := make([]model.Event, len(names))
	for i, name := range names {
		var err error
		if events[i], err = model.ParseEvent(name); err != nil {
			return nil, err
		}
	}
	return events, nil
}

// orderOf returns the order of the first family that admits a history or, if none does,
// one in which each worker's events happen as they do there.
func orderOf(history []model.Event) (enumerate.Order[model.Event], error) {
	for _, f := range families {
		order, err := f.Order()
		if err != nil {
			return order, err
		}
		if order.Validate(history) == nil {
			return order, nil
		}
	}
	b := enumerate.NewOrder[model.Event]()
	for _, w := range []model.Worker{model.A, model.B} {
		var own []model.Event
		for _, e := range history {
			if e.Worker == w {
				own = append(own, e)
			}
		}
		b.Chain("", own...)
	}
	for _, e := range history {
		if e.Worker == 0 {
			b.Free("", e)
		}
	}
	order, err := b.Build()
	if err != nil {
		return order, fmt.Errorf("the events are no history: %w", err)
	}
	return order, nil
}

// RunHistory is a test of one history: it fails, with an explanation, if m decides its
// last request wrongly.
func RunHistory(t *testing.T, m contract.Mechanism, events ...string) {
	t.Helper()
	trace, err := Explain(m, events...)
	study.RunTrace(t, trace, err)
}
