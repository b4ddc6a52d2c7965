package episode

import "example.com/commitpoint/model/episode"

// Step adds an event, and what the service did at it.
func (h *History) Step(e episode.Event, a episode.Act) {
	q, against := h.Ask(e)
	yes := q.Accepts(a)
	h.judge(q, yes, against)
	if a == episode.Rewrite {
		h.Broken |= rewritten[e.Kind]
	}
	h.learn(e, yes, against)
	h.decide(e, yes)
}

// decide notes what an agent observed, and what was decided from it. A decision that isn't
// ALLOW, and a dispatch, leave nothing to act on without a new observation.
func (h *History) decide(e episode.Event, yes bool) {
	switch e.Kind {
	case episode.Observe:
		*h.desk(e.Agent) = h.look(e.Agent)
	case episode.Admit:
		if *h.desk(e.Agent) |= allowed; !yes {
			*h.desk(e.Agent) = 0
		}
	case episode.Dispatch:
		*h.desk(e.Agent) = 0
	}
}

// rewritten are the properties that a rewriting breaks.
var rewritten = map[episode.Kind]Properties{
	episode.Approve:    RewritesDecision,
	episode.Revoke:     ErasesObligation,
	episode.Confirm:    RewritesHistory,
	episode.Contradict: RewritesHistory,
}

// uncovers are the reasons for which there is no current ALLOW. A reservation takes one, and
// so does a dispatch: the authority may have ended in between.
const uncovers = Revoked | Replaced | NoFreshAuthority | NotApproved | NoEvidence | StaleView | NoDecision

// judge notes what is wrong with an answer.
func (h *History) judge(q Question, yes bool, against Reasons) {
	wrong := yes && against != 0
	for _, p := range [...]struct {
		property Properties
		broken   bool
	}{
		{AllowsUnguarded, q == Admission && wrong},
		{ReservesUncovered, q == Reservation && yes && against&uncovers != 0},
		{DispatchesUncovered, q == Dispatch && yes && against&(uncovers|NoReservation) != 0},
		{DispatchesUnauthorized, q == Dispatch && yes && against&NoFreshAuthority != 0},
		{ReservesTwice, q == Reservation && yes && against&ByAnother != 0},
		{FulfillsFalsely, q == Closure && wrong},
		{DispatchesAgain, q == Dispatch && yes && against&(UnknownEffect|KnownEffect|Contested) != 0},
		{RefusesDue, q != None && !yes && against == 0},
	} {
		if p.broken {
			h.Broken |= p.property
		}
	}
}

// learn adds what an event says. A reservation of what is another's, and an acceptance of
// what is not known, are none.
func (h *History) learn(e episode.Event, yes bool, against Reasons) {
	mine := e.Agent != episode.Second
	for _, fact := range [...]struct {
		is   facts
		true bool
	}{
		{revoked, e.Kind == episode.Revoke},
		{replaced, e.Kind == episode.Replace},
		{authorized, e.Kind == episode.Authorize},
		{approved, e.Kind == episode.Approve},
		{evidenced, e.Kind == episode.Evidence},
		{moved, e.Kind == episode.Expire},
		{held, e.Kind == episode.Reserve && yes && mine && !h.is(taken)},
		{taken, e.Kind == episode.Reserve && yes && !mine && !h.is(held)},
		{happened, e.Kind == episode.Effect && h.is(sent)},
		{sent, (e.Kind == episode.Dispatch || e.Kind == episode.Repeat) && yes},
		{confirmed, e.Kind == episode.Confirm && h.is(happened)},
		{contradicted, e.Kind == episode.Contradict && h.is(sent)},
		{reviewed, e.Kind == episode.Review && h.is(happened)},
		{accepted, e.Kind == episode.Accept && yes && against == 0},
		{settled, e.Kind == episode.Transfer || e.Kind == episode.Discharge && h.is(happened)},
		{fulfilled, e.Kind == episode.Close && yes},
	} {
		if fact.true {
			h.facts |= fact.is
		}
	}
	if e.Kind == episode.Revoke {
		h.facts &^= authorized
	}
}
