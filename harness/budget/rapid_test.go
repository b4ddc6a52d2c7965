package budget_test

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"example.com/commitpoint/harness/budget"
)

// drawn returns any call, with figures about the cap or small ones.
func drawn(t *rapid.T, limit budget.Units) input {
	figure := rapid.OneOf(
		rapid.Custom(func(t *rapid.T) budget.Units { return budget.Units(rapid.Int64Range(-1, 8).Draw(t, "small")) }),
		rapid.Custom(func(t *rapid.T) budget.Units { return limit - budget.Units(rapid.Int64Range(0, 8).Draw(t, "below")) }),
		rapid.Just(budget.Units(math.MaxInt64)),
	)
	return input{
		call:    rapid.SampledFrom(calls).Draw(t, "call"),
		op:      fmt.Sprint("op", rapid.IntRange(0, most-1).Draw(t, "op")),
		route:   rapid.SampledFrom([]string{"a", "a", "a", "b"}).Draw(t, "route"),
		units:   figure.Draw(t, "units"),
		outcome: budget.Outcome(rapid.IntRange(0, 2).Draw(t, "outcome")),
		up:      rapid.IntRange(0, 3).Draw(t, "up") > 0,
	}
}

// The ledger does what the dumb one does, and what it guarantees holds after every call.
func TestAgreesWithTheDumbLedger(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limit := rapid.SampledFrom([]budget.Units{0, 1, 10, 30, math.MaxInt64 - 1, math.MaxInt64}).Draw(t, "cap")
		l, err := budget.New(limit, "a")
		if err != nil {
			t.Fatal(err)
		}
		d := dumb{limit: limit}
		charged := map[string]bool{}
		for range rapid.IntRange(0, 80).Draw(t, "length") {
			in := drawn(t, limit)
			was := l.Status(in.op).State
			var want output
			d, want = d.step(in)
			if got := apply(l, in); got != want {
				t.Fatalf("%+v is answered with %+v, want %+v", in, got, want)
			}
			if got := l.Balance(); got != d.balance() {
				t.Fatalf("after %+v the balance is %+v, want %+v", in, got, d.balance())
			}
			if got := l.Status(in.op); got != d.status(in.op) {
				t.Fatalf("after %+v it is %v, want %v", in, got, d.status(in.op))
			}
			b := l.Balance()
			if b.Settled < 0 || b.Pending < 0 || b.Left() < 0 || b.Left() > limit {
				t.Fatalf("after %+v more is held than the cap: %+v", in, b)
			}
			if now := l.Status(in.op).State; now == budget.Settled && was != budget.Settled {
				if charged[in.op] {
					t.Fatalf("%s is settled twice", in.op)
				}
				charged[in.op] = true
			}
		}
	})
}
