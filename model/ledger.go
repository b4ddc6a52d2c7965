package model

import "fmt"

// A Completion is the receipt of a recorded completion. Like the terminal
// write that it stands for, there is one a task at most.
type Completion struct {
	Task      ID
	Attempt   ID
	Evidence  ID
	Version   uint8 // counts the terminal writes to the task
	Candidate Digest
}

// A Ledger remembers the request that completed the task, so that it can be
// answered again. A refused request leaves no trace in it.
type Ledger struct {
	Bound   Request    // the whole request, not its ID alone
	Receipt Completion // the original answer
	Writes  uint32     // terminal writes
}

// String says which request is recorded and the beginning of its candidate's digest, or
// "none".
func (l Ledger) String() string {
	if l == (Ledger{}) {
		return "none"
	}
	return fmt.Sprintf("request %d, %s", l.Bound.ID, l.Receipt.Candidate.Short())
}

// Complete is the commit step: it answers r, where accept is what the mechanism
// decided on it, and returns the ledger after it, the completion's receipt, and
// whether r is recorded as complete.
//
// A request is new, or it comes when the task is complete:
//   - new: recorded if accept says so, with exactly one terminal write;
//     otherwise refused, and nothing is remembered of it;
//   - identical to the recorded one: the original receipt again, with no write
//     and whatever accept says, since it asks for a past result and not for a
//     new decision;
//   - anything else, under the recorded ID or another one: refused.
func (l Ledger) Complete(r Request, accept bool) (after Ledger, receipt Completion, recorded bool) {
	if l.Writes > 0 {
		if r != l.Bound {
			return l, Completion{}, false
		}
		return l, l.Receipt, true
	}
	if !accept {
		return l, Completion{}, false
	}
	receipt = Completion{
		Task:      r.Task,
		Attempt:   r.Attempt,
		Evidence:  r.Evidence,
		Version:   1,
		Candidate: r.Candidate,
	}
	return Ledger{Bound: r, Receipt: receipt, Writes: l.Writes + 1}, receipt, true
}
