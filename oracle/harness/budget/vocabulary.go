package budget

import "strings"

// Reasons are facts for which a yes is wrong.
type Reasons uint8

// The reasons.
const (
	OverCap     Reasons = 1 << iota // it may cost more than the cap has left
	Unpriced                        // nobody knows what it may cost
	Unavailable                     // accounting is away
	Duplicate                       // the operation was admitted before
	Unknown                         // it may have run, or still run
	Repeated                        // the charge is booked already
	AboveBound                      // the charge is more than was declared
	NotAdmitted                     // it was not admitted, or given back
)

// NumReasons is their number.
const NumReasons = 8

var reasonNames = [NumReasons]string{"over-cap", "unpriced", "unavailable", "duplicate", "unknown-outcome", "settled-before", "above-bound", "not-admitted"}

// Names returns the reasons' names.
func (r Reasons) Names() []string { return names(uint(r), reasonNames[:]) }

// String joins the names.
func (r Reasons) String() string { return strings.Join(r.Names(), ", ") }

// Properties are those that a ledger has to have, and that a history shows to be broken.
type Properties uint8

// The properties.
const (
	ExceedsCap Properties = 1 << iota
	DispatchesUnpriced
	AdmitsUnaccounted
	DispatchesUnadmitted
	SettlesNotOnce
	LosesReservation
	WastesCapacity
)

// PropertyNames says what a ledger without the flaw does, property by property.
var PropertyNames = [...]string{
	"what was admitted can never cost more than the cap",
	"nothing unpriced is dispatched",
	"nothing is admitted or dispatched while accounting is away",
	"nothing is dispatched that was denied or given back",
	"a charge settles once",
	"an unknown outcome keeps its reservation",
	"capacity that was provably freed is usable again",
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
