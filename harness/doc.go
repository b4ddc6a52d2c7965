// Package harness decides what to do next about a piece of work that some worker was
// given: Classify from one receipt, Retry from the outcomes of several attempts, and
// Lease.Check about a service that the work leaves running.
//
// All of it goes by what a trusted observer saw, and never by the worker's own words. Of
// these only the claim counts (that it is done, that it failed, that it was stopped), and
// a claim can take a decision away, but never make one alone: each decision other than
// Reconcile also needs facts that agree with the claim. Whatever no rule decides is
// Reconcile: somebody has to look at the authoritative state first. It is never a
// permission to try again.
//
// The package does not observe anything, and does not store anything. That verification,
// capture, effect, identity and time are what they are said to be is the caller's to
// establish: a wrong fact gives a wrong decision. It has no authority over a worker
// either, and a decision is worth nothing to a caller who does not follow it.
//
// The situations and what follows from them are from Harness operations lab: receipts,
// budgets and workload ownership, sections Receipt and adapter results and Retry results.
package harness
