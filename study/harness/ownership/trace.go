package ownership

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"example.com/commitpoint/counterexamples"
	"example.com/commitpoint/enumerate"
	mechanisms "example.com/commitpoint/mechanisms/harness/ownership"
	model "example.com/commitpoint/model/harness/ownership"
	oracle "example.com/commitpoint/oracle/harness/ownership"
	"example.com/commitpoint/study"
)

// An errorKey tells the errors of one mechanism apart.
type errorKey struct {
	kind   study.Kind
	at     model.Kind
	reason string // an oracle's reason, or a check that refused
}

// unexplained is the reason of an eligible reject that no check explains.
const unexplained = "unexplained"

// A judged is what is observed of one mechanism at an event that decides.
type judged struct {
	sight
	failed mechanisms.Checks // by the mechanism, which it refused for
}

func judge(m mechanisms.Mechanism, before *state, e model.Event) judged {
	return judged{decide(m, before, e), m.Failed(&before.model, e)}
}

// keys returns what is wrong with a decision, nothing if it is right.
func (j judged) keys() []errorKey {
	var names []string
	switch j.kind() {
	case study.UnsafeAccept:
		names = j.against.Names()
	case study.EligibleReject:
		if names = j.failed.Names(); len(names) == 0 {
			names = []string{unexplained}
		}
	}
	keys := make([]errorKey, len(names))
	for i, name := range names {
		keys[i] = errorKey{j.kind(), j.event.Kind, name}
	}
	return keys
}

// searched returns the restrictions of the order that have the shortest histories of all
// errors: a report of the first request needs no retry, and a removal needs no report, no
// answer and no inventory.
func searched() []enumerate.Order[model.Event] {
	removals := func(e model.Event) bool {
		return !slices.Contains([]model.Kind{model.Report, model.Acked, model.List, model.Down, model.Up, model.End}, e.Kind)
	}
	reports := func(e model.Event) bool { return e.Request < 2 && e.Kind != model.End }
	return []enumerate.Order[model.Event]{Order().Restrict(removals), Order().Restrict(reports)}
}

// Traces returns the shortest history for each distinct reason for which a mechanism is
// wrong, by kind and then the shortest first. A history ends with the removal or the report
// that is decided wrongly. The reference has none.
func Traces(ctx context.Context, m mechanisms.Mechanism, opt enumerate.Options) ([]counterexamples.Trace, error) {
	return traces(ctx, searched(), m, opt)
}

func traces(ctx context.Context, orders []enumerate.Order[model.Event], m mechanisms.Mechanism, opt enumerate.Options) ([]counterexamples.Trace, error) {
	observer := enumerate.ObserveOn(func(e model.Event) bool { return e.Kind.Decides() },
		func(before state, e model.Event, _ state) (judged, bool) { return judge(m, &before, e), true })
	found, err := counterexamples.Find(ctx, orders, tallied{machine: machine{m}}, observer, judged.keys, opt)
	if err != nil {
		return nil, fmt.Errorf("find the shortest histories in which %s is wrong: %w", m.Name, err)
	}
	var list []counterexamples.Trace
	for _, kind := range study.Kinds() {
		for _, c := range found {
			if c.Reason.kind == kind {
				t := trace(m, c.History)
				t.Reason = c.Reason.reason
				list = append(list, t)
			}
		}
	}
	return list, nil
}

// trace tells a history that ends with an event that decides.
func trace(m mechanisms.Mechanism, history []model.Event) counterexamples.Trace {
	states := counterexamples.Replay(machine{m}, history)
	before, last := &states[len(states)-2], history[len(history)-1]
	j := judge(m, before, last)
	t := counterexamples.Trace{
		Mechanism:    "ownership/" + m.Name,
		Kind:         string(j.kind()),
		Decision:     m.Decide(&before.model, last).String(),
		ReliedOn:     []string{},
		FailedChecks: j.failed.Names(),
		Oracle:       counterexamples.Oracle{Eligible: j.eligible(), Reasons: []string{}},
		Notes:        notes(j, before, last),
	}
	if j.accepted {
		t.FailedChecks = mechanisms.Exact().Failed(&before.model, last).Names()
	}
	if !j.eligible() {
		t.Oracle.Reasons = reasons(j, before, last).Names()
	}
	for _, e := range history {
		t.Schedule = append(t.Schedule, e.String())
	}
	t.Summary = summary(t, j, &before.model, last)
	t.Initial, t.Steps = narrator(m, last).Tell(states, history)
	t.Nearest = counterexamples.FindNearest(Order(), history, func(swapped []model.Event) counterexamples.Outcome {
		return outcome(m, swapped, last)
	})
	return t
}

// eligible reports whether accepting would be right, or was.
func (j judged) eligible() bool { return j.against == 0 && (j.due || !j.harmful) }

// reasons returns why accepting would be wrong, or was.
func reasons(j judged, before *state, e model.Event) oracle.Reasons {
	if j.against != 0 {
		return j.against
	}
	if e.Kind == model.Report {
		return before.history.Against(e, model.SayRemoved)
	}
	return before.history.Against(e, model.Remove)
}

// outcome returns how the given event of a history comes out, which in a neighbor of one
// that ends with it may not be the last.
func outcome(m mechanisms.Mechanism, history []model.Event, at model.Event) counterexamples.Outcome {
	states := counterexamples.Replay(machine{m}, history)
	before := &states[slices.Index(history, at)]
	j := judge(m, before, at)
	return counterexamples.Outcome{Decision: m.Decide(&before.model, at).String(), Eligible: j.eligible(), Wrong: j.kind() != ""}
}

// Explain runs a mechanism on a history, given by the names of its events, that ends with
// a removal or a report, and tells it step by step.
func Explain(m mechanisms.Mechanism, events ...string) (counterexamples.Trace, error) {
	history := make([]model.Event, len(events))
	for i, name := range events {
		var err error
		if history[i], err = model.ParseEvent(name); err != nil {
			return counterexamples.Trace{}, err
		}
	}
	if err := Order().Validate(history); err != nil {
		return counterexamples.Trace{}, err
	}
	if n := len(history); n == 0 || !history[n-1].Kind.Decides() {
		return counterexamples.Trace{}, fmt.Errorf("history %q does not end with a removal or a report, as in first:remove: there is nothing to judge", strings.Join(events, " "))
	}
	return trace(m, history), nil
}

// RunHistory is a test of one history: it fails, with an explanation, if the mechanism
// decides the last event wrongly.
func RunHistory(t *testing.T, m mechanisms.Mechanism, events ...string) {
	t.Helper()
	trace, err := Explain(m, events...)
	study.RunTrace(t, trace, err)
}
