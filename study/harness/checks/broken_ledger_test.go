package checks

import (
	"errors"
	"slices"
	"strings"
	"sync"

	"example.com/commitpoint/harness/budget"
)

// A defect is a ledger with methods in place of the real ones.
type defect struct {
	*budget.Ledger
	reserve   func(l *budget.Ledger, op, route string, bound budget.Units) error
	cancel    func(l *budget.Ledger, op string, outcome budget.Outcome) error
	settle    func(l *budget.Ledger, op string, charge budget.Units) error
	reconcile func(l *budget.Ledger, op string, charge budget.Units) error
	available func(l *budget.Ledger, is bool)
}

func (d defect) Reserve(op, route string, bound budget.Units) error {
	if d.reserve == nil {
		return d.Ledger.Reserve(op, route, bound)
	}
	return d.reserve(d.Ledger, op, route, bound)
}

func (d defect) Cancel(op string, outcome budget.Outcome) error {
	if d.cancel == nil {
		return d.Ledger.Cancel(op, outcome)
	}
	return d.cancel(d.Ledger, op, outcome)
}

func (d defect) Settle(op string, charge budget.Units) error {
	if d.settle == nil {
		return d.Ledger.Settle(op, charge)
	}
	return d.settle(d.Ledger, op, charge)
}

func (d defect) Reconcile(op string, charge budget.Units) error {
	if d.reconcile == nil {
		return d.Ledger.Reconcile(op, charge)
	}
	return d.reconcile(d.Ledger, op, charge)
}

func (d defect) SetAvailable(is bool) {
	if d.available == nil {
		d.Ledger.SetAvailable(is)
		return
	}
	d.available(d.Ledger, is)
}

// keeping returns a library whose ledgers have the defect.
func keeping(d defect) library { return keepingEach(0, func() defect { return d }) }

// keepingEach has a defect of its own for each ledger, and a cap that is higher by more.
func keepingEach(more budget.Units, d func() defect) library {
	l := ours
	l.ledger = func(limit budget.Units, routes ...string) (accounts, error) {
		real, err := budget.New(limit+more, routes...)
		made := d()
		made.Ledger = real
		return made, err
	}
	return l
}

// unlocked compares first and reserves later: all eight requests have compared by then.
func unlocked() defect {
	var compared sync.WaitGroup
	compared.Add(8)
	return defect{reserve: func(l *budget.Ledger, op, route string, bound budget.Units) error {
		if !strings.HasPrefix(op, "request ") {
			return l.Reserve(op, route, bound)
		}
		fits := l.Balance().Pending+bound <= limit
		compared.Done()
		compared.Wait()
		if !fits {
			return budget.ErrOverCap
		}
		return l.Reserve(op, route, bound)
	}}
}

func noLedger() library {
	l := ours
	l.ledger = func(budget.Units, ...string) (accounts, error) { return nil, errNoPlace }
	return l
}

// unless returns an error, or nil if it is one that the ledger does not make.
func unless(err, unknown error) error {
	if errors.Is(err, unknown) {
		return nil
	}
	return err
}

// The cap is raised where the defect is in what stands before the real ledger.
var ledgers = []broken{
	{"compares without a lock", keepingEach(90, unlocked), "BU-01 BU-02", "8 admitted, 0 over the cap; 24 of 100 units reserved; " +
		"expected 3 admitted, 5 over the cap; 9 of 10 units reserved"},
	{"has no room for the third", keepingEach(-2, func() defect { return defect{} }), "BU-01 BU-04", "2 admitted, 6 over the cap; 6 of 8 units reserved; " +
		"expected 3 admitted, 5 over the cap; 9 of 10 units reserved"},
	{"does not count retries", keeping(defect{reserve: func(l *budget.Ledger, op, route string, bound budget.Units) error {
		if op == "retry" {
			return nil
		}
		return l.Reserve(op, route, bound)
	}}), "BU-02", "original of 6: ok, retry of 6: ok, fallback of 5: over the cap; 0 settled, 6 reserved, 0 dispatched; expected " + expected("BU-02")},
	{"does not count fallbacks", keeping(defect{reserve: func(l *budget.Ledger, op, route string, bound budget.Units) error {
		if op == "fallback" {
			return nil
		}
		return l.Reserve(op, route, bound)
	}}), "BU-02", "original of 6: ok, retry of 6: over the cap, fallback of 5: ok; 0 settled, 6 reserved, 0 dispatched; expected " + expected("BU-02")},
	{"frees on a cancellation", keeping(defect{cancel: func(l *budget.Ledger, op string, _ budget.Outcome) error {
		return l.Cancel(op, budget.Confirmed)
	}}), "BU-03", "original of 6: ok, dispatch: ok, cancel: ok, the same again: known already, dispatch again: not now; " +
		"0 settled, 0 reserved, 1 dispatched; expected " + expected("BU-03")},
	{"admits duplicates", keeping(defect{reserve: func(l *budget.Ledger, op, route string, bound budget.Units) error {
		return unless(l.Reserve(op, route, bound), budget.ErrDuplicate)
	}}), "BU-03", "original of 6: ok, dispatch: ok, cancel: ok, the same again: ok, dispatch again: not now; " +
		"0 settled, 6 reserved, 1 dispatched; expected " + expected("BU-03")},
	{"reconciles at the bound", keeping(defect{reconcile: func(l *budget.Ledger, op string, _ budget.Units) error {
		return l.Reconcile(op, 6)
	}}), "BU-04", "original of 6: ok, dispatch: ok, reconcile at 4: ok, next of 6: over the cap, settle again: settled already; " +
		"6 settled, 0 reserved, 1 dispatched; expected " + expected("BU-04")},
	{"settles twice", keeping(defect{settle: func(l *budget.Ledger, op string, charge budget.Units) error {
		return unless(l.Settle(op, charge), budget.ErrSettled)
	}}), "BU-04", "original of 6: ok, dispatch: ok, reconcile at 4: ok, next of 6: ok, settle again: ok; " +
		"4 settled, 6 reserved, 1 dispatched; expected " + expected("BU-04")},
	{"admits without accounting", keeping(defect{available: func(*budget.Ledger, bool) {}}), "BU-05",
		"first of 6: ok, unpriced: no price, dispatch: not admitted; 0 settled, 6 reserved, 0 dispatched; " +
			"priced of 6: over the cap, dispatch: not admitted; 0 settled, 6 reserved, 0 dispatched; expected " + expected("BU-05")},
	{"never comes back", keeping(defect{available: func(l *budget.Ledger, is bool) { l.SetAvailable(false) }}), "BU-05",
		"first of 6: accounting unavailable, unpriced: accounting unavailable, dispatch: accounting unavailable; " +
			"0 settled, 0 reserved, 0 dispatched; priced of 6: accounting unavailable, dispatch: accounting unavailable; " +
			"0 settled, 0 reserved, 0 dispatched; expected " + expected("BU-05")},
	{"admits any route", keeping(defect{reserve: func(l *budget.Ledger, op, _ string, bound budget.Units) error {
		return l.Reserve(op, "priced", bound)
	}}), "BU-05", "first of 6: accounting unavailable, unpriced: ok, dispatch: ok; 0 settled, 6 reserved, 1 dispatched; " +
		"priced of 6: over the cap, dispatch: not admitted; 0 settled, 6 reserved, 1 dispatched; expected " + expected("BU-05")},
	{"frees at a charge over the bound", keeping(defect{settle: func(l *budget.Ledger, op string, charge budget.Units) error {
		err := l.Settle(op, charge)
		if errors.Is(err, budget.ErrBound) {
			return errors.Join(err, l.Reconcile(op, 0))
		}
		return err
	}}), "BU-06", "original of 6: ok, dispatch: ok, charge of 7: over the bound; 0 settled, 0 reserved, 1 dispatched; expected " + expected("BU-06")},
	{"takes a charge over the bound", keeping(defect{settle: func(l *budget.Ledger, op string, charge budget.Units) error {
		return l.Settle(op, min(charge, 6))
	}}), "BU-06", "original of 6: ok, dispatch: ok, charge of 7: ok; 6 settled, 0 reserved, 1 dispatched; expected " + expected("BU-06")},
	{"answers something else", keeping(defect{settle: func(*budget.Ledger, string, budget.Units) error { return errNoPlace }}),
		"BU-04 BU-06", "original of 6: ok, dispatch: ok, charge of 7: no; 0 settled, 6 reserved, 1 dispatched; expected " + expected("BU-06")},
	{"panics", keeping(defect{reserve: func(*budget.Ledger, string, string, budget.Units) error { panic("no lock") }}),
		"BU-01 BU-02 BU-03 BU-04 BU-05 BU-06", "panic: no lock"},
	{"is not there", noLedger(), "BU-01 BU-02 BU-03 BU-04 BU-05 BU-06", "panic: no"},
}

func expected(id string) string {
	all := All()
	return all[slices.IndexFunc(all, func(c Check) bool { return c.ID == id })].Expected
}
