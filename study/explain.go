package study

import (
	"fmt"
	"slices"
	"strconv"

	"example.com/commitpoint/counterexamples"
	"example.com/commitpoint/enumerate"
	"example.com/commitpoint/mechanisms"
	"example.com/commitpoint/model"
)

// explain puts one of the findings into words. The order is one that admits its
// history. It is an error if replaying the history does not show what was found,
// which can only be the rule's doing.
func (all findings) explain(m mechanisms.Mechanism, f finding, order enumerate.Order[model.Event]) (counterexamples.Explanation, error) {
	machine := solo{m, f.control}
	states := counterexamples.Replay(machine, f.history)
	final := states[len(states)-1]
	if !slices.Contains(final.keys(), f.errorKey) {
		return counterexamples.Explanation{}, fmt.Errorf("rule %q %s; the history was %v", m.Name, impure, f.history)
	}
	x := counterexamples.Explanation{Summary: all.summary(m, f)}
	for i, e := range f.history {
		if e.Kind == model.Preflight && f.control.Name != "" {
			x.Steps = append(x.Steps, counterexamples.Step{Event: f.control.Name, Effect: f.control.Meaning, Marked: true})
		}
		x.Steps = append(x.Steps, counterexamples.Step{
			Event:  e.String(),
			Effect: effect(m, states[i+1], e),
			Marked: e.Kind > model.Commit,
		})
	}
	x.Notes = notes(final)
	if note := neighbor(machine, order, f.history); note != "" {
		x.Notes = append(x.Notes, note)
	}
	return x, nil
}

func (all findings) summary(m mechanisms.Mechanism, f finding) string {
	what := "accepted a completion that was not eligible"
	if f.kind == EligibleReject {
		what = "refused a completion that was eligible"
	}
	where := fmt.Sprintf("%s of %s schedules", thousands(f.count), thousands(all.schedules))
	switch any := all.wrong[f.kind]; {
	case f.control.Name != "":
		where = fmt.Sprintf("%d of %d directed controls, no schedule", f.count, len(controls))
	case any > f.count:
		where += fmt.Sprintf(" for this reason, %s for any", thousands(any))
	}
	return fmt.Sprintf("%q %s (%s)", m.Name, what, where)
}

// effect says what came of e, given the state after it.
func effect(m mechanisms.Mechanism, after soloState, e model.Event) string {
	s := after.model
	switch e.Kind {
	case model.Read:
		return fmt.Sprintf("%v reads input revision %d", model.Owner().Principal, s.Read)
	case model.Snapshot:
		return fmt.Sprintf("candidate %s written to the artifact", s.Candidate.Blob.Digest().Short())
	case model.TrustedVerify:
		return fmt.Sprintf("receipt: %s, digest %s", either(s.Evidence.Pass, "pass", "fail"), s.Evidence.Digest.Short())
	case model.Preflight:
		return preflightEffect(m, after.early)
	case model.Commit:
		return commitEffect(m, after)
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

// notes says why the decision is wrong and what would be right.
func notes(s soloState) []string {
	if s.verdict.Eligible() {
		return []string{"eligible: nothing that the contract asks for was missing at the commit"}
	}
	var lines []string
	for _, sentence := range s.verdict.Reasons.Sentences() {
		lines = append(lines, "not eligible: "+sentence)
	}
	for _, c := range s.failed.Each() {
		lines = append(lines, fmt.Sprintf("would have refused: %v", c), "          recovery: "+mechanisms.Recovery(c))
	}
	return lines
}

// neighbor describes the nearest history with another outcome: the same events
// with one adjacent swap.
func neighbor(machine solo, order enumerate.Order[model.Event], history []model.Event) string {
	if machine.control.Name != "" {
		return "" // the difference is not in the order of events
	}
	for _, n := range counterexamples.Neighbors(order, history) {
		states := counterexamples.Replay(machine, n.History)
		final := states[len(states)-1]
		if _, wrong := final.wrong(); wrong {
			continue
		}
		return fmt.Sprintf("one swap away: with %v before %v it is %s and %s", n.Later, n.Earlier,
			either(final.verdict.Eligible(), "eligible", "not eligible"),
			either(final.recorded, "accepted", "refused"))
	}
	return ""
}

// thousands writes n with a comma every three digits.
func thousands(n uint64) string {
	text := strconv.FormatUint(n, 10)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
