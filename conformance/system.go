package conformance

import "context"

// A System is a completion service under test, or what stands between it and the kit.
//
// It is used by one goroutine, which calls Reset and then, for each event of a schedule,
// Apply or Submit; between events it may call Recorded. Events are named as the scenarios
// name them: what each means is said in EVENTS.md. A system does what its service does
// when that happens, and answers what the service answers; it judges nothing.
//
// Every call has to return within the step's time limit, at which its context ends. An
// error says that the system can't go on, and ends the run as not judged: it is never the
// way to say that a request was refused.
type System interface {
	// About says what the system is. The answer never changes.
	About() About

	// Reset takes the service to the start of a scenario: the task is assigned to
	// worker A with a live lease, both workers have every grant, and nothing of an
	// earlier schedule is left.
	Reset(ctx context.Context) error

	// Apply performs an event that submits no completion.
	Apply(ctx context.Context, event string) error

	// Submit performs an event that submits a completion and returns the service's
	// decision.
	Submit(ctx context.Context, event string) (Decision, error)

	// Recorded reads back what the service has recorded. It changes nothing.
	Recorded(ctx context.Context) (Record, error)
}

// About says what a system is.
type About struct {
	// Name is what reports call it, in a word or two.
	Name string `json:"name"`

	// Events are the events that the system has. The scenarios shrink to them, and the
	// report names every obligation that no schedule exercises then.
	Events []string `json:"events"`

	// Parallel says that several systems can be open at a time and don't affect each
	// other, so that schedules can run in parallel.
	Parallel bool `json:"parallel,omitempty"`
}

// A Decision is a service's answer to a completion request.
type Decision struct {
	Accepted bool `json:"accepted"`

	// Receipt identifies the completion that the service recorded, or had recorded when
	// the request came again. It is not empty if the request was accepted, and is empty
	// otherwise.
	Receipt string `json:"receipt,omitempty"`

	// Refusal says why the request was refused, in a word or two that are the same
	// whenever the reason is; it may be empty. Refusals of eligible requests are told
	// apart by it.
	Refusal string `json:"refusal,omitempty"`
}

// A Record is what a service has recorded of the task.
type Record struct {
	// Receipts are those of the terminal writes to the task, in order: none before it is
	// completed, and never more than one.
	Receipts []string `json:"receipts"`

	// Status is the task's: "running", "completed", "cancelled" or "failed". Empty
	// leaves it out of the comparison.
	Status string `json:"status,omitempty"`

	// Published says how often each target was published since Reset, by anybody. Targets
	// that it does not have are left out of the comparison.
	Published map[string]int `json:"published,omitempty"`

	// State is any text that changes with whatever else a refused request, or one that
	// is answered again, must leave alone. It may be empty.
	State string `json:"state,omitempty"`
}
