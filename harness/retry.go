package harness

import (
	"context"
	"fmt"
)

// A Class is how the scheduler, and not the worker, labels what came back from an attempt.
type Class uint8

// The classes.
const (
	NoError   Class = iota
	Transient       // an error that another attempt may not meet
	Terminal        // a policy's refusal, which another attempt would meet again
)

// String returns the class's text, such as "transient", or "Class(200)" for no class of
// this package.
func (c Class) String() string { return name(c, "Class", []string{"none", "transient", "terminal"}) }

// An Outcome is what is known of one attempt. Its zero value is an unknown outcome, and
// is to be reconciled.
type Outcome struct {
	Class   Class
	Receipt Receipt
}

// A Retry is the policy for attempts at the same piece of work.
type Retry struct {
	Attempts int // at most so many in total, the first included; 0 means 3
}

const defaultAttempts = 3

// untouched is what every outcome has to show before an attempt may be forgotten about:
// the label alone authorizes nothing. The claim is asked for, too, since an error beside
// a claim of completion or cancellation contradicts it, and so does a lease.
func untouched(claims ...Claim) pattern {
	return pattern{claim: claims, verified: no, captured: yes, effect: is[Effect]{NoEffect}, lease: is[standing]{noLease}}
}

// retries decides after an attempt that ended with an error: the first row that matches.
// Without any it is Reconcile.
var retries = []struct {
	class Class
	pattern
	left     is[bool] // attempts are left
	again    bool
	decision Decision
}{
	{Transient, untouched(Failed), yes, true, Reconcile},
	{Transient, untouched(Failed), no, false, Exhausted},
	{Terminal, untouched(Failed, Blocked), nil, false, StopPolicy},
}

// After decides after the attempt number attempts, counted from 1, with outcome o. Either
// again is true and another attempt may be made now, or d is final.
//
// Another attempt needs all of: the class Transient, a claim of failure that verification
// does not contradict, complete capture, confirmed absence of an effect, no lease, and an
// attempt that is left. If only the last is missing, d is Exhausted, also where more
// attempts were made than the policy allows. A refusal (Terminal) that is just as surely
// without effect, claimed as failed or blocked, is StopPolicy at once. Without an error d
// is what Classify says. Everything else is Reconcile.
//
// A negative Retry.Attempts, or attempts below 1, is an error; again is then false and d
// Reconcile. d is Reconcile also while again is true, for a caller who looks at d only.
//
// See Harness operations lab, section Retry results, RT-01 to RT-04.
func (r Retry) After(attempts int, o Outcome) (again bool, d Decision, err error) {
	limit, err := r.limit()
	if err != nil {
		return false, Reconcile, err
	}
	if attempts < 1 {
		return false, Reconcile, fmt.Errorf("decide after attempt %d: there is none such; count from 1", attempts)
	}
	again, d = o.decide(attempts < limit)
	return again, d, nil
}

// decide decides after an attempt, where attempts are left or not.
func (o Outcome) decide(left bool) (again bool, d Decision) {
	if o.Class == NoError {
		return false, Classify(o.Receipt)
	}
	lease, _ := o.Receipt.standing()
	for _, rule := range retries {
		if rule.class == o.Class && rule.matches(o.Receipt, lease) && rule.left.has(left) {
			return rule.again, rule.decision
		}
	}
	return false, Reconcile
}

func (r Retry) limit() (int, error) {
	switch {
	case r.Attempts < 0:
		return 0, fmt.Errorf("read retry policy: %d attempts; use at least 1, or 0 for %d", r.Attempts, defaultAttempts)
	case r.Attempts == 0:
		return defaultAttempts, nil
	}
	return r.Attempts, nil
}

// Run makes attempts, numbered from 1, until After has a final decision, and returns that
// and how many it made. It does not wait in between; attempt can, before it starts.
//
// A context that is done prevents the next attempt, not the one that runs, whose outcome
// counts as any other. The decision is then StopCancelled, which is sound: every attempt
// so far was confirmed to be without effect. An error is about the policy or a missing
// function, and no attempt was made.
func (r Retry) Run(ctx context.Context, attempt func(ctx context.Context, number int) Outcome) (attempts int, d Decision, err error) {
	if attempt == nil {
		return 0, Reconcile, fmt.Errorf("run attempts: there is no function; pass one that makes an attempt")
	}
	limit, err := r.limit()
	if err != nil {
		return 0, Reconcile, fmt.Errorf("run attempts: %w", err)
	}
	for again := true; again; {
		if ctx.Err() != nil {
			return attempts, StopCancelled, nil
		}
		attempts++
		again, d = attempt(ctx, attempts).decide(attempts < limit)
	}
	return attempts, d, nil
}
