// Package recordings reads recorded trials of contracts with a deadline, and scores on them
// the completion policies of mechanisms/deadline.
//
// Two formats are read, told apart by their fields: condensed trials, one JSON object a
// line, and the originals of the replication package that model/deadline names, one object
// a file. The recordings are somebody else's and not part of this module.
//
// A condensed trial has the fields trial, population, deadline_s, calls, self_reported,
// reported_done_at_s and fault, and of a placement expected_bytes and physical, of a
// deletion final_answer and residue. It may have model, setup_invalid, agent_error,
// health_false, transfer_status and judge, where null is the same as nothing. Any other
// field is an error: it can change what a trial means.
//
// An original is a large document, of which only what is needed is looked at; other fields
// are let pass. Its population is its task, placement or deletion, and whether a condition
// was injected, healthy or fault; with -gated behind it if its report went through a gate.
//
// Nothing is guessed. A trial is bad, and not scored, if it is not JSON, has not the fields
// that it needs or has one twice; if a time is negative, or so large that a time.Duration
// has no place for it; if samples or calls are not in the order of their times; if it names
// no target; or if its id came before. It is reported as a *BadTrial, and reading goes on.
//
// What is not looked at: whether an injection was verified, and whether the agent's run
// failed. Both are told by the recordings, and no published figure depends on them.
package recordings

import (
	"fmt"

	"example.com/commitpoint/model/deadline"
)

// A Recording is a trial with where it belongs.
type Recording struct {
	ID         string
	Population string
	Excluded   bool // what the task assumes was not in place; there is nothing else of it then
	Trial      deadline.Trial
}

// A BadTrial says why a trial is not scored.
type BadTrial struct {
	File  string
	Line  int
	Field string // as in calls[2].t; "" if it is the trial as a whole
	Why   string // in a sentence, with what would be right
}

func (b *BadTrial) Error() string {
	if b.Field == "" {
		return fmt.Sprintf("%s:%d: %s", b.File, b.Line, b.Why)
	}
	return fmt.Sprintf("%s:%d: %s: %s", b.File, b.Line, b.Field, b.Why)
}
