package contention

import (
	"fmt"
	"iter"

	"example.com/commitpoint/counterexamples"
	"example.com/commitpoint/mechanisms"
	checks "example.com/commitpoint/mechanisms/contention"
	"example.com/commitpoint/model"
	"example.com/commitpoint/model/contention"
)

// narrator tells a history from the side of the submitter whose commit is last.
func narrator(m mechanisms.Mechanism, last contention.Event, before state) counterexamples.Narrator[state, contention.Event] {
	contract := model.All | m.Requires
	return counterexamples.Narrator[state, contention.Event]{
		Event: func(e contention.Event) (actor, name, object string) { return e.Actor(), e.String(), e.Object() },
		Effect: func(after state, e contention.Event) string {
			if e == last {
				return commitEffect(m, judgedAt(m, before, e))
			}
			return effect(after.model, e)
		},
		Marked: func(e contention.Event) bool { return e.Submitter != last.Submitter },
		Fields: func(s state) iter.Seq2[string, string] { return s.model.Fields(TracedSubmitters) },
		Checks: func(s state) (holds, fails []string) {
			f := checks.Failed(s.model, last.Submitter) & contract
			return (contract &^ f).Names(), f.Names()
		},
	}
}

func effect(s contention.State, e contention.Event) string {
	switch e.Kind {
	case model.Read:
		return fmt.Sprintf("reads input revision %d", s.Of(e.Submitter).Read)
	case model.Snapshot:
		return "its candidate is written to the artifact"
	case model.TrustedVerify:
		return fmt.Sprintf("submitter %d gets a receipt about content that is %v", e.Submitter, s.Of(e.Submitter).Observed)
	case model.Preflight:
		return fmt.Sprintf("of submitter %d: %s of the eight checks", e.Submitter, either(s.Of(e.Submitter).Early, "passes all", "does not pass all"))
	case model.Commit:
		return fmt.Sprintf("of submitter %d; what is decided changes nothing shared", e.Submitter)
	case model.InputEdit:
		return fmt.Sprintf("the input is now revision %d", s.Input)
	case model.ArtifactEdit:
		return "the artifact is overwritten"
	case model.LeaseExpire:
		return fmt.Sprintf("the lease of submitter %d runs out", s.Owner)
	case model.Reassign:
		return fmt.Sprintf("the task is submitter %d's, with a fresh lease", s.Owner)
	case model.Revoke:
		return "the grant of all submitters is withdrawn"
	case model.PublishV2:
		return "a newer policy is the default; the task stays pinned"
	}
	return ""
}

func commitEffect(m mechanisms.Mechanism, j judged) string {
	text := either(j.accepted, "ACCEPTED", "REFUSED")
	switch {
	case m.At == mechanisms.Preflight:
		text += "   relied on the answer of preflight"
	case j.failed != 0:
		text += "   failed: " + j.failed.String()
	case m.Requires != 0:
		text += "   relied on: " + m.Requires.String()
	}
	return text
}

func either(holds bool, yes, no string) string {
	if holds {
		return yes
	}
	return no
}
