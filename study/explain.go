package study

import (
	"fmt"
	"iter"
	"slices"
	"strconv"

	"example.com/commitpoint/counterexamples"
	"example.com/commitpoint/enumerate"
	"example.com/commitpoint/mechanisms"
	"example.com/commitpoint/model"
	"example.com/commitpoint/oracle"
)

// explain makes a trace of one of the findings. The order is one that admits its
// history. It is an error if replaying the history does not show what was found,
// which can only be the rule's doing.
func (all findings) explain(m mechanisms.Mechanism, f finding, order enumerate.Order[model.Event]) (counterexamples.Trace, error) {
	machine := solo{m, f.control}
	t, final := machine.trace(order, f.history)
	if !slices.Contains(final.keys(), f.errorKey) {
		return counterexamples.Trace{}, fmt.Errorf("rule %q %s; the history was %v", m.Name, impure, f.history)
	}
	t.Kind, t.Reason, t.Summary = string(f.kind), f.reason, fmt.Sprintf("%s (%s)", t.Summary, all.frequency(f))
	return t, nil
}

// frequency says in how many schedules a finding shows.
func (all findings) frequency(f finding) string {
	where := fmt.Sprintf("%s of %s schedules", thousands(f.count), thousands(all.schedules))
	switch any := all.wrong[f.kind]; {
	case f.control.Name != "":
		where = fmt.Sprintf("%d of %d directed controls, no schedule", f.count, len(controls))
	case any > f.count:
		where += fmt.Sprintf(", %s in all", thousands(any))
	}
	return where
}

// trace runs a history that order admits, and tells it.
func (m solo) trace(order enumerate.Order[model.Event], history []model.Event) (counterexamples.Trace, soloState) {
	states := counterexamples.Replay(m, history)
	final := states[len(states)-1]
	t := counterexamples.Trace{
		Mechanism:    m.mechanism.Name,
		Schedule:     model.Names(history),
		Decision:     decided(final.recorded),
		ReliedOn:     final.decision.Relied.Names(),
		FailedChecks: final.failedChecks().Names(),
		Oracle:       counterexamples.Oracle{Eligible: final.verdict.Eligible(), Reasons: final.verdict.Reasons.Names()},
		Notes:        Notes(final.verdict.Reasons, final.failed, final.recorded),
		Nearest:      m.nearest(order, history),
	}
	if kind, isWrong := final.wrong(); isWrong {
		t.Kind = string(kind)
	}
	t.Summary = fmt.Sprintf("%q %s a completion that was %s", m.mechanism.Name, t.Decision, either(t.Oracle.Eligible, "eligible", "not eligible"))
	t.Initial, t.Steps = m.narrator().Tell(states, history)
	if m.control.Name != "" {
		t.Steps = m.withControl(t.Steps, states, history)
	}
	return t, final
}

// withControl puts what the control alters, which Next does at preflight, into a step
// of its own before that.
func (m solo) withControl(steps []counterexamples.Step, states []soloState, history []model.Event) []counterexamples.Step {
	at := slices.Index(history, model.Event{Kind: model.Preflight})
	_, before := solo{mechanism: m.mechanism}.narrator().Tell(states[:at+1], history[:at])
	altered := steps[at]
	altered.Actor, altered.Event, altered.Object, altered.Effect, altered.Marked = "control", m.control.Name, "request", m.control.Meaning, true
	steps[at].Changed = []counterexamples.Change{}
	return slices.Concat(before, []counterexamples.Step{altered}, steps[at:])
}

// failedChecks returns the checks that refused the request or, if it was accepted,
// that ought to have.
func (s soloState) failedChecks() model.Checks {
	if s.recorded || s.decision.Failed == 0 {
		return s.failed
	}
	return s.decision.Failed
}

func (m solo) narrator() counterexamples.Narrator[soloState, model.Event] {
	contract := model.All | m.mechanism.Requires
	return counterexamples.Narrator[soloState, model.Event]{
		Event: func(e model.Event) (actor, name, object string) {
			return e.Kind.Actor(), e.String(), e.Kind.Object()
		},
		Effect: func(after soloState, e model.Event) string { return effect(m.mechanism, after, e) },
		Marked: func(e model.Event) bool { return e.Kind > model.Commit },
		Fields: func(s soloState) iter.Seq2[string, string] { return s.model.Fields() },
		Checks: func(s soloState) (holds, fails []string) {
			failed := mechanisms.Failed(s.model, m.requestIn(s.model)) & contract
			return (contract &^ failed).Names(), failed.Names()
		},
	}
}

// effect says what came of e, given the state after it.
func effect(m mechanisms.Mechanism, after soloState, e model.Event) string {
	switch e.Kind {
	case model.Preflight:
		return preflightEffect(m, after.early)
	case model.Commit:
		return commitEffect(m, after)
	}
	return Effect(after.model, e)
}

// Effect says in a clause what came of an event, given the state after it; nothing of
// those whose effect is a mechanism's, preflight and the commit.
func Effect(s model.State, e model.Event) string {
	switch e.Kind {
	case model.Read:
		return fmt.Sprintf("reads input revision %d", s.Read)
	case model.Snapshot:
		return fmt.Sprintf("candidate %s written to the artifact", s.Candidate.Blob.Digest().Short())
	case model.TrustedVerify:
		return fmt.Sprintf("receipt: %s, digest %s", either(s.Evidence.Pass, "pass", "fail"), s.Evidence.Digest.Short())
	case model.InputEdit:
		return fmt.Sprintf("the input is now revision %d", s.Input)
	case model.ArtifactEdit:
		return fmt.Sprintf("the artifact is overwritten: now %s", s.Artifact.Digest().Short())
	case model.LeaseExpire:
		return fmt.Sprintf("the lease of attempt %d runs out", s.Owner.Attempt)
	case model.Reassign:
		return fmt.Sprintf("the task is %v's: attempt %d, fence %d, a fresh lease", s.Owner.Principal, s.Owner.Attempt, s.Owner.Fence)
	case model.Revoke:
		return fmt.Sprintf("%v's grant is withdrawn", model.Owner().Principal)
	case model.PublishV2:
		return "behavior-v2 is the new default; the task stays pinned to behavior-v1"
	}
	return ""
}

func preflightEffect(m mechanisms.Mechanism, d mechanisms.Decision) string {
	answer := "would " + either(d.Accepted, "accept", "refuse")
	if m.At == mechanisms.Preflight {
		answer = either(d.Accepted, "accepts", "refuses") + ", and will trust that"
	}
	if d.Failed != 0 {
		answer += ": fails " + d.Failed.String()
	}
	return answer
}

func commitEffect(m mechanisms.Mechanism, s soloState) string {
	text := either(s.recorded, "ACCEPTED", "REFUSED")
	switch d := s.decision; {
	case m.At == mechanisms.Preflight:
		text += "   relied on the answer of preflight"
	case d.Failed != 0:
		text += "   failed: " + d.Failed.String()
	case d.Relied != 0:
		text += "   relied on: " + d.Relied.String()
	}
	return text
}

func either(holds bool, yes, no string) string {
	if holds {
		return yes
	}
	return no
}

// Notes says, a line each, why a request is eligible or for what reasons not; and for
// each check of the contract that it fails, that this refused it or would have, and
// what recovery is legitimate.
func Notes(reasons oracle.Reasons, failed model.Checks, accepted bool) []string {
	if reasons == 0 {
		return []string{"eligible: nothing that the contract asks for was missing at the commit"}
	}
	var lines []string
	for _, sentence := range reasons.Sentences() {
		lines = append(lines, "not eligible: "+sentence)
	}
	for _, c := range failed.Each() {
		lines = append(lines, fmt.Sprintf("%s: %v", either(accepted, "would have refused", "refused"), c), "          recovery: "+mechanisms.Recovery(c))
	}
	return lines
}

// nearest returns the nearest history with the other outcome.
func (m solo) nearest(order enumerate.Order[model.Event], history []model.Event) *counterexamples.Nearest {
	if m.control.Name != "" {
		return nil // the difference is not in the order of events
	}
	return counterexamples.FindNearest(order, history, func(history []model.Event) counterexamples.Outcome {
		states := counterexamples.Replay(m, history)
		final := states[len(states)-1]
		_, isWrong := final.wrong()
		return counterexamples.Outcome{Decision: decided(final.recorded), Eligible: final.verdict.Eligible(), Wrong: isWrong}
	})
}

func decided(accepted bool) string { return either(accepted, "accepted", "refused") }

// thousands writes n with a comma every three digits.
func thousands(n uint64) string {
	text := strconv.FormatUint(n, 10)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
