package episode

import "strings"

// Reasons are facts for which a yes is wrong.
type Reasons uint16

// The reasons.
const (
	Revoked          Reasons = 1 << iota // the authority of the first
	Replaced                             // the first is not the carrier any more
	NoFreshAuthority                     // the successor has none of its own
	NotApproved                          // the purchase is above the threshold
	NoEvidence                           // what admission has to wait for
	StaleView                            // what was observed is not what there is
	NoDecision                           // the latest admission did not come to ALLOW
	ByAnother                            // the resource is reserved by another
	NoReservation                        // the resource is not reserved for the purchase
	UnknownEffect                        // nobody knows that the purchase took effect
	KnownEffect                          // it is known to have taken effect already
	Contested                            // sources contradict each other about that
	NotAccepted                          // no outcome evidence was, rightly
	OpenObligation                       // what was promised is neither provided nor taken over
)

// NumReasons is their number.
const NumReasons = 14

var reasonNames = [NumReasons]string{
	"revoked", "replaced", "no-fresh-authority", "not-approved", "no-evidence", "stale-view", "no-decision",
	"reserved-by-another", "no-reservation", "unknown-effect", "known-effect", "contested", "no-accepted-evidence", "open-obligation",
}

// Names returns the reasons' names.
func (r Reasons) Names() []string { return names(uint(r), reasonNames[:]) }

// String joins the names.
func (r Reasons) String() string { return strings.Join(r.Names(), ", ") }

// Properties are those that a service has to have, and that a history shows to be broken.
type Properties uint16

// The properties.
const (
	AllowsUnguarded Properties = 1 << iota
	ReservesUncovered
	DispatchesUncovered
	RewritesDecision
	ErasesObligation
	DispatchesUnauthorized
	ReservesTwice
	FulfillsFalsely
	DispatchesAgain
	RewritesHistory
	RefusesDue
)

// PropertyNames says what a service without the flaw does, property by property.
var PropertyNames = [...]string{
	"ALLOW only if every guard passes on a current view",
	"a reservation takes a current ALLOW",
	"nothing is dispatched without a current ALLOW and a reservation",
	"an approval rewrites no decision",
	"a revocation erases no obligation",
	"a successor dispatches nothing without authority of its own",
	"one reservation of a resource succeeds",
	"fulfilled means accepted evidence, nothing owed, nothing contested or unknown",
	"what may have taken effect is not dispatched again",
	"an observation rewrites no earlier one",
	"what is due is not refused",
}

// Names returns what the properties say that is broken.
func (p Properties) Names() []string { return names(uint(p), PropertyNames[:]) }

func names(bits uint, of []string) []string {
	found := []string{}
	for i, name := range of {
		if bits>>i&1 != 0 {
			found = append(found, name)
		}
	}
	return found
}
