package ownership

// An Identity is what tells a workload apart from every other, whatever slot it is in.
type Identity struct {
	Run        string
	Owner      string // the session
	Generation uint8  // of the owner's workloads, from 1
}

// A Workload is one of those that there can be. It names an identity in a byte, since
// states are many.
type Workload uint8

// The workloads. Those that can be mistaken for one another are alike in all but one part:
// A2 differs from A1 in the generation, B2 from A2 in the owner, and Other1 from A1 in the
// run.
const (
	Nothing Workload = iota
	A1               // A's first
	A2               // A's next generation
	B1               // B's first, in a slot of its own
	B2               // B's next, which comes to A's slot
	Other1           // of a session A too, but of another run
)

var workloads = [...]struct {
	name string
	Identity
}{
	Nothing: {name: "nothing"},
	A1:      {"A's generation 1", Identity{"ours", "A", 1}},
	A2:      {"A's generation 2", Identity{"ours", "A", 2}},
	B1:      {"B's generation 1", Identity{"ours", "B", 1}},
	B2:      {"B's generation 2", Identity{"ours", "B", 2}},
	Other1:  {"another run's workload", Identity{"another", "A", 1}},
}

// String names the workload, for people.
func (w Workload) String() string { return workloads[w].name }

// Identity returns the workload's identity, that of Nothing being the zero one.
func (w Workload) Identity() Identity { return workloads[w].Identity }

// OfA reports whether the workload is one of session A of our run.
func (w Workload) OfA() bool { return w == A1 || w == A2 }

// A Decision is what is decided when a request comes to remove, or to report.
type Decision uint8

// The decisions. The first is that of all other events.
const (
	NoDecision Decision = iota
	Refuse              // nothing is removed
	Remove              // what is in the slot is removed
	RemoveRun           // whatever belongs to the run is removed, in the slot and elsewhere
	SayUnknown          // the outcome of the cleanup is reported as unknown
	SayRemoved          // the workload that was asked for is reported as removed
)

func (d Decision) String() string {
	return [...]string{"no decision", "refused", "removed", "removed all of the run's", "reported unknown", "reported removed"}[d]
}

// Accepts reports whether the decision is to remove, or to say that it was removed.
func (d Decision) Accepts() bool { return d == Remove || d == RemoveRun || d == SayRemoved }

// A Listing is what an inventory says of the workload that a request asked for.
type Listing uint8

// The listings.
const (
	NotListed Listing = iota // there was none
	Failed                   // it failed: it says nothing
	Present
	Absent
)

func (l Listing) String() string { return [...]string{"none", "failed", "present", "absent"}[l] }

// A Renewal is when the lease was renewed.
type Renewal uint8

// The renewals.
const (
	NotRenewed Renewal = iota
	InTime             // before the expiry that it extends
	TooLate            // after it
)

func (r Renewal) String() string { return [...]string{"no", "in time", "too late"}[r] }
