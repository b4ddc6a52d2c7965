package episode

// Facts are what has happened, in the world and in the record. Step adds facts, and takes
// none away.
type Facts uint32

// The facts of the world.
const (
	Replaced   Facts = 1 << iota // the first's carrier
	Authorized                   // the successor
	Approved                     // the purchase
	Revoked                      // the authority of the first
	Withdrawn                    // the authority of the successor, which was given before
	Evidenced                    // what admission waits for is there
	Moved                        // the world is at its second version
	Happened                     // the purchase took effect

	// The facts of the record.

	Held         // the resource, for the purchase, whoever carries it
	Taken        // the resource, by the second
	Sent         // the purchase was dispatched
	Twice        // and again
	Acked        //
	Confirmed    //
	Contradicted //
	Reviewed     // and found to have happened
	Accepted     // the outcome evidence
	Settled      // what was promised was provided, or is owed by somebody else
	Fulfilled    // closed as such

	// What a mechanism did to the record.

	Erased     // what is owed, by a revocation
	Overridden // the contradiction, by a later confirmation
	Retracted  // the confirmation, by a later contradiction
)

// A View is what an agent sees when it observes: which guards would pass, and the world's
// version.
type View uint8

// What a view shows. The resource is in no view, and neither is whether the purchase was
// dispatched before: they are looked at where it is reserved and dispatched, since nothing
// else keeps another from being faster.
const (
	Seen View = 1 << iota // there is a view
	ShowsAuthority
	ShowsApproval
	ShowsEvidence
	ShowsSecond // the world's second version
)

// A Desk is what an agent has before it: what it observed last, and what was decided from
// that. A new observation leaves the decision behind.
type Desk struct {
	View     View // that the decision was made from, once there is one; none if it isn't ALLOW
	Decision Act  // Nothing, Allow, Hold, Escalate or Deny
}

// A State is the episode and the world around it.
type State struct {
	Facts Facts
	desks [Successor]Desk
}

// Is reports whether all of some facts hold.
func (s *State) Is(f Facts) bool { return s.Facts&f == f }

// Desk returns what the first or its successor has before it.
func (s *State) Desk(a Agent) *Desk { return &s.desks[a-First] }

// Authority reports whether the first or its successor has the authority to act now. The
// successor's is its own, which neither its copy of the task nor an approval gives.
func (s *State) Authority(a Agent) bool {
	if a == Successor {
		return s.Facts&(Authorized|Withdrawn) == Authorized
	}
	return s.Facts&(Revoked|Replaced) == 0
}

// Look returns what the first or its successor would observe now. What was observed before
// is current as long as this is the same.
func (s *State) Look(a Agent) View {
	v := Seen
	for _, show := range [...]struct {
		what  View
		holds bool
	}{
		{ShowsAuthority, s.Authority(a)},
		{ShowsApproval, s.Is(Approved)},
		{ShowsEvidence, s.Is(Evidenced)},
		{ShowsSecond, s.Is(Moved)},
	} {
		if show.holds {
			v |= show.what
		}
	}
	return v
}

// Step does one event, at which the service acts.
func (s *State) Step(e Event, a Act) {
	switch e.Kind {
	case Observe:
		*s.Desk(e.Agent) = Desk{View: s.Look(e.Agent)}
	case Admit:
		s.decide(s.Desk(e.Agent), a)
	case Dispatch:
		*s.Desk(e.Agent) = Desk{} // a decision is for one dispatch
	case Revoke:
		s.Facts |= s.when(Authorized, Withdrawn)
	}
	if a == Rewrite {
		s.rewrite(e.Kind)
	}
	if a == Agree {
		s.Facts |= s.agreed(e)
	}
	if gain := gains[e.Kind]; s.Is(gain.needs) {
		s.Facts |= gain.fact
	}
}

// decide records a decision. But for ALLOW nobody looks at its view again.
func (s *State) decide(d *Desk, a Act) {
	if d.Decision = a; a != Allow {
		d.View = 0
	}
}

// gains are the facts that events add whatever the service does, if what they need holds.
var gains = [kinds]struct{ fact, needs Facts }{
	Replace:    {Replaced, 0},
	Authorize:  {Authorized, 0},
	Approve:    {Approved, 0},
	Revoke:     {Revoked, 0},
	Evidence:   {Evidenced, 0},
	Expire:     {Moved, 0},
	Effect:     {Happened, Sent},
	Ack:        {Acked, Sent},
	Confirm:    {Confirmed, Happened},
	Contradict: {Contradicted, Sent},
	Review:     {Reviewed, Happened},
	Discharge:  {Settled, Happened},
	Transfer:   {Settled, 0},
}

// agreed returns the facts that an event adds because the service agrees.
func (s *State) agreed(e Event) Facts {
	switch e.Kind {
	case Reserve:
		if e.Agent == Second {
			return Taken
		}
		return Held
	case Dispatch, Repeat:
		return Sent | s.when(Sent, Twice)
	case Accept:
		return Accepted
	case Close:
		return Fulfilled
	}
	return 0
}

// when returns a fact that another makes true.
func (s *State) when(holds, then Facts) Facts {
	if s.Is(holds) {
		return then
	}
	return 0
}

// rewrite changes what was recorded. A decision that becomes ALLOW passes for one that was
// made from what is seen once the purchase is approved.
func (s *State) rewrite(k Kind) {
	switch k {
	case Approve:
		s.Facts |= Approved
		for a := First; a <= Successor; a++ {
			if d := s.Desk(a); d.Decision == Escalate {
				*d = Desk{View: s.Look(a), Decision: Allow}
			}
		}
	case Revoke:
		s.Facts |= Erased
	case Confirm:
		s.Facts |= Overridden
	case Contradict:
		s.Facts |= Retracted
	}
}
