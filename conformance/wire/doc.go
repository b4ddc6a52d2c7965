// Package wire is the line protocol of the conformance kit, version 1, as PROTOCOL.md in
// the directory above defines it: requests and answers as JSON, one a line.
//
// Command starts an adapter, a program in any language, and the Process that comes of it
// is a conformance.System. Serve is the other side, for adapters in Go.
//
// Both sides are strict. A message with a field that the protocol does not list, without
// one that it requires, or out of turn ends the exchange with an error that shows it:
// what was misunderstood is never judged. That an adapter answers only when it is asked
// can be checked up to a point: one that guesses the next request and answers it early
// is noticed unless its answer arrives after the request was sent.
//
// A Process keeps nobody waiting: every call ends at its time limit, or a moment after
// it, whatever the adapter does, and an adapter that fails is killed. On Unix all
// processes of its process group die with it; one that has left the group is not found,
// and costs a second or two. Elsewhere only the adapter itself is killed.
package wire
