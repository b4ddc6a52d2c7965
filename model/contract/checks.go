package contract

import (
	"math/bits"
	"strings"
)

// Checks is a set of the contract's predicates. What each means, for a state and a
// request, is in package mechanisms/contract.
type Checks uint16

// The predicates, in declaration order.
const (
	Active       Checks = 1 << iota // the task is neither completed nor cancelled nor failed
	Caller                          // the authenticated caller is the current attempt's principal
	Attempt                         // the request's outer and inner attempt ids are the current ones
	Fence                           // the request's fence is the current one
	Incarnation                     // the request's attempt is of the authority's present incarnation
	Lease                           // the current attempt's lease is live
	Scope                           // everything that the candidate really writes is in the pinned scope
	Grant                           // the caller holds a grant, now, for everything that it really writes
	Contract                        // the request names the contract that the task is pinned to
	Dependencies                    // the declared inputs and directory members are current
	Bases                           // every target still has the revision that the candidate is based on
	Binding                         // the receipts are about the request: its candidate, attempt and contract
	Criteria                        // every required criterion has a pass of an admitted checker version
)

// All is the whole conjunction. Request identity stands beside it.
const All = Criteria<<1 - 1

var checkNames = [...]string{
	"active", "caller", "attempt", "fence", "incarnation", "lease", "scope", "grant",
	"contract", "dependencies", "bases", "binding", "criteria",
}

// Each returns the checks of c one by one, in declaration order.
func (c Checks) Each() []Checks {
	list := make([]Checks, 0, bits.OnesCount16(uint16(c)))
	for rest := c; rest != 0; rest &= rest - 1 {
		list = append(list, rest&-rest)
	}
	return list
}

// Names returns the names of the checks of c, in declaration order; it is empty, not
// nil, for none.
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
