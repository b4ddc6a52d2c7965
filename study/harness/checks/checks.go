package checks

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// A Check is what there is to be checked.
type Check struct {
	ID        string
	Situation string
	Expected  string // what has to be observed, in the words of the report
}

// All returns the forty checks, in order: those that Contracts makes, and the eight of
// workloads (LC), which another package makes.
func All() []Check {
	var all []Check
	for _, c := range contracts() {
		all = append(all, c.Check)
	}
	return append(all, workloads...)
}

// Situation returns the situation of a check, or "" for an id that is none.
func Situation(id string) string {
	for _, c := range All() {
		if c.ID == id {
			return c.Situation
		}
	}
	return ""
}

// Contracts makes the 32 contract checks and returns their cases, in the order of All.
//
// A check that panics fails, with the panic's text. When ctx is done the check at hand is still
// finished, and those that remain are not run, with ctx's reason. Without that the cases are
// the same each time.
func Contracts(ctx context.Context) []Case { return ours.run(ctx, contracts()) }

// A contract is a check that is made on a library.
type contract struct {
	Check
	// look returns what was observed, which has to be as expected, and details for people.
	look func(context.Context, library) (seen, detail string)
}

// contracts returns the checks that can be made in this package, in order.
func contracts() []contract {
	return slices.Concat(receiptChecks(), adapterChecks(), retryChecks(), budgetChecks())
}

func (l library) run(ctx context.Context, list []contract) []Case {
	cases := make([]Case, 0, len(list))
	for _, c := range list {
		if ctx.Err() != nil {
			cases = append(cases, Case{c.ID, NotRun, "not run: " + line(context.Cause(ctx))})
			continue
		}
		// A cancelled attempt would look like a wrong decision.
		cases = append(cases, l.make(context.WithoutCancel(ctx), c))
	}
	return cases
}

// make makes a check.
func (l library) make(ctx context.Context, c contract) (made Case) {
	defer func() {
		if p := recover(); p != nil {
			made = Case{c.ID, Fail, "panic: " + line(p)}
		}
	}()
	seen, detail := c.look(ctx, l)
	observation := seen
	if detail != "" {
		observation += ": " + detail
	}
	if seen != c.Expected {
		return Case{c.ID, Fail, observation + "; expected " + c.Expected}
	}
	return Case{c.ID, Pass, observation}
}

// line returns a value's text in one line.
func line(v any) string { return strings.Join(strings.Fields(fmt.Sprint(v)), " ") }

// workloads are the checks of real workloads, made elsewhere.
var workloads = []Check{
	{"LC-01", "two isolated sessions each serve their own identity on 127.0.0.1:3187",
		"each answers with its session, generation and build marker"},
	{"LC-02", "a second bind of the port inside session A", "address in use; both listeners still answer"},
	{"LC-03", "a detached descendant in A", "alive, in another OS session, within A"},
	{"LC-04", "cleanup asked with a stale generation", "refused; A keeps running"},
	{"LC-05", "retention authorized before the prior expiry, and approved late", "accepted; rejected"},
	{"LC-06", "the acknowledgement of a cleanup is lost", "cleanup is UNKNOWN"},
	{"LC-07", "A is removed, and B kept", "A is absent from a successful inventory; B still answers"},
	{"LC-08", "B is removed, and a last inventory taken", "nothing of the run remains"},
}
