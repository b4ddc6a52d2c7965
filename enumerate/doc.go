// Package enumerate is the engine: it runs every schedule of a finite set of
// partially ordered events through a state machine, and says in how many of them
// something happens, exactly. It knows no protocol.
//
// An Order is at most 64 events with a precedence relation; its schedules are
// the linear extensions, every way to do the events one after the other. A
// Machine is an initial state and a pure function from a state and an event to
// the next state; states and events are any comparable types. A Guarded machine
// also blocks events.
//
// # What to call
//
// Start with Check: named properties of states, a verdict, and for each violation
// the shortest history and the number of schedules. Tally counts whatever an
// Observer reports, for instance decisions. Both merge equal states, so that
// their time grows with the number of distinct nodes, not of schedules: 10¹⁹ of
// them are counted in half a minute if their states are few. Witnesses finds the
// shortest history of each value that an Observer reports. TallyAll and Witnesses take
// several restrictions of one order, scenarios of one model for instance, and visit
// what they share once.
//
// Order.Schedules yields every schedule, the plain way; Walk visits every prefix
// once, depth first; Outcomes counts the schedules that end in each state. They
// take time for each schedule, show whole schedules, and agree with the tally.
// Sample draws schedules uniformly where even merging is too much. Its verdict is
// Incomplete, as is that of every run that a limit or a context cut short: those
// are an *IncompleteError and never a result.
//
// Results depend on the order and the machine only: not on the number of workers,
// the scheduler or the run.
//
// # For those who know other checkers
//
//	in TLC                        in stateright              here
//	CONSTANT, Init                Model::init_states         Order, Machine.Init
//	Next, an action               Model::next_state          Machine.Next, an event of the Order
//	enabling condition            Model::actions             Guarded.Enabled, and the Order's precedence
//	INVARIANT                     Property::always           Always
//	a reachability probe          Property::sometimes        Reachable
//	-deadlock, Terminating        (none)                     *Deadlock, Ending.Done
//	SYMMETRY, VIEW                Representative             Canonical
//	distinct states found         unique_state_count         Tallied.Nodes
//	(no number of behaviors)      (no number of paths)       Tallied.Schedules, exact to 128 bits
//	-simulate                     Checker::spawn_simulation  Sample, uniform over schedules
//	error trace                   discovery path             Violation.Schedule, the shortest and always the same
//
// What is not here: events that can happen any number of times, so that state
// spaces are finite and acyclic by construction; liveness and fairness; more than
// 64 events.
//
// # Cost
//
// A Tally holds two adjacent layers of nodes. Check, Witnesses, and the Tally of a
// Guarded machine, hold all nodes and 4 bytes an edge. Walk and Outcomes hold each
// distinct state once a worker.
package enumerate
