package episode

import (
	"iter"
	"slices"

	"example.com/commitpoint/counterexamples"
	mechanisms "example.com/commitpoint/mechanisms/episode"
	model "example.com/commitpoint/model/episode"
	oracle "example.com/commitpoint/oracle/episode"
)

// decisions are what a service can answer, yes and no, and to what.
var decisions = map[oracle.Question]struct{ yes, no, object string }{
	oracle.Admission:   {"allowed", "did not allow", "the purchase"},
	oracle.Reservation: {"reserved", "did not reserve", "the resource"},
	oracle.Dispatch:    {"dispatched", "did not dispatch", "the purchase"},
	oracle.Acceptance:  {"accepted", "did not accept", "the outcome"},
	oracle.Closure:     {"fulfilled", "did not fulfill", "the episode"},
}

// decision says what the service answered.
func (a answer) decision() string {
	d := decisions[a.question]
	return either(a.yes, d.yes, d.no)
}

// object says what was asked.
func (a answer) object(e event) string {
	object := decisions[a.question].object
	if e.Agent != model.Nobody {
		object += " for " + e.Agent.String()
	}
	if e.Kind == model.Repeat {
		object += " again"
	}
	return object
}

// because says what the reasons mean, in their order.
var because = [oracle.NumReasons]string{
	"the authority was revoked, and what was allowed before does not last",
	"the carrier was replaced: it has nothing to act on any more",
	"the successor has no authority of its own: a copy of the task has none in it",
	"the purchase is above the threshold, and not approved",
	"the evidence that it has to wait for is not there",
	"what was observed is not what there is any more: that takes a new observation, and a fresh admission",
	"its latest admission did not come to ALLOW, and nothing but a fresh one can",
	"another has reserved the resource",
	"the resource is not reserved for it: ALLOW permits a reservation, not a dispatch",
	"nobody knows whether it took effect: an acknowledgement does not say, and silence does not either",
	"it has taken effect already",
	"another source says that it did not take effect: that is for a review",
	"no evidence of the outcome was accepted",
	"what was promised is neither provided nor taken over by somebody else",
}

// therefore says why yes is the right answer.
var therefore = map[oracle.Question]string{
	oracle.Admission:   "every guard passes on what there is to observe now",
	oracle.Reservation: "nobody else has reserved it, and who asks may",
	oracle.Dispatch:    "it is allowed on what there still is, its resource is reserved, and it was not dispatched before",
	oracle.Acceptance:  "it is known to have taken effect, and nobody contests that",
	oracle.Closure:     "the outcome was accepted, nothing is owed, and nothing is contested",
}

func notes(a answer) []string {
	if a.against == 0 {
		return []string{therefore[a.question]}
	}
	var list []string
	for i, text := range because {
		if a.against>>i&1 != 0 {
			list = append(list, text)
		}
	}
	return list
}

// narrator tells a history of a mechanism.
func narrator(m mechanisms.Mechanism, states []state, history []event) counterexamples.Narrator[state, event] {
	var agents []model.Agent
	for _, e := range history {
		agents = append(agents, e.Agent)
	}
	return counterexamples.Narrator[state, event]{
		Event:  func(e event) (actor, name, object string) { return e.Actor(), e.String(), e.Object() },
		Fields: func(s state) iter.Seq2[string, string] { return s.model.Fields(agents) },
		Effect: func(_ state, e event) string {
			before := &states[slices.Index(history, e)].model
			return effect(before, e, m.Act(before, e))
		},
		Marked: func(e event) bool { return slices.Contains(decisive, e.Kind) },
	}
}

// decisive are the kinds of event that others depend on, and that the service has no say in.
var decisive = []model.Kind{
	model.Replace, model.Authorize, model.Approve, model.Revoke, model.Evidence, model.Expire, model.Effect, model.Contradict,
}

// A telling is what an event is, depending on what it needs.
type telling struct {
	needs     model.Facts
	yes, none string // none if what it needs doesn't hold
}

var tellings = map[model.Kind]telling{
	model.Observe:    {0, "looks at what there is", ""},
	model.Admit:      {0, "decided from what was observed", ""},
	model.Reserve:    {0, "the resource", ""},
	model.Dispatch:   {0, "the purchase", ""},
	model.Replace:    {0, "its successor gets a copy of the task", ""},
	model.Authorize:  {0, "gives the successor authority of its own", ""},
	model.Approve:    {0, "approves the purchase", ""},
	model.Revoke:     {0, "revokes the authority", ""},
	model.Evidence:   {0, "the evidence arrives", ""},
	model.Expire:     {0, "the world moves on", ""},
	model.Effect:     {model.Sent, "the purchase takes effect", "there is nothing to take effect"},
	model.Ack:        {model.Sent, "the provider has it", "there is nothing to acknowledge"},
	model.Repeat:     {model.Sent, "once more", "there is nothing to repeat"},
	model.Confirm:    {model.Happened, "the provider says: it took effect", "there is nothing to confirm"},
	model.Contradict: {model.Sent, "another source says: it did not take effect", "there is nothing to contradict"},
	model.Review:     {model.Happened, "found to have taken effect", "finds nothing"},
	model.Accept:     {0, "the outcome", ""},
	model.Discharge:  {model.Happened, "what was promised is provided", "there is nothing to provide it with"},
	model.Transfer:   {0, "somebody else owes what was promised", ""},
	model.Close:      {0, "the episode", ""},
}

// effect says what an event is, and what the service does at it.
func effect(before *model.State, e event, a model.Act) string {
	t := tellings[e.Kind]
	text := either(before.Is(t.needs), t.yes, t.none)
	if did := said(e.Kind, a); did != "" {
		text += "   " + did
	}
	return text
}

// did says what acts are, by the kind of event.
var did = map[model.Act]map[model.Kind]string{
	model.Agree: {
		model.Reserve: "RESERVED", model.Dispatch: "DISPATCHED", model.Repeat: "DISPATCHED", model.Accept: "ACCEPTED", model.Close: "FULFILLED",
	},
	model.Rewrite: {
		model.Approve: "the decision becomes ALLOW", model.Revoke: "what is owed is ERASED",
		model.Confirm: "the contradiction is DROPPED", model.Contradict: "the confirmation is DROPPED",
	},
}

// said says what the service did, if it did anything.
func said(k model.Kind, a model.Act) string {
	switch a {
	case model.Nothing:
		return ""
	case model.Agree, model.Rewrite:
		return did[a][k]
	case model.Refuse:
		return "REFUSED"
	}
	return a.String()
}

func either(holds bool, yes, no string) string {
	if holds {
		return yes
	}
	return no
}
