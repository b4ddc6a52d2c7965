package budget

// A call is what is said of an operation that may be known.
type call uint8

const (
	dispatching   call = iota
	acknowledging      // it ran
	cancelling         // it was cancelled, with an unknown outcome
	confirming         // it was cancelled: it did not run, and never will
	settling           // its charge, from the provider or found out
	refuting           // found out that it did not run, and never will
	calls         = iota
)

// A rule is what a call does in a state: it leads to a state, perhaps the same one, or it
// is refused.
type rule struct {
	to     State
	err    error
	remedy string
}

func to(s State) rule { return rule{to: s} }

func refused(err error, remedy string) rule { return rule{err: err, remedy: remedy} }

// The rules that several cells share.
var (
	unknown     = refused(ErrUnknown, "reserve it first")
	once        = refused(ErrState, "an operation is dispatched once; reserve another one for another attempt")
	notYet      = refused(ErrState, "dispatch it first")
	atOdds      = refused(ErrContradiction, "look at the provider's account: it was taken not to run")
	chargedOnce = refused(ErrSettled, "an operation is charged once; if this is another charge, look at the provider's account")
)

// rules says what each call does in each state. That a word comes twice, or late, is not an
// error where it says nothing new: acknowledgements and cancellations get lost, and are sent again.
var rules = [calls][states]rule{
	dispatching: {
		Absent:       unknown,
		Reserved:     to(Dispatched),
		Dispatched:   once,
		Acknowledged: once,
		Settled:      once,
		Freed:        once,
	},
	acknowledging: {
		Absent:       unknown,
		Reserved:     notYet,
		Dispatched:   to(Acknowledged),
		Acknowledged: to(Acknowledged),
		Settled:      to(Settled),
		Freed:        atOdds,
	},
	cancelling: {
		Absent:       unknown,
		Reserved:     to(Freed), // what was not sent can't run
		Dispatched:   to(Dispatched),
		Acknowledged: to(Acknowledged),
		Settled:      to(Settled),
		Freed:        to(Freed),
	},
	confirming: {
		Absent:       unknown,
		Reserved:     to(Freed),
		Dispatched:   to(Freed),
		Acknowledged: refused(ErrContradiction, "reconcile it: the provider said that it ran"),
		Settled:      refused(ErrContradiction, "look at the provider's account: the charge stands"),
		Freed:        to(Freed),
	},
	settling: {
		Absent:       unknown,
		Reserved:     notYet,
		Dispatched:   to(Settled),
		Acknowledged: to(Settled),
		Settled:      chargedOnce,
		Freed:        atOdds,
	},
	refuting: {
		Absent:       unknown,
		Reserved:     to(Freed),
		Dispatched:   to(Freed),
		Acknowledged: to(Freed), // the finding has more authority than the provider's word
		Settled:      chargedOnce,
		Freed:        to(Freed),
	},
}
