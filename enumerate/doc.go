// Package enumerate is the engine: it walks every schedule of a finite set of
// partially ordered events through a state machine. It knows no protocol.
//
// An Order is at most 64 events with a precedence relation; its schedules are
// the linear extensions, every way to do the events one after the other. A
// Machine is an initial state and a pure function from a state and an event to
// the next state; states and events are any comparable types.
//
// Three ways lead through the same schedules, always in lexicographic order:
//
//   - Order.Schedules yields each of them, the plain way;
//   - Walk visits every prefix once, with its state, so that what schedules
//     share is computed once;
//   - Outcomes walks in parallel and counts the schedules that end in each
//     state.
//
// Order.Extensions gives the number of schedules in closed form, for orders
// that have one.
//
// The results depend on the order and the machine only: not on the number of
// workers, the scheduler or the run. A run that was cut short is an *IncompleteError
// error and never a result. Time grows with the number of prefixes; memory with
// the number of distinct states, each of which a worker keeps once.
package enumerate
