package ownership

import "strings"

// Rules is a set of what a mechanism has to keep to.
type Rules uint32

// The rules: of identity, of the lease, of evidence; and two without which a mechanism
// does no harm and no good. In brackets are the checks of the "Harness operations lab"
// that ask for the same; the rest follows from its rule that removal targets only
// identities that the run itself created, checked again just before.
const (
	ComparesRun        Rules = 1 << iota // a workload of another run stays
	ComparesOwner                        // one of another session stays
	ComparesGeneration                   // another generation stays [LC-04]
	ComparesInTime                       // what is compared is what is removed, at one moment
	ComparesEachTime                     // also when an earlier request has passed
	RemovesOnlyTarget                    // what else the run has stays [LC-07]

	KeepsRetained       // a workload with a lease that counts stays [RC-08]
	LeaseOfGeneration   // a lease counts for the generation that it was approved for [RC-16]
	LeaseApprovedTimely // only if its approval precedes the prior expiry [LC-05, RC-12]
	LeaseAhead          // only while its own expiry is ahead [RC-20]
	RenewalExtends      // a renewal in time moves the expiry
	RenewalTimely       // a renewal after the expiry does not

	SilenceIsUnknown // an answer that did not arrive says nothing [LC-06]
	AnswerOfRemoval  // an answer counts if something was removed, and it was what was asked for
	OutageIsUnknown  // an inventory that failed says nothing

	Removes // what may be removed is
	Reports // what is known to be removed is reported so
)

// lacks reports whether the rule is not kept.
func (m Mechanism) lacks(rule Rules) bool { return m.Lacks&rule != 0 }

// Checks is a set of what a request has to pass.
type Checks uint8

// The checks: five of a removal, and that of a report.
const (
	Present    Checks = 1 << iota // there is something to compare with
	Run                           // of what is there equals that of what was asked for
	Owner                         // likewise
	Generation                    // likewise
	Unretained                    // no lease that counts is on it
	Evidence                      // an answer or an inventory shows that it is removed
)

var checkNames = [...]string{"present", "run", "owner", "generation", "unretained", "evidence"}

// Names returns the names of the checks, in their order; it is never nil.
func (c Checks) Names() []string {
	names := []string{}
	for i, name := range checkNames {
		if c>>i&1 != 0 {
			names = append(names, name)
		}
	}
	return names
}

// String joins the names, or says none.
func (c Checks) String() string {
	if c == 0 {
		return "none"
	}
	return strings.Join(c.Names(), ", ")
}
