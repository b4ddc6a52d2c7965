// Package contract is the whole completion contract as a pure state machine: what the
// study of package model abstracts to one worker, one input and one artifact, with
// everything that a service has to look at when it records a completion.
//
// A task has a pinned contract: the criteria to be met, the paths that may be written.
// Attempts have an outer and an inner id, a fence and a lease, and come from an authority
// with an incarnation. A candidate is immutable bytes with the dependencies it was made
// from, the paths that it declares to write, and the revision that each real target had.
// Receipts are what the protected store keeps of verifications. A completion publishes
// all targets of the candidate at once, records the request, and ends the task.
//
// Step never decides: what a mechanism says of a request reaches the machine through
// Complete. Every order of events is legal; what makes no sense changes nothing.
package contract
