package deadline

import "time"

// A Verdict is whether the contract was fulfilled.
type Verdict uint8

// The verdicts.
const (
	NotDetermined Verdict = iota // nothing that could be read says so
	Fulfilled
	Violated
)

func (v Verdict) String() string {
	return [...]string{"not determined", "fulfilled", "violated"}[v]
}

// A Mode is how a contract was violated.
type Mode uint8

// The modes.
const (
	NoMode Mode = iota // it was not violated
	Late               // the predicate held after the deadline
	Never              // it was never observed to hold
)

func (m Mode) String() string { return [...]string{"", "late", "never"}[m] }

// A Task is what was to be done.
type Task uint8

// The tasks.
const (
	Placement Task = iota // so many bytes are to be at the target site
	Deletion              // the path is to be absent, and no site to retain a byte of the file
)

func (t Task) String() string { return [...]string{"placement", "deletion"}[t] }

// An Observation is one sample of the predicate.
type Observation struct {
	At       time.Duration
	Readable bool // the probe succeeded; if not, the rest says nothing
	Holds    bool
	Short    bool // in a placement, fewer bytes are there than are expected
}

// A Target is what a call was aimed at.
type Target uint8

// The targets.
const (
	NoTarget   Target = iota // the call names none
	Contracted               // the one that the contract names
	Label                    // its label instead of its id, which the service does not know
	Source                   // where the file is already
	OtherTarget
)

// A Path is how a call names the file.
type Path uint8

// The paths.
const (
	NoPath Path = iota // the call names none
	Exact
	ByID // the file's id
	OtherPath
)

// A Call is one of the agent's.
type Call struct {
	At       time.Duration
	Required bool // it is the operation that the task needs
	Accepted bool // by the service
	Target   Target
	Path     Path
}

// A Claim is what the agent says of itself.
type Claim uint8

// The claims.
const (
	NoClaim Claim = iota // nothing, or what is no claim
	Done
	Refused
)

// A Report is the agent's.
type Report struct {
	Made  bool
	At    time.Duration
	Claim Claim
	Words string // the claim and the final answer, as they were given; a deletion is judged by them
}

// A Signal is what the service says of its own job.
type Signal uint8

// The signals.
const (
	NoSignal Signal = iota // nothing
	Pending                // it is scheduled, or active
	Terminal               // anything else
)

// A Status is a signal at a time.
type Status struct {
	At     time.Duration
	Signal Signal
}

// A Condition is a fault that was injected. It is withheld from every policy.
type Condition struct {
	Present bool
	From    time.Duration
	Cleared bool // whether it ended
	Until   time.Duration
}

// A Judgement is what a judge made of the transcript.
type Judgement struct {
	Made    bool // whether a judge was asked
	Verdict Verdict
}

// A Trial is what is known of one attempt. Calls, observations, statuses and times of bad
// health are each in the order of their times.
type Trial struct {
	Task         Task
	Deadline     time.Duration
	Calls        []Call
	Report       Report
	Observations []Observation
	Unhealthy    []time.Duration // when the target's health was seen to be bad
	Statuses     []Status
	Judge        Judgement
	Condition    Condition
}

// FirstRequired returns the first call of the required operation, whatever its arguments.
func (t *Trial) FirstRequired() (Call, bool) {
	return t.first(func(c Call) bool { return true })
}

// FirstRight returns the first call of the required operation that names exactly the file
// and the target of a placement.
func (t *Trial) FirstRight() (Call, bool) {
	return t.first(func(c Call) bool { return c.Target == Contracted && c.Path == Exact })
}

// FirstAccepted returns the first call of the required operation that the service accepted.
func (t *Trial) FirstAccepted() (Call, bool) {
	return t.first(func(c Call) bool { return c.Accepted })
}

func (t *Trial) first(is func(Call) bool) (Call, bool) {
	for _, c := range t.Calls {
		if c.Required && is(c) {
			return c, true
		}
	}
	return Call{}, false
}
