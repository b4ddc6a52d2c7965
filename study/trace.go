package study

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"testing"

	"example.com/commitpoint/counterexamples"
	"example.com/commitpoint/enumerate"
	"example.com/commitpoint/mechanisms"
	"example.com/commitpoint/model"
)

// Traces returns the shortest counterexample of m for each distinct reason, by kind
// and then the shortest first: those in the scenarios of o, and then those that show
// in a directed control only. It does not look at o.Mechanisms. It returns none for a
// mechanism that decides rightly.
func (o Options) Traces(ctx context.Context, m mechanisms.Mechanism) ([]counterexamples.Trace, error) {
	o, err := o.forOne()
	if err != nil {
		return nil, err
	}
	all, err := find(ctx, m, o)
	if err != nil {
		return nil, err
	}
	var list []finding
	for _, key := range errorKeys() {
		if f, ok := all.byKey[key]; ok {
			list = append(list, f)
		}
	}
	kinds := Kinds()
	slices.SortStableFunc(list, func(a, b finding) int {
		return cmp.Or(
			cmp.Compare(slices.Index(kinds, a.kind), slices.Index(kinds, b.kind)),
			cmp.Compare(min(1, len(a.control.Name)), min(1, len(b.control.Name))), // no control first
			cmp.Compare(a.rank, b.rank),
		)
	})
	traces := make([]counterexamples.Trace, len(list))
	for i, f := range list {
		if traces[i], err = all.explain(m, f, admitting(o.Scenarios, f.history)); err != nil {
			return nil, err
		}
	}
	return traces, nil
}

// ParseHistory reads the text forms of events.
func ParseHistory(names ...string) ([]model.Event, error) {
	history := make([]model.Event, len(names))
	for i, name := range names {
		var err error
		if history[i], err = model.ParseEvent(name); err != nil {
			return nil, err
		}
	}
	return history, nil
}

// Explain runs m on a history that ends with the commit, or goes on after it, and
// tells what happened step by step: rightly decided or not. Its bounds and errors are
// those of Decide.
func Explain(m mechanisms.Mechanism, history []model.Event) (counterexamples.Trace, error) {
	order, err := orderOf(history)
	if err != nil {
		return counterexamples.Trace{}, err
	}
	t, final := solo{mechanism: m}.trace(order, history)
	if final.fault != "" {
		return counterexamples.Trace{}, fmt.Errorf("rule %q %s; the history was %v", m.Name, final.fault, history)
	}
	return t, nil
}

// RunHistory is a test of one history, given by the names of its events: it fails,
// with an explanation, if m decides wrongly.
func RunHistory(t *testing.T, m mechanisms.Mechanism, events ...string) {
	t.Helper()
	history, err := ParseHistory(events...)
	if err != nil {
		t.Fatal(err)
	}
	trace, err := Explain(m, history)
	RunTrace(t, trace, err)
}

// RunTrace ends a test of one history of any family: it fails, with the explanation and the
// line that runs the test again, if the last decision is wrong. The error is that of the
// explanation, and is fatal.
func RunTrace(t *testing.T, trace counterexamples.Trace, err error) {
	t.Helper()
	switch {
	case err != nil:
		t.Fatal(err)
	case trace.Kind != "":
		trace.Replay = ReplayLine(t)
		t.Error(text(trace))
	}
}

// orderOf returns an order of the chain and the environment events of a history that
// it admits, with the commit.
func orderOf(history []model.Event) (enumerate.Order[model.Event], error) {
	if n := len(history); n > enumerate.MaxEvents {
		return enumerate.Order[model.Event]{}, fmt.Errorf("a history of %d events: there can be at most %d", n, enumerate.MaxEvents)
	}
	var environment []model.Event
	committed := false
	for _, e := range history {
		if e.Kind > model.Commit {
			environment = append(environment, e)
		}
		committed = committed || e.Kind == model.Commit
	}
	if !committed {
		return enumerate.Order[model.Event]{}, fmt.Errorf("history %v has no commit: there is nothing to decide", history)
	}
	order, err := Order(environment...)
	if err == nil {
		err = order.Validate(history)
	}
	return order, err
}
