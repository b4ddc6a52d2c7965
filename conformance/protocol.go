package conformance

import (
	"context"

	"example.com/commitpoint/counterexamples"
	"example.com/commitpoint/enumerate"
)

// A Protocol is a set of scenarios on the engine, together with what is right in them.
// Study and Contract have those that come with the module; Of makes a Set of any other.
//
// Its functions must be pure, and are called by several goroutines at the same time.
type Protocol[S, E comparable] struct {
	// Name is what reports call the set of scenarios.
	Name string

	// Orders are the scenarios: restrictions of one order, in declaration order of what
	// is to be reported first. Systems are told of events by their text form.
	Orders []enumerate.Order[E]

	// Machine is the reference: how things stand after events when every request is
	// decided as it ought to be. Whatever a service can have seen on the way that
	// matters later should be in the state, since Covering takes equal states for
	// equal situations.
	Machine enumerate.Machine[S, E]

	// Expect says what is right when e submits a request in s. If e submits none, submits
	// is false, and the system is to Apply it.
	Expect func(s S, e E) (x Expected, submits bool)

	// World says what a service ought to have recorded in s.
	World func(s S) World

	// Essential, if not nil, says which events a system must have to be driven through a
	// scenario that has them. Scenarios shrink by the others.
	Essential func(E) bool

	// Implied are events that happen even if the system lacks them: right after the
	// one before them in this list, the first at the start.
	Implied []E

	// Needs are the events without which another says nothing, so that a system
	// which lacks one of them is not told of that either.
	Needs map[E][]E

	// Probes are events at the end of every scenario which ask about what was recorded.
	// A shortest history leaves out those that it does not need.
	Probes []E

	// Narrator tells histories. Its Effect is not asked about requests.
	Narrator counterexamples.Narrator[S, E]

	// Explain, if not nil, says which checks of the protocol the request of e fails in s,
	// and why it is eligible or not, a line each.
	Explain func(s S, e E, accepted bool) (failed, notes []string)
}

// Expected is what is right of a request.
type Expected struct {
	Reasons []string // why it is not eligible; none if it is
	Replay  bool     // it asks for the receipt of the recorded request
}

// Eligible reports whether the request ought to be accepted.
func (x Expected) Eligible() bool { return len(x.Reasons) == 0 }

// A World is what a service ought to have recorded.
type World struct {
	Writes    int            // terminal writes
	Status    string         // as in Record
	Published map[string]int // as in Record; nil if the protocol publishes nothing
}

// A Set is a set of scenarios to drive a system through: one of Study, one of Contract,
// or what Of returns.
type Set interface {
	// Name is what reports call it.
	Name() string

	plan(About) (plan, error)
}

// Of returns the Set of a protocol. It panics if the protocol lacks a name, a machine, or
// one of the functions that are needed, and if the machine is Guarded.
func Of[S, E comparable](p Protocol[S, E]) Set {
	if p.Name == "" || p.Machine == nil || p.Expect == nil || p.World == nil || p.Narrator.Event == nil || p.Narrator.Fields == nil {
		panic("conformance.Of: a Protocol needs Name, Machine, Expect, World, and a Narrator with Event and Fields")
	}
	if _, guarded := p.Machine.(enumerate.Guarded[S, E]); guarded {
		panic("conformance.Of: the Protocol's Machine blocks events, so that its schedules are not those of the orders; say what precedes what in the orders")
	}
	return protocol[S, E]{p}
}

type protocol[S, E comparable] struct{ Protocol[S, E] }

func (p protocol[S, E]) Name() string { return p.Protocol.Name }

// A plan is a Set shrunk to the events of one system.
type plan interface {
	left() shrunk
	unexercised(context.Context) (missing, here []obligation, err error)

	// schedules returns how many schedules there are, and choose how many of them a mode
	// runs. Each then hands out those, one after the other, until yield returns false.
	schedules(context.Context) (enumerate.Count, error)
	choose(context.Context, Options) (enumerate.Count, error)
	each(ctx context.Context, yield func([]step) bool) error

	start() *World
	steps(history) []step
	declared() []string // events
	parse(names []string) (history, error)
	names(history) []string

	// shrink returns a least history that fails, starting from one that does.
	shrink(h history, fails func(history) bool) (history, error)
	tell(shown) counterexamples.Trace
	nearest(h history, outcome func(history) (counterexamples.Outcome, bool)) *counterexamples.Nearest
}

// A history is a list of declaration indices.
type history []int

// A shrunk says what of a set a system is driven through.
type shrunk struct {
	Scenarios, Of int      // how many, of how many
	LeftOut       []string // events that the system lacks, or that say nothing without those
}
