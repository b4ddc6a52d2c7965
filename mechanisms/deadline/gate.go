package deadline

import (
	"time"

	"example.com/commitpoint/model/deadline"
)

// A Remedy is what is done about a report that is not released.
type Remedy uint8

// The remedies.
const (
	Reinvoke Remedy = iota + 1 // the agent tries again, told the canonical target, in a fresh full window
	Wait                       // the deadline is extended by one unit from now; the start stays
	Escalate                   // somebody is told
	Recheck                    // one bounded look again
)

func (r Remedy) String() string {
	return [...]string{"none", "re-invoke", "wait", "escalate", "re-check"}[r]
}

// Route returns the remedies for a verdict, in order; none for Fulfilled.
func Route(v deadline.Verdict, p Party) []Remedy {
	switch {
	case v == deadline.Fulfilled:
		return nil
	case v == deadline.NotDetermined || p == Neither:
		return []Remedy{Escalate, Recheck}
	case p == Both:
		return []Remedy{Reinvoke, Wait}
	case p == Agent:
		return []Remedy{Reinvoke}
	}
	return []Remedy{Wait}
}

// The bounds of a recovery.
const (
	MaxCycles  = 3 // verifications, the first included
	MaxElapsed = 120 * time.Second
)

// An Outcome is what became of a report.
type Outcome uint8

// The outcomes.
const (
	Open                  Outcome = iota // it is still held
	FulfilledAtFirst                     // released after the first verification
	VerifiedAfterRecovery                // held at first, and released later
	TerminatedUnverified                 // never released
)

func (o Outcome) String() string {
	return [...]string{"open", "fulfilled at first", "verified after recovery", "terminated unverified"}[o]
}

// A Gate holds a report until the contract is verified. The zero Gate has verified nothing.
type Gate struct {
	Cycles  int              // verifications
	First   deadline.Verdict // of the first attempt, never rewritten
	Outcome Outcome
	checked bool // whether the bounded look was the last remedy
}

// Released reports whether the report was released.
func (g Gate) Released() bool {
	return g.Outcome == FulfilledAtFirst || g.Outcome == VerifiedAfterRecovery
}

// A Routing chooses the remedies for a verdict that is not Fulfilled, at least one.
type Routing func(deadline.Verdict, Party) []Remedy

// Next returns the gate after a verification, and the remedies that Route has for it, to be
// taken before the next one. The bounds are checked after a rejection and before its
// remedies. A gate whose outcome is not Open stays as it is.
func (g Gate) Next(v deadline.Verdict, p Party, elapsed time.Duration) (Gate, []Remedy) {
	return g.NextBy(Route, v, p, elapsed)
}

// NextBy is Next with another routing.
func (g Gate) NextBy(route Routing, v deadline.Verdict, p Party, elapsed time.Duration) (Gate, []Remedy) {
	if g.Outcome != Open {
		return g, nil
	}
	g.Cycles++
	if g.Cycles == 1 {
		g.First = v
	}
	if v == deadline.Fulfilled {
		g.Outcome = FulfilledAtFirst
		if g.Cycles > 1 {
			g.Outcome = VerifiedAfterRecovery
		}
		return g, nil
	}
	if g.Cycles >= MaxCycles || elapsed >= MaxElapsed || g.checked {
		g.Outcome = TerminatedUnverified
		return g, nil
	}
	remedies := route(v, p)
	g.checked = remedies[len(remedies)-1] == Recheck
	return g, remedies
}
