package budget_test

import (
	"errors"
	"math/big"

	"example.com/commitpoint/harness/budget"
)

// An input is a call of a ledger, as data.
type input struct {
	call    string // the method's name
	op      string
	route   string
	units   budget.Units
	outcome budget.Outcome
	up      bool
}

// An output is what came back.
type output struct {
	err     error // the one that it matches, or nil
	balance budget.Balance
	status  budget.Status
}

var sentinels = []error{
	budget.ErrAmount, budget.ErrUnavailable, budget.ErrDuplicate, budget.ErrUnpriced, budget.ErrOverCap,
	budget.ErrUnknown, budget.ErrState, budget.ErrBound, budget.ErrSettled, budget.ErrContradiction,
}

var errNone = errors.New("not exactly one of the package's errors")

// matched returns the error of the package that err matches.
func matched(err error) error {
	if err == nil {
		return nil
	}
	found := errNone
	for _, s := range sentinels {
		if errors.Is(err, s) {
			if found != errNone {
				return errNone
			}
			found = s
		}
	}
	return found
}

// apply makes the call on a ledger.
func apply(l *budget.Ledger, in input) (out output) {
	var err error
	switch in.call {
	case "Reserve":
		err = l.Reserve(in.op, in.route, in.units)
	case "Dispatch":
		err = l.Dispatch(in.op)
	case "Acknowledge":
		err = l.Acknowledge(in.op)
	case "Cancel":
		err = l.Cancel(in.op, in.outcome)
	case "Settle":
		err = l.Settle(in.op, in.units)
	case "Reconcile":
		err = l.Reconcile(in.op, in.units)
	case "SetAvailable":
		l.SetAvailable(in.up)
	case "Balance":
		out.balance = l.Balance()
	case "Status":
		out.status = l.Status(in.op)
	default:
		panic("no such call: " + in.call)
	}
	out.err = matched(err)
	return out
}

// An entry is an operation in the dumb ledger: what was said of it, in booleans.
type entry struct {
	op, route               string
	bound, charge           budget.Units
	dispatched, acked, gone bool
}

const most = 16 // operations in a dumb ledger

// A dumb ledger is a list of entries, and every sum is made anew. It is comparable.
type dumb struct {
	limit   budget.Units
	down    bool
	entries [most]entry
}

func (d dumb) balance() budget.Balance {
	b := budget.Balance{Cap: d.limit, Available: !d.down}
	for _, e := range d.entries {
		if e.dispatched {
			b.Dispatched++
		}
		if e.op != "" && !e.gone && e.charge == 0 {
			b.Pending += e.bound
		}
		b.Settled += e.charge
	}
	return b
}

func (d dumb) find(op string) int {
	for i, e := range d.entries {
		if e.op == op {
			return i
		}
	}
	return -1
}

func (d dumb) status(op string) budget.Status {
	i := d.find(op)
	if i < 0 {
		return budget.Status{}
	}
	e := d.entries[i]
	s := budget.Status{Route: e.route, Bound: e.bound, Charge: e.charge}
	if s.State = budget.Reserved; e.gone {
		s.State = budget.Freed
	} else if e.charge > 0 {
		s.State = budget.Settled
	} else if e.acked {
		s.State = budget.Acknowledged
	} else if e.dispatched {
		s.State = budget.Dispatched
	}
	return s
}

// step makes the call. Only route "a" has a price.
func (d dumb) step(in input) (dumb, output) {
	switch in.call {
	case "SetAvailable":
		d.down = !in.up
		return d, output{}
	case "Balance":
		return d, output{balance: d.balance()}
	case "Status":
		return d, output{status: d.status(in.op)}
	case "Reserve":
		return d.reserve(in)
	}
	if in.call == "Settle" && in.units <= 0 || in.call == "Reconcile" && in.units < 0 {
		return d, output{err: budget.ErrAmount}
	}
	if d.down {
		return d, output{err: budget.ErrUnavailable}
	}
	i := d.find(in.op)
	if i < 0 {
		return d, output{err: budget.ErrUnknown}
	}
	after, err := say(d.entries[i], in)
	d.entries[i] = after
	return d, output{err: err}
}

func (d dumb) reserve(in input) (dumb, output) {
	b := d.balance()
	sum := new(big.Int)
	for _, u := range []budget.Units{b.Settled, b.Pending, in.units} {
		sum.Add(sum, big.NewInt(int64(u)))
	}
	var err error
	if in.units <= 0 {
		err = budget.ErrAmount
	} else if d.down {
		err = budget.ErrUnavailable
	} else if d.find(in.op) >= 0 {
		err = budget.ErrDuplicate
	} else if in.route != "a" {
		err = budget.ErrUnpriced
	} else if sum.Cmp(big.NewInt(int64(d.limit))) > 0 {
		err = budget.ErrOverCap
	} else {
		d.entries[d.find("")] = entry{op: in.op, route: in.route, bound: in.units}
	}
	return d, output{err: err}
}

// say returns the entry after a call, or as it was with an error.
func say(e entry, in input) (entry, error) {
	was := e
	settled := e.charge > 0
	switch in.call {
	case "Dispatch":
		if e.dispatched || e.gone {
			return was, budget.ErrState
		}
		e.dispatched = true
	case "Acknowledge":
		if e.gone {
			return was, budget.ErrContradiction
		}
		if !e.dispatched {
			return was, budget.ErrState
		}
		e.acked = e.acked || !settled
	case "Cancel":
		if !e.dispatched {
			e.gone = true
		} else if in.outcome == budget.Confirmed {
			if e.acked && !e.gone || settled {
				return was, budget.ErrContradiction
			}
			e.gone = true
		}
	case "Settle", "Reconcile":
		if settled {
			return was, budget.ErrSettled
		}
		if in.units == 0 {
			e.gone = true
			return e, nil
		}
		if e.gone {
			return was, budget.ErrContradiction
		}
		if !e.dispatched {
			return was, budget.ErrState
		}
		if in.units > e.bound {
			e.acked = true
			return e, budget.ErrBound
		}
		e.charge = in.units
	}
	return e, nil
}
