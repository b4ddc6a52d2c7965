package harness

import (
	"context"
	"math"
	"strings"
	"testing"
)

// outcome is an attempt that failed for sure without effect, changed.
func outcome(class Class, changes ...func(*Receipt)) Outcome {
	r := Receipt{Claim: Failed, Captured: true, Effect: NoEffect, Workload: workload, Now: noon}
	for _, change := range changes {
		change(&r)
	}
	return Outcome{class, r}
}

func TestRetryRun(t *testing.T) {
	effect := func(e Effect) func(*Receipt) { return func(r *Receipt) { r.Effect = e } }
	claim := func(c Claim) func(*Receipt) { return func(r *Receipt) { r.Claim = c } }
	tests := []struct {
		id, name, why string
		policy        Retry
		outcomes      []Outcome // the last is that of all further attempts
		attempts      int
		want          Decision
	}{
		{"RT-01", "terminal refusal", "another attempt is refused, too", Retry{}, []Outcome{outcome(Terminal, claim(Blocked))}, 1, StopPolicy},
		{"RT-02", "transient without effect", "the budget is three", Retry{}, []Outcome{outcome(Transient)}, 3, Exhausted},
		{"RT-03", "unknown outcome", "nothing is known of it", Retry{}, []Outcome{{}}, 1, Reconcile},
		{"RT-04", "transient with effect", "the label authorizes nothing", Retry{}, []Outcome{outcome(Transient, effect(Full))}, 1, Reconcile},

		{"", "terminal, claimed as failed", "it is the scheduler's label", Retry{}, []Outcome{outcome(Terminal)}, 1, StopPolicy},
		{"", "terminal with partial effect", "something happened", Retry{}, []Outcome{outcome(Terminal, effect(Partial))}, 1, Reconcile},
		{"", "terminal, but claimed as completed", "they contradict each other", Retry{}, []Outcome{outcome(Terminal, claim(Completed))}, 1, Reconcile},
		{"", "terminal, but claimed as cancelled", "they contradict each other", Retry{}, []Outcome{outcome(Terminal, claim(Cancelled))}, 1, Reconcile},
		{"", "transient with partial effect", "something happened", Retry{}, []Outcome{outcome(Transient, effect(Partial))}, 1, Reconcile},
		{"", "transient with unknown effect", "something may have happened", Retry{}, []Outcome{outcome(Transient, effect(Unknown))}, 1, Reconcile},
		{"", "transient, capture incomplete", "something may have happened", Retry{}, []Outcome{outcome(Transient, func(r *Receipt) { r.Captured = false })}, 1, Reconcile},
		{"", "transient, but verified", "it is done", Retry{}, []Outcome{outcome(Transient, func(r *Receipt) { r.Verified = true })}, 1, Reconcile},
		{"", "transient, but a service is kept", "something happened", Retry{}, []Outcome{outcome(Transient, holding())}, 1, Reconcile},
		{"", "transient without a receipt", "there is no finding", Retry{}, []Outcome{{Class: Transient}}, 1, Reconcile},
		{"", "transient, but cancelled", "nobody wants it any more", Retry{}, []Outcome{outcome(Transient, claim(Cancelled))}, 1, Reconcile},
		{"", "failed without a label", "nobody says that it is transient", Retry{}, []Outcome{outcome(NoError)}, 1, Reconcile},
		{"", "label out of range", "it means nothing", Retry{}, []Outcome{outcome(200)}, 1, Reconcile},

		{"", "success at once", "what Classify says", Retry{}, []Outcome{{NoError, receipt()}}, 1, Advance},
		{"", "success with a lease", "what Classify says", Retry{}, []Outcome{{NoError, receipt(holding())}}, 1, Handoff},
		{"", "cancelled", "what Classify says", Retry{}, []Outcome{outcome(NoError, claim(Cancelled))}, 1, StopCancelled},
		{"", "success that is labelled transient", "they contradict each other", Retry{}, []Outcome{{Transient, receipt()}}, 1, Reconcile},
		{"", "success in the end", "the third is within the budget", Retry{}, []Outcome{outcome(Transient), outcome(Transient), {NoError, receipt()}}, 3, Advance},
		{"", "an effect in the end", "it stops there", Retry{Attempts: 9}, []Outcome{outcome(Transient), outcome(Transient, effect(Partial))}, 2, Reconcile},
		{"", "one attempt", "then none is left", Retry{Attempts: 1}, []Outcome{outcome(Transient)}, 1, Exhausted},
		{"", "five attempts", "all of them are made", Retry{Attempts: 5}, []Outcome{outcome(Transient)}, 5, Exhausted},
	}
	for _, tt := range tests {
		t.Run(strings.TrimSpace(tt.id+" "+tt.name), func(t *testing.T) {
			calls := 0
			attempts, d, err := tt.policy.Run(t.Context(), func(_ context.Context, number int) Outcome {
				if calls++; calls > 10 {
					t.Fatal("it does not end")
				}
				if number != calls {
					t.Errorf("call %d is for attempt %d", calls, number)
				}
				return tt.outcomes[min(calls, len(tt.outcomes))-1]
			})
			if err != nil || attempts != tt.attempts || d != tt.want || calls != attempts {
				t.Errorf("%d attempts by %d calls, %v, %v; want %d, %v: %s", attempts, calls, d, err, tt.attempts, tt.want, tt.why)
			}
		})
	}
}

func TestRetryEverything(t *testing.T) {
	counts := map[Decision]int{}
	total, again := 0, 0
	for _, c := range everything() {
		for _, class := range []Class{NoError, Transient, Terminal, 200} {
			for attempts := 1; attempts <= 3; attempts++ {
				total++
				more, d, err := Retry{Attempts: 2}.After(attempts, Outcome{class, c.receipt})
				wantMore, want := decidedAfter(attempts < 2, class, c)
				if err != nil || more != wantMore || d != want {
					t.Errorf("%v %v, attempt %d: %v, %v, %v; want %v, %v", class, c, attempts, more, d, err, wantMore, want)
				}
				if more {
					again++
				} else {
					counts[d]++
				}
			}
		}
	}
	// What is retried or exhausted: with the no-op permitted or not, at one attempt or two.
	want := map[Decision]int{Reconcile: 34515, Advance: 9, Handoff: 6, StopPolicy: 18, StopCancelled: 6, Exhausted: 4}
	for d := range Decision(len(decisionNames)) {
		if counts[d] != want[d] {
			t.Errorf("%d outcomes are %v, want %d", counts[d], d, want[d])
		}
	}
	if total != 34560 || again != 2 {
		t.Errorf("%d of %d are tried again, want 2 of 34560", again, total)
	}
}

// decidedAfter is After once more, the long way.
func decidedAfter(left bool, class Class, c combination) (bool, Decision) {
	if class == NoError {
		return false, decided(c)
	}
	r := c.receipt
	if !r.Captured || r.Effect != NoEffect || r.Verified || c.lease != "none" {
		return false, Reconcile
	}
	if class == Terminal && (r.Claim == Blocked || r.Claim == Failed) {
		return false, StopPolicy
	}
	if class == Transient && r.Claim == Failed {
		if left {
			return true, Reconcile
		}
		return false, Exhausted
	}
	return false, Reconcile
}

func TestRetryRefuses(t *testing.T) {
	tests := []struct {
		name, why string
		policy    Retry
		attempts  int
		want      string
	}{
		{"negative policy", "it is no budget", Retry{Attempts: -1}, 1, "-1 attempts; use at least 1, or 0 for 3"},
		{"lowest policy", "it is no budget", Retry{Attempts: math.MinInt}, 1, "use at least 1"},
		{"attempt 0", "none was made", Retry{}, 0, "attempt 0: there is none such; count from 1"},
		{"attempt -1", "none was made", Retry{}, -1, "attempt -1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			again, d, err := tt.policy.After(tt.attempts, outcome(Transient))
			if again || d != Reconcile || err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v, %v, %v; want %q: %s", again, d, err, tt.want, tt.why)
			}
		})
	}
	if again, d, err := (Retry{Attempts: 2}).After(7, outcome(Transient)); again || d != Exhausted || err != nil {
		t.Errorf("after more attempts than there are: %v, %v, %v", again, d, err)
	}
	never := func(context.Context, int) Outcome { t.Error("an attempt was made"); return Outcome{} }
	if n, d, err := (Retry{Attempts: -1}).Run(t.Context(), never); n != 0 || d != Reconcile || err == nil {
		t.Errorf("a negative policy: %d, %v, %v", n, d, err)
	}
	if n, d, err := (Retry{}).Run(t.Context(), nil); n != 0 || d != Reconcile || err == nil || !strings.Contains(err.Error(), "pass one") {
		t.Errorf("no function: %d, %v, %v", n, d, err)
	}
}

func TestRetryRunIsCancelled(t *testing.T) {
	tests := []struct {
		name, why string
		at        int // the attempt in which the context is cancelled; 0 is before the first
		outcome   Outcome
		attempts  int
		want      Decision
	}{
		{"before the first", "nothing happened", 0, outcome(Transient), 0, StopCancelled},
		{"in the second", "neither of them had an effect", 2, outcome(Transient), 2, StopCancelled},
		{"in the last", "none is left anyway", 3, outcome(Transient), 3, Exhausted},
		{"in one that succeeds", "it is done", 1, Outcome{NoError, receipt()}, 1, Advance},
		{"in one of unknown outcome", "it may have had an effect", 1, Outcome{}, 1, Reconcile},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if tt.at == 0 {
				cancel()
			}
			attempts, d, err := Retry{}.Run(ctx, func(given context.Context, number int) Outcome {
				if given != ctx {
					t.Error("it is given another context")
				}
				if number == tt.at {
					cancel()
				}
				return tt.outcome
			})
			if attempts != tt.attempts || d != tt.want || err != nil {
				t.Errorf("%d attempts, %v, %v; want %d, %v: %s", attempts, d, err, tt.attempts, tt.want, tt.why)
			}
		})
	}
}
