// Package live has many clients use the service at the same time, over connections that
// are killed on the way, and judges what they were told.
//
// Run has eight workers, a sweeper, an editor and an administrator work on a handful of
// tasks at a time, and records each operation: when it was called and when it returned,
// what was asked and what was answered. Check then looks for an order of a task's
// operations that agrees with those times, and in which the sequential machine of
// model/contract, with the complete mechanism deciding its requests, gives the very same
// answers: for linearizability. Each task is in a project of its own, so that its history
// is judged alone.
//
// While it runs, and at its end, an auditor reads the tables past the service: the status
// of a task, its request, its audit trail and the published artifacts have to agree at
// every moment, and every receipt that was ever given to a client has to be there.
//
// # Outcomes that nobody knows
//
// An operation whose connection is lost while its transaction is being committed may have
// happened or not. It is recorded as one that lasts until the end and whose answer could
// be any: in an order of the operations it can then take effect at any moment after it
// was called or, as the last of all, too late for anybody to notice. Of an operation that
// failed otherwise the service says that it has written nothing. It is left out, so that
// the history is wrong if that is not so.
//
// # The clock
//
// That leases run out is an operation of the clock, which is moved under the service while
// transactions are under way. One that has looked at the clock already still counts the
// old time, and is seen by others only when it commits. So an expiry lasts until the
// operations that were under way when the clock moved have ended: by then, whatever is
// decided counts the new time.
//
// # Limits
//
// A run shows the interleavings that happened. That none was wrong is no proof. Operations
// of unknown outcome make the search more lenient, so these are less than one in a hundred,
// and so do expiries: at which moment of its transaction the service looks at the clock is
// not judged.
package live
