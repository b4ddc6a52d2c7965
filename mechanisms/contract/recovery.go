package contract

import (
	"fmt"
	"slices"
	"strings"

	"example.com/commitpoint/model/contract"
)

// recoveries says, for each predicate, what is legitimate to do when it fails (the
// report's section 7.2), in words and as events: the worker's own, and those that it has
// to ask others for. There is none for a task that has ended.
var recoveries = map[contract.Checks]struct {
	advice string
	events []contract.Kind
}{
	contract.Active:       {"none: the task has ended, and its status stays", nil},
	contract.Caller:       {"be assigned the task, and send a request of your own", again},
	contract.Attempt:      {"hand the work over to the current attempt, or be assigned again", again},
	contract.Fence:        {"leave it to the holder of the current fence, or be assigned again", again},
	contract.Incarnation:  {"be assigned again by the present authority", again},
	contract.Lease:        {"obtain ownership first, then submit", again},
	contract.Scope:        {"prepare a candidate that stays in the pinned scope", anew},
	contract.Grant:        {"a legitimate change of authority; retrying faster is not recovery", []contract.Kind{contract.Regrant}},
	contract.Contract:     {"read the pinned contract again, and verify against it", []contract.Kind{contract.Refresh, contract.Verify}},
	contract.Dependencies: {"read again, prepare the candidate anew and verify it", anew},
	contract.Bases:        {"base the candidate on what is published now, and verify it", anew},
	contract.Binding:      {"have the admitted checkers verify exactly this candidate", []contract.Kind{contract.Verify}},
	contract.Criteria:     {"obtain a pass for every required criterion, from admitted checker versions", []contract.Kind{contract.Verify}},
}

var (
	again = []contract.Kind{contract.Claim, contract.Verify} // receipts are about an attempt, too
	anew  = []contract.Kind{contract.Read, contract.Prepare, contract.Verify}
)

// Recovery returns what is legitimate to do about a predicate that fails.
func Recovery(c contract.Checks) string { return recoveries[c].advice }

// Recover returns the events that make good all of the failed predicates, in an order in
// which none undoes another; ok is false if nothing does.
func Recover(failed contract.Checks) (events []contract.Kind, ok bool) {
	if failed&contract.Active != 0 {
		return nil, false
	}
	for _, kind := range []contract.Kind{contract.Regrant, contract.Claim, contract.Read, contract.Refresh, contract.Prepare, contract.Verify} {
		for _, c := range failed.Each() {
			if slices.Contains(recoveries[c].events, kind) {
				events = append(events, kind)
				break
			}
		}
	}
	return events, true
}

// Public returns what the caller of a refused request is told: the predicates that failed
// and what to do about each. A caller who is not the attempt's principal, or holds no
// grant for what the candidate writes, learns no more than that it is not authorized:
// neither what else failed, nor whose the task is, nor that there are such targets.
func (d Decision) Public() string {
	switch {
	case d.Accepted:
		return "recorded"
	case d.Mismatch, d.Failed&(contract.Caller|contract.Grant) != 0:
		return "refused: the caller is not authorized to complete this task with this request"
	}
	lines := []string{"refused: " + d.Failed.String()}
	for _, c := range d.Failed.Each() {
		lines = append(lines, c.String()+": "+Recovery(c))
	}
	return strings.Join(lines, "\n")
}

// Audit returns what is kept of a decision for those who may see everything.
func (d Decision) Audit(s *contract.State, r *contract.Request) string {
	outcome := "refused: " + d.Failed.String()
	switch {
	case d.Replayed:
		outcome = "answered with the recorded receipt"
	case d.Accepted:
		outcome = "accepted"
	case d.Mismatch:
		outcome = "refused: the id belongs to another request"
	}
	return fmt.Sprintf("request %d of %v by %v, attempt %v, contract %d, %v, writing %v: %s; the task is %v's, attempt %v, %v",
		r.ID, r.Author, r.Caller, r.Attempt, r.Contract, r.Content, s.Writes(r.Content), outcome, s.Owner.Principal, s.Owner.Identity, s.Status)
}
