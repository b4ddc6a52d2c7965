// Package budget is the ledger of one scheduler's budget: what operations may cost at most
// is reserved before they are dispatched, and is settled at what they did cost.
//
// An operation has a name, a route that it is dispatched by, and a bound: the units that
// its provider promises not to exceed. Units are artificial integers, not money or tokens.
// At every moment
//
//   - what is settled and what is pending are together at most the cap, however many
//     goroutines ask at once, and no sum overflows;
//   - an operation is dispatched at most once, after it was admitted, by a priced route;
//   - an operation is settled at most once, at no more than its bound;
//   - what is not known to have ended keeps its reservation: a lost answer frees nothing.
//
// Whoever retries an operation or falls back to another route asks again, under a name of
// its own and against the same cap.
//
// # Limits
//
// The ledger is in memory: when the process ends, so do its reservations. It serves one
// process; several that share a budget need a store that is shared as well. It can't stop
// a provider from charging more than the bound: it reports that charge, and what was really
// spent may then be more than the cap. It dispatches nothing itself: that Dispatch is
// called before the request leaves is up to the caller. It forgets no operation, so that a
// name is never used twice: its memory grows with the number of operations.
//
// The rules are those of the budget fixture in "Harness operations lab", section "Budget
// results".
package budget
