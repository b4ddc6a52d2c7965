package ownership

import (
	mechanisms "example.com/commitpoint/mechanisms/harness/ownership"
	model "example.com/commitpoint/model/harness/ownership"
)

// A tallied machine is one whose states forget what can't matter any more. People are told
// histories by one that does not.
type tallied struct {
	machine
	situations bool // whether they remember which situations arose
}

func (m tallied) Next(s state, e model.Event) state {
	m.Step(&s, e)
	return s
}

// Step erases at once rather than by a canonical form of the engine, which would ask for it
// twice: there are some fifty million steps.
func (m tallied) Step(s *state, e model.Event) {
	m.machine.Step(s, e)
	m.forget(&s.model)
	s.history.Forget()
	if !m.situations {
		s.history.Arose = 0
	}
}

// forget erases the lease once nothing is left to remove, and the world once no evidence
// is left to find: an identity that is gone does not come back.
func (m tallied) forget(s *model.State) {
	allTaken, awaited := true, false
	for i := range s.Requests {
		r := &s.Requests[i]
		m.forgetRequest(r)
		allTaken = allTaken && r.Decided != model.NoDecision
		awaited = awaited || open(r) && s.Slot == r.Asked
	}
	switch {
	case allTaken: // no mechanism asks about a lease at a report
		s.Lease, s.B = model.Lease{}, model.Nothing
		if !awaited {
			s.Slot, s.Latest = model.Nothing, model.A1
		}
	case m.lapsed(s):
		s.Lease = model.Lease{For: model.A1, Late: true} // one form of what never counts again
	case s.Lease.For != model.Nothing:
		s.Lease.PriorOver = false // which only an approval asks about
	}
}

// lapsed reports whether the mechanism never respects the lease again, whatever happens:
// the workload is not in the slot and does not come back to it, or the lease was late, or
// has run out. Mechanisms that lack a rule of leases are not asked.
func (m tallied) lapsed(s *model.State) bool {
	const ofLeases = mechanisms.LeaseOfGeneration | mechanisms.LeaseApprovedTimely | mechanisms.LeaseAhead |
		mechanisms.RenewalExtends | mechanisms.RenewalTimely
	l := &s.Lease
	return l.For != model.Nothing && m.mechanism.Lacks&ofLeases == 0 &&
		(l.For != s.Slot || l.Late || l.FinalOver && l.Renewed != model.InTime)
}

// forgetRequest keeps of a request what its mechanism and its report still ask about: one
// form of a report, and one of evidence, of whatever kind it is.
func (m tallied) forgetRequest(r *model.Request) {
	taken := r.Decided != model.NoDecision
	if taken || m.mechanism.Lacks&mechanisms.ComparesInTime == 0 {
		r.Seen = model.Nothing
	}
	if !taken {
		return
	}
	if m.mechanism.Lacks&mechanisms.ComparesEachTime == 0 {
		r.Decided = model.Refuse // nobody asks what it was
	}
	switch {
	case r.Said != model.NoDecision:
		*r = model.Request{Decided: r.Decided, Said: model.SayUnknown}
	case evidenced(r):
		*r = model.Request{Decided: r.Decided, Asked: model.A1, Removed: model.A1, Answered: true}
	case r.Removed != r.Asked:
		r.Removed = model.Nothing
	}
}

// evidenced reports evidence that every mechanism accepts that accepts any.
func evidenced(r *model.Request) bool {
	return r.Listed == model.Absent || r.Answered && r.Removed == r.Asked
}

// open reports whether it is still to be shown that what a request asked for is removed.
func open(r *model.Request) bool { return r.Said == model.NoDecision && !evidenced(r) }
