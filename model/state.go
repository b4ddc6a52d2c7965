package model

import (
	"iter"
	"strconv"
)

// A State is all that the authority, the shared objects and worker A know at
// one moment.
type State struct {
	Task      Task
	Owner     Ownership // the current attempt
	Grants    Grants
	Default   Policy   // the newest default policy
	Input     Revision // of the shared input, now
	Read      Revision // that the worker recorded, with the value it has
	Artifact  Blob     // the shared artifact's bytes, now
	Candidate Candidate
	Evidence  Receipt // the protected store
	Ledger    Ledger
}

// Initial returns the state before any event.
func Initial() State {
	return State{
		Task:     Assigned(),
		Owner:    Owner(),
		Grants:   Grants(0).With(WorkerA).With(WorkerB),
		Default:  BehaviorV1,
		Input:    1,
		Artifact: draft,
	}
}

// Fields yields the names and values of what events change, in a fixed order, for
// people: two states that differ, differ in a field. Contents appear by the
// beginning of their digests.
func (s State) Fields() iter.Seq2[string, string] {
	return func(yield func(name, value string) bool) {
		for _, f := range [...][2]string{
			{"attempt", strconv.Itoa(int(s.Owner.Attempt)) + ", " + s.Owner.Principal.String()},
			{"fence", strconv.Itoa(int(s.Owner.Fence))},
			{"lease", either(s.Owner.LeaseLive, "live", "expired")},
			{"grants", s.Grants.String()},
			{"default policy", s.Default.String()},
			{"input", s.Input.String()},
			{"read", s.Read.String()},
			{"artifact", s.Artifact.String()},
			{"candidate", s.Candidate.String()},
			{"evidence", s.Evidence.String()},
			{"completion", s.Ledger.String()},
		} {
			if !yield(f[0], f[1]) {
				return
			}
		}
	}
}

func either(holds bool, yes, no string) string {
	if holds {
		return yes
	}
	return no
}

// Request returns the completion request that worker A makes of what it has:
// its original attempt, principal and fence, whoever owns the task now, the
// candidate it prepared, the revision it read, and the receipt it was given.
func (s State) Request() Request {
	owner := Owner()
	return Request{
		ID:        1,
		Task:      s.Task.ID,
		Attempt:   owner.Attempt,
		Principal: owner.Principal,
		Fence:     owner.Fence,
		Inputs:    s.Candidate.Inputs,
		Evidence:  s.Evidence.ID,
		Contract:  s.Task.Contract,
		Candidate: s.Candidate.Blob.Digest(),
	}
}
