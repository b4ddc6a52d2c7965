package checks

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/commitpoint/harness"
	"example.com/commitpoint/harness/adapter"
)

// A broken is a library with a defect, and the checks that have to fail on it, with one
// observation among those.
type broken struct {
	name string
	is   library
	fail string // ids, separated by blanks
	seen string
}

// blind is a classifier that does not see something: it takes the receipt as changed.
func blind(change func(*harness.Receipt)) library {
	l := ours
	l.classify = func(r harness.Receipt) harness.Decision {
		change(&r)
		return harness.Classify(r)
	}
	return l
}

func always(d harness.Decision) library {
	l := ours
	l.classify = func(harness.Receipt) harness.Decision { return d }
	return l
}

// Each receipt that is to be reconciled is decided once its one fault is not seen.
var classifiers = []broken{
	{"advances always", always(harness.Advance),
		"RC-03 RC-04 RC-05 RC-06 RC-07 RC-08 RC-09 RC-10 RC-11 RC-12 RC-13 RC-14 RC-15 RC-16 RC-17 RC-18 RC-19 RC-20",
		"advance; expected handoff"},
	{"reconciles always", always(harness.Reconcile), "RC-01 RC-02 RC-06 RC-07 RC-08 AD-01",
		"reconcile: verified, effect captured in full; expected advance"},
	{"takes partial for none, and failure for a refusal", blind(func(r *harness.Receipt) {
		if r.Claim == harness.Failed {
			r.Claim, r.Effect = harness.Blocked, harness.NoEffect
		}
	}), "RC-03", "stop_policy; expected reconcile"},
	{"believes the claim", blind(func(r *harness.Receipt) { r.Verified = r.Verified || r.Claim == harness.Completed }),
		"RC-04", "advance; expected reconcile"},
	{"takes nothing for a success", blind(func(r *harness.Receipt) {
		if *r == (harness.Receipt{}) {
			*r = harness.Receipt{Claim: harness.Completed, Verified: true, Captured: true, Effect: harness.Full}
		}
	}), "RC-05", "advance; expected reconcile"},
	{"believes who was blocked", blind(func(r *harness.Receipt) {
		if r.Claim == harness.Blocked {
			r.Effect = harness.NoEffect
		}
	}), "RC-09", "stop_policy; expected reconcile"},
	{"ignores gaps", blind(func(r *harness.Receipt) { r.Captured = true }), "RC-10", "advance; expected reconcile"},
	{"takes unknown for none", blind(func(r *harness.Receipt) {
		if r.Effect == harness.Unknown {
			r.Effect = harness.NoEffect
		}
	}), "RC-11", "stop_cancelled; expected reconcile"},
	{"takes partial for full", blind(func(r *harness.Receipt) {
		if r.Effect == harness.Partial {
			r.Effect = harness.Full
		}
	}), "RC-13", "advance; expected reconcile"},
	{"permits no-ops", blind(func(r *harness.Receipt) { r.NoOp = true }), "RC-15", "advance; expected reconcile"},
	{"does not see leases", blind(func(r *harness.Receipt) { r.Retained, r.Lease = false, harness.Lease{} }),
		"RC-08 RC-12 RC-14 RC-16 RC-17 RC-18 RC-19 RC-20", "advance; expected handoff"},
	{"permits late approvals", blind(func(r *harness.Receipt) {
		if r.Lease.Approved.After(r.Lease.PriorExpiry) {
			r.Lease.PriorExpiry = r.Lease.Approved.Add(time.Second)
		}
	}), "RC-12", "handoff; expected reconcile"},
	{"fills in what is missing", blind(func(r *harness.Receipt) {
		if r.Retained && r.Lease.Approved.IsZero() {
			r.Lease.Approved, r.Lease.PriorExpiry = hours(-2), hours(-1)
		}
	}), "RC-14", "handoff; expected reconcile"},
	{"ignores generations", blind(func(r *harness.Receipt) { r.Lease.Generation = present(r, r.Workload.Generation) }),
		"RC-16", "handoff; expected reconcile"},
	{"ignores owners", blind(func(r *harness.Receipt) { r.Lease.Owner = present(r, r.Workload.Owner) }),
		"RC-17", "handoff; expected reconcile"},
	{"ignores workloads", blind(func(r *harness.Receipt) { r.Lease.Workload = present(r, r.Workload.Workload) }),
		"RC-18", "handoff; expected reconcile"},
	{"permits approvals ahead", blind(func(r *harness.Receipt) {
		if r.Lease.Approved.After(r.Now) {
			r.Lease.Approved = r.Now
		}
	}), "RC-19", "handoff; expected reconcile"},
	{"ignores the end", blind(func(r *harness.Receipt) {
		if r.Lease.Expiry.Before(r.Now) && r.Retained {
			r.Lease.Expiry = r.Now.Add(time.Second)
		}
	}), "RC-20", "handoff; expected reconcile"},
}

// present returns a value for a receipt with a lease, and zero for one without.
func present[T any](r *harness.Receipt, v T) (none T) {
	if r.Retained {
		return v
	}
	return none
}

// normalizing returns a library whose normalization is changed at its end.
func normalizing(change func(name string, r harness.Receipt, err error) (harness.Receipt, error)) library {
	l := ours
	l.normalize = func(name string, payload []byte) (harness.Receipt, error) {
		r, err := ours.normalize(name, payload)
		return change(name, r, err)
	}
	return l
}

var errNoPlace = errors.New("no")

var normalizations = []broken{
	{"drops a fact of one shape", normalizing(func(name string, r harness.Receipt, err error) (harness.Receipt, error) {
		r.Captured = r.Captured && name != adapter.FixtureB
		return r, err
	}), "AD-01", "different receipts, advance and reconcile; expected equal receipts, advance"},
	{"drops a fact of both", normalizing(func(_ string, r harness.Receipt, err error) (harness.Receipt, error) {
		r.Captured = false
		return r, err
	}), "AD-01", "equal receipts, reconcile; expected equal receipts, advance"},
	{"refuses the first", normalizing(func(name string, r harness.Receipt, err error) (harness.Receipt, error) {
		if err == nil && name == adapter.FixtureA {
			return harness.Receipt{}, errNoPlace
		}
		return r, err
	}), "AD-01", "refused: no; expected equal receipts, advance"},
	{"refuses the second", normalizing(func(name string, r harness.Receipt, err error) (harness.Receipt, error) {
		if err == nil && name == adapter.FixtureB {
			return harness.Receipt{}, errNoPlace
		}
		return r, err
	}), "AD-01", "refused: no; expected equal receipts, advance"},
	{"takes an unknown adapter", normalizing(func(name string, r harness.Receipt, err error) (harness.Receipt, error) {
		if name == "fixture-c" {
			return r, nil
		}
		return r, err
	}), "AD-02", "5 of 6 refused: unknown adapter is taken; expected 6 of 6 refused"},
	{"names no path", normalizing(func(_ string, r harness.Receipt, err error) (harness.Receipt, error) {
		if err != nil && strings.Contains(err.Error(), "$.outcome:") {
			return r, errNoPlace
		}
		return r, err
	}), "AD-02", "5 of 6 refused: list outcome is refused without $.outcome:; expected 6 of 6 refused"},
	{"returns a receipt, too", normalizing(func(name string, r harness.Receipt, err error) (harness.Receipt, error) {
		if err != nil && name == adapter.FixtureB {
			return harness.Receipt{Verified: true}, err
		}
		return r, err
	}), "AD-02", "5 of 6 refused: malformed nested shape is refused with a receipt; expected 6 of 6 refused"},
}

// trying returns a library with other attempts.
func trying(attempts func(context.Context, func(context.Context, int) harness.Outcome) (int, harness.Decision, error)) library {
	l := ours
	l.attempts = attempts
	return l
}

// mislabelled sees other outcomes than there are.
func mislabelled(change func(*harness.Outcome)) library {
	return trying(func(ctx context.Context, attempt func(context.Context, int) harness.Outcome) (int, harness.Decision, error) {
		return ours.attempts(ctx, func(ctx context.Context, n int) harness.Outcome {
			o := attempt(ctx, n)
			change(&o)
			return o
		})
	})
}

var policies = []broken{
	{"repeats what was refused", mislabelled(func(o *harness.Outcome) {
		if o.Class == harness.Terminal {
			o.Class = harness.Transient
		}
	}), "RT-01", "3 attempts, exhausted; expected 1 attempt, stop_policy"},
	{"has a budget of two", trying(harness.Retry{Attempts: 2}.Run), "RT-02", "2 attempts, exhausted; expected 3 attempts, exhausted"},
	{"has a budget of four", trying(harness.Retry{Attempts: 4}.Run), "RT-02", "4 attempts, exhausted; expected 3 attempts, exhausted"},
	{"has no end", trying(harness.Retry{Attempts: 1 << 30}.Run), "RT-02", "panic: 10 attempts, and no end"},
	{"repeats what is unknown", mislabelled(func(o *harness.Outcome) {
		if *o == (harness.Outcome{}) {
			o.Class, o.Receipt = harness.Transient, failed
		}
	}), "RT-03", "3 attempts, exhausted; expected 1 attempt, reconcile"},
	{"goes by the label", mislabelled(func(o *harness.Outcome) {
		if o.Class == harness.Transient && o.Receipt.Effect == harness.Full {
			o.Receipt.Effect = harness.NoEffect
		}
	}), "RT-04", "3 attempts, exhausted; expected 1 attempt, reconcile"},
	{"counts wrongly", trying(func(ctx context.Context, attempt func(context.Context, int) harness.Outcome) (int, harness.Decision, error) {
		n, d, err := ours.attempts(ctx, attempt)
		return n + 1, d, err
	}), "RT-01 RT-02 RT-03 RT-04", "4 attempts, exhausted: 3 were made; expected 3 attempts, exhausted"},
	{"makes no decision", trying(harness.Retry{Attempts: -1}.Run), "RT-01 RT-02 RT-03 RT-04",
		"no decision: run attempts: read retry policy: -1 attempts; use at least 1, or 0 for 3; expected 1 attempt, stop_policy"},
}

func TestEveryCheckCanFail(t *testing.T) {
	never := map[string]bool{}
	for _, c := range observations {
		never[c.ID] = true
	}
	for _, b := range slices.Concat(classifiers, normalizations, policies, ledgers) {
		t.Run(b.name, func(t *testing.T) {
			var failed, seen []string
			for _, c := range b.is.run(context.Background(), contracts()) {
				if c.Result == Fail {
					failed, seen = append(failed, c.ID), append(seen, c.Observation)
					delete(never, c.ID)
				}
			}
			if got := strings.Join(failed, " "); got != b.fail {
				t.Errorf("%s fail, want %s", got, b.fail)
			}
			if !slices.Contains(seen, b.seen) {
				t.Errorf("the failures are\n%s\nwant among them\n%s", strings.Join(seen, "\n"), b.seen)
			}
		})
	}
	if len(never) > 0 {
		t.Errorf("nothing makes these fail: %v", never)
	}
}
