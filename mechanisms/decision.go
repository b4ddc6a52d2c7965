package mechanisms

import "example.com/commitpoint/model"

// A Decision is a mechanism's structured answer to a request. Use Require to
// make one, or fill it in: a rule that refuses for reasons of its own leaves
// Failed empty.
type Decision struct {
	Accepted bool
	Relied   model.Checks // the checks that were evaluated
	Failed   model.Checks // those of them that failed: all, not the first
}

// Require evaluates checks and accepts if all of them hold.
func Require(s model.State, r model.Request, checks model.Checks) Decision {
	failed := Failed(s, r) & checks
	return Decision{Accepted: failed == 0, Relied: checks, Failed: failed}
}

// Recovery returns, for each failed check in declaration order, what would
// legitimately make it hold.
func (d Decision) Recovery() []string {
	var advice []string
	for _, c := range d.Failed.Each() {
		advice = append(advice, Recovery(c))
	}
	return advice
}

// Recovery returns what would legitimately make a single failed check hold (the
// report's section 7.2); the empty string for anything but one check. Trying
// again, or faster, is never among it.
func Recovery(c model.Checks) string { return recovery[c] }

var recovery = map[model.Checks]string{
	model.Attempt:      "the task has another attempt now: hand the work over, or have the task assigned again",
	model.Fence:        "the fence has moved on: only the holder of the current one can complete the task",
	model.Lease:        "obtain ownership first: renew the lease or claim the task again, then submit",
	model.Grant:        "a legitimate change of authority: someone entitled has to grant it again; retrying faster is not recovery",
	model.Inputs:       "rebase on the current input revision and verify again",
	model.Artifact:     "restore the candidate's bytes or prepare a candidate from what is there now, and verify again",
	model.Evidence:     "have the admitted checker verify exactly this candidate and cite its receipt",
	model.Contract:     "submit against the task and the contract that were assigned, or have the task migrated",
	model.LatestPolicy: "none is needed: the task is pinned to its policy, and the check is stricter than the contract",
}
