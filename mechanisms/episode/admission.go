package episode

import model "example.com/commitpoint/model/episode"

// An Answer is what one guard says to an admission.
type Answer uint8

// The answers, each of which dominates those before it (§6.1).
const (
	Pass     Answer = iota
	Hold            // something is waited for
	Escalate        // somebody has to approve
	Deny
)

// Decide returns the decision that answers come to: that of the worst. It is ALLOW only if
// all pass. No answers at all are no grounds for anything, and denied.
func Decide(answers ...Answer) model.Act {
	if len(answers) == 0 {
		return model.Deny
	}
	worst := Pass
	for _, a := range answers {
		worst = max(worst, a)
	}
	return [...]model.Act{model.Allow, model.Hold, model.Escalate, model.Deny}[worst]
}

// A guard is one condition on an admission, which all have to meet.
type guard struct {
	shows model.View // what a view has to show for it
	fails Answer     // what it says if the view does not
}

// guards look at what was observed, and at nothing else: what was not seen does not count.
var guards = [...]guard{
	{model.ShowsAuthority, Deny},
	{model.ShowsApproval, Escalate}, // the purchase is above the threshold
	{model.ShowsEvidence, Hold},
}

// admission decides one, from what the agent observed. That this is what there still is is
// a guard as well.
func (m Mechanism) admission(s *model.State, a model.Agent) model.Act {
	view := s.Desk(a).View
	shown := view
	if m.has(InheritsAuthority) && a == model.Successor && !s.Is(model.Revoked) {
		shown |= model.ShowsAuthority
	}
	var answers [len(guards) + 1]Answer
	for i, g := range guards {
		if shown&g.shows == 0 {
			answers[i] = g.fails
		}
	}
	if view != s.Look(a) && !m.has(TrustsViews) {
		answers[len(guards)] = Hold
	}
	if d := Decide(answers[:]...); d != model.Hold || !m.has(HoldsNothing) {
		return d
	}
	return model.Allow
}

// covers reports whether what was decided for an agent lets it reserve and dispatch now.
// That takes a current ALLOW: one from a view that shows what there still is to see. To
// dispatch is to use the authority, and a revocation blocks every later use (§2.4, R3); the
// same goes for a replacement, and for a version that nobody decided on (R1 asks for what is
// current before the dispatch, not before the decision). Approvals and evidence are not lost.
func (m Mechanism) covers(s *model.State, a model.Agent) bool {
	d := s.Desk(a)
	return d.Decision == model.Allow && (d.View == s.Look(a) || m.has(KeepsAllow))
}
