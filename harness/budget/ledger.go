package budget

import (
	"fmt"
	"sync"
)

// A Ledger keeps a budget. It is safe for concurrent use: each call is one atomic step, and
// one that returns an error changes nothing, but for a charge over the bound: that is
// refused, and taken for the provider's word that the operation ran. The zero Ledger admits
// nothing.
//
// The calls check in this order: the amount, whether accounting is available, whether the
// operation is known, its state, and the route and the cap, or the bound.
type Ledger struct {
	mu       sync.Mutex
	priced   map[string]bool
	down     bool // accounting is unavailable
	balance  Balance
	statuses map[string]Status
}

// New returns a ledger with no operations and a cap of limit units, at least 0. The routes are
// those with a price: an operation by any other route is refused.
//
// The errors match ErrAmount or, for a route without a name, ErrUnpriced.
func New(limit Units, routes ...string) (*Ledger, error) {
	if limit < 0 {
		return nil, refusal{ErrAmount, fmt.Sprintf("make a ledger: a cap of %d: give one of at least 0", limit)}
	}
	priced := make(map[string]bool, len(routes))
	for _, r := range routes {
		if r == "" {
			return nil, refusal{ErrUnpriced, "make a ledger: a route without a name: name each priced route"}
		}
		priced[r] = true
	}
	return &Ledger{priced: priced, balance: Balance{Cap: limit}, statuses: map[string]Status{}}, nil
}

// Reserve admits an operation, and holds its bound. A request that is denied leaves no
// trace: the same operation may ask again. One that was admitted may not, whatever became of it.
//
// The errors match ErrAmount (a bound of less than 1), ErrUnavailable, ErrDuplicate,
// ErrUnpriced or ErrOverCap; the first that applies.
func (l *Ledger) Reserve(op, route string, bound Units) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := l.statuses[op]
	switch {
	case bound < 1:
		return refuse("reserve", op, ErrAmount, "a bound of %d: ask for at least 1", bound)
	case l.down:
		return unavailable("reserve", op)
	case s.State != Absent:
		return refuse("reserve", op, ErrDuplicate, "it is %v: give another attempt a name of its own", s)
	case !l.priced[route]:
		return refuse("reserve", op, ErrUnpriced, "route %q has no price: take a route that was declared with one", route)
	case bound > l.balance.Left():
		return refuse("reserve", op, ErrOverCap, "%s", over(l.balance, route, bound))
	}
	l.balance.Pending += bound
	l.statuses[op] = Status{State: Reserved, Route: route, Bound: bound}
	return nil
}

// Dispatch says that the operation is about to be sent. Only if it returns nil may it be.
// The errors match ErrUnavailable, ErrUnknown or ErrState: an operation is dispatched once.
func (l *Ledger) Dispatch(op string) error { return l.enter("dispatch", op, dispatching, 0) }

// Acknowledge says that the provider says that the operation has run. Its bound stays
// reserved until the charge is known. To say it again, or when it is settled, changes nothing.
//
// The errors match ErrUnavailable, ErrUnknown, ErrState (not dispatched) or
// ErrContradiction (freed).
func (l *Ledger) Acknowledge(op string) error { return l.enter("acknowledge", op, acknowledging, 0) }

// Cancel says that the operation was cancelled. One that was not dispatched is freed,
// whatever the outcome. One that was is freed if the outcome is Confirmed; otherwise it
// keeps its reservation. To say it again changes nothing.
//
// The errors match ErrUnavailable, ErrUnknown or ErrContradiction (confirmed of an
// operation that was acknowledged or settled).
func (l *Ledger) Cancel(op string, outcome Outcome) error {
	if outcome == Confirmed {
		return l.enter("cancel", op, confirming, 0)
	}
	return l.enter("cancel", op, cancelling, 0)
}

// Settle enters the charge of a dispatched operation in place of its bound; the rest can be
// reserved again. A charge over the bound breaks the provider's contract: it is reported,
// and the bound stays reserved until the operation is settled or reconciled within it. Such
// a charge also acknowledges: what a provider charges for, it can't say that it never ran.
//
// The errors match ErrAmount (a charge of less than 1), ErrUnavailable, ErrUnknown,
// ErrState (not dispatched), ErrSettled, ErrContradiction (freed) or ErrBound.
func (l *Ledger) Settle(op string, charge Units) error {
	if charge < 1 {
		return refuse("settle", op, ErrAmount,
			"a charge of %d: give one of at least 1, or reconcile the operation if it did not run", charge)
	}
	return l.enter("settle", op, settling, charge)
}

// Reconcile enters what was found out from authoritative state. A charge of 0 says that the
// operation did not run, and never will: it is freed, even if it was acknowledged. Any other
// charge is settled, by the rules of Settle.
//
// The errors are those of Settle, with ErrAmount for a charge below 0. A charge of 0 is an
// error only for an operation that is settled (ErrSettled) or unknown.
func (l *Ledger) Reconcile(op string, charge Units) error {
	switch {
	case charge < 0:
		return refuse("reconcile", op, ErrAmount, "a charge of %d: give what was found, at least 0", charge)
	case charge == 0:
		return l.enter("reconcile", op, refuting, 0)
	}
	return l.enter("reconcile", op, settling, charge)
}

// SetAvailable says whether accounting is available, as it is at first. While it is not,
// every call that would change something is refused, with an error that matches
// ErrUnavailable, and has to be made again.
func (l *Ledger) SetAvailable(available bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.down = !available
}

// Balance returns the account at one moment between two calls.
func (l *Ledger) Balance() Balance {
	l.mu.Lock()
	defer l.mu.Unlock()
	b := l.balance
	b.Available = !l.down
	return b
}

// Status returns what is known of an operation: the zero Status if it was never admitted.
func (l *Ledger) Status(op string) Status {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.statuses[op]
}

// enter makes a call of an operation, by the rules.
func (l *Ledger) enter(verb, op string, c call, charge Units) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.down {
		return unavailable(verb, op)
	}
	before := l.statuses[op]
	r := rules[c][before.State]
	switch {
	case r.err != nil:
		return refuse(verb, op, r.err, "it is %v: %s", before, r.remedy)
	case charge > before.Bound:
		after := before
		after.State = Acknowledged
		l.statuses[op] = after
		return refuse(verb, op, ErrBound,
			"a charge of %d is over the bound: it ran, and stays %v: have the provider correct the charge, and reconcile it",
			charge, after)
	case r.to == before.State:
		return nil
	}
	after := before
	after.State, after.Charge = r.to, charge
	l.statuses[op] = after
	l.book(before, after)
	return nil
}

// book brings the totals from one status of an operation to its next. Before that it holds
// its bound: no rule leads out of a state that does not.
func (l *Ledger) book(before, after Status) {
	if !after.State.holds() {
		l.balance.Pending -= before.Bound
	}
	if after.State == Settled {
		l.balance.Settled += after.Charge
	}
	if before.State == Reserved && after.State == Dispatched {
		l.balance.Dispatched++
	}
}
