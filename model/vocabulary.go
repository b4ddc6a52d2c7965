package model

// An ID names a task, an attempt, a receipt or a request. Zero names nothing.
type ID uint8

// A Principal is who acts.
type Principal uint8

// The two workers.
const (
	WorkerA Principal = iota + 1 // holds the task first and submits the completion
	WorkerB                      // replaces A on Reassign
)

func (p Principal) String() string {
	switch p {
	case WorkerA:
		return "worker A"
	case WorkerB:
		return "worker B"
	}
	return "nobody"
}

// A Revision numbers the versions of the input, from 1. Zero is no version.
type Revision uint8

// A Policy is a version of the behavioral policy.
type Policy uint8

// The policies: the task is pinned to V1; PublishV2 makes V2 the default.
const (
	BehaviorV1 Policy = iota + 1
	BehaviorV2
)

// A Task is an obligation as it was assigned. None of it changes.
type Task struct {
	ID       ID
	Policy   Policy  // the behavioral policy it is pinned to
	Checker  Checker // the checker version admitted for its one criterion
	Contract Digest  // hash of the pinned contract
}

// An Ownership is the task's current attempt: who may act, until when.
type Ownership struct {
	Attempt   ID
	Principal Principal
	Fence     uint8 // grows with every replacement
	LeaseLive bool
}

// Grants is the set of principals that may complete the task.
type Grants uint8

// Holds reports whether p has the grant.
func (g Grants) Holds(p Principal) bool { return g>>p&1 != 0 }

// With returns g with p in it.
func (g Grants) With(p Principal) Grants { return g | 1<<p }

// Without returns g with p taken out.
func (g Grants) Without(p Principal) Grants { return g &^ (1 << p) }

// An Input is one version of the number to double.
type Input struct {
	Revision Revision
	Value    uint16
}

// A Candidate is output that a worker prepared: immutable bytes, and the
// attempt and input revision that they come from.
type Candidate struct {
	Attempt ID
	Inputs  Revision
	Blob    Blob
}

// A Receipt is what the service keeps of one verification. Workers can't write
// it; they name it by its ID.
type Receipt struct {
	ID       ID
	Task     ID
	Attempt  ID // the attempt whose candidate was to be verified
	Checker  Checker
	Inputs   Revision // the dependency that the checker looked at
	Pass     bool
	Contract Digest
	Digest   Digest // of the bytes that the checker observed
}

// A Request asks for a completion to be recorded.
type Request struct {
	ID        ID
	Task      ID
	Attempt   ID
	Principal Principal
	Fence     uint8
	Inputs    Revision // declared dependency
	Evidence  ID       // of a Receipt
	Contract  Digest
	Candidate Digest
}

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
	Writes  uint8      // terminal writes
}
