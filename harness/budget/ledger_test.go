package budget_test

import (
	"errors"
	"math"
	"testing"

	"example.com/commitpoint/harness/budget"
)

func newLedger(t testing.TB, limit budget.Units) *budget.Ledger {
	t.Helper()
	l, err := budget.New(limit, "a")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// ok fails the test at the first of the errors.
func ok(t testing.TB, errs ...error) {
	t.Helper()
	for i, err := range errs {
		if err != nil {
			t.Fatalf("call %d: %v", i, err)
		}
	}
}

// refuses compares an error with the one that it has to match, and with its text if given.
func refuses(t *testing.T, err, want error, text string) {
	t.Helper()
	if matched(err) != want {
		t.Errorf("the error is %v, want one that matches %v", err, want)
	}
	if text != "" && err != nil && err.Error() != text {
		t.Errorf("the error reads\n%s\nwant\n%s", err, text)
	}
}

func balanced(t *testing.T, l *budget.Ledger, settled, pending budget.Units, dispatched int) {
	t.Helper()
	got := l.Balance()
	want := budget.Balance{Cap: got.Cap, Settled: settled, Pending: pending, Dispatched: dispatched, Available: got.Available}
	if got != want {
		t.Errorf("the balance is %+v, want %+v", got, want)
	}
}

func TestBU01EightAtOnce(t *testing.T) {
	l := newLedger(t, 10)
	results := make(chan error, 8)
	start := make(chan struct{})
	for _, op := range []string{"1", "2", "3", "4", "5", "6", "7", "8"} {
		go func() {
			<-start
			results <- l.Reserve(op, "a", 3)
		}()
	}
	close(start)
	count := map[error]int{}
	for range 8 {
		count[matched(<-results)]++
	}
	if count[nil] != 3 || count[budget.ErrOverCap] != 5 {
		t.Errorf("of eight there are %v, want 3 admitted and 5 over the cap", count)
	}
	balanced(t, l, 0, 9, 0)
}

func TestBU02RetryAndFallbackShareTheCap(t *testing.T) {
	l := newLedger(t, 10)
	ok(t, l.Reserve("original", "a", 6))
	refuses(t, l.Reserve("retry", "a", 6), budget.ErrOverCap,
		`reserve "retry": 6 of route a would make 12 of 10 (0 settled, 6 pending): settle or cancel something, or ask for at most 4`)
	refuses(t, l.Reserve("fallback", "a", 5), budget.ErrOverCap, "")
	balanced(t, l, 0, 6, 0)
	ok(t, l.Reserve("fallback", "a", 4)) // what was denied left no trace
}

func TestBU03UnknownKeepsTheReservation(t *testing.T) {
	l := newLedger(t, 10)
	ok(t, l.Reserve("original", "a", 6), l.Dispatch("original"), l.Cancel("original", budget.Unknown))
	balanced(t, l, 0, 6, 1)
	refuses(t, l.Reserve("original", "a", 1), budget.ErrDuplicate,
		`reserve "original": it is dispatched (6 by route a): give another attempt a name of its own`)
	refuses(t, l.Dispatch("original"), budget.ErrState, "")
	balanced(t, l, 0, 6, 1)
}

func TestBU04ReconciledBelowItsBound(t *testing.T) {
	l := newLedger(t, 10)
	ok(t, l.Reserve("original", "a", 6), l.Dispatch("original"), l.Reconcile("original", 4), l.Reserve("next", "a", 6))
	balanced(t, l, 4, 6, 1)
	refuses(t, l.Settle("original", 4), budget.ErrSettled,
		`settle "original": it is settled at 4 (of 6 by route a): an operation is charged once; if this is another charge, look at the provider's account`)
	refuses(t, l.Reconcile("original", 4), budget.ErrSettled, "")
	balanced(t, l, 4, 6, 1)
}

func TestBU05UnavailableThenUnpriced(t *testing.T) {
	l := newLedger(t, 10)
	l.SetAvailable(false)
	refuses(t, l.Reserve("x", "a", 6), budget.ErrUnavailable,
		`reserve "x": accounting is unavailable: say it again when it is back`)
	if l.Balance().Available {
		t.Error("accounting is available")
	}
	l.SetAvailable(true)
	refuses(t, l.Reserve("x", "b", 6), budget.ErrUnpriced,
		`reserve "x": route "b" has no price: take a route that was declared with one`)
	refuses(t, l.Dispatch("x"), budget.ErrUnknown, `dispatch "x": it is absent: reserve it first`)
	balanced(t, l, 0, 0, 0)
	ok(t, l.Reserve("x", "a", 6), l.Dispatch("x"))
	balanced(t, l, 0, 6, 1)
}

func TestBU06ChargeOverTheBound(t *testing.T) {
	l := newLedger(t, 10)
	ok(t, l.Reserve("x", "a", 6), l.Dispatch("x"))
	refuses(t, l.Settle("x", 7), budget.ErrBound,
		`settle "x": a charge of 7 is over the bound: it ran, and stays acknowledged (6 by route a): have the provider correct the charge, and reconcile it`)
	refuses(t, l.Reconcile("x", 7), budget.ErrBound, "")
	refuses(t, l.Cancel("x", budget.Confirmed), budget.ErrContradiction, "") // it was charged for
	balanced(t, l, 0, 6, 1)
	ok(t, l.Settle("x", 6)) // the bound itself is not over it
	balanced(t, l, 6, 0, 1)
}

func TestNewRefuses(t *testing.T) {
	for _, c := range []struct {
		name  string
		limit budget.Units
		route string
		err   error
		text  string
	}{
		{"negative cap", -1, "a", budget.ErrAmount, "make a ledger: a cap of -1: give one of at least 0"},
		{"nameless route", 1, "", budget.ErrUnpriced, "make a ledger: a route without a name: name each priced route"},
	} {
		t.Run(c.name, func(t *testing.T) {
			l, err := budget.New(c.limit, "a", c.route)
			refuses(t, err, c.err, c.text)
			if l != nil {
				t.Error("there is a ledger")
			}
		})
	}
}

func TestLedgersThatAdmitNothing(t *testing.T) {
	noRoutes, err := budget.New(10)
	ok(t, err)
	for _, c := range []struct {
		name   string
		ledger *budget.Ledger
		err    error
	}{
		{"zero ledger", new(budget.Ledger), budget.ErrUnpriced},
		{"cap of 0", newLedger(t, 0), budget.ErrOverCap},
		{"no priced routes", noRoutes, budget.ErrUnpriced},
	} {
		t.Run(c.name, func(t *testing.T) {
			refuses(t, c.ledger.Reserve("x", "a", 1), c.err, "")
			refuses(t, c.ledger.Reserve("x", "", 1), budget.ErrUnpriced, "")
			if got := c.ledger.Status("x"); got != (budget.Status{}) {
				t.Errorf("x is %v, want absent", got)
			}
		})
	}
}

// Each request has every fault from its own on, so that an earlier check has to win.
func TestReserveChecksInOrder(t *testing.T) {
	for _, c := range []struct {
		name      string
		available bool
		op, route string
		bound     budget.Units
		err       error
	}{
		{"amount 0", false, "known", "b", 0, budget.ErrAmount},
		{"amount below 0", false, "known", "b", math.MinInt64, budget.ErrAmount},
		{"unavailable", false, "known", "b", 99, budget.ErrUnavailable},
		{"known", true, "known", "b", 99, budget.ErrDuplicate},
		{"no price", true, "new", "b", 99, budget.ErrUnpriced},
		{"over the cap", true, "new", "a", 5, budget.ErrOverCap},
		{"up to the cap", true, "new", "a", 4, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := newLedger(t, 10)
			ok(t, l.Reserve("known", "a", 6))
			l.SetAvailable(c.available)
			refuses(t, l.Reserve(c.op, c.route, c.bound), c.err, "")
		})
	}
}

func TestOverCapRemedies(t *testing.T) {
	for _, c := range []struct {
		name             string
		settled, pending budget.Units
		text             string
	}{
		{"nothing is held", 0, 0, `reserve "x": 11 of route a would make 11 of 10 (0 settled, 0 pending): ask for at most 10`},
		{"some is pending", 2, 3, `reserve "x": 11 of route a would make 16 of 10 (2 settled, 3 pending): settle or cancel something, or ask for at most 5`},
		{"the rest is pending", 2, 8, `reserve "x": 11 of route a would make 21 of 10 (2 settled, 8 pending): settle or cancel something`},
		{"some is settled", 7, 0, `reserve "x": 11 of route a would make 18 of 10 (7 settled, 0 pending): ask for at most 3`},
		{"all is settled", 10, 0, `reserve "x": 11 of route a would make 21 of 10 (10 settled, 0 pending): the budget is spent`},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := newLedger(t, 10)
			if c.settled > 0 {
				ok(t, l.Reserve("s", "a", c.settled), l.Dispatch("s"), l.Settle("s", c.settled))
			}
			if c.pending > 0 {
				ok(t, l.Reserve("p", "a", c.pending))
			}
			refuses(t, l.Reserve("x", "a", 11), budget.ErrOverCap, c.text)
		})
	}
}

func TestNoSumOverflows(t *testing.T) {
	const all = math.MaxInt64
	l := newLedger(t, all)
	ok(t, l.Reserve("most", "a", all-2), l.Dispatch("most"), l.Settle("most", all-2), l.Reserve("one", "a", 1))
	refuses(t, l.Reserve("x", "a", all), budget.ErrOverCap,
		`reserve "x": 9223372036854775807 of route a would make 18446744073709551613 of 9223372036854775807`+
			` (9223372036854775805 settled, 1 pending): settle or cancel something, or ask for at most 1`)
	refuses(t, l.Reserve("x", "a", 2), budget.ErrOverCap, "")
	ok(t, l.Reserve("x", "a", 1))
	if got := l.Balance(); got.Settled+got.Pending != all || got.Left() != 0 {
		t.Errorf("the balance is %+v, want all of it held", got)
	}
}

func TestAmountsAreCheckedFirst(t *testing.T) {
	l := newLedger(t, 10)
	l.SetAvailable(false)
	refuses(t, l.Settle("x", 0), budget.ErrAmount,
		`settle "x": a charge of 0: give one of at least 1, or reconcile the operation if it did not run`)
	refuses(t, l.Settle("x", -1), budget.ErrAmount, "")
	refuses(t, l.Reconcile("x", -1), budget.ErrAmount, `reconcile "x": a charge of -1: give what was found, at least 0`)
	refuses(t, l.Reconcile("x", 0), budget.ErrUnavailable, "")
}

// Only a Confirmed cancellation frees what was dispatched.
func TestOutcomesOutOfRangeAreUnknown(t *testing.T) {
	l := newLedger(t, 10)
	ok(t, l.Reserve("x", "a", 6), l.Dispatch("x"), l.Cancel("x", budget.Confirmed+1))
	balanced(t, l, 0, 6, 1)
}

func TestErrorsAreOfThisPackageOnly(t *testing.T) {
	err := newLedger(t, 1).Dispatch("x")
	if errors.Is(err, budget.ErrState) || errors.Unwrap(err) != budget.ErrUnknown {
		t.Errorf("%v wraps %v, want only ErrUnknown", err, errors.Unwrap(err))
	}
}
