package checks

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"example.com/commitpoint/harness/budget"
)

// A step is a call of a ledger. One without words is not reported.
type step struct {
	words string
	call  func(accounts) error
}

// reserve asks for an operation by a priced route.
func reserve(op string, bound budget.Units) step {
	return reserveBy("priced", fmt.Sprintf("%s of %d", op, bound), op, bound)
}

func reserveBy(route, words, op string, bound budget.Units) step {
	return step{words, func(l accounts) error { return l.Reserve(op, route, bound) }}
}

func dispatch(words, op string) step {
	return step{words, func(l accounts) error { return l.Dispatch(op) }}
}

func cancel(op string, outcome budget.Outcome) step {
	return step{"cancel", func(l accounts) error { return l.Cancel(op, outcome) }}
}

func settle(words, op string, charge budget.Units) step {
	return step{words, func(l accounts) error { return l.Settle(op, charge) }}
}

func reconcile(op string, charge budget.Units) step {
	return step{fmt.Sprintf("reconcile at %d", charge), func(l accounts) error { return l.Reconcile(op, charge) }}
}

func available(is bool) step {
	return step{"", func(l accounts) error { l.SetAvailable(is); return nil }}
}

// A part is some steps, after which the balance is read.
type part []step

// limit is the cap of every ledger here.
const limit = 10

// budgetRows are BU-02 to BU-06, each on a ledger of its own.
var budgetRows = []struct {
	id, situation string
	parts         []part
	want          string
}{
	{"BU-02", "6 reserved; a retry asks 6, a fallback 5",
		[]part{{reserve("original", 6), reserve("retry", 6), reserve("fallback", 5)}},
		"original of 6: ok, retry of 6: over the cap, fallback of 5: over the cap; 0 settled, 6 reserved, 0 dispatched"},
	{"BU-03", "acknowledgement and cancellation of the original unknown",
		[]part{{reserve("original", 6), dispatch("dispatch", "original"), cancel("original", budget.Unknown),
			reserveBy("priced", "the same again", "original", 4), dispatch("dispatch again", "original")}},
		"original of 6: ok, dispatch: ok, cancel: ok, the same again: known already, dispatch again: not now; " +
			"0 settled, 6 reserved, 1 dispatched"},
	{"BU-04", "the original is reconciled at 4; a request for 6 follows",
		[]part{{reserve("original", 6), dispatch("dispatch", "original"), reconcile("original", 4),
			reserve("next", 6), settle("settle again", "original", 4)}},
		"original of 6: ok, dispatch: ok, reconcile at 4: ok, next of 6: ok, settle again: settled already; " +
			"4 settled, 6 reserved, 1 dispatched"},
	{"BU-05", "accounting unavailable; then an unpriced route, on an empty ledger",
		[]part{
			{available(false), reserve("first", 6), available(true),
				reserveBy("other", "unpriced", "second", 6), dispatch("dispatch", "second")},
			{reserve("priced", 6), dispatch("dispatch", "priced")},
		},
		"first of 6: accounting unavailable, unpriced: no price, dispatch: not admitted; 0 settled, 0 reserved, 0 dispatched; " +
			"priced of 6: ok, dispatch: ok; 0 settled, 6 reserved, 1 dispatched"},
	{"BU-06", "a charge of 7 against a declared bound of 6",
		[]part{{reserve("original", 6), dispatch("dispatch", "original"), settle("charge of 7", "original", 7)}},
		"original of 6: ok, dispatch: ok, charge of 7: over the bound; 0 settled, 6 reserved, 1 dispatched"},
}

// answers are the words for what a ledger answers.
var answers = []struct {
	err   error
	words string
}{
	{budget.ErrUnavailable, "accounting unavailable"},
	{budget.ErrDuplicate, "known already"},
	{budget.ErrUnpriced, "no price"},
	{budget.ErrUnknown, "not admitted"},
	{budget.ErrState, "not now"},
	{budget.ErrOverCap, "over the cap"},
	{budget.ErrSettled, "settled already"},
	{budget.ErrBound, "over the bound"},
}

func answer(err error) string {
	if err == nil {
		return "ok"
	}
	for _, a := range answers {
		if errors.Is(err, a.err) {
			return a.words
		}
	}
	return line(err)
}

func budgetChecks() []contract {
	list := []contract{{Check{"BU-01", "eight concurrent requests reserve 3 units each, cap 10",
		"3 admitted, 5 over the cap; 9 of 10 units reserved"}, eightAtOnce}}
	for _, row := range budgetRows {
		list = append(list, contract{Check{row.id, row.situation, row.want},
			func(_ context.Context, l library) (seen, detail string) {
				ledger := l.open()
				var parts []string
				for _, p := range row.parts {
					parts = append(parts, p.play(ledger))
				}
				return strings.Join(parts, "; "), ""
			}})
	}
	return list
}

// open returns an empty ledger. Without one the check panics, and fails.
func (l library) open() accounts {
	ledger, err := l.ledger(limit, "priced")
	if err != nil {
		panic(err)
	}
	return ledger
}

// play makes the calls, and returns the answers and the balance.
func (p part) play(l accounts) string {
	var heard []string
	for _, s := range p {
		err := s.call(l)
		if s.words != "" {
			heard = append(heard, s.words+": "+answer(err))
		}
	}
	b := l.Balance()
	return fmt.Sprintf("%s; %d settled, %d reserved, %d dispatched", strings.Join(heard, ", "), b.Settled, b.Pending, b.Dispatched)
}

// eightAtOnce is BU-01. The goroutines start together, and none of them ends the program: a
// panic in one is a panic of the check.
func eightAtOnce(_ context.Context, l library) (seen, detail string) {
	ledger := l.open()
	var heard [8]string
	var panics [8]any
	var all sync.WaitGroup
	start := make(chan struct{})
	for i := range heard {
		all.Go(func() {
			defer func() { panics[i] = recover() }()
			<-start
			heard[i] = answer(ledger.Reserve(fmt.Sprint("request ", i+1), "priced", 3))
		})
	}
	close(start)
	all.Wait()
	count := map[string]int{}
	for i := range heard {
		if panics[i] != nil {
			panic(panics[i])
		}
		count[heard[i]]++
	}
	b := ledger.Balance()
	return fmt.Sprintf("%d admitted, %d over the cap; %d of %d units reserved",
		count["ok"], count["over the cap"], b.Pending, b.Cap), ""
}
