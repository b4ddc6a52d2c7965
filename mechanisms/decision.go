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
	model.Attempt:      "hand the work over to the current attempt, or be assigned again",
	model.Fence:        "leave it to the holder of the current fence, or be assigned again",
	model.Lease:        "obtain ownership first, then submit",
	model.Grant:        "a legitimate change of authority; retrying faster is not recovery",
	model.Inputs:       "rebase on the current input and verify again",
	model.Artifact:     "start from what is there now, or restore the candidate, and verify again",
	model.Evidence:     "have the admitted checker verify exactly this candidate",
	model.Contract:     "submit against the assigned task and contract",
	model.LatestPolicy: "none needed: the task stays pinned to the policy it was assigned with",
}
