package model

// Next returns the state after e. It is pure and total.
//
// Preflight and Commit change nothing here, because what they do depends on a
// mechanism: who walks the machine keeps what preflight answered and passes
// the decision at commit to the ledger.
func Next(s State, e Event) State {
	s.Step(e)
	return s
}

// Step is Next in place, for walks through many states.
func (s *State) Step(e Event) {
	switch e.Kind {
	case Read:
		s.Read = s.Input
	case Snapshot:
		owner := Owner() // the submitting worker's original attempt, current or not
		s.Candidate = Candidate{Attempt: owner.Attempt, Principal: owner.Principal, Inputs: s.Read, Blob: Answer(s.Read)}
		s.Artifact = s.Candidate.Blob
	case TrustedVerify:
		s.Evidence = s.verify()
	case InputEdit:
		s.Input++
	case ArtifactEdit:
		s.Artifact = edit(e.N)
	case LeaseExpire:
		s.Owner.LeaseLive = false
	case Reassign:
		s.Owner = Ownership{
			Attempt:   s.Owner.Attempt + 1,
			Principal: WorkerB,
			Fence:     s.Owner.Fence + 1,
			LeaseLive: true,
		}
	case Revoke:
		s.Grants = s.Grants.Without(WorkerA)
	case PublishV2:
		s.Default = BehaviorV2
	}
}

// verify returns the receipt of a verification now. The checker sees the
// artifact as it is at this moment, which need not be the candidate any more,
// and the input as the worker recorded it.
func (s *State) verify() Receipt {
	return Receipt{
		ID:        s.Evidence.ID + 1,
		Task:      s.Task.ID,
		Attempt:   s.Candidate.Attempt,
		Criterion: s.Task.Criterion,
		Checker:   s.Task.Checker,
		Pass:      s.Task.Checker.Passes(s.Read, s.Artifact),
		Inputs:    s.Read,
		Contract:  s.Task.Contract,
		Digest:    s.Artifact.Digest(),
	}
}
