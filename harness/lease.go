package harness

import (
	"fmt"
	"sync"
	"time"
)

// A request is a lease together with what it is checked against.
type request struct {
	Lease
	of  Identity
	now time.Time
}

// leaseFaults is why a lease does not count. The first that is found is reported, so that
// malformed input is never taken for a mismatch.
var leaseFaults = []struct {
	problem, remedy string
	found           func(request) bool
}{
	{"malformed: its identity is not whole", "record run, owner, workload and generation with the approval",
		func(r request) bool { return !r.Identity.whole() }},
	{"malformed: a time is missing", "record the approval, the prior expiry and the expiry",
		func(r request) bool { return r.Approved.IsZero() || r.PriorExpiry.IsZero() || r.Expiry.IsZero() }},
	{"malformed: it expires before its approval", "look at how its times were recorded",
		func(r request) bool { return r.Expiry.Before(r.Approved) }},
	{"the workload's identity is not whole", "take it from what started the workload",
		func(r request) bool { return !r.of.whole() }},
	{"the time of the check is missing", "pass the time of the observation",
		func(r request) bool { return r.now.IsZero() }},

	{"it is of another run", "have this run's workload approved",
		func(r request) bool { return r.Run != r.of.Run }},
	{"it is of another owner", "have this owner's workload approved",
		func(r request) bool { return r.Owner != r.of.Owner }},
	{"it is of another workload", "have this workload approved",
		func(r request) bool { return r.Workload != r.of.Workload }},
	{"it is of another generation", "have the generation that runs approved",
		func(r request) bool { return r.Generation != r.of.Generation }},

	{"its approval is in the future", "compare the clocks of who approves and who checks",
		func(r request) bool { return r.Approved.After(r.now) }},
	{"it was not approved before the prior expiry", "treat the workload as expired",
		func(r request) bool { return !r.Approved.Before(r.PriorExpiry) }},
	{"it does not extend the prior expiry", "have a later expiry approved",
		func(r request) bool { return !r.Expiry.After(r.PriorExpiry) }},
	{"it has expired", "treat the workload as expired",
		func(r request) bool { return !r.Expiry.After(r.now) }},
}

func (i Identity) whole() bool {
	return i.Run != "" && i.Owner != "" && i.Workload != "" && i.Generation != 0
}

// fault returns the index of the first fault, or -1 if the lease counts.
func (l Lease) fault(of Identity, now time.Time) int {
	// Round(0) drops the monotonic reading, which time's comparisons would prefer. It
	// stands still while a machine sleeps, and no other machine's can be compared to it.
	l.Approved, l.PriorExpiry, l.Expiry = l.Approved.Round(0), l.PriorExpiry.Round(0), l.Expiry.Round(0)
	r := request{l, of, now.Round(0)}
	for i, fault := range leaseFaults {
		if fault.found(r) {
			return i
		}
	}
	return -1
}

// Check returns nil if the lease counts at now for the workload whose identity is of, and
// otherwise the first thing that is wrong with it, and what to do. The identity must come
// from another source than the lease. A lease counts if
//
//   - it and of are the same whole Identity, the run included,
//   - it is approved: Approved is now or before it,
//   - it was approved in time: Approved is before PriorExpiry, and not at it,
//   - it extends: Expiry is after PriorExpiry, and not at it,
//   - it is not over: Expiry is after now, and not at it.
//
// Times are compared as wall-clock instants, in whatever zones; monotonic readings are
// ignored. Check takes now as it is: use a Clock against one that goes back.
//
// See Harness operations lab, section Receipt and adapter results, RC-08, RC-12, RC-14 and
// RC-16 to RC-20. That the run has to be equal, too, is an addition.
func (l Lease) Check(of Identity, now time.Time) error {
	at := l.fault(of, now)
	if at < 0 {
		return nil
	}
	fault := leaseFaults[at]
	return fmt.Errorf("check lease of %v for %v: %s; %s", l.Identity, of, fault.problem, fault.remedy)
}

// A Clock notices a wall clock that goes back, with which an expired lease would count
// once more. Its zero value has seen nothing yet; it must not be copied after its first
// use. It is safe for concurrent use.
//
// It remembers for as long as the process lives, and cannot tell a clock that was set back
// from one that had been set ahead by mistake: it refuses both, until the time that it has
// seen is reached again.
type Clock struct {
	mu     sync.Mutex
	latest time.Time
}

// Observe returns nil if now is the latest time seen so far or after it, and remembers it.
// An earlier time, and the zero time, are errors, and are not remembered. Among several
// goroutines a time that was read first can be observed second; Read does not have that.
func (c *Clock) Observe(now time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.observe(now)
}

// Read asks source, usually time.Now, for the time and observes it, with no other reading
// in between. On an error the time is zero, at which no lease counts. The source must not
// use the clock itself.
func (c *Clock) Read(source func() time.Time) (time.Time, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := source().Round(0)
	if err := c.observe(now); err != nil {
		return time.Time{}, err
	}
	return now, nil
}

func (c *Clock) observe(now time.Time) error {
	now = now.Round(0) // a wall clock that goes back has a monotonic reading that does not
	switch {
	case now.IsZero():
		return fmt.Errorf("observe clock: the time is missing; pass the time of the observation")
	case now.Before(c.latest):
		return fmt.Errorf("observe clock: it went back by %v; check no lease until it has caught up", c.latest.Sub(now))
	}
	c.latest = now
	return nil
}
