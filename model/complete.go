package model

// Complete is the commit step: it answers r in s, where accept is what the
// mechanism decided on it, and returns the state after it, the completion's
// receipt, and whether r is recorded as complete.
//
// A request is new, or it is one that was recorded before:
//   - new, and the task is open: recorded if accept says so, with exactly one
//     terminal write; otherwise refused, and nothing is remembered of it;
//   - identical to the recorded one: the original receipt again, with no write
//     and whatever accept says, since it asks for a past result and not for a
//     new decision;
//   - anything else, under the recorded ID or another one: refused, because
//     the task is complete.
func Complete(s State, r Request, accept bool) (State, Completion, bool) {
	if s.Ledger.Writes > 0 {
		if r != s.Ledger.Bound {
			return s, Completion{}, false
		}
		return s, s.Ledger.Receipt, true
	}
	if !accept {
		return s, Completion{}, false
	}
	s.Ledger.Writes++
	s.Ledger.Bound = r
	s.Ledger.Receipt = Completion{
		Task:      r.Task,
		Attempt:   r.Attempt,
		Evidence:  r.Evidence,
		Version:   s.Ledger.Writes,
		Candidate: r.Candidate,
	}
	return s, s.Ledger.Receipt, true
}
