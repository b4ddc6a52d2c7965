// Package episode judges a service from the history of events and of what it did at each.
// It knows the world and what was heard of it, never what the service made of that;
// of a decision it knows whether it is ALLOW, and not which other it is.
package episode

import "example.com/commitpoint/model/episode"

// facts are what the history says.
type facts uint16

const (
	revoked facts = 1 << iota
	replaced
	authorized // the successor, with nothing revoked since
	approved
	evidenced
	moved // to the second version
	held  // the resource, for the purchase, rightly as to the second
	taken // by the second, rightly
	sent
	happened
	confirmed
	contradicted
	reviewed
	accepted // outcome evidence, rightly
	settled
	fulfilled // closed as such, rightly or not
)

// A desk is what an agent acts on: what it observed last, which is at least that it did, and
// whether ALLOW was decided from that.
type desk uint8

const (
	observed desk = 1 << iota
	authority
	approval
	evidence
	version // the second
	allowed
)

// A History is what the oracle remembers: a small comparable value. The zero value is the
// history of no events.
type History struct {
	facts  facts
	desks  [episode.Successor]desk // of the first and its successor
	Broken Properties              // in some step so far
}

func (h *History) is(f facts) bool { return h.facts&f == f }

func (h *History) desk(a episode.Agent) *desk { return &h.desks[a-episode.First] }

// authority reports whether an agent may act for the principal now.
func (h *History) authority(a episode.Agent) bool {
	if a == episode.Successor {
		return h.is(authorized)
	}
	return h.facts&(revoked|replaced) == 0
}

// look returns what an agent would observe now.
func (h *History) look(a episode.Agent) desk {
	d := observed
	for _, x := range [...]struct {
		shows desk
		holds bool
	}{
		{authority, h.authority(a)},
		{approval, h.is(approved)},
		{evidence, h.is(evidenced)},
		{version, h.is(moved)},
	} {
		if x.holds {
			d |= x.shows
		}
	}
	return d
}

// unmet returns the guards that fail for an agent now.
func (h *History) unmet(a episode.Agent) Reasons {
	of := when(h.is(revoked), Revoked) | when(h.is(replaced), Replaced)
	if a == episode.Successor {
		of = when(!h.is(authorized), NoFreshAuthority)
	}
	return of | when(!h.is(approved), NotApproved) | when(!h.is(evidenced), NoEvidence)
}

// stale returns a reason if what an agent observed is not what there is to observe.
func (h *History) stale(a episode.Agent) Reasons {
	return when(*h.desk(a)&^allowed != h.look(a), StaleView)
}

// uncovered returns what stands against acting for the purchase. ALLOW is current while
// every guard passes, and what it was made from is still what there is to observe.
func (h *History) uncovered(a episode.Agent) Reasons {
	if *h.desk(a)&allowed == 0 {
		return h.unmet(a) | NoDecision
	}
	return h.unmet(a) | h.stale(a)
}

// effect returns what stands against taking the purchase for done. A contradiction contests
// it until it is reviewed, whether the provider has confirmed it or not.
func (h *History) effect() Reasons {
	switch {
	case h.is(reviewed):
		return 0
	case h.is(contradicted):
		return Contested
	}
	return when(!h.is(confirmed), UnknownEffect)
}

// again returns what stands against one more dispatch.
func (h *History) again() Reasons {
	if !h.is(sent) {
		return 0
	}
	if open := h.effect(); open != 0 {
		return open
	}
	return KnownEffect
}

// A Question is what an event asks of the service.
type Question uint8

// The questions.
const (
	None        Question = iota
	Admission            // may the agent go on to reserve?
	Reservation          // does it get the resource?
	Dispatch             // is the purchase handed to the provider?
	Acceptance           // is there evidence of the outcome?
	Closure              // is the episode fulfilled?
)

// String returns the question's name.
func (q Question) String() string {
	return [...]string{"none", "admission", "reservation", "dispatch", "acceptance", "closure"}[q]
}

// Accepts reports whether an act is a yes to the question.
func (q Question) Accepts(a episode.Act) bool {
	if q == Admission {
		return a == episode.Allow
	}
	return q != None && a == episode.Agree
}

// Ask returns what an event asks of the service, and the reasons against a yes: none if yes
// is the right answer.
func (h *History) Ask(e episode.Event) (Question, Reasons) {
	switch e.Kind {
	case episode.Admit:
		return Admission, h.unmet(e.Agent) | h.stale(e.Agent)
	case episode.Reserve:
		if e.Agent == episode.Second {
			return Reservation, when(h.is(held), ByAnother)
		}
		return Reservation, h.uncovered(e.Agent) | when(h.is(taken), ByAnother)
	case episode.Dispatch:
		return Dispatch, h.uncovered(e.Agent) | when(!h.is(held), NoReservation) | h.again()
	case episode.Repeat:
		if h.is(sent) {
			return Dispatch, h.again()
		}
	case episode.Accept:
		return Acceptance, h.effect()
	case episode.Close:
		if !h.is(fulfilled) {
			return Closure, h.effect() | when(!h.is(accepted), NotAccepted) | when(!h.is(settled), OpenObligation)
		}
	}
	return None, 0
}

func when(holds bool, r Reasons) Reasons {
	if holds {
		return r
	}
	return 0
}
