package model

import (
	"math/bits"
	"strings"
)

// Checks is a set of checks that an acceptance mechanism can require. What
// each means, for a state and a request, is in package mechanisms.
type Checks uint16

// The checks, in declaration order.
const (
	Attempt      Checks = 1 << iota // the request's attempt and principal are the task's current ones
	Fence                           // the request's fence is the current one
	Lease                           // the current attempt's lease is live
	Grant                           // the principal holds the grant now
	Inputs                          // the declared input revision is current
	Artifact                        // the artifact's bytes are the candidate's
	Evidence                        // an admitted receipt says that the candidate passed
	Contract                        // the request's task and contract are the pinned ones
	LatestPolicy                    // over-strict: the pinned policy is the newest default
)

// All is the eight checks of the completion contract. LatestPolicy, which the
// contract does not ask for, is not among them.
const All = Attempt | Fence | Lease | Grant | Inputs | Artifact | Evidence | Contract

// NumChecks is the number of checks there are, LatestPolicy included.
const NumChecks = len(checkNames)

var checkNames = [...]string{
	"attempt", "fence", "lease", "grant", "inputs", "artifact", "evidence", "contract", "latest-policy",
}

// Has reports whether every check of d is in c.
func (c Checks) Has(d Checks) bool { return c&d == d }

// Each returns the checks of c one by one, in declaration order.
func (c Checks) Each() []Checks {
	list := make([]Checks, 0, bits.OnesCount16(uint16(c)))
	for rest := c; rest != 0; rest &= rest - 1 {
		list = append(list, rest&-rest)
	}
	return list
}

// Names returns the names of the checks of c, in declaration order; it is
// empty, not nil, for no checks.
func (c Checks) Names() []string {
	names := make([]string, 0, bits.OnesCount16(uint16(c)))
	for i, name := range checkNames {
		if c>>i&1 != 0 {
			names = append(names, name)
		}
	}
	return names
}

// String returns the names separated by ", ", or "none".
func (c Checks) String() string {
	if c == 0 {
		return "none"
	}
	return strings.Join(c.Names(), ", ")
}
