package model

import (
	"fmt"
	"strconv"
	"strings"
)

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
type Revision uint16

// String returns the number, or "none".
func (r Revision) String() string {
	if r == 0 {
		return "none"
	}
	return strconv.Itoa(int(r))
}

// Value returns the number that this version of the input holds.
func (r Revision) Value() int { return 20 + int(r) }

// A Policy is a version of the behavioral policy.
type Policy uint8

// The policies: the task is pinned to V1; PublishV2 makes V2 the default.
const (
	BehaviorV1 Policy = iota + 1
	BehaviorV2
)

func (p Policy) String() string { return "behavior-v" + strconv.Itoa(int(p)) }

// A Criterion is what a checker checks.
type Criterion uint8

// OutputIsDouble is the task's one criterion: the output is twice the input.
const OutputIsDouble Criterion = 1

// A Task is an obligation as it was assigned. None of it changes.
type Task struct {
	ID        ID
	Policy    Policy // the behavioral policy it is pinned to
	Criterion Criterion
	Checker   Checker // the checker version admitted for the criterion
	Contract  Digest  // hash of the pinned contract
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

// String names the principals, separated by ", ", or says "nobody".
func (g Grants) String() string {
	var names []string
	for p := WorkerA; p <= WorkerB; p++ {
		if g.Holds(p) {
			names = append(names, p.String())
		}
	}
	if names == nil {
		return "nobody"
	}
	return strings.Join(names, ", ")
}

// A Candidate is output that a worker prepared: immutable bytes, and where they
// come from.
type Candidate struct {
	Attempt   ID
	Principal Principal
	Inputs    Revision // what they were computed from
	Blob      Blob
}

// String returns the beginning of the content's digest and what it was computed
// from, or "none".
func (c Candidate) String() string {
	if c == (Candidate{}) {
		return "none"
	}
	return fmt.Sprintf("%v of input %v", c.Blob, c.Inputs)
}

// A Receipt is what the service keeps of one verification. Workers can't write
// it; they name it by its ID.
type Receipt struct {
	ID        ID
	Task      ID
	Attempt   ID // the attempt whose candidate was to be verified
	Criterion Criterion
	Checker   Checker
	Pass      bool
	Inputs    Revision // the dependency that the checker looked at
	Contract  Digest
	Digest    Digest // of the bytes that the checker observed
}

// String returns the result and what it is about, or "none".
func (r Receipt) String() string {
	if r == (Receipt{}) {
		return "none"
	}
	return fmt.Sprintf("receipt %d, %s of %s", r.ID, either(r.Pass, "pass", "fail"), r.Digest.Short())
}

// A Request asks for a completion to be recorded.
type Request struct {
	ID        ID
	Task      ID
	Attempt   ID
	Principal Principal
	Fence     uint8
	Evidence  ID       // of a Receipt
	Inputs    Revision // declared dependency
	Contract  Digest
	Candidate Digest
}
