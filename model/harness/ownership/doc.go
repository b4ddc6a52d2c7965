// Package ownership is who may remove whose workload. A run has two sessions, A and B,
// each with a workload. A's is in a slot, a name or a port or a process id: something that
// is used again after whoever had it is gone, by A's next generation, by B, or by another
// run. A cleanup of A is requested twice, the second time because the first was not
// answered, or is just late. Between what a request asks for, what it looks at, what it
// removes and what it reports, anything can happen.
//
// The facts are from the "Harness operations lab: receipts, budgets and workload
// ownership" (Rethinking Agents, 2026), its checks of the lifecycle and of leases: removal
// targets only identities that the run itself created, checked again just before; a lease
// counts when its approval precedes the prior expiry, for the generation that runs, and
// its expiry is ahead; without an acknowledgement a cleanup is unknown; an inventory that
// failed proves nothing. The slot, the orders of events and the bounds are ours.
//
// Step never decides. What a request removes, and what it reports, are decisions, which
// come with the event.
package ownership
