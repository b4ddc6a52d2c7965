package budget_test

import (
	"testing"

	"example.com/commitpoint/harness/budget"
)

// reach are the calls that bring an operation of 6, bounded by 10, to a state.
var reach = map[budget.State][]input{
	budget.Absent:       nil,
	budget.Reserved:     {reserve6},
	budget.Dispatched:   {reserve6, dispatch},
	budget.Acknowledged: {reserve6, dispatch, acknowledge},
	budget.Settled:      {reserve6, dispatch, settle4},
	budget.Freed:        {reserve6, dispatch, confirmed},
}

var (
	reserve6    = input{call: "Reserve", op: "x", route: "a", units: 6}
	dispatch    = input{call: "Dispatch", op: "x"}
	acknowledge = input{call: "Acknowledge", op: "x"}
	cancelled   = input{call: "Cancel", op: "x"}
	confirmed   = input{call: "Cancel", op: "x", outcome: budget.Confirmed}
	settle4     = input{call: "Settle", op: "x", units: 4}
	settle7     = input{call: "Settle", op: "x", units: 7}
	reconcile0  = input{call: "Reconcile", op: "x"}
	reconcile4  = input{call: "Reconcile", op: "x", units: 4}
	reconcile7  = input{call: "Reconcile", op: "x", units: 7}
)

// status returns what an operation is in a state: its charge, if any, is 4.
func status(s budget.State) budget.Status {
	switch s {
	case budget.Absent:
		return budget.Status{}
	case budget.Settled:
		return budget.Status{State: s, Route: "a", Bound: 6, Charge: 4}
	}
	return budget.Status{State: s, Route: "a", Bound: 6}
}

// A cell is a call in a state: the state that follows, and the error. With an error the
// state is the same as before, but for a charge over the bound, which says that it ran.
type cell struct {
	state budget.State
	to    budget.State
	err   error
}

func goes(from, to budget.State) cell { return cell{state: from, to: to} }

func stays(s budget.State) cell { return goes(s, s) }

func fails(s budget.State, err error) cell { return cell{s, s, err} }

const (
	abs = budget.Absent
	res = budget.Reserved
	dis = budget.Dispatched
	ack = budget.Acknowledged
	set = budget.Settled
	fre = budget.Freed
)

var everyCell = []struct {
	name  string
	in    input
	cells [6]cell
}{
	{"reserve", reserve6, [6]cell{
		goes(abs, res), fails(res, budget.ErrDuplicate), fails(dis, budget.ErrDuplicate),
		fails(ack, budget.ErrDuplicate), fails(set, budget.ErrDuplicate), fails(fre, budget.ErrDuplicate)}},
	{"dispatch", dispatch, [6]cell{
		fails(abs, budget.ErrUnknown), goes(res, dis), fails(dis, budget.ErrState),
		fails(ack, budget.ErrState), fails(set, budget.ErrState), fails(fre, budget.ErrState)}},
	{"acknowledge", acknowledge, [6]cell{
		fails(abs, budget.ErrUnknown), fails(res, budget.ErrState), goes(dis, ack),
		stays(ack), stays(set), fails(fre, budget.ErrContradiction)}},
	{"cancel", cancelled, [6]cell{
		fails(abs, budget.ErrUnknown), goes(res, fre), stays(dis), stays(ack), stays(set), stays(fre)}},
	{"cancel, confirmed", confirmed, [6]cell{
		fails(abs, budget.ErrUnknown), goes(res, fre), goes(dis, fre),
		fails(ack, budget.ErrContradiction), fails(set, budget.ErrContradiction), stays(fre)}},
	{"settle", settle4, [6]cell{
		fails(abs, budget.ErrUnknown), fails(res, budget.ErrState), goes(dis, set),
		goes(ack, set), fails(set, budget.ErrSettled), fails(fre, budget.ErrContradiction)}},
	{"settle over the bound", settle7, [6]cell{
		fails(abs, budget.ErrUnknown), fails(res, budget.ErrState), {dis, ack, budget.ErrBound},
		fails(ack, budget.ErrBound), fails(set, budget.ErrSettled), fails(fre, budget.ErrContradiction)}},
	{"reconcile at 0", reconcile0, [6]cell{
		fails(abs, budget.ErrUnknown), goes(res, fre), goes(dis, fre),
		goes(ack, fre), fails(set, budget.ErrSettled), stays(fre)}},
	{"reconcile", reconcile4, [6]cell{
		fails(abs, budget.ErrUnknown), fails(res, budget.ErrState), goes(dis, set),
		goes(ack, set), fails(set, budget.ErrSettled), fails(fre, budget.ErrContradiction)}},
	{"reconcile over the bound", reconcile7, [6]cell{
		fails(abs, budget.ErrUnknown), fails(res, budget.ErrState), {dis, ack, budget.ErrBound},
		fails(ack, budget.ErrBound), fails(set, budget.ErrSettled), fails(fre, budget.ErrContradiction)}},
}

func TestEveryCallInEveryState(t *testing.T) {
	for _, row := range everyCell {
		for i, c := range row.cells {
			if c.state != budget.State(i) {
				t.Fatalf("%s: cell %d is of %v", row.name, i, c.state)
			}
			t.Run(row.name+"/"+c.state.String(), func(t *testing.T) {
				l := newLedger(t, 10)
				for _, in := range reach[c.state] {
					ok(t, apply(l, in).err)
				}
				before := l.Balance()
				l.SetAvailable(false)
				if got := apply(l, row.in).err; got != budget.ErrUnavailable || l.Status("x") != status(c.state) {
					t.Errorf("while accounting is unavailable the error is %v, and x is %v", got, l.Status("x"))
				}
				l.SetAvailable(true)
				if got := apply(l, row.in).err; got != c.err {
					t.Errorf("the error is %v, want %v", got, c.err)
				}
				if got := l.Status("x"); got != status(c.to) {
					t.Errorf("x is %v, want %v", got, status(c.to))
				}
				held(t, l.Balance(), before, c)
			})
		}
	}
}

// held checks the balance against what the state holds, of x alone.
func held(t *testing.T, got, before budget.Balance, c cell) {
	t.Helper()
	want := budget.Balance{Cap: 10, Available: true, Dispatched: before.Dispatched}
	switch c.to {
	case budget.Reserved, budget.Dispatched, budget.Acknowledged:
		want.Pending = 6
	case budget.Settled:
		want.Settled = 4
	}
	if c.state == budget.Reserved && c.to == budget.Dispatched {
		want.Dispatched++
	}
	if got != want {
		t.Errorf("the balance is %+v, want %+v", got, want)
	}
}

func TestStatusTexts(t *testing.T) {
	for state, text := range map[budget.State]string{
		budget.Absent:       "absent",
		budget.Reserved:     "reserved (6 by route a)",
		budget.Dispatched:   "dispatched (6 by route a)",
		budget.Acknowledged: "acknowledged (6 by route a)",
		budget.Settled:      "settled at 4 (of 6 by route a)",
		budget.Freed:        "freed (6 by route a)",
		200:                 "State(200) (6 by route a)",
	} {
		if got := status(state).String(); got != text {
			t.Errorf("the text is %q, want %q", got, text)
		}
	}
}
