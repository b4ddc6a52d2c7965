package checks

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/commitpoint/harness"
	"example.com/commitpoint/harness/budget"
)

var observations = []Case{
	{"RC-01", Pass, "advance"},
	{"RC-02", Pass, "advance"},
	{"RC-03", Pass, "reconcile: partial effect"},
	{"RC-04", Pass, "reconcile: not verified"},
	{"RC-05", Pass, "reconcile: no receipt"},
	{"RC-06", Pass, "stop_policy"},
	{"RC-07", Pass, "stop_cancelled"},
	{"RC-08", Pass, "handoff"},
	{"RC-09", Pass, "reconcile: claims blocked, effect confirmed"},
	{"RC-10", Pass, "reconcile: capture incomplete"},
	{"RC-11", Pass, "reconcile: effect unknown"},
	{"RC-12", Pass, "reconcile: lease: it was not approved before the prior expiry"},
	{"RC-13", Pass, "reconcile: partial effect"},
	{"RC-14", Pass, "reconcile: lease: malformed: a time is missing"},
	{"RC-15", Pass, "reconcile: no-op not permitted"},
	{"RC-16", Pass, "reconcile: lease: it is of another generation"},
	{"RC-17", Pass, "reconcile: lease: it is of another owner"},
	{"RC-18", Pass, "reconcile: lease: it is of another workload"},
	{"RC-19", Pass, "reconcile: lease: its approval is in the future"},
	{"RC-20", Pass, "reconcile: lease: it has expired"},
	{"AD-01", Pass, "equal receipts, advance"},
	{"AD-02", Pass, `6 of 6 refused: unknown adapter ("fixture-c"), malformed nested shape ($.evidence.capture), ` +
		`absent receipt ("fixture-a"), null payload ($), list payload ($), list outcome ($.outcome)`},
	{"RT-01", Pass, "1 attempt, stop_policy"},
	{"RT-02", Pass, "3 attempts, exhausted"},
	{"RT-03", Pass, "1 attempt, reconcile"},
	{"RT-04", Pass, "1 attempt, reconcile"},
	{"BU-01", Pass, "3 admitted, 5 over the cap; 9 of 10 units reserved"},
	{"BU-02", Pass, "original of 6: ok, retry of 6: over the cap, fallback of 5: over the cap; " +
		"0 settled, 6 reserved, 0 dispatched"},
	{"BU-03", Pass, "original of 6: ok, dispatch: ok, cancel: ok, the same again: known already, dispatch again: not now; " +
		"0 settled, 6 reserved, 1 dispatched"},
	{"BU-04", Pass, "original of 6: ok, dispatch: ok, reconcile at 4: ok, next of 6: ok, settle again: settled already; " +
		"4 settled, 6 reserved, 1 dispatched"},
	{"BU-05", Pass, "first of 6: accounting unavailable, unpriced: no price, dispatch: not admitted; 0 settled, 0 reserved, 0 dispatched; " +
		"priced of 6: ok, dispatch: ok; 0 settled, 6 reserved, 1 dispatched"},
	{"BU-06", Pass, "original of 6: ok, dispatch: ok, charge of 7: over the bound; 0 settled, 6 reserved, 1 dispatched"},
}

// Many times, since BU-01 has goroutines.
func TestContracts(t *testing.T) {
	for range 50 {
		if diff := cmp.Diff(observations, Contracts(context.Background())); diff != "" {
			t.Fatalf("other cases (-want +got):\n%s", diff)
		}
	}
}

func TestAll(t *testing.T) {
	var want []string
	for _, series := range []struct {
		prefix string
		last   int
	}{{"RC", 20}, {"AD", 2}, {"RT", 4}, {"BU", 6}, {"LC", 8}} {
		for n := 1; n <= series.last; n++ {
			want = append(want, fmt.Sprintf("%s-%02d", series.prefix, n))
		}
	}
	var got []string
	situations := map[string]string{}
	for _, c := range All() {
		got = append(got, c.ID)
		if other, twice := situations[c.Situation]; twice || c.Situation == "" || c.Expected == "" {
			t.Errorf("%s: situation %q (also of %q), expected %q", c.ID, c.Situation, other, c.Expected)
		}
		situations[c.Situation] = c.ID
		if Situation(c.ID) != c.Situation {
			t.Errorf("the situation of %s is %q, want %q", c.ID, Situation(c.ID), c.Situation)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" || len(got) != 40 {
		t.Errorf("other ids (-want +got):\n%s", diff)
	}
	if got := Situation("HB-01"); got != "" {
		t.Errorf("HB-01 is %q, want none", got)
	}
}

func TestExpectedDecisions(t *testing.T) {
	count := map[string]int{}
	for _, c := range All()[:20] {
		count[c.Expected]++
	}
	want := map[string]int{"advance": 2, "handoff": 1, "stop_policy": 1, "stop_cancelled": 1, "reconcile": 15}
	if diff := cmp.Diff(want, count); diff != "" {
		t.Errorf("other decisions (-want +got):\n%s", diff)
	}
}

func TestDoneContextLeavesTheRestNotRun(t *testing.T) {
	for _, c := range []struct {
		name  string
		after int // receipts that are classified before
	}{
		{"before the first", 0},
		{"in the third", 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			ctx, cancel := context.WithCancelCause(context.Background())
			why := errors.New("the machine\nis needed")
			if c.after == 0 {
				cancel(why)
			}
			n := 0
			l := ours
			l.classify = func(r harness.Receipt) harness.Decision {
				if n++; n == c.after {
					cancel(why)
				}
				return harness.Classify(r)
			}
			want := append([]Case{}, observations...)
			for i := c.after; i < len(want); i++ {
				want[i] = Case{want[i].ID, NotRun, "not run: the machine is needed"}
			}
			if diff := cmp.Diff(want, l.run(ctx, contracts())); diff != "" {
				t.Errorf("other cases (-want +got):\n%s", diff)
			}
		})
	}
}

// An attempt is not told of a context that ends while it runs.
func TestDoneContextDoesNotChangeADecision(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	l := ours
	l.attempts = func(ctx context.Context, attempt func(context.Context, int) harness.Outcome) (int, harness.Decision, error) {
		cancel()
		return ours.attempts(ctx, attempt)
	}
	got := l.run(ctx, retryChecks())
	want := []Case{{"RT-01", Pass, "1 attempt, stop_policy"}}
	for _, id := range []string{"RT-02", "RT-03", "RT-04"} {
		want = append(want, Case{id, NotRun, "not run: context canceled"})
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("other cases (-want +got):\n%s", diff)
	}
}

func TestPanicIsAFailure(t *testing.T) {
	l := ours
	l.classify = func(harness.Receipt) harness.Decision { panic("no such\n\tclaim") }
	for _, c := range l.run(context.Background(), receiptChecks()) {
		if c.Result != Fail || c.Observation != "panic: no such claim" {
			t.Errorf("%+v, want a failure with the panic's text", c)
		}
	}
}

// BU-01 asks in goroutines, whose panics would end the program.
func TestPanicInAGoroutineIsAFailure(t *testing.T) {
	l := keeping(defect{reserve: func(_ *budget.Ledger, op, _ string, _ budget.Units) error {
		if op == "request 5" {
			panic("not this one")
		}
		return nil
	}})
	want := Case{"BU-01", Fail, "panic: not this one"}
	if got := l.run(context.Background(), budgetChecks())[0]; got != want {
		t.Errorf("the case is %+v, want %+v", got, want)
	}
}
