package budget_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"example.com/commitpoint/harness/budget"
)

// sequential returns the dumb ledger as a specification, from a state.
func sequential(from dumb) porcupine.Model {
	return porcupine.Model{
		Init: func() any { return from },
		Step: func(state, in, out any) (bool, any) {
			after, want := state.(dumb).step(in.(input))
			return want == out.(output), after
		},
		DescribeOperation: func(in, out any) string { return fmt.Sprintf("%+v -> %+v", in, out) },
	}
}

// record lets one goroutine for each list make its calls, and returns when each call was
// made and had returned, by a clock that counts. At most width calls overlap: what porcupine
// has to search grows with the length of a history, but exponentially with its width.
func record(width int, lists [][]input, do func(input) output) []porcupine.Operation {
	var clock atomic.Int64
	var all sync.WaitGroup
	start := make(chan struct{})
	underway := make(chan struct{}, width)
	made := make([][]porcupine.Operation, len(lists))
	for client, list := range lists {
		all.Go(func() {
			<-start
			for _, in := range list {
				underway <- struct{}{}
				called := clock.Add(1)
				runtime.Gosched() // so that calls overlap on few processors, too
				out := do(in)
				made[client] = append(made[client], porcupine.Operation{
					ClientId: client, Input: in, Output: out, Call: called, Return: clock.Add(1),
				})
				<-underway
			}
		})
	}
	close(start)
	all.Wait()
	var history []porcupine.Operation
	for _, h := range made {
		history = append(history, h...)
	}
	return history
}

// judge asks porcupine. A history that it can't decide in time is neither.
func judge(t *testing.T, from dumb, history []porcupine.Operation) porcupine.CheckResult {
	t.Helper()
	result := porcupine.CheckOperationsTimeout(sequential(from), history, 10*time.Second)
	if result == porcupine.Unknown {
		t.Fatalf("a history of %d calls was not decided in time: make it smaller", len(history))
	}
	return result
}

var calls = []string{
	"Reserve", "Reserve", "Reserve", "Dispatch", "Dispatch", "Dispatch", "Acknowledge", "Cancel", "Settle", "Settle",
	"Reconcile", "Balance", "Status", "SetAvailable",
}

// anything returns a random call: of few operations and with small figures, so that calls
// meet. Accounting is mostly available.
func anything(r *rand.Rand) input {
	in := input{call: calls[r.IntN(len(calls))]}
	if in.call == "SetAvailable" {
		in.up = r.IntN(4) > 0
		return in
	}
	if in.call == "Balance" {
		return in
	}
	in.op = fmt.Sprint("op", r.IntN(most))
	switch in.call {
	case "Reserve":
		in.route, in.units = "a", budget.Units(r.IntN(7))
		if r.IntN(8) == 0 {
			in.route = "b"
		}
	case "Settle", "Reconcile":
		in.units = budget.Units(r.IntN(7) - 1)
	case "Cancel":
		in.outcome = budget.Outcome(r.IntN(2))
	}
	return in
}

const limit = 20

// workload returns what goroutines do: the same for the same seed.
func workload(seed uint64, goroutines, each int) [][]input {
	r := rand.New(rand.NewPCG(seed, 1))
	lists := make([][]input, goroutines)
	for g := range lists {
		for range each {
			lists[g] = append(lists[g], anything(r))
		}
	}
	return lists
}

const histories, goroutines, each, width = 40, 64, 4, 6

func TestLinearizable(t *testing.T) {
	for seed := range uint64(histories) {
		fine := t.Run(fmt.Sprint("seed=", seed), func(t *testing.T) {
			l := newLedger(t, limit)
			history := record(width, workload(seed, goroutines, each), func(in input) output { return apply(l, in) })
			if got := judge(t, dumb{limit: limit}, history); got != porcupine.Ok {
				t.Errorf("a history of %d calls is %s", len(history), got)
			}
		})
		if !fine {
			return // to find that a history is illegal can take long
		}
	}
}

// All goroutines at once, on what is easy to search: they only reserve.
func TestLinearizableBurst(t *testing.T) {
	l := newLedger(t, limit)
	lists := make([][]input, goroutines)
	for g := range lists {
		lists[g] = []input{{call: "Reserve", op: fmt.Sprint("op", g), route: "a", units: 3}}
	}
	history := record(goroutines, lists, func(in input) output { return apply(l, in) })
	if got := judge(t, dumb{limit: limit}, history); got != porcupine.Ok {
		t.Errorf("the history is %s", got)
	}
	admitted := 0
	for _, o := range history {
		if o.Output.(output).err == nil {
			admitted++
		}
	}
	if want := (budget.Balance{Cap: limit, Pending: 18, Available: true}); admitted != 6 || l.Balance() != want {
		t.Errorf("%d are admitted, with %+v, want 6 with %+v", admitted, l.Balance(), want)
	}
}

// A workload in which some error never comes would show nothing of it.
func TestWorkloadMeetsEveryAnswer(t *testing.T) {
	seen := map[error]int{}
	for seed := range uint64(histories) {
		d := dumb{limit: limit}
		for _, list := range workload(seed, goroutines, each) {
			for _, in := range list {
				var out output
				d, out = d.step(in)
				seen[out.err]++
			}
		}
	}
	for _, err := range append(sentinels, nil) {
		if seen[err] < 10 {
			t.Errorf("%v: %d times, want 10 at least", err, seen[err])
		}
	}
}

// A broken ledger checks a call under its lock, lets go of it, and then acts on what it saw.
type broken struct {
	mu      sync.Mutex
	d       dumb
	between func(input) // what others do meanwhile
}

func (b *broken) do(in input) output {
	b.mu.Lock()
	next, out := b.d.step(in)
	b.mu.Unlock()
	b.between(in)
	b.mu.Lock()
	defer b.mu.Unlock()
	if in.call == "Balance" { // the other half of it is read now
		out.balance.Pending = b.d.balance().Pending
		return out
	}
	i := b.d.find(in.op)
	if i < 0 {
		i = b.d.find("")
	}
	if j := next.find(in.op); j >= 0 {
		b.d.entries[i] = next.entries[j]
	}
	return out
}

// meeting returns a function that returns once it was called n times.
func meeting(n int) func() {
	var met sync.WaitGroup
	met.Add(n)
	return func() { met.Done(); met.Wait() }
}

// The same harness has to notice a ledger that is not linearizable. Where the goroutines
// meet is arranged, so that it fails every time.
func TestBrokenLedgersAreIllegal(t *testing.T) {
	sent := dumb{limit: 10, entries: [most]entry{{op: "x", route: "a", bound: 6, dispatched: true}}}
	settle := input{call: "Settle", op: "x", units: 4}
	reserve := func(op string) []input { return []input{{call: "Reserve", op: op, route: "a", units: 3}} }
	both := meeting(2)
	eight := meeting(8)
	halfRead, settled := make(chan struct{}), make(chan struct{})
	for _, c := range []struct {
		name, why string
		from      dumb
		lists     [][]input
		between   func(input)
	}{
		{"reserve", "eight of 3 are admitted to 10", dumb{limit: 10},
			[][]input{reserve("1"), reserve("2"), reserve("3"), reserve("4"), reserve("5"), reserve("6"), reserve("7"), reserve("8")},
			func(input) { eight() }},
		{"settle", "one operation is settled twice", sent,
			[][]input{{settle}, {settle}},
			func(input) { both() }},
		{"balance", "what is settled is from before the settlement, and what is pending from after", sent,
			[][]input{{{call: "Balance"}}, {{call: "Status", op: "before"}, settle, {call: "Status", op: "after"}}},
			func(in input) {
				switch {
				case in.call == "Balance":
					close(halfRead)
					<-settled
				case in.op == "before":
					<-halfRead
				case in.op == "after":
					close(settled)
				}
			}},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := &broken{d: c.from, between: c.between}
			if got := judge(t, c.from, record(len(c.lists), c.lists, b.do)); got != porcupine.Illegal {
				t.Errorf("the history is %s, and %s", got, c.why)
			}
			whole := &broken{d: c.from, between: func(input) {}}
			alone := [][]input{{}}
			for _, list := range c.lists {
				alone[0] = append(alone[0], list...)
			}
			if got := judge(t, c.from, record(1, alone, whole.do)); got != porcupine.Ok {
				t.Errorf("the same calls one after the other are %s", got)
			}
		})
	}
}
