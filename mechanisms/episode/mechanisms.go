// Package episode has the ways in which services decide in an episode: the reference, and
// those that each have one flaw that people ship.
package episode

import (
	"fmt"
	"strings"

	model "example.com/commitpoint/model/episode"
)

// Flaws are obligations that a service does not meet.
type Flaws uint32

// The flaws.
const (
	NeedsNoReservation     Flaws = 1 << iota // ALLOW is enough to dispatch
	NeedsNoAllow                             // whoever asks may reserve
	KeepsAllow                               // ALLOW is for ever
	TrustsViews                              // a view counts, however old it is
	HoldsNothing                             // what is waited for is taken to come
	RewritesDecisions                        // an approval turns ESCALATE into ALLOW
	ErasesObligations                        // a revocation ends what is owed
	InheritsAuthority                        // a successor has the authority of the first
	SharesReservation                        // what is reserved can be reserved by another
	TakesAckForEffect                        // an acknowledgement confirms the effect
	TakesDispatchForEffect                   // what was dispatched is done
	RepeatsOnSilence                         // what nothing was heard of is dispatched again
	IgnoresContradiction                     // a confirmation counts, whatever others say
	KeepsLastWord                            // an observation replaces the contrary one
	ForgetsObligations                       // closes without looking at what is owed
	NeedsNoAcceptance                        // closes without outcome evidence
	FulfillsEnded                            // whatever ends is fulfilled
	NeverCloses                              // nothing is ever fulfilled
)

// A Mechanism is a service with some flaws.
type Mechanism struct {
	Name    string
	Flaws   Flaws
	Meaning string
}

// Complete is the reference: it has no flaw.
var Complete = Mechanism{"complete", 0, "acts on a current ALLOW and a reservation, once, and closes on what is accepted and settled"}

// All returns the mechanisms, the reference first.
func All() []Mechanism {
	return []Mechanism{
		Complete,
		{"dispatch-on-allow", NeedsNoReservation, "dispatches what is allowed, though its resource is another's"},
		{"reserves-unadmitted", NeedsNoAllow, "reserves for an agent that no current ALLOW lets reserve"},
		{"allow-is-forever", KeepsAllow, "acts on what was allowed before a revocation or a new version"},
		{"trusts-views", TrustsViews, "decides from a view that is not current any more"},
		{"hold-is-allow", HoldsNothing, "allows what has to wait for evidence or a new observation"},
		{"approval-rewrites", RewritesDecisions, "turns what was escalated into ALLOW when it is approved"},
		{"revoke-erases", ErasesObligations, "takes a revocation for the end of what is owed"},
		{"inherits-authority", InheritsAuthority, "lets a successor act on the authority that the first had"},
		{"reserve-twice", SharesReservation, "reserves what another has reserved"},
		{"ack-is-effect", TakesAckForEffect, "takes an acknowledgement for evidence of the effect"},
		{"unknown-is-done", TakesDispatchForEffect, "takes what was dispatched for what took effect"},
		{"redispatch-on-silence", RepeatsOnSilence, "dispatches again as long as it has heard nothing"},
		{"ignores-contradiction", IgnoresContradiction, "counts a confirmation that another source contradicts"},
		{"last-word-wins", KeepsLastWord, "keeps the latest of two contrary observations"},
		{"closes-with-open-obligation", ForgetsObligations, "closes as fulfilled while something is owed"},
		{"output-is-outcome", NeedsNoAcceptance, "closes as fulfilled on an effect whose evidence nobody accepted"},
		{"ended-is-fulfilled", FulfillsEnded, "closes as fulfilled whatever there is to close"},
		{"never-closes", NeverCloses, "closes nothing as fulfilled"},
	}
}

// Named returns the mechanism with a name.
func Named(name string) (Mechanism, error) {
	var names []string
	for _, m := range All() {
		if m.Name == name {
			return m, nil
		}
		names = append(names, m.Name)
	}
	return Mechanism{}, fmt.Errorf("unknown mechanism %q: those of the episode are %s", name, strings.Join(names, ", "))
}

func (m Mechanism) has(f Flaws) bool { return m.Flaws&f != 0 }

// Act returns what the service does at an event. It knows of the world what was observed
// and recorded; of the effect, only what was heard.
func (m Mechanism) Act(s *model.State, e model.Event) model.Act {
	switch e.Kind {
	case model.Admit:
		return m.admission(s, e.Agent)
	case model.Reserve:
		return agree(m.reserves(s, e.Agent))
	case model.Dispatch:
		return agree(m.covers(s, e.Agent) && (s.Is(model.Held) || m.has(NeedsNoReservation)) && (!s.Is(model.Sent) || m.repeats(s)))
	case model.Repeat:
		if s.Is(model.Sent) {
			return agree(m.repeats(s))
		}
	case model.Accept:
		return agree(m.known(s))
	case model.Close:
		if !s.Is(model.Fulfilled) {
			return agree(m.closes(s))
		}
	}
	if m.rewrites(s, e.Kind) {
		return model.Rewrite
	}
	return model.Nothing
}

func agree(may bool) model.Act {
	if may {
		return model.Agree
	}
	return model.Refuse
}

// reserves decides whether an agent gets the resource. The second was admitted elsewhere.
func (m Mechanism) reserves(s *model.State, a model.Agent) bool {
	other := model.Taken
	if a == model.Second {
		other = model.Held
	}
	return (a == model.Second || m.covers(s, a) || m.has(NeedsNoAllow)) && (!s.Is(other) || m.has(SharesReservation))
}

// repeats decides whether the purchase is dispatched again.
func (m Mechanism) repeats(s *model.State) bool {
	return m.has(RepeatsOnSilence) && s.Facts&(model.Acked|model.Confirmed|model.Contradicted|model.Reviewed) == 0
}

// known reports whether the purchase is known to have taken effect. What is contested is
// not, until it is reviewed.
func (m Mechanism) known(s *model.State) bool {
	contested := s.Is(model.Contradicted) && !s.Is(model.Overridden) && !m.has(IgnoresContradiction)
	confirmed := s.Is(model.Confirmed) && !s.Is(model.Retracted) ||
		m.has(TakesAckForEffect) && s.Is(model.Acked) ||
		m.has(TakesDispatchForEffect) && s.Is(model.Sent)
	return s.Is(model.Reviewed) || confirmed && !contested
}

// closes decides whether the episode is closed as fulfilled.
func (m Mechanism) closes(s *model.State) bool {
	switch {
	case m.has(FulfillsEnded):
		return true
	case m.has(NeverCloses):
		return false
	}
	return (s.Is(model.Accepted) || m.has(NeedsNoAcceptance)) &&
		(s.Facts&(model.Settled|model.Erased) != 0 || m.has(ForgetsObligations)) &&
		m.known(s)
}

// rewrites reports whether the service changes something that was recorded, where there is
// something to change.
func (m Mechanism) rewrites(s *model.State, k model.Kind) bool {
	switch k {
	case model.Approve:
		return m.has(RewritesDecisions) &&
			(s.Desk(model.First).Decision == model.Escalate || s.Desk(model.Successor).Decision == model.Escalate)
	case model.Revoke:
		return m.has(ErasesObligations) && !s.Is(model.Settled)
	case model.Confirm:
		return m.has(KeepsLastWord) && s.Is(model.Happened|model.Contradicted)
	case model.Contradict:
		return m.has(KeepsLastWord) && s.Is(model.Confirmed)
	}
	return false
}
