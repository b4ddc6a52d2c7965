package ownership

import "strings"

// Reasons is a set of facts for which it is wrong to remove, or to report as removed.
type Reasons uint16

// The reasons. The first five are of a removal, the others of a report.
const (
	Generation Reasons = 1 << iota // another generation of the same session would be removed
	Owner                          // a workload of another session of the run would
	Run                            // a workload of another run would
	Retained                       // a workload whose lease counts would
	Bystander                      // a workload would that is not in the slot

	Unanswered  // the answer to the removal has not arrived
	NotByThis   // it has, and what was asked for was not removed by this request
	NoInventory // none was taken
	Outage      // one was taken, and failed
	Listed      // one was taken, and shows the workload
	Running     // the workload that was asked for still runs
)

var reasons = [...]struct{ name, sentence string }{
	{"generation", "another generation of the session is in the slot"},
	{"owner", "a workload of another session is in the slot"},
	{"run", "a workload of another run is in the slot"},
	{"retained", "a lease that counts is on what is in the slot"},
	{"bystander", "a workload outside of the slot would be removed with it"},
	{"unanswered", "the answer to the removal has not arrived"},
	{"not-removed", "the answer says that this request did not remove what it asked for"},
	{"no-inventory", "no inventory was taken after the removal"},
	{"outage", "the inventory failed, which proves nothing"},
	{"listed", "the inventory shows the workload"},
	{"running", "the workload that was asked for still runs"},
}

// AllReasons returns the set of all.
func AllReasons() Reasons { return 1<<len(reasons) - 1 }

// each yields the positions of the reasons in the set.
func (r Reasons) each(yield func(i int)) {
	for i := range reasons {
		if r>>i&1 != 0 {
			yield(i)
		}
	}
}

// Names returns the reasons' names, in their order; it is never nil.
func (r Reasons) Names() []string {
	names := []string{}
	r.each(func(i int) { names = append(names, reasons[i].name) })
	return names
}

// Sentences returns what each reason says, for people.
func (r Reasons) Sentences() []string {
	var list []string
	r.each(func(i int) { list = append(list, reasons[i].sentence) })
	return list
}

// String joins the names, or says none.
func (r Reasons) String() string {
	if r == 0 {
		return "none"
	}
	return strings.Join(r.Names(), ", ")
}
