package contract

// A Status is where a task stands. All but Running are terminal.
type Status uint8

// The statuses.
const (
	Running Status = iota
	Completed
	Cancelled
	Failed
)

func (s Status) String() string {
	return [...]string{"running", "completed", "cancelled", "failed"}[s]
}

// An Identity is what tells one attempt from every other, as far as the authority can:
// what it issues when it assigns the task.
type Identity struct {
	Outer, Inner uint8 // a stage and a try
	Fence        uint8
	Incarnation  uint8 // of the authority
}

// An Ownership is the current attempt.
type Ownership struct {
	Identity
	Principal Worker
	Lease     uint8 // how many times it can run out before it is dead
}

// Bytes is a candidate's content, by digest: equal values are equal bytes.
type Bytes struct {
	Writer  uint8 // a worker, or foreign
	Inputs  uint8 // the revision of the input that it was computed from
	Variant uint8 // tells what a worker made of the same inputs
}

// foreign writes what no worker does.
const foreign = 255

// A Candidate is output that a worker prepared.
type Candidate struct {
	Bytes    Bytes
	Manifest Manifest
	Inputs   uint8             // declared dependencies: the revision of the input
	Members  uint8             // and the version of the directory's membership
	Bases    [numTargets]uint8 // the revision of each target when it was prepared, 0 of what is none
}

// A Criterion is what a checker checks.
type Criterion uint8

// The criteria.
const (
	Tests Criterion = iota
	Review

	numCriteria = iota
)

func (c Criterion) String() string { return [...]string{"tests", "review"}[c] }

// A Receipt is what the protected store keeps of a verification. The zero Receipt is
// none.
type Receipt struct {
	Attempt  Identity // whose candidate was verified
	Contract uint8    // the task's pinned contract then
	Bytes    Bytes
	Inputs   uint8 // of the candidate's dependency manifest
	Members  uint8
	Version  uint8 // of the checker
	Pass     bool
}

// A Request asks for a completion to be recorded. The caller is who the transport says
// it is, whatever the rest claims.
type Request struct {
	ID       uint8
	Caller   Worker
	Author   Worker // whose candidate and receipts it names
	Attempt  Identity
	Contract uint8
	Content  Candidate
}

// A Slot is what one worker has, and what the store has for it.
type Slot struct {
	Told      Identity // when the task was assigned to it
	Contract  uint8    // that its request will name
	Inputs    uint8    // as read
	Members   uint8
	Candidate Candidate
	Receipts  [numCriteria]Receipt // the last of each criterion
	Sent      Request              // the zero Request before the first
}

// A Sweep is what the sweeper saw.
type Sweep struct {
	Running bool
	Attempt Identity
}

// A Ledger remembers the request that completed the task.
type Ledger struct {
	Bound  Request
	Writes uint8 // terminal writes
}

// A Setup leaves out some of what the contract has: the zero Setup is all of it. It
// never changes. With both left out the machine is that of package model.
type Setup struct {
	Optional bool // the criterion review is not required
	InPlace  bool // candidates are written to their targets at once, and verified there
}

// A State is all that the authority, the shared objects, the protected store and the
// workers know at one moment.
type State struct {
	Setup
	Status    Status
	Contract  uint8 // the task's pinned contract, a version
	Owner     Ownership
	LastInner uint8 // issued; restarts lose these counters
	LastFence uint8
	Authority uint8 // incarnation
	Grants    [2]Targets
	Inputs    uint8 // revision of the input
	Members   uint8 // version of the directory's membership
	Latest    Target
	Revisions [numTargets]uint8
	Contents  [numTargets]Bytes
	Admitted  [numCriteria]uint8 // checker versions
	NewPolicy bool
	Slots     [2]Slot
	Swept     Sweep
	Ledger    Ledger
}

// Initial returns the state before any event: worker a owns the task, both workers may
// write everything, which is more than the task's scope.
func Initial(setup Setup) State {
	first := Identity{Outer: 1, Inner: 1, Fence: 1, Incarnation: 1}
	all := TargetSet(OutA, OutB, Secret)
	return State{
		Setup:     setup,
		Contract:  1,
		Owner:     Ownership{Identity: first, Principal: A, Lease: 1},
		LastInner: 1,
		LastFence: 1,
		Authority: 1,
		Grants:    [2]Targets{all, all},
		Inputs:    1,
		Members:   1,
		Revisions: [numTargets]uint8{1, 1, 1},
		Admitted:  [numCriteria]uint8{1, 1},
		Slots:     [2]Slot{{Told: first}, {}},
	}
}

// Required returns the criteria that the contract requires.
func (s *State) Required() []Criterion {
	if s.Optional {
		return []Criterion{Tests}
	}
	return []Criterion{Tests, Review}
}

// Writes returns what a candidate really writes, as aliases are now.
func (s *State) Writes(c Candidate) Targets { return resolved[c.Manifest][s.Latest] }

// Of returns what worker w has.
func (s *State) Of(w Worker) *Slot { return &s.Slots[w.slot()] }

// Request returns the request that a deciding event submits: the worker's, of what it
// has, or the same again if it has sent it before.
func (s *State) Request(e Event) Request {
	own := s.Of(e.Worker)
	r := own.Sent
	if r == (Request{}) || e.Kind == Commit {
		r = Request{
			ID:       uint8(e.Worker),
			Caller:   e.Worker,
			Author:   e.Worker,
			Attempt:  own.Told,
			Contract: own.Contract,
			Content:  own.Candidate,
		}
	}
	switch e.Kind {
	case RetryOther:
		r.Content.Bytes.Variant = other
	case Impersonate:
		r.Caller = e.Worker.Other()
	}
	return r
}

// The variants of a worker's bytes.
const (
	replaced = 1
	other    = 2
)
