// Package budget is a budget ledger and what happens around it: operations that ask for a
// part of one cap before they are dispatched to a provider, and what is heard of them
// afterwards, or isn't. Its facts are those of the Harness operations lab (Rethinking
// Agents, 2026), BU-01 to BU-06; that every step is an event, and that the events come in
// any order, is ours.
//
// What the ledger does at an event is a mechanism's to say: an Act. State.Step carries it
// out and decides nothing. The provider is truthful: a charge is presented only by an
// operation that ran, and a cancellation is confirmed only if it came first. Units are
// artificial integers.
package budget
