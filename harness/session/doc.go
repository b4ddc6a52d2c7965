// Package session runs a small workload in namespaces of its own, says what it is, and
// removes it again, so that a harness can be checked against something real: several
// sessions serve on the same address at once, have descendants, and outlive nobody.
//
// # What a session is
//
// A session is a tree of processes in its own network, PID and mount namespaces, and in a
// user namespace of its own where the caller has not the capabilities to do without. All of
// them are the running program, executed again: Enter has to be called first in main, and
// first in TestMain, and serves there instead of returning. No other program is used.
//
// Its first process, PID 1 inside, serves HTTP on 127.0.0.1 inside: the answer says which
// run, session, generation and build it is of. Beside it a detached child sleeps, in an OS
// session of its own. A query, an attempt to bind the port and a list of the processes are
// each made by a fresh process inside, as `docker exec` would.
//
// # How long it lives
//
// No longer than Options.Lifetime, counted from Start, whatever becomes of the program that
// started it. Four things end a session, each without the others' help:
//
//   - a timer in each of its processes;
//   - the end of the control channel, which is the end of the program that started it;
//   - the kernel, when the thread that started it ends: that thread is kept for this;
//   - a timer in the program that started it, a second later: the only one that also reaches
//     a process which was stopped, or hangs before it has come to its own timer.
//
// With PID 1 ends everything in its PID namespace: the kernel sees to it. What is left is
// the case that both the program and PID 1 are stopped, and stay so.
//
// # Whose it is
//
// What was created is recorded at once: process number, start time and PID namespace, with
// a handle on the process that no other can take over. Remove ends this and nothing else,
// and then does not believe itself: Inventory knows none of the handles, and goes through
// the processes of the machine. An inventory that could not read something is an error, and
// proves no absence.
//
// # Leases
//
// Package harness says whether a lease counts for a session. Its Identity has one part more
// than the one here: the owner is the session, and the workload, since a session has only
// one, a name that the caller gives to all of them.
//
//	answer, err := s.Query(ctx)
//	// once err is nil
//	err = lease.Check(harness.Identity{
//		Run: answer.Run, Owner: answer.Session, Workload: "service", Generation: answer.Generation,
//	}, now)
//
// # Limits
//
// It is no sandbox. The processes see the file system of the machine; they give up their
// capabilities, and cannot gain any, but they run trusted code: this package. A marker in an
// answer or in an environment can be forged by a process that wants to. A process that ended
// but was not waited for is not counted by Inventory; nor is one in the moment between its
// creation and its first instruction, when it has no environment of its own yet.
//
// Sessions need Linux, and the /proc of the caller's own PID namespace: without these Start
// returns ErrUnsupported. Elsewhere the package builds, and Enter does nothing.
//
// The checks that it was made for are those of the "Harness operations lab", section
// "Runtime and ownership results", which uses containers.
package session
