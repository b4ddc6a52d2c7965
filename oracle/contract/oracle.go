package contract

import "example.com/commitpoint/model/contract"

// A worker is what the oracle remembers of one.
type worker struct {
	told    uint8 // which assignment of the task it knows of, 0 for none
	sent    uint8 // which it knew of when it first sent its request
	asked   bool  // whether it has sent one
	inputs  uint8 // revision, as read
	members uint8 // of the directory, as read

	candidate contract.Bytes
	listed    uint8 // the directory's version that the candidate declares
	prepared  bool
	verified  [2]verification // by criterion
}

// A verification is what a checker looked at.
type verification struct {
	done     bool
	bytes    contract.Bytes
	members  uint8 // that the candidate declared
	told     uint8 // the worker's assignment
	contract uint8
	version  uint8 // of the checker
}

// A History is what the oracle remembers of the events so far: a small comparable
// value. Start from Begin.
type History struct {
	setup       contract.Setup
	assignment  uint8 // counts assignments, and restores, from 1
	owner       contract.Worker
	lease       uint8
	ended       bool
	contract    uint8
	revoked     contract.Targets // of worker a
	inputs      uint8
	members     uint8
	moved       bool // the alias
	published   [3]uint8
	overwritten contract.Bytes // what is in the first target, if candidates are written in place
	versions    [2]uint8
	workers     [2]worker

	// What the sweeper saw.
	swept        uint8 // the assignment
	sweptRunning bool

	// The record of the completion.
	recorded bool
	bound    contract.Request
}

// Begin returns the history of no events.
func Begin(setup contract.Setup) History {
	return History{
		setup: setup, assignment: 1, owner: contract.A, lease: 1, contract: 1, inputs: 1, members: 1,
		versions: [2]uint8{1, 1}, published: [3]uint8{1, 1, 1},
		workers: [2]worker{{told: 1}, {}},
	}
}

// A Standing is whose the task is: which assignment is current, and whether the task has
// ended.
type Standing struct {
	Assignment uint8
	Ended      bool
}

// Standing returns whose the task is by now.
func (h *History) Standing() Standing { return Standing{h.assignment, h.ended} }

// Step adds an event to the history.
func (h *History) Step(e contract.Event) {
	if e.Worker != 0 {
		h.act(e, &h.workers[e.Worker-1])
		return
	}
	switch e.Kind {
	case contract.LeaseExpire:
		h.lease -= min(h.lease, 1)
	case contract.Renew:
		h.lease += min(h.lease, 1)
	case contract.Reclaim:
		h.assign(h.owner)
	case contract.Restage:
		if h.assign(contract.B) {
			h.workers[contract.B-1].told = h.assignment
		}
	case contract.Cancel:
		h.ended = true
	case contract.Migrate:
		if !h.ended {
			h.contract++
		}
	case contract.Revoke:
		h.revoked |= contract.TargetSet(contract.OutA, contract.OutB, contract.Secret)
	case contract.RevokeSecond:
		h.revoked |= contract.TargetSet(contract.OutB)
	case contract.Regrant:
		h.revoked = 0
	case contract.InputEdit:
		h.inputs++
	case contract.FileAdd:
		h.members++
	case contract.ForeignPublish:
		h.published[contract.OutA]++
		h.overwritten = contract.Bytes{}
	case contract.AliasMove:
		h.moved = true
	case contract.Withdraw:
		h.versions[contract.Review]++
	case contract.Restore:
		if h.swept == h.assignment {
			h.swept++ // the attempt that the sweeper saw is still there
		}
		h.assignment++ // whoever was told something before belongs to another authority
	case contract.SweepRead:
		h.swept, h.sweptRunning = h.assignment, !h.ended
	case contract.SweepWrite:
		if h.sweptRunning && !h.ended && h.swept == h.assignment && h.lease == 0 {
			h.assignment++
			h.owner = 0
		}
	}
}

// act adds an event of a worker.
func (h *History) act(e contract.Event, w *worker) {
	switch e.Kind {
	case contract.Claim:
		if h.assign(e.Worker) {
			w.told = h.assignment
		}
	case contract.Read:
		w.inputs, w.members = h.inputs, h.members
	case contract.Prepare, contract.PreparePair, contract.PrepareAlias, contract.PrepareUnclean, contract.PrepareCase:
		w.candidate = contract.Bytes{Writer: uint8(e.Worker), Inputs: w.inputs}
		w.listed, w.prepared = w.members, true
		h.overwritten = w.candidate
	case contract.Replace:
		if w.prepared {
			w.candidate.Variant = 1
		}
	case contract.Verify:
		h.verify(w, contract.Tests)
		h.verify(w, contract.Review)
	case contract.VerifyTests:
		h.verify(w, contract.Tests)
	case contract.VerifyReview:
		h.verify(w, contract.Review)
	case contract.Commit, contract.Retry:
		if !w.asked {
			w.asked, w.sent = true, w.told
		}
	case contract.Report:
		if w.told == h.assignment && h.owner == e.Worker {
			h.ended = true
		}
	}
}

// assign notes that the task is w's from now on, if it still can be.
func (h *History) assign(w contract.Worker) bool {
	if h.ended || w == 0 {
		return false
	}
	h.assignment++
	h.owner, h.lease = w, 1
	return true
}

func (h *History) verify(w *worker, c contract.Criterion) {
	if !w.prepared {
		return
	}
	seen := w.candidate
	if h.setup.InPlace {
		seen = h.overwritten
	}
	w.verified[c] = verification{true, seen, w.listed, w.told, h.contract, h.versions[c]}
}

// Record notes that r is recorded as the completion.
func (h *History) Record(r contract.Request) {
	h.recorded, h.ended, h.bound = true, true, r
	for _, t := range h.writes(r.Content.Manifest).Each() {
		h.published[t]++
	}
}

// writes returns what a manifest really writes.
func (h *History) writes(m contract.Manifest) contract.Targets {
	switch {
	case m == contract.Pair:
		return contract.TargetSet(contract.OutA, contract.OutB)
	case m == contract.Unclean, m == contract.Aliased && h.moved:
		return contract.TargetSet(contract.Secret)
	}
	return contract.TargetSet(contract.OutA)
}

// A Verdict is the oracle's judgement of a request at one moment.
type Verdict struct {
	Reasons Reasons // why it is not eligible; none if it is
	Replay  bool    // it is eligible because it was recorded before, and asks for its receipt
}

// Eligible reports whether the request ought to be accepted.
func (v Verdict) Eligible() bool { return v.Reasons == 0 }

// Judge says whether the request r of event e may be recorded as complete, or answered
// with the receipt of the same request; and if not, every reason. It is to be asked
// before the event is added to the history.
func (h *History) Judge(e contract.Event, r contract.Request) Verdict {
	if h.recorded && r == h.bound {
		return Verdict{Replay: true}
	}
	if h.recorded && r.ID == h.bound.ID {
		return Verdict{Reasons: OtherRequest}
	}
	w := &h.workers[e.Worker-1]
	told := w.told
	if w.asked && e.Kind != contract.Commit {
		told = w.sent // the same request as then
	}
	writes := h.writes(r.Content.Manifest)
	var reasons Reasons
	for _, fact := range [...]struct {
		holds  bool
		reason Reasons
	}{
		{h.ended, Ended},
		{r.Caller != e.Worker, OtherCaller},
		{told != h.assignment || h.owner != e.Worker, Reassigned},
		{h.lease == 0, LeaseExpired},
		{writes&contract.TargetSet(contract.Secret) != 0, OutOfScope},
		{r.Caller == contract.A && writes&h.revoked != 0, NotGranted},
		{r.Contract != h.contract, OtherContract},
		{r.Content.Inputs != h.inputs || r.Content.Members != h.members, InputChanged},
		{h.outdated(r.Content, writes), TargetChanged},
		{!h.supported(w, told, r.Content), Unsupported},
	} {
		if fact.holds {
			reasons |= fact.reason
		}
	}
	return Verdict{Reasons: reasons}
}

func (h *History) outdated(c contract.Candidate, writes contract.Targets) bool {
	for _, t := range writes.Each() {
		if c.Bases[t] != h.published[t] {
			return true
		}
	}
	return false
}

// supported reports whether every required criterion has a pass for the candidate.
func (h *History) supported(w *worker, told uint8, c contract.Candidate) bool {
	for criterion, v := range w.verified {
		if h.setup.Optional && contract.Criterion(criterion) == contract.Review {
			continue
		}
		if !v.done || v.bytes != c.Bytes || v.bytes.Writer == 0 || v.members != c.Members || v.told != told ||
			v.contract != h.contract || v.version != h.versions[criterion] {
			return false
		}
	}
	return true
}
