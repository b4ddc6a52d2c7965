package deadline

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"example.com/commitpoint/counterexamples"
	"example.com/commitpoint/enumerate"
	mechanisms "example.com/commitpoint/mechanisms/deadline"
	model "example.com/commitpoint/model/deadline"
	"example.com/commitpoint/study"
)

// An errorKey tells the errors of one policy apart.
type errorKey struct {
	kind   study.Kind
	reason string
}

// The reasons of a false pass: how the predicate was not true in time.
const (
	heldLate  = "late"  // it held, but only after the deadline
	heldNever = "never" // it never held
)

// A answered is what is observed of one policy when the verifier stops.
type answered struct {
	answer    model.Verdict
	reference bool // whether the policy is the reference
	truth     truth
}

func (a answered) accepted() bool { return a.answer == model.Fulfilled }

// keys returns what is wrong with an answer, nothing if it is right: a false pass is an
// unsafe accept, and a false alarm an eligible reject.
func (a answered) keys() []errorKey {
	switch {
	case a.accepted() && !a.truth.inTime:
		return []errorKey{{study.UnsafeAccept, a.truth.reason()}}
	case a.accepted() || !a.truth.inTime:
		return nil
	case a.reference:
		return []errorKey{{study.EligibleReject, a.truth.why()}}
	}
	return []errorKey{{study.EligibleReject, a.answer.String()}}
}

// reason returns how the predicate was not true in time.
func (t truth) reason() string {
	if t.ever {
		return heldLate
	}
	return heldNever
}

// answer lets a policy answer in a state.
func answer(p mechanisms.Policy, s *state) answered {
	t := s.model.Trial()
	h := &s.history
	return answered{p.Decide(&t), p.Name == policies[len(policies)-1].Name, truth{h.InTime, h.AtProbe, h.AtClose, h.Ever}}
}

// Traces returns the shortest history of each of a policy's errors against the truth, by
// kind and then the shortest first: false passes are unsafe accepts, false alarms eligible
// rejects. The reference has no false pass; its false alarms are what nobody observed.
func Traces(ctx context.Context, p mechanisms.Policy, opt enumerate.Options) ([]counterexamples.Trace, error) {
	orders := Scenarios(Between)
	observer := enumerate.ObserveOn(isEnd, func(_ state, _ model.Event, after state) (answered, bool) { return answer(p, &after), true })
	found, err := counterexamples.Find(ctx, orders, machine{}, observer, answered.keys, opt)
	if err != nil {
		return nil, fmt.Errorf("find the shortest histories in which %s errs: %w", p.Name, err)
	}
	seen, err := sum(enumerate.TallyAll(ctx, orders, machine{}, observer, opt))
	if err != nil {
		return nil, fmt.Errorf("count the histories in which %s errs: %w", p.Name, err)
	}
	var traces []counterexamples.Trace
	for _, kind := range study.Kinds() {
		for _, c := range found {
			if c.Reason.kind != kind {
				continue
			}
			count := uint64(0)
			for a, n := range seen {
				if slices.Contains(a.keys(), c.Reason) {
					count += n
				}
			}
			t := trace(p, orders, c.History)
			t.Reason, t.Summary = c.Reason.reason, fmt.Sprintf("%s (%d schedules)", t.Summary, count)
			traces = append(traces, t)
		}
	}
	return traces, nil
}

// trace tells a history that has ended.
func trace(p mechanisms.Policy, orders []enumerate.Order[model.Event], history []model.Event) counterexamples.Trace {
	states := counterexamples.Replay(machine{}, history)
	a := answer(p, &states[len(states)-1])
	t := counterexamples.Trace{
		Mechanism:    "deadline/" + p.Name,
		Decision:     a.answer.String(),
		ReliedOn:     []string{},
		FailedChecks: []string{},
		Oracle:       counterexamples.Oracle{Eligible: a.truth.inTime, Reasons: []string{}},
		Notes:        notes(a, &states[len(states)-1].model),
	}
	if !a.truth.inTime {
		t.Oracle.Reasons = []string{a.truth.reason()}
	}
	if keys := a.keys(); len(keys) > 0 {
		t.Kind = string(keys[0].kind)
	}
	for _, e := range history {
		t.Schedule = append(t.Schedule, e.String())
	}
	t.Summary = fmt.Sprintf("%q says %v of a contract whose predicate %s", t.Mechanism, a.answer,
		either(a.truth.inTime, "held in time", "did not hold in time"))
	t.Initial, t.Steps = narrator(p).Tell(states, history)
	for _, o := range orders {
		if o.Validate(history) == nil {
			t.Nearest = counterexamples.FindNearest(o, history, func(history []model.Event) counterexamples.Outcome { return outcome(p, history) })
			break
		}
	}
	return t
}

func outcome(p mechanisms.Policy, history []model.Event) counterexamples.Outcome {
	states := counterexamples.Replay(machine{}, history)
	a := answer(p, &states[len(states)-1])
	return counterexamples.Outcome{Decision: a.answer.String(), Eligible: a.truth.inTime, Wrong: len(a.keys()) > 0}
}

func either(holds bool, yes, no string) string {
	if holds {
		return yes
	}
	return no
}

// notes says what was true, and whom the attribution blames for a violation.
func notes(a answered, s *model.State) []string {
	list := []string{"the predicate " + either(a.truth.ever, "held only after the deadline", "never held")}
	if a.truth.inTime {
		list[0] = "the predicate held at some moment no later than the deadline"
	}
	t := s.Trial()
	verdict, mode := mechanisms.Verify(&t)
	reference := "the reference: " + verdict.String()
	if mode != model.NoMode {
		reference += ", " + mode.String()
	}
	if a.truth.inTime && verdict != model.Fulfilled {
		reference += "; what was true was not observed: " + a.truth.why()
	}
	list = append(list, reference)
	if verdict == model.Violated {
		e := mechanisms.Attribute(&t)
		list = append(list, fmt.Sprintf("attributed to: %v (%v)", e.Party(), e))
	}
	return list
}

func narrator(p mechanisms.Policy) counterexamples.Narrator[state, model.Event] {
	return counterexamples.Narrator[state, model.Event]{
		Event:  func(e model.Event) (actor, name, object string) { return e.Actor(), e.String(), e.Object() },
		Fields: func(s state) iter.Seq2[string, string] { return s.model.Fields() },
		Effect: func(after state, e model.Event) string {
			if isEnd(e) {
				return strings.ToUpper(answer(p, &after).answer.String()) + "   by " + p.Meaning
			}
			return meanings[e.Kind]
		},
		Marked: func(e model.Event) bool { return !e.Kind.Samples() && e.Kind != model.Close && !isEnd(e) },
	}
}

// meanings say what events are.
var meanings = map[model.Kind]string{
	model.Observe:          "the agent looks at the state",
	model.Operate:          "the right operation, accepted",
	model.OperateElsewhere: "the operation on another target, accepted",
	model.OperateMalformed: "an operation with a malformed path, refused",
	model.ReportDone:       "the agent reports",
	model.Converge:         "the operation takes effect, if there was a right one",
	model.SignalEnded:      "the service says that its job has ended",
	model.GoBad:            "the target's health goes bad",
	model.Undo:             "somebody undoes the state",
	model.Probe:            "the predicate is sampled",
	model.Miss:             "the probe fails",
	model.ProbeAtDeadline:  "the predicate is sampled, exactly at the deadline",
	model.MissAtDeadline:   "the probe fails, exactly at the deadline",
	model.Close:            "the deadline passes",
}

// Explain lets a policy answer on a history, given by the names of its events, that ends
// with end, and tells it step by step.
func Explain(p mechanisms.Policy, events ...string) (counterexamples.Trace, error) {
	history := make([]model.Event, len(events))
	for i, name := range events {
		var err error
		if history[i], err = model.ParseEvent(name); err != nil {
			return counterexamples.Trace{}, err
		}
	}
	if n := len(history); n == 0 || !isEnd(history[n-1]) {
		return counterexamples.Trace{}, fmt.Errorf("history %q does not end with end: there is nothing to judge", strings.Join(events, " "))
	}
	var closest error
	for _, g := range []Grid{Between, AtProbe} {
		orders := Scenarios(g)
		for _, o := range orders {
			err := o.Validate(history)
			if err == nil {
				return trace(p, orders, history), nil
			}
			closest = err
		}
	}
	if err := universe().Validate(history); err != nil && !strings.Contains(err.Error(), "must precede") {
		closest = err
	} else {
		closest = fmt.Errorf("the history %q is of no scenario, each of which has one operation at most and, before end, three probes and the deadline in order (%w)", strings.Join(events, " "), closest)
	}
	return counterexamples.Trace{}, closest
}

// RunHistory is a test of one history: it fails, with an explanation, if the policy is
// wrong about it.
func RunHistory(t *testing.T, p mechanisms.Policy, events ...string) {
	t.Helper()
	trace, err := Explain(p, events...)
	study.RunTrace(t, trace, err)
}
