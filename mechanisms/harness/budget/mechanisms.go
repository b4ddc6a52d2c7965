// Package budget has the ways in which ledgers decide: the reference, and those that each
// have one flaw that people ship.
package budget

import (
	"fmt"
	"strings"

	"example.com/commitpoint/model/harness/budget"
)

// Flaws are obligations that a ledger does not meet.
type Flaws uint16

// The flaws.
const (
	LooksEarly      Flaws = 1 << iota // compares figures that were read before
	FreesOnUnknown                    // a cancellation that was sent counts as done
	FreesOnTimeout                    // silence counts as not having run
	KnowsByAmount                     // tells requests and charges apart by how much they are
	IgnoresPending                    // counts what is settled, and no reservation
	CapsRoutes                        // counts each route by itself, against the whole cap
	UnpricedIsFree                    // admits what has no price, at nothing
	FailsOpen                         // admits and dispatches while accounting is away, and can't write that down
	SettlesAgain                      // books every charge that is presented
	TrustsCharges                     // books charges above the bound
	NeverGivesBack                    // keeps what is not needed any more
	DispatchesFreed                   // dispatches what was given back
)

// A Mechanism is a ledger with some flaws.
type Mechanism struct {
	Name    string
	Flaws   Flaws
	Meaning string
}

// Atomic is the reference: it has no flaw.
var Atomic = Mechanism{"atomic", 0, "reads, compares and writes in one step; frees and books what is known, once"}

// All returns the mechanisms, the reference first.
func All() []Mechanism {
	return []Mechanism{
		Atomic,
		{"check-then-act", LooksEarly, "compares figures that it read before others wrote"},
		{"release-on-unknown", FreesOnUnknown, "frees a reservation when a cancellation is sent"},
		{"release-on-timeout", FreesOnTimeout, "frees a reservation when no acknowledgement comes in time"},
		{"idempotent-by-amount", KnowsByAmount, "takes equal amounts for the same request, or the same charge"},
		{"settled-only", IgnoresPending, "compares the cap with what is settled"},
		{"per-route-caps", CapsRoutes, "gives each route the whole cap"},
		{"unpriced-is-free", UnpricedIsFree, "admits a route without a price at nothing"},
		{"fail-open", FailsOpen, "admits and dispatches while accounting is away"},
		{"settle-again", SettlesAgain, "books a charge each time that it is presented"},
		{"trusts-charges", TrustsCharges, "books a charge above the bound that was declared"},
		{"never-gives-back", NeverGivesBack, "keeps reservations that are not needed any more"},
		{"dispatches-freed", DispatchesFreed, "dispatches what it has given back"},
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
	return Mechanism{}, fmt.Errorf("unknown mechanism %q: those of the budget are %s", name, strings.Join(names, ", "))
}

func (m Mechanism) has(f Flaws) bool { return m.Flaws&f != 0 }

// Seen returns what is remembered of a read: the figure that is compared with the cap, or
// nothing if that is read again in the same step as the writing.
func (m Mechanism) Seen(s *budget.State, e budget.Event) uint8 {
	if e.Kind != budget.Read || !m.has(LooksEarly) {
		return 0
	}
	return m.used(s, e.Op)
}

// used returns the units that count against a request.
func (m Mechanism) used(s *budget.State, op budget.Op) uint8 {
	var sum uint8
	for i, e := range s.Entries {
		if m.has(CapsRoutes) && budget.At(i, op).Route != budget.Of(op).Route {
			continue
		}
		if sum += e.Settled; !m.has(IgnoresPending) {
			sum += e.Held
		}
	}
	return sum
}

// Act returns what the ledger does at an event. It knows of the world what the event says:
// that a charge is presented, how a cancellation is answered, and when something is
// reconciled what became of it.
func (m Mechanism) Act(s *budget.State, e budget.Event) budget.Act {
	if e.Op == budget.Accounting {
		return budget.Nothing
	}
	entry := *s.Entry(e.Op)
	if e.Kind == budget.Decide && m.has(LooksEarly) && fits(entry.Seen, e.Op) {
		return budget.Admit
	}
	if e.Kind == budget.Write {
		return m.admission(s, e, entry)
	}
	if !entry.Is(budget.Known) || s.Away && !(m.has(FailsOpen) && e.Kind == budget.Dispatch) {
		return budget.Nothing
	}
	switch e.Kind {
	case budget.Dispatch:
		if entry.Is(budget.Cleared) || m.has(DispatchesFreed) {
			return budget.Proceed
		}
	case budget.Timeout:
		return m.timeout(entry)
	case budget.Cancel:
		return m.release(entry, !entry.Is(budget.Dispatched) || m.has(FreesOnUnknown))
	case budget.Confirm:
		return m.release(entry, !entry.Is(budget.Dispatched) || entry.Is(budget.Stopped))
	case budget.Overcharge, budget.Charge:
		return m.charge(s, e, entry)
	case budget.Reconcile:
		if entry.Is(budget.Ran) {
			return m.charge(s, e, entry)
		}
		return m.release(entry, !entry.InFlight())
	}
	return budget.Nothing
}

func fits(used uint8, op budget.Op) bool { return used+budget.Of(op).Bound <= budget.Cap }

// admission decides a request. One that is repeated is read, compared and written at once
// by every mechanism.
func (m Mechanism) admission(s *budget.State, e budget.Event, entry budget.Entry) budget.Act {
	bound := budget.Of(e.Op).Bound
	switch {
	case entry.Is(budget.Known):
		return budget.Refuse
	case s.Away && m.has(FailsOpen):
		return budget.Share // nothing can be read, compared or written
	case s.Away:
		return budget.Refuse
	case bound == 0:
		if m.has(UnpricedIsFree) {
			return budget.Share
		}
		return budget.Refuse
	case m.has(KnowsByAmount) && reserves(s, bound):
		return budget.Share
	}
	admitted := fits(m.used(s, e.Op), e.Op)
	if m.has(LooksEarly) && e.N == 0 {
		admitted = entry.Is(budget.Willing)
	}
	if admitted {
		return budget.Admit
	}
	return budget.Refuse
}

// reserves reports whether some reservation is of an amount.
func reserves(s *budget.State, amount uint8) bool {
	for _, e := range s.Entries {
		if e.Held == amount {
			return true
		}
	}
	return false
}

func (m Mechanism) timeout(entry budget.Entry) budget.Act {
	if !entry.Is(budget.Dispatched) || entry.Is(budget.Acked) {
		return budget.Nothing
	}
	return m.release(entry, m.has(FreesOnTimeout))
}

// release decides whether a reservation is given back.
func (m Mechanism) release(entry budget.Entry, may bool) budget.Act {
	switch {
	case !entry.Is(budget.Cleared) || entry.Settled > 0:
		return budget.Nothing // nothing is reserved
	case !may || m.has(NeverGivesBack):
		return budget.Refuse
	}
	return budget.Free
}

// charge decides whether a charge is booked.
func (m Mechanism) charge(s *budget.State, e budget.Event, entry budget.Entry) budget.Act {
	repeated := entry.Settled > 0 && !m.has(SettlesAgain)
	if m.has(KnowsByAmount) {
		repeated = settled(s, budget.Of(e.Op).Charge)
	}
	switch {
	case !entry.Is(budget.Ran):
		return budget.Nothing // nothing is presented
	case repeated, e.Kind == budget.Overcharge && !m.has(TrustsCharges):
		return budget.Refuse
	case m.has(NeverGivesBack):
		return budget.Hoard
	}
	return budget.Settle
}

// settled reports whether some charge of an amount is booked.
func settled(s *budget.State, amount uint8) bool {
	for _, e := range s.Entries {
		if e.Settled == amount {
			return true
		}
	}
	return false
}
