package episode

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"example.com/commitpoint/counterexamples"
	"example.com/commitpoint/enumerate"
	mechanisms "example.com/commitpoint/mechanisms/episode"
	model "example.com/commitpoint/model/episode"
	oracle "example.com/commitpoint/oracle/episode"
	"example.com/commitpoint/study"
)

// Traces returns the shortest counterexample of a mechanism for each distinct reason, by
// kind and then the shortest first. A history ends with the answer that is wrong.
func Traces(ctx context.Context, m mechanisms.Mechanism, opt enumerate.Options) ([]counterexamples.Trace, error) {
	observer := enumerate.ObserveOn(asks, func(before state, e event, _ state) (answer, bool) {
		a := machine{m}.answered(&before, e)
		return a, len(a.keys()) > 0
	})
	found, err := counterexamples.Find(ctx, traced(), machine{m}, observer, answer.keys, opt)
	if err != nil {
		return nil, fmt.Errorf("find the shortest histories in which %s errs: %w", m.Name, err)
	}
	var traces []counterexamples.Trace
	for _, kind := range study.Kinds() {
		for _, c := range found {
			if c.Reason.kind == kind {
				t := trace(m, c.History)
				t.Reason = c.Reason.reason
				traces = append(traces, t)
			}
		}
	}
	return traces, nil
}

// trace tells a history that ends with a question.
func trace(m mechanisms.Mechanism, history []event) counterexamples.Trace {
	states := counterexamples.Replay(machine{m}, history)
	last := history[len(history)-1]
	a := machine{m}.answered(&states[len(states)-2], last)
	t := counterexamples.Trace{
		Mechanism:    "episode/" + m.Name,
		Decision:     a.decision(),
		ReliedOn:     []string{},
		FailedChecks: []string{},
		Oracle:       counterexamples.Oracle{Eligible: a.against == 0, Reasons: a.against.Names()},
		Notes:        notes(a),
	}
	if keys := a.keys(); len(keys) > 0 {
		t.Kind = string(keys[0].kind)
	}
	for _, e := range history {
		t.Schedule = append(t.Schedule, e.String())
	}
	t.Summary = fmt.Sprintf("%q %s %s, %s", t.Mechanism, a.decision(), a.object(last), either(t.Kind == "", "rightly", "wrongly"))
	t.Initial, t.Steps = narrator(m, states, history).Tell(states, history)
	t.Nearest = counterexamples.FindNearest(told(), history, func(other []event) counterexamples.Outcome {
		return outcome(m, other, last, t.Kind != "")
	})
	return t
}

// outcome returns how the given event of a history is answered. One at which nothing is
// asked comes out as the history did that it is compared with: it shows no difference.
func outcome(m mechanisms.Mechanism, history []event, last event, wrong bool) counterexamples.Outcome {
	states := counterexamples.Replay(machine{m}, history)
	a := machine{m}.answered(&states[slices.Index(history, last)], last)
	if a.question != oracle.None {
		wrong = len(a.keys()) > 0
	}
	return counterexamples.Outcome{Decision: a.decision(), Eligible: a.against == 0, Wrong: wrong}
}

// Explain runs a mechanism on a history, given by the names of its events, that ends with
// one at which the service answers, and tells it step by step.
func Explain(m mechanisms.Mechanism, events ...string) (counterexamples.Trace, error) {
	history := make([]event, len(events))
	for i, name := range events {
		var err error
		if history[i], err = model.ParseEvent(name); err != nil {
			return counterexamples.Trace{}, err
		}
	}
	if len(history) == 0 {
		return counterexamples.Trace{}, fmt.Errorf("the history is empty: end it with an event at which the service answers, as in first:observe first:admit")
	}
	if err := told().Validate(history); err != nil {
		return counterexamples.Trace{}, err
	}
	states := counterexamples.Replay(machine{m}, history)
	last := history[len(history)-1]
	if a := (machine{m}).answered(&states[len(states)-2], last); a.question == oracle.None {
		return counterexamples.Trace{}, fmt.Errorf("history %s ends with %v, at which the service is asked nothing: end it with an admission (admit), "+
			"a reservation (reserve), a dispatch (dispatch, or repeat of what was dispatched), an acceptance (accept), or a closure (close) of what isn't fulfilled",
			strings.Join(events, " "), last)
	}
	return trace(m, history), nil
}

// RunHistory is a test of one history: it fails, with an explanation, if the mechanism's
// last answer is wrong. The mechanism is one of those that there are, or has some of their
// flaws together: how a service decides can't be written outside their package.
func RunHistory(t *testing.T, m mechanisms.Mechanism, events ...string) {
	t.Helper()
	trace, err := Explain(m, events...)
	study.RunTrace(t, trace, err)
}
