// Package checks makes the contract checks of "Harness operations lab" (sections "Receipt
// and adapter results", "Retry results" and "Budget results") on the packages harness,
// harness/adapter and harness/budget, and has the values that every check of that
// experiment, also one of workloads, is reported by.
//
// A check passes if the one thing that its situation asks for was observed. Its inputs are
// made up, and stand for what a trusted observer would supply: no worker, model, provider or
// gateway takes part. Passing says nothing of whether a real scheduler captures what it
// would have to.
package checks
