// Package budget judges a ledger from the history of events and of what it did at each. It
// knows the operations' bounds and the world, never the ledger's books.
package budget

import "example.com/commitpoint/model/harness/budget"

// facts are what the history says of an operation.
type facts uint16

const (
	admitted facts = 1 << iota
	dispatched
	ran
	stopped
	acked
	idle     // it has provably not run, and never will
	charged  // its charge is known
	released // the ledger gave its reservation back, rightly or not
	booked   // the ledger booked a charge for it, rightly or not
)

// A History is what the oracle remembers: a small comparable value. The zero value is the
// history of no events.
type History struct {
	of     [budget.Racers]facts
	away   bool
	Broken Properties // in some step so far
	Reused bool       // something was admitted that would not have fit, had nothing been freed
}

func place(op budget.Op) budget.Op {
	if op >= budget.Racer {
		return op - budget.Racer
	}
	return op - budget.Original
}

func (f facts) is(g facts) bool { return f&g == g }

// exposure returns what the operations of a history can still cost, at most, or have cost;
// and what all those that were admitted could have.
func (h *History) exposure(of budget.Op) (now, ever int) {
	for i, f := range h.of {
		if f&(admitted|dispatched) == 0 {
			continue
		}
		o := budget.At(i, of)
		ever += int(o.Bound)
		switch {
		case f.is(charged):
			now += int(o.Charge)
		case !f.is(idle):
			now += int(o.Bound)
		}
	}
	return now, ever
}

// A Question is what an event asks of the ledger.
type Question uint8

// The questions.
const (
	None      Question = iota
	Admission          // may the operation proceed?
	Dispatch           // may it leave?
	Release            // is its reservation free again?
	Charge             // is its charge to be booked?
)

// String returns admission, dispatch, release or charge.
func (q Question) String() string {
	return [...]string{"none", "admission", "dispatch", "release", "charge"}[q]
}

// Accepts reports whether an act is a yes to the question.
func (q Question) Accepts(a budget.Act) bool {
	switch q {
	case Admission:
		return a.Admits()
	case Dispatch:
		return a == budget.Proceed
	case Release:
		return a == budget.Free
	case Charge:
		return a.Settles()
	}
	return false
}

// Ask returns what an event asks of the ledger, and the reasons against a yes: none if yes
// is the right answer.
func (h *History) Ask(e budget.Event) (Question, Reasons) {
	if e.Op == budget.Accounting {
		return None, 0
	}
	f := h.of[place(e.Op)]
	switch e.Kind {
	case budget.Write:
		return Admission, h.against(e.Op)
	case budget.Dispatch:
		return Dispatch, when(h.away, Unavailable) | when(budget.Of(e.Op).Bound == 0, Unpriced) | when(!f.is(admitted) || f.is(released), NotAdmitted)
	case budget.Overcharge, budget.Charge, budget.Reconcile:
		if f.is(ran) {
			return Charge, when(h.away, Unavailable) | when(f.is(booked), Repeated) | when(e.Kind == budget.Overcharge, AboveBound)
		}
	}
	if !f.is(admitted) || f&(released|booked) != 0 {
		return None, 0
	}
	switch e.Kind {
	case budget.Cancel, budget.Reconcile, budget.Confirm, budget.Timeout:
		return h.askRelease(e, f)
	}
	return None, 0
}

func (h *History) askRelease(e budget.Event, f facts) (Question, Reasons) {
	if e.Kind == budget.Timeout && (!f.is(dispatched) || f.is(acked)) {
		return None, 0 // nobody waits
	}
	known := !f.is(dispatched) || f.is(stopped) && reveals(e)
	return Release, when(h.away, Unavailable) | when(!known, Unknown)
}

// reveals reports whether an event says what became of an operation that was cancelled.
func reveals(e budget.Event) bool { return e.Kind == budget.Confirm || e.Kind == budget.Reconcile }

// against returns what stands against admitting an operation.
func (h *History) against(op budget.Op) Reasons {
	now, _ := h.exposure(op)
	bound := int(budget.Of(op).Bound)
	return when(h.away, Unavailable) |
		when(bound == 0, Unpriced) |
		when(h.of[place(op)].is(admitted), Duplicate) |
		when(now+bound > budget.Cap, OverCap)
}

func when(holds bool, r Reasons) Reasons {
	if holds {
		return r
	}
	return 0
}

// Step adds an event, and what the ledger did at it.
func (h *History) Step(e budget.Event, a budget.Act) {
	q, against := h.Ask(e)
	h.judge(q, q.Accepts(a), against)
	switch e.Kind {
	case budget.Down:
		h.away = true
		return
	case budget.Up:
		h.away = false
		return
	case budget.End:
		return
	}
	h.learn(e, a, q)
	if !a.Admits() && a != budget.Proceed {
		return // nothing else makes the exposure larger
	}
	now, ever := h.exposure(e.Op)
	if now > budget.Cap {
		h.Broken |= ExceedsCap
	} else if a.Admits() && ever > budget.Cap {
		h.Reused = true
	}
}

// judge notes what is wrong with an answer.
func (h *History) judge(q Question, yes bool, against Reasons) {
	for _, p := range [...]struct {
		property Properties
		broken   bool
	}{
		{DispatchesUnpriced, q == Dispatch && yes && against&Unpriced != 0},
		{AdmitsUnaccounted, (q == Admission || q == Dispatch) && yes && against&Unavailable != 0},
		{DispatchesUnadmitted, q == Dispatch && yes && against&NotAdmitted != 0},
		{SettlesNotOnce, q == Charge && (yes && against&Repeated != 0 || !yes && against == 0)},
		{LosesReservation, q == Release && yes && against != 0 || q == Charge && yes && against&AboveBound != 0},
		{WastesCapacity, q == Admission && !yes && against == 0},
	} {
		if p.broken {
			h.Broken |= p.property
		}
	}
}

// learn adds what the event says of its operation. What is said while accounting is away
// has to be said again. An operation that was not dispatched is idle once the ledger has
// given its reservation back, unless the ledger dispatches it for all that.
func (h *History) learn(e budget.Event, a budget.Act, q Question) {
	f := &h.of[place(e.Op)]
	inFlight := f.is(dispatched) && *f&(ran|stopped) == 0
	if a == budget.Proceed {
		*f &^= idle
	}
	for _, fact := range [...]struct {
		is   facts
		true bool
	}{
		{admitted, e.Kind == budget.Write && a.Admits()},
		{dispatched, a == budget.Proceed},
		{ran, e.Kind == budget.Run && inFlight},
		{stopped, e.Kind == budget.Cancel && inFlight},
		{acked, e.Kind == budget.Ack && f.is(dispatched)},
		{released, a == budget.Free},
		{booked, a.Settles()},
		{idle, a == budget.Free && !f.is(dispatched) || f.is(stopped) && reveals(e) && !h.away},
		{charged, q == Charge && e.Kind != budget.Overcharge && !h.away},
	} {
		if fact.true {
			*f |= fact.is
		}
	}
}
