package contention

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"example.com/commitpoint/counterexamples"
	"example.com/commitpoint/enumerate"
	"example.com/commitpoint/mechanisms"
	checks "example.com/commitpoint/mechanisms/contention"
	"example.com/commitpoint/model"
	"example.com/commitpoint/model/contention"
	"example.com/commitpoint/oracle"
	"example.com/commitpoint/study"
)

// TracedSubmitters is how many submitters race in the histories of Traces: enough
// for every way in which one gets in the way of another.
const TracedSubmitters = 2

// An errorKey tells the errors of one mechanism apart.
type errorKey struct {
	kind   study.Kind
	reason string // an oracle's reason, or a check that refused
}

// A judged is what is observed of one mechanism at a commit.
type judged struct {
	accepted bool
	failed   model.Checks   // that the mechanism requires
	reasons  oracle.Reasons // none if the commit is eligible
}

func (j judged) keys() []errorKey {
	kind, names := study.Kind(""), []string(nil)
	switch eligible := j.reasons == 0; {
	case j.accepted && !eligible:
		kind, names = study.UnsafeAccept, j.reasons.Names()
	case !j.accepted && eligible:
		kind, names = study.EligibleReject, j.failed.Names()
		if len(names) == 0 {
			names = []string{"preflight"} // what refused was an answer from before
		}
	}
	keys := make([]errorKey, len(names))
	for i, name := range names {
		keys[i] = errorKey{kind, name}
	}
	return keys
}

// judge observes a commit.
func judge(m mechanisms.Mechanism) enumerate.Observer[state, contention.Event, judged] {
	return enumerate.ObserveOn(isCommit, func(before state, e contention.Event, _ state) (judged, bool) {
		return judgedAt(m, before, e), true
	})
}

func judgedAt(m mechanisms.Mechanism, before state, e contention.Event) judged {
	d, _ := decide(before, e, before)
	j := judged{accepted: d.acceptedBy(m), reasons: before.history.Reasons(e.Submitter)}
	if m.At == mechanisms.Commit {
		j.failed = d.failed & m.Requires
	}
	return j
}

// studied reports a mechanism that this model can't decide for: it knows no rule but
// that which requires checks, and one answer of preflight, whether all eight held.
func studied(m mechanisms.Mechanism) error {
	if m.Rule != nil || m.At == mechanisms.Preflight && m.Requires != model.All {
		return fmt.Errorf("mechanism %q is none of the study's thirteen: contention judges checks at the commit, or all eight at preflight", m.Name)
	}
	return nil
}

// Traces returns the shortest counterexample of one of the study's mechanisms for each
// distinct reason, by kind and then the shortest first, of TracedSubmitters. A
// history ends with the commit that is decided wrongly.
func Traces(ctx context.Context, m mechanisms.Mechanism, opt enumerate.Options) ([]counterexamples.Trace, error) {
	if err := studied(m); err != nil {
		return nil, err
	}
	order, err := Order(TracedSubmitters)
	if err != nil {
		return nil, err
	}
	found, err := counterexamples.Find(ctx, []enumerate.Order[contention.Event]{order}, machine{}, judge(m), judged.keys, opt)
	if err != nil {
		return nil, fmt.Errorf("find the shortest counterexamples: %w", err)
	}
	tally, err := enumerate.Tally(ctx, order, machine{}, judge(m), opt)
	if err != nil {
		return nil, fmt.Errorf("count the counterexamples: %w", err)
	}
	var traces []counterexamples.Trace
	for _, kind := range study.Kinds() {
		for _, c := range found {
			if c.Reason.kind != kind {
				continue
			}
			t := trace(m, order, c.History)
			n, err := count(tally, c.Reason)
			if err != nil {
				return nil, err
			}
			t.Reason, t.Summary = c.Reason.reason, fmt.Sprintf("%s (%v times in %v schedules)", t.Summary, n, tally.Schedules)
			traces = append(traces, t)
		}
	}
	return traces, nil
}

// count returns how many commits go wrong for a reason.
func count(t enumerate.Tallied[judged], key errorKey) (n enumerate.Count, err error) {
	for _, seen := range t.Observed {
		if slices.Contains(seen.Value.keys(), key) {
			if err := add(&n, seen.Count); err != nil {
				return n, fmt.Errorf("count the counterexamples: %w", err)
			}
		}
	}
	return n, nil
}

// trace tells a history that ends with a commit.
func trace(m mechanisms.Mechanism, order enumerate.Order[contention.Event], history []contention.Event) counterexamples.Trace {
	states := counterexamples.Replay(machine{}, history)
	last := history[len(history)-1]
	j := judgedAt(m, states[len(states)-2], last)
	failed := checks.Failed(states[len(states)-2].model, last.Submitter) & model.All
	t := counterexamples.Trace{
		Mechanism:    "contention/" + m.Name,
		Decision:     either(j.accepted, "accepted", "refused"),
		ReliedOn:     []string{},
		FailedChecks: failed.Names(),
		Oracle:       counterexamples.Oracle{Eligible: j.reasons == 0, Reasons: j.reasons.Names()},
		Notes:        study.Notes(j.reasons, failed, j.accepted),
	}
	if j.accepted && m.At == mechanisms.Commit {
		t.ReliedOn = m.Requires.Names()
	}
	if !j.accepted && j.failed != 0 {
		t.FailedChecks = j.failed.Names()
	}
	for _, e := range history {
		t.Schedule = append(t.Schedule, e.String())
	}
	if keys := j.keys(); len(keys) > 0 {
		t.Kind = string(keys[0].kind)
	}
	t.Summary = fmt.Sprintf("%q %s a completion of submitter %d that was %s", t.Mechanism, t.Decision, last.Submitter,
		either(t.Oracle.Eligible, "eligible", "not eligible"))
	t.Initial, t.Steps = narrator(m, last, states[len(states)-2]).Tell(states, history)
	t.Nearest = counterexamples.FindNearest(order, history, func(history []contention.Event) counterexamples.Outcome {
		return outcomeOf(m, history, last)
	})
	return t
}

// outcomeOf returns how the given commit of a history comes out.
func outcomeOf(m mechanisms.Mechanism, history []contention.Event, commit contention.Event) counterexamples.Outcome {
	states := counterexamples.Replay(machine{}, history)
	j := judgedAt(m, states[slices.Index(history, commit)], commit)
	return counterexamples.Outcome{Decision: either(j.accepted, "accepted", "refused"), Eligible: j.reasons == 0, Wrong: len(j.keys()) > 0}
}

// Explain runs one of the study's mechanisms on a history, given by the names of its
// events, that ends with the commit to be judged, and tells it step by step. Events
// are those of TracedSubmitters.
func Explain(m mechanisms.Mechanism, events ...string) (counterexamples.Trace, error) {
	if err := studied(m); err != nil {
		return counterexamples.Trace{}, err
	}
	order, err := Order(TracedSubmitters)
	if err != nil {
		return counterexamples.Trace{}, err
	}
	history := make([]contention.Event, len(events))
	for i, name := range events {
		if history[i], err = contention.ParseEvent(name); err != nil {
			return counterexamples.Trace{}, err
		}
	}
	if err := order.Validate(history); err != nil {
		return counterexamples.Trace{}, err
	}
	if n := len(history); n == 0 || !isCommit(history[n-1]) {
		return counterexamples.Trace{}, fmt.Errorf("history %s does not end with a commit, as in w1:commit: there is nothing to judge", strings.Join(events, " "))
	}
	return trace(m, order, history), nil
}

// RunHistory is a test of one history: it fails, with an explanation, if m decides the
// last commit wrongly.
func RunHistory(t *testing.T, m mechanisms.Mechanism, events ...string) {
	t.Helper()
	trace, err := Explain(m, events...)
	study.RunTrace(t, trace, err)
}
