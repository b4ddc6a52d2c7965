package contract

import (
	"fmt"
	"strconv"
	"strings"

	"example.com/commitpoint/model"
)

// A Kind is what happens in an event.
type Kind uint8

// The kinds of event. Those from Claim to Impersonate are a worker's, the rest are of
// the environment.
const (
	Claim           Kind = iota + 1 // the task is assigned to the worker, with a new inner attempt
	Read                            // it records the input, the directory's members and the contract
	Prepare                         // it prepares a candidate of what it read, to be published as out/a
	PreparePair                     // the same, as out/a and out/b
	PrepareAlias                    // as out/latest, which is an alias
	PrepareUnclean                  // as out/../secret
	PrepareCase                     // as Out/A/, which is out/a
	Verify                          // checkers look at the candidate for every criterion
	VerifyTests                     // a checker looks at the candidate for the criterion tests
	VerifyReview                    // the same for the criterion review
	Preflight                       // the service evaluates the checks and remembers what failed
	Commit                          // the completion request is decided
	Refresh                         // the worker reads the contract again, which its request will name
	Replace                         // it replaces its candidate by other bytes
	Retry                           // the same request again, its response having been lost
	RetryOther                      // another candidate under the same request id
	Report                          // the worker reports that it failed
	Impersonate                     // the other worker sends this worker's request
	LeaseExpire                     // the current attempt's lease runs out, unless it was renewed
	Renew                           // the lease is renewed, if it is live
	Reclaim                         // another process of the current owner claims the task
	Restage                         // the stage starts again: a new outer attempt, of worker b
	Cancel                          // the task is cancelled, if it is active
	Migrate                         // the task is pinned to another contract
	Revoke                          // worker a's grants are withdrawn
	RevokeSecond                    // worker a's grant for out/b is withdrawn
	Regrant                         // worker a is granted everything again
	InputEdit                       // the input gets a new revision
	FileAdd                         // a file appears in the directory that is depended on
	ForeignPublish                  // somebody else publishes the first target
	AliasMove                       // the alias names the target outside of the scope from now on
	Withdraw                        // the checker version of the criterion review is no longer admitted
	PublishPolicy                   // a new default policy; the task stays pinned
	RestartFences                   // the authority restarts and counts fences from the start
	RestartAttempts                 // the authority restarts and issues inner attempt ids again
	Restore                         // the authority comes back from a backup, in a new incarnation
	SweepRead                       // the sweeper looks at the task
	SweepWrite                      // and puts it back into the queue, going by what it saw
)

// kinds has, for each kind, its text form, who causes it if no worker does, and what it
// acts on.
var kinds = [...]struct{ name, actor, object string }{
	Claim:           {"claim", "", "task"},
	Read:            {"read", "", "inputs"},
	Prepare:         {"candidate", "", "candidate"},
	PreparePair:     {"candidate-pair", "", "candidate"},
	PrepareAlias:    {"candidate-alias", "", "candidate"},
	PrepareUnclean:  {"candidate-unclean", "", "candidate"},
	PrepareCase:     {"candidate-case", "", "candidate"},
	Verify:          {"verify", "checker", "evidence store"},
	VerifyTests:     {"verify-tests", "checker", "evidence store"},
	VerifyReview:    {"verify-review", "checker", "evidence store"},
	Preflight:       {"preflight", "service", "task"},
	Commit:          {"commit", "service", "task"},
	Refresh:         {"refresh", "", "contract"},
	Replace:         {"replace", "", "candidate"},
	Retry:           {"retry", "", "task"},
	RetryOther:      {"retry-other", "", "task"},
	Report:          {"report-failure", "", "task"},
	Impersonate:     {"impersonate", "other worker", "task"},
	LeaseExpire:     {"lease-expire", "clock", "task"},
	Renew:           {"renew", "owner", "task"},
	Reclaim:         {"reclaim", "owner", "task"},
	Restage:         {"restage", "scheduler", "task"},
	Cancel:          {"cancel", "user", "task"},
	Migrate:         {"migrate", "authority", "contract"},
	Revoke:          {"revoke", "authority", "grants"},
	RevokeSecond:    {"revoke-second", "authority", "grants"},
	Regrant:         {"regrant", "authority", "grants"},
	InputEdit:       {"input-edit", "other writer", "inputs"},
	FileAdd:         {"file-add", "other writer", "inputs"},
	ForeignPublish:  {"foreign-publish", "other writer", "targets"},
	AliasMove:       {"alias-move", "other writer", "targets"},
	Withdraw:        {"withdraw-checker", "authority", "evidence store"},
	PublishPolicy:   {"publish-policy", "authority", "policy"},
	RestartFences:   {"restart-fences", "authority", "task"},
	RestartAttempts: {"restart-attempts", "authority", "task"},
	Restore:         {"restore", "authority", "task"},
	SweepRead:       {"sweep-read", "sweeper", "task"},
	SweepWrite:      {"sweep-write", "sweeper", "task"},
}

// A Worker is one of two, or nobody.
type Worker uint8

// The workers.
const (
	A Worker = iota + 1 // owns the task at the start
	B
)

// String returns "a" or "b".
func (w Worker) String() string {
	if w == 0 {
		return "nobody"
	}
	return string('a' + rune(w) - 1)
}

// Other returns the other worker.
func (w Worker) Other() Worker { return A + B - w }

// slot returns where a worker's things are.
func (w Worker) slot() int { return int(w) - 1 }

// An Event is a worker's or, if Worker is 0, the environment's. N tells repetitions
// apart, as in model.Event.
type Event struct {
	Worker Worker
	Kind   Kind
	N      uint8
}

// ByWorker reports whether events of kind k are a worker's.
func (k Kind) ByWorker() bool { return k <= Impersonate }

// Decides reports whether an event of kind k is a request that is decided.
func (k Kind) Decides() bool {
	return k == Commit || k == Retry || k == RetryOther || k == Impersonate
}

// Manifest returns what a candidate prepared by an event of kind k declares to write; ok
// is false if no candidate is.
func (k Kind) Manifest() (m Manifest, ok bool) {
	if k < Prepare || k > PrepareCase {
		return 0, false
	}
	return Manifest(k - Prepare), true
}

// String returns the event's text form, a:read or reclaim#2.
func (e Event) String() string {
	text := fmt.Sprintf("event(%d)", e.Kind)
	if e.Kind > 0 && int(e.Kind) < len(kinds) {
		text = kinds[e.Kind].name
	}
	if e.Worker != 0 {
		text = e.Worker.String() + ":" + text
	}
	if e.N > 1 {
		text += "#" + strconv.Itoa(int(e.N))
	}
	return text
}

// GoString is String, for the messages of tests that print values with %#v.
func (e Event) GoString() string { return e.String() }

// Actor returns who causes the event.
func (e Event) Actor() string {
	switch actor := kinds[e.Kind].actor; {
	case e.Kind == Impersonate:
		return "worker " + e.Worker.Other().String()
	case actor == "":
		return "worker " + e.Worker.String()
	default:
		return actor
	}
}

// Object returns what the event acts on.
func (e Event) Object() string { return kinds[e.Kind].object }

// ParseEvent reads the text form of an event. The error is a model.ErrUnknownEvent if
// no event has that name.
func ParseEvent(text string) (Event, error) {
	var e Event
	name, number, numbered := strings.Cut(text, "#")
	if who, what, ok := strings.Cut(name, ":"); ok {
		switch who {
		case "a":
			e.Worker = A
		case "b":
			e.Worker = B
		default:
			return Event{}, fmt.Errorf("event %q has an unknown worker: they are a and b, as in a:commit", text)
		}
		name = what
	}
	for k := range kinds {
		if k > 0 && kinds[k].name == name {
			e.Kind = Kind(k)
		}
	}
	if e.Kind == 0 {
		return Event{}, fmt.Errorf("%w %q: the events are %s", model.ErrUnknownEvent, text, strings.Join(eventNames(), ", "))
	}
	if e.Kind.ByWorker() != (e.Worker != 0) {
		remedy := "is the environment's, and has no worker: write " + name
		if e.Kind.ByWorker() {
			remedy = "is a worker's: write a:" + name + " or b:" + name
		}
		return Event{}, fmt.Errorf("event %q %s", text, remedy)
	}
	if numbered {
		n, err := strconv.ParseUint(number, 10, 8)
		if e.N = uint8(n); err != nil || n < 2 || e.String() != text {
			return Event{}, fmt.Errorf("event %q has a bad number: repeated events are %s#2, %s#3, … up to #255", text, name, name)
		}
	}
	return e, nil
}

func eventNames() []string {
	var names []string
	for k := Claim; int(k) < len(kinds); k++ {
		name := kinds[k].name
		if k.ByWorker() {
			name = "a:" + name
		}
		names = append(names, name)
	}
	return names
}
