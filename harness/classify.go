package harness

// A standing is what becomes of a receipt's lease.
type standing uint8

const (
	noLease standing = iota
	counts
	doesNotCount
)

// standing returns what becomes of the lease, and why it does not count.
func (r Receipt) standing() (standing, string) {
	if !r.Retained {
		if r.Lease == (Lease{}) {
			return noLease, ""
		}
		return doesNotCount, "the receipt does not say that there is one"
	}
	if at := r.Lease.fault(r.Workload, r.Now); at >= 0 {
		return doesNotCount, leaseFaults[at].problem
	}
	return counts, ""
}

// An is lists the values that a column of a table allows. An empty one allows each, also
// those that this package does not know.
type is[T comparable] []T

func (allowed is[T]) has(value T) bool {
	for _, a := range allowed {
		if a == value {
			return true
		}
	}
	return len(allowed) == 0
}

var (
	yes = is[bool]{true}
	no  = is[bool]{false}
)

// A pattern is what a row of a table asks of a receipt.
type pattern struct {
	claim              is[Claim]
	verified, captured is[bool]
	effect             is[Effect]
	noOp               is[bool]
	lease              is[standing]
}

func (p pattern) matches(r Receipt, lease standing) bool {
	return p.claim.has(r.Claim) && p.verified.has(r.Verified) && p.captured.has(r.Captured) &&
		p.effect.has(r.Effect) && p.noOp.has(r.NoOp) && p.lease.has(lease)
}

// leaseFault is the reason that Why completes with what is wrong with the lease.
const leaseFault = "lease"

type row struct {
	pattern
	decision Decision
	why      string
}

// decisions is the whole of Classify: the first row that matches decides. The rows above
// the line exclude each other and say in each column what they need. Those below only say
// why nothing was decided, most basic reason first; the last takes everything.
var decisions = []row{
	{pattern{is[Claim]{Completed}, yes, yes, is[Effect]{Full}, nil, is[standing]{noLease}},
		Advance, "verified, effect captured in full"},
	{pattern{is[Claim]{Completed}, yes, yes, is[Effect]{NoEffect}, yes, is[standing]{noLease}},
		Advance, "verified, permitted no-op"},
	{pattern{is[Claim]{Completed}, yes, yes, is[Effect]{Full}, nil, is[standing]{counts}},
		Handoff, "verified, effect captured in full, lease counts"},
	// A task that is verified was done, so that it was not blocked or cancelled.
	{pattern{is[Claim]{Blocked}, no, yes, is[Effect]{NoEffect}, nil, is[standing]{noLease}},
		StopPolicy, "blocked, no effect"},
	{pattern{is[Claim]{Cancelled}, no, yes, is[Effect]{NoEffect}, nil, is[standing]{noLease}},
		StopCancelled, "cancelled, no effect"},

	// ----
	{pattern{claim: is[Claim]{NoClaim}}, Reconcile, "no receipt"},
	// Who missed something cannot say that nothing happened either.
	{pattern{captured: no}, Reconcile, "capture incomplete"},
	{pattern{effect: is[Effect]{Unknown}}, Reconcile, "effect unknown"},
	{pattern{effect: is[Effect]{Partial}}, Reconcile, "partial effect"},
	{pattern{lease: is[standing]{doesNotCount}}, Reconcile, leaseFault},
	{pattern{claim: is[Claim]{Failed}}, Reconcile, "failed"},
	{pattern{claim: is[Claim]{Completed}, verified: no}, Reconcile, "not verified"},
	{pattern{claim: is[Claim]{Completed}, effect: is[Effect]{NoEffect}, noOp: no}, Reconcile, "no-op not permitted"},
	{pattern{claim: is[Claim]{Completed}, effect: is[Effect]{NoEffect}}, Reconcile, "no effect, but a lease"},
	{pattern{claim: is[Claim]{Blocked}, effect: is[Effect]{Full}}, Reconcile, "claims blocked, effect confirmed"},
	{pattern{claim: is[Claim]{Cancelled}, effect: is[Effect]{Full}}, Reconcile, "claims cancelled, effect confirmed"},
	{pattern{claim: is[Claim]{Blocked}, verified: yes}, Reconcile, "claims blocked, task verified"},
	{pattern{claim: is[Claim]{Cancelled}, verified: yes}, Reconcile, "claims cancelled, task verified"},
	{pattern{claim: is[Claim]{Blocked}, effect: is[Effect]{NoEffect}}, Reconcile, "claims blocked, but a lease"},
	{pattern{claim: is[Claim]{Cancelled}, effect: is[Effect]{NoEffect}}, Reconcile, "claims cancelled, but a lease"},
	{pattern{}, Reconcile, "unknown claim or effect"},
}

// Classify returns what to do next about the work of which r is the receipt. It is total:
// values that this package does not know, and combinations without a rule, are Reconcile.
// It decides
//
//   - Advance for a verified completion with its full effect, or without any where the
//     task permits that, and no lease,
//   - Handoff for a verified completion with its full effect and a lease that counts,
//   - StopPolicy for a blocked and StopCancelled for a cancelled task that is not verified,
//     without effect and without a lease,
//
// each only if capture was complete. A lease that does not count always makes it
// Reconcile. Classify never returns Exhausted.
//
// It reads no clock, and has no memory: the same receipt is decided in the same way each
// time, and to hand out a decision once only is up to the caller.
//
// See Harness operations lab, section Receipt and adapter results, RC-01 to RC-20.
func Classify(r Receipt) Decision {
	deciding, _ := decide(r)
	return deciding.decision
}

// Why returns, in a few words, what Classify's decision came from. It is for people: the
// words can change, and do not tell everything that is wrong, only what comes first.
func (r Receipt) Why() string {
	deciding, fault := decide(r)
	if deciding.why == leaseFault {
		return leaseFault + ": " + fault
	}
	return deciding.why
}

// decide returns the row that decides, and what is wrong with the lease.
func decide(r Receipt) (row, string) {
	lease, fault := r.standing()
	for _, row := range decisions {
		if row.matches(r, lease) {
			return row, fault
		}
	}
	return row{}, "" // not reached: the last row takes everything; and it is Reconcile, too
}
