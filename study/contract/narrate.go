package contract

import (
	"fmt"
	"iter"
	"strings"

	"example.com/commitpoint/counterexamples"
	"example.com/commitpoint/mechanisms/contract"
	model "example.com/commitpoint/model/contract"
	oracle "example.com/commitpoint/oracle/contract"
)

// said returns the decision in a word.
func (d decided) said() string {
	switch {
	case d.decision.Replayed:
		return "answered"
	case d.decision.Accepted:
		return "accepted"
	}
	return "refused"
}

// failedNames returns the predicates that refused the request or, if it was accepted, that
// ought to have.
func (d decided) failedNames() []string {
	switch {
	case d.decision.Mismatch:
		return []string{identity}
	case d.decision.Accepted || d.decision.Failed == 0:
		return d.failed.Names()
	}
	return d.decision.Failed.Names()
}

// notes says why the request is eligible or not, and what recovery is legitimate.
func (d decided) notes() []string { return Notes(d.verdict, d.failed, d.decision.Accepted) }

// Notes says, a line each, why a request is eligible or for what reasons not; and for
// each predicate that it fails, that this refused it or would have, and what recovery is
// legitimate.
func Notes(v oracle.Verdict, failed model.Checks, accepted bool) []string {
	switch {
	case v.Replay:
		return []string{"eligible: it is the request that was recorded, and asks for its receipt"}
	case v.Eligible():
		return []string{"eligible: nothing that the contract asks for was missing"}
	}
	var lines []string
	for _, sentence := range v.Reasons.Sentences() {
		lines = append(lines, "not eligible: "+sentence)
	}
	refused := "refused"
	if accepted {
		refused = "would have refused"
	}
	for _, c := range failed.Each() {
		lines = append(lines, refused+": "+c.String(), "          recovery: "+contract.Recovery(c))
	}
	return lines
}

// narrator tells a history, of which it is given the states, from the side of a worker.
func narrator(m contract.Mechanism, states []state, history []model.Event, w model.Worker) counterexamples.Narrator[state, model.Event] {
	said := make(map[model.Event]string)
	for i, e := range history {
		if decides(e) {
			said[e] = decision(m, machine{mechanism: m}.at(&states[i], e))
		}
	}
	return counterexamples.Narrator[state, model.Event]{
		Event: func(e model.Event) (actor, name, object string) { return e.Actor(), e.String(), e.Object() },
		Effect: func(after state, e model.Event) string {
			switch {
			case decides(e):
				return said[e]
			case e.Kind == model.Preflight:
				return "remembers, for this request, what fails: " + (after.early[e.Worker-1].failed & m.Requires).String()
			}
			return Effect(&after.model, e)
		},
		Marked: func(e model.Event) bool { return e.Worker != w || e.Kind >= model.Refresh },
		Fields: func(s state) iter.Seq2[string, string] { return s.model.Fields() },
		Checks: func(s state) (holds, fails []string) {
			r := s.model.Request(model.Event{Worker: w, Kind: model.Retry}) // what it has sent, or would
			failed := contract.Failed(&s.model, &r)
			return (model.All &^ failed).Names(), failed.Names()
		},
	}
}

func decision(m contract.Mechanism, d decided) string {
	text := strings.ToUpper(d.said())
	switch {
	case d.decision.Replayed:
		return text + "   with the receipt of the recorded request"
	case d.decision.Mismatch:
		return text + "   its id belongs to another request"
	case d.decision.Failed != 0:
		return text + "   failed: " + d.decision.Failed.String()
	case m.Early == m.Requires && m.Early != 0:
		return text + "   relied on the answer of preflight"
	case m.Early != 0:
		return text + "   relied on: " + (m.Requires &^ m.Early).String() + "; and on preflight for " + m.Early.String()
	case m.Requires != 0:
		return text + "   relied on: " + m.Requires.String()
	}
	return text
}

// Effect says in a clause what came of an event, given the state after it; nothing of
// those whose effect is a mechanism's, preflight and requests.
func Effect(s *model.State, e model.Event) string {
	if e.Worker != 0 {
		own := s.Of(e.Worker)
		switch e.Kind {
		case model.Read:
			return fmt.Sprintf("reads input %d, directory %d, contract %d", own.Inputs, own.Members, own.Contract)
		case model.Refresh:
			return fmt.Sprintf("its request will name contract %d", own.Contract)
		case model.Claim:
			return fmt.Sprintf("is told attempt %d.%d, fence %d, incarnation %d", own.Told.Outer, own.Told.Inner, own.Told.Fence, own.Told.Incarnation)
		}
		if m, ok := e.Kind.Manifest(); ok {
			return "prepares a candidate to be published as " + strings.Join(m.Declared(), " and ")
		}
	}
	return meanings[e.Kind]
}

// meanings are the effects that need no detail.
var meanings = map[model.Kind]string{
	model.Verify:          "receipts for both criteria, about the candidate as it is",
	model.VerifyTests:     "a receipt for tests, about the candidate as it is",
	model.VerifyReview:    "a receipt for review, about the candidate as it is",
	model.Replace:         "its candidate is other bytes from now on",
	model.Report:          "reports that it failed",
	model.LeaseExpire:     "the lease runs out, unless it was renewed",
	model.Renew:           "the lease is renewed, if it is live",
	model.Reclaim:         "another process of the owner claims the task",
	model.Restage:         "the stage starts again, with worker b",
	model.Cancel:          "the task is cancelled",
	model.Migrate:         "the task is pinned to another contract",
	model.Revoke:          "worker a's grants are withdrawn",
	model.RevokeSecond:    "worker a's grant for out/b is withdrawn",
	model.Regrant:         "worker a is granted everything again",
	model.InputEdit:       "the input has a new revision",
	model.FileAdd:         "the directory has another member",
	model.ForeignPublish:  "somebody else publishes out/a",
	model.AliasMove:       "out/latest names secret now",
	model.Withdraw:        "the checker version for review is no longer admitted",
	model.PublishPolicy:   "a newer policy is the default; the task stays pinned",
	model.RestartFences:   "the authority counts fences from the start again",
	model.RestartAttempts: "the authority issues inner attempt ids again",
	model.Restore:         "the authority is back from a backup, in a new incarnation",
	model.SweepRead:       "the sweeper looks at the task",
	model.SweepWrite:      "the sweeper acts on what it saw",
}
