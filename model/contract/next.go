package contract

// Step changes the state by an event that is not decided. A deciding event does nothing
// here but that the worker remembers what it sent; what comes of it is Complete's. The
// sweeper and a report of a failure go by what the authority knows: see Sweep and Report
// for those that do not.
func (s *State) Step(e Event) {
	switch e.Kind {
	case Claim:
		s.assign(e.Worker)
		if s.Status == Running {
			s.Of(e.Worker).Told = s.Owner.Identity
		}
	case Reclaim:
		s.assign(s.Owner.Principal)
	case Restage:
		s.restage()
	case Read:
		own := s.Of(e.Worker)
		own.Inputs, own.Members, own.Contract = s.Inputs, s.Members, s.Contract
	case Refresh:
		s.Of(e.Worker).Contract = s.Contract
	case Prepare, PreparePair, PrepareAlias, PrepareUnclean, PrepareCase:
		m, _ := e.Kind.Manifest()
		s.prepare(e.Worker, m)
	case Replace:
		if own := s.Of(e.Worker); own.Candidate != (Candidate{}) {
			own.Candidate.Bytes.Variant = replaced
		}
	case Verify:
		s.verify(e.Worker, Tests)
		s.verify(e.Worker, Review)
	case VerifyTests:
		s.verify(e.Worker, Tests)
	case VerifyReview:
		s.verify(e.Worker, Review)
	case Commit, Retry:
		if own := s.Of(e.Worker); own.Sent == (Request{}) {
			own.Sent = s.Request(e)
		}
	case Report:
		s.Report(e.Worker, true)
	case SweepRead:
		s.Swept = Sweep{Running: s.Status == Running, Attempt: s.Owner.Identity}
	case SweepWrite:
		s.Sweep(true)
	default:
		s.environment(e.Kind)
	}
}

func (s *State) environment(k Kind) {
	switch k {
	case LeaseExpire:
		if s.Owner.Lease > 0 {
			s.Owner.Lease--
		}
	case Renew:
		if s.Owner.Lease > 0 {
			s.Owner.Lease++
		}
	case Cancel:
		if s.Status == Running {
			s.Status = Cancelled
		}
	case Migrate:
		if s.Status == Running {
			s.Contract++
		}
	case Revoke:
		s.Grants[A.slot()] = 0
	case RevokeSecond:
		s.Grants[A.slot()] &^= TargetSet(OutB)
	case Regrant:
		s.Grants[A.slot()] = TargetSet(OutA, OutB, Secret)
	case InputEdit:
		s.Inputs++
	case FileAdd:
		s.Members++
	case ForeignPublish:
		s.Revisions[OutA]++
		s.Contents[OutA] = Bytes{Writer: foreign, Variant: s.Revisions[OutA]}
	case AliasMove:
		s.Latest = Secret
	case Withdraw:
		s.Admitted[Review]++
	case PublishPolicy:
		s.NewPolicy = true
	case RestartFences:
		s.LastFence = 0
	case RestartAttempts:
		s.LastInner = 0
	case Restore:
		s.LastFence, s.LastInner = 0, 0
		s.Authority++
	}
}

// assign gives the task to w, as a new inner attempt with a fresh lease.
func (s *State) assign(w Worker) {
	if s.Status != Running || w == 0 {
		return
	}
	s.LastInner++
	s.LastFence++
	s.Owner = Ownership{
		Identity:  Identity{s.Owner.Outer, s.LastInner, s.LastFence, s.Authority},
		Principal: w,
		Lease:     1,
	}
}

// restage starts the stage again, with its first try at worker b.
func (s *State) restage() {
	if s.Status != Running {
		return
	}
	s.LastInner = 1
	s.LastFence++
	s.Owner = Ownership{
		Identity:  Identity{s.Owner.Outer + 1, s.LastInner, s.LastFence, s.Authority},
		Principal: B,
		Lease:     1,
	}
	s.Of(B).Told = s.Owner.Identity
}

func (s *State) prepare(w Worker, m Manifest) {
	own := s.Of(w)
	own.Candidate = Candidate{
		Bytes:    Bytes{Writer: uint8(w), Inputs: own.Inputs},
		Manifest: m,
		Inputs:   own.Inputs,
		Members:  own.Members,
	}
	for _, t := range s.Writes(own.Candidate).Each() {
		own.Candidate.Bases[t] = s.Revisions[t]
		if s.InPlace {
			s.Contents[t] = own.Candidate.Bytes
		}
	}
}

// verify leaves a receipt about the worker's candidate or, if candidates are written in
// place, about what its target holds now. Candidates pass, and nothing else does.
func (s *State) verify(w Worker, c Criterion) {
	own := s.Of(w)
	if own.Candidate == (Candidate{}) {
		return
	}
	seen := own.Candidate.Bytes
	if s.InPlace {
		seen = s.Contents[s.Writes(own.Candidate).Each()[0]]
	}
	own.Receipts[c] = Receipt{
		Attempt:  own.Told,
		Contract: s.Contract,
		Bytes:    seen,
		Inputs:   own.Candidate.Inputs,
		Members:  own.Candidate.Members,
		Version:  s.Admitted[c],
		Pass:     seen.Writer == uint8(w),
	}
}

// Complete records r as the completion of the task, whatever the state of it: all that
// the candidate really writes is published, the request remembered, and the task ended.
// If torn, only the first target is published, as by a service that publishes outside of
// the transaction and crashes.
func (s *State) Complete(r Request, torn bool) {
	for i, t := range s.Writes(r.Content).Each() {
		if torn && i > 0 {
			break
		}
		s.Revisions[t]++
		s.Contents[t] = r.Content.Bytes
	}
	s.Status = Completed
	s.Ledger.Bound = r
	s.Ledger.Writes++
}

// Sweep puts the task back into the queue if the sweeper saw it running: it has no owner
// then. A guarded sweeper does that only if the same attempt still runs and its lease is
// dead; one that is not goes by the task's id alone.
func (s *State) Sweep(guarded bool) {
	stillSo := s.Status == Running && s.Owner.Identity == s.Swept.Attempt && s.Owner.Lease == 0
	if !s.Swept.Running || guarded && !stillSo {
		return
	}
	s.Status = Running
	s.LastInner++
	s.LastFence++
	s.Owner = Ownership{Identity: Identity{s.Owner.Outer, s.LastInner, s.LastFence, s.Authority}}
}

// Report ends the task as failed, unless it was completed by this worker, which has no
// failure to report then. If it is guarded, only the current attempt of a running task can
// do that, and only if the authority's present incarnation assigned it.
func (s *State) Report(w Worker, guarded bool) {
	if s.Ledger.Writes > 0 && s.Ledger.Bound.Author == w {
		return
	}
	told := s.Of(w).Told
	current := s.Owner.Principal == w && s.Owner.Identity == told && told.Incarnation == s.Authority
	if guarded && (s.Status != Running || !current) {
		return
	}
	s.Status = Failed
}
