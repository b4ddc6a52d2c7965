package harness

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// A Claim is what the worker says of its own work. It is not evidence.
type Claim uint8

// The claims. NoClaim is also what is claimed if there is no receipt at all.
const (
	NoClaim Claim = iota
	Completed
	Failed
	Blocked // a policy refused it
	Cancelled
)

// An Effect is what the observer found to have happened outside of the worker.
type Effect uint8

// The effects. NoEffect is a finding; that nothing was found is Unknown.
const (
	Unknown Effect = iota
	NoEffect
	Partial
	Full
)

// A Decision is what to do next.
type Decision uint8

// The decisions.
const (
	Reconcile     Decision = iota // look at the authoritative state before anything else
	Advance                       // go on to the next piece of work
	Handoff                       // go on, and leave the retained service to the lease's owner
	StopPolicy                    // stop: a policy refused it, and nothing happened
	StopCancelled                 // stop: it was cancelled, and nothing happened
	Exhausted                     // stop: no attempts are left, and nothing happened
)

// The texts are part of what is published: they are never renamed.
var (
	claimNames    = []string{"none", "completed", "failed", "blocked", "cancelled"}
	effectNames   = []string{"unknown", "none", "partial", "full"}
	decisionNames = []string{"reconcile", "advance", "handoff", "stop_policy", "stop_cancelled", "exhausted"}
)

// String returns the claim's text, such as "completed", or "Claim(200)" for no claim of
// this package.
func (c Claim) String() string { return name(c, "Claim", claimNames) }

// String returns the effect's text, such as "partial", or "Effect(200)" for no effect of
// this package.
func (e Effect) String() string { return name(e, "Effect", effectNames) }

// String returns the decision's text, such as "stop_policy", or "Decision(200)" for no
// decision of this package.
func (d Decision) String() string { return name(d, "Decision", decisionNames) }

// ParseClaim reads exactly what String writes of the claims of this package.
func ParseClaim(text string) (Claim, error) { return parse[Claim](text, "claim", claimNames) }

// ParseEffect reads exactly what String writes of the effects of this package.
func ParseEffect(text string) (Effect, error) { return parse[Effect](text, "effect", effectNames) }

// ParseDecision reads exactly what String writes of the decisions of this package.
func ParseDecision(text string) (Decision, error) {
	return parse[Decision](text, "decision", decisionNames)
}

func name[T ~uint8](value T, kind string, names []string) string {
	if int(value) >= len(names) {
		return fmt.Sprintf("%s(%d)", kind, uint8(value))
	}
	return names[value]
}

func parse[T ~uint8](text, kind string, names []string) (T, error) {
	at := slices.Index(names, text)
	if at < 0 {
		return 0, fmt.Errorf("parse %s: %.40q is none; use one of %s", kind, text, strings.Join(names, ", "))
	}
	return T(at), nil
}

// An Identity is of one generation of one workload: a service that is started again has
// the next generation. Only a whole identity, without an empty text and with a generation
// of at least 1, names anything.
type Identity struct {
	Run        string // of the run that created the workload
	Owner      string // the session that owns it
	Workload   string
	Generation uint64
}

// String returns the identity on one line, for messages.
func (i Identity) String() string {
	return fmt.Sprintf("%q/%q/%q generation %d", i.Run, i.Owner, i.Workload, i.Generation)
}

// A Lease lets a workload outlive the work that started it, until Expiry. Its times are
// wall-clock instants.
type Lease struct {
	Identity    // what it was granted for
	Approved    time.Time
	PriorExpiry time.Time // when the workload would have had to end without it
	Expiry      time.Time
}

// A Receipt is all that Classify looks at. Its zero value is no receipt, and is to be
// reconciled. Everything but Claim is a trusted observer's, or the scheduler's own.
type Receipt struct {
	Claim    Claim
	Verified bool // the task that was given, and not another one, was checked to be done
	Captured bool // the observer missed nothing: without that there is no finding on effects
	Effect   Effect

	// NoOp says that the task permits to end without any effect.
	NoOp bool

	// Retained says that there is a lease. It is separate from Lease since a lease of
	// which nothing could be read is a lease still: it must not pass for none. The other
	// way round, a lease that is not empty is one without Retained, too, and then it does
	// not count.
	Retained bool
	Lease    Lease

	// Workload is the identity of what really runs, from another source than the lease,
	// and Now the time at which all of this was observed. They matter for a lease only.
	Workload Identity
	Now      time.Time
}
