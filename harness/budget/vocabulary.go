package budget

import (
	"errors"
	"fmt"
)

// Units are what a budget is counted in: artificial integers, of no currency.
type Units int64

// A State is how far an operation has come.
type State uint8

// The states. Reserved, Dispatched and Acknowledged operations hold their bound; a Settled
// one holds its charge; Absent and Freed ones hold nothing.
const (
	Absent       State = iota // the ledger does not know it
	Reserved                  // admitted, and not dispatched
	Dispatched                // on its way: whether it ran is not known
	Acknowledged              // the provider says that it has run: a charge will come
	Settled                   // it ran, and its charge is known
	Freed                     // it did not run, and never will
	states       = iota
)

var stateNames = [states]string{"absent", "reserved", "dispatched", "acknowledged", "settled", "freed"}

// String returns the state's name, or State(200) for one that is none.
func (s State) String() string {
	if int(s) >= len(stateNames) {
		return fmt.Sprintf("State(%d)", uint8(s))
	}
	return stateNames[s]
}

// holds reports whether an operation in this state has its bound reserved.
func (s State) holds() bool { return s == Reserved || s == Dispatched || s == Acknowledged }

// An Outcome is what is known of a cancellation.
type Outcome uint8

// The outcomes. Any other value counts as Unknown.
const (
	Unknown   Outcome = iota // the provider did not say
	Confirmed                // the provider says that it has not run, and never will
)

// A Status is what the ledger knows of an operation.
type Status struct {
	State  State
	Route  string
	Bound  Units // what it may cost at most
	Charge Units // what it did cost; 0 unless it is Settled
}

// A Balance is the ledger's account at one moment.
type Balance struct {
	Cap        Units
	Settled    Units // the charges of the settled operations
	Pending    Units // the bounds of those that are reserved, dispatched or acknowledged
	Dispatched int   // how many operations were ever dispatched
	Available  bool  // whether accounting is
}

// Left returns what can still be reserved.
func (b Balance) Left() Units { return b.Cap - b.Settled - b.Pending }

// What the errors of a Ledger match, by errors.Is. A call that fails changes nothing, but for
// ErrBound, with which an operation is Acknowledged.
var (
	ErrAmount        = errors.New("budget: not an amount")
	ErrUnavailable   = errors.New("budget: accounting is unavailable")
	ErrDuplicate     = errors.New("budget: the operation is known already")
	ErrUnpriced      = errors.New("budget: the route has no price")
	ErrOverCap       = errors.New("budget: over the cap")
	ErrUnknown       = errors.New("budget: unknown operation")
	ErrState         = errors.New("budget: not a call for this state")
	ErrBound         = errors.New("budget: charge over the declared bound")
	ErrSettled       = errors.New("budget: settled already")
	ErrContradiction = errors.New("budget: contradicts what is known")
)
