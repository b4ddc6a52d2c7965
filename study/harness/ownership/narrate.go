package ownership

import (
	"fmt"
	"iter"

	"example.com/commitpoint/counterexamples"
	mechanisms "example.com/commitpoint/mechanisms/harness/ownership"
	model "example.com/commitpoint/model/harness/ownership"
)

// narrator tells a history that ends with an event that decides.
func narrator(m mechanisms.Mechanism, last model.Event) counterexamples.Narrator[state, model.Event] {
	return counterexamples.Narrator[state, model.Event]{
		Event:  func(e model.Event) (actor, name, object string) { return e.Actor(), e.String(), e.Object() },
		Fields: func(s state) iter.Seq2[string, string] { return s.model.Fields() },
		Effect: func(after state, e model.Event) string {
			text := effect(&after.model, e)
			if e == last {
				text += "   by " + m.Name + ", which " + m.Meaning
			}
			return text
		},
		Marked: func(e model.Event) bool { return !e.Kind.OfRequest() },
	}
}

// effect says what an event came to, from the state after it: what was there before, such
// as a workload that ended, it can't tell.
func effect(s *model.State, e model.Event) string {
	if e.Kind.OfRequest() {
		return requestEffect(s.Of(e.Request), e.Kind)
	}
	switch e.Kind {
	case model.Advance:
		if s.Slot != s.Latest {
			return "A can't start again: the slot has " + s.Slot.String()
		}
		return s.Latest.String() + " starts, in place of what A had"
	case model.Exit:
		if s.Slot != model.Nothing {
			return "A has nothing in the slot that could end"
		}
		return "A's workload ends by itself, if it still runs: the slot is free"
	case model.ReuseByB:
		return reuse(s.Slot, model.B2)
	case model.ReuseByRun:
		return reuse(s.Slot, model.Other1)
	case model.Approve:
		return "it is approved that " + s.Lease.For.String() + " is retained" + either(s.Lease.Late, ", after the prior lease had run out", "")
	case model.PriorExpiry:
		return "the prior lease runs out: an approval is late from here on"
	case model.FinalExpiry:
		return either(s.Lease.Renewed == model.InTime, "the expiry passes that was approved at first; the lease was renewed", "the lease as approved runs out")
	case model.Renew:
		return either(s.Lease.Renewed == model.InTime, "the lease is renewed", "the lease is renewed, too late: it had run out")
	case model.Down:
		return "inventories fail from here on"
	case model.Up:
		return "inventories work again"
	}
	return ""
}

func reuse(slot, w model.Workload) string {
	return either(slot == w, w.String()+" takes the slot, which is free", "the slot is not free: "+w.String()+" can't bind it")
}

func requestEffect(r *model.Request, k model.Kind) string {
	switch k {
	case model.Ask:
		return "asks for the removal of " + r.Asked.String()
	case model.Look:
		return "sees " + r.Seen.String() + " in the slot"
	case model.Take:
		return taken(r)
	case model.Report:
		return either(r.Said == model.SayRemoved, "REPORTS that "+r.Asked.String()+" is removed", "REPORTS that the outcome is unknown")
	case model.Acked:
		return "the answer arrives: " + either(r.Removed == model.Nothing, "nothing was removed", r.Removed.String()+" was removed")
	case model.List:
		switch r.Listed {
		case model.Failed:
			return "the inventory fails"
		case model.Present:
			return "the inventory shows " + r.Asked.String()
		}
		return "the inventory works, and does not show " + r.Asked.String()
	}
	return ""
}

func taken(r *model.Request) string {
	text := "REMOVES " + r.Removed.String()
	switch {
	case r.Decided == model.Refuse:
		return "REFUSES to remove anything"
	case r.Removed == model.Nothing:
		text = "finds nothing to remove in the slot"
	}
	return text + either(r.Decided == model.RemoveRun, ", and whatever else the run has", "")
}

// summary says in a sentence what was decided. A removal that finds nothing is eligible
// either way: nobody is harmed, and nothing is left undone.
func summary(t counterexamples.Trace, j judged, s *model.State, e model.Event) string {
	asked := s.Of(e.Request).Asked.String()
	did := ""
	switch {
	case e.Kind == model.Report:
		did = "reported " + asked + either(j.accepted, " as removed", " as unknown")
	case j.accepted && s.Slot == model.Nothing:
		did = fmt.Sprintf("found nothing in the slot when asked to remove %s", asked)
	case j.accepted:
		did = fmt.Sprintf("removed what was in the slot, %v, when asked to remove %s", s.Slot, asked)
	default:
		did = fmt.Sprintf("refused to remove %s, with %v in the slot", asked, s.Slot)
	}
	return fmt.Sprintf("%q %s, which was %s", t.Mechanism, did, either(t.Oracle.Eligible, "eligible", "not eligible"))
}

// recoveries say what is legitimate when a check fails.
var recoveries = [...]struct {
	check mechanisms.Checks
	text  string
}{
	{mechanisms.Present, "nothing; an inventory shows that it is gone"},
	{mechanisms.Run, "leave it alone: it is another run's"},
	{mechanisms.Owner, "leave it alone: it is another session's"},
	{mechanisms.Generation, "ask again, if the generation that runs now is to go too"},
	{mechanisms.Unretained, "hand it over, or wait for the end of its lease"},
	{mechanisms.Evidence, "report it as unknown, until its removal is answered or an inventory that works lacks it"},
}

// notes says why, and what recovery is legitimate, by the checks of the reference.
func notes(j judged, before *state, e model.Event) []string {
	if j.eligible() {
		return []string{either(j.due, "eligible: nothing speaks against it", "eligible: the slot is empty, so that nothing can be removed")}
	}
	var lines []string
	for _, sentence := range reasons(j, before, e).Sentences() {
		lines = append(lines, "not eligible: "+sentence)
	}
	failed := mechanisms.Exact().Failed(&before.model, e)
	if failed&(mechanisms.Run|mechanisms.Owner) != 0 {
		failed &^= mechanisms.Generation // of somebody else's workloads it says nothing
	}
	for _, r := range recoveries {
		if failed&r.check != 0 {
			lines = append(lines, fmt.Sprintf("%s: %v", either(j.accepted, "would have refused", "refused"), r.check), "          recovery: "+r.text)
		}
	}
	return lines
}

func either(holds bool, yes, no string) string {
	if holds {
		return yes
	}
	return no
}
