// Package deadline has what can be made of a trial: five completion policies, each by what
// it may read, the attribution of a violated contract, the routing of a recovery, and the
// gate that releases a report.
//
// All are pure functions over values. None of them reads the condition that was injected.
package deadline

import (
	"fmt"
	"strings"
	"time"

	"example.com/commitpoint/model/deadline"
)

// A Policy decides whether a report of completion is to be accepted: it is if the answer
// is Fulfilled.
type Policy struct {
	Name    string
	Meaning string // in a clause: what it reads
	Decide  func(*deadline.Trial) deadline.Verdict

	// Lacks, if not nil, says that a trial has not what the policy reads, so that it is not
	// to be scored.
	Lacks func(*deadline.Trial) bool
}

// Policies returns the five policies, the reference last.
func Policies() []Policy {
	return []Policy{
		{Name: "self-report", Meaning: "what the agent says of itself", Decide: selfReport},
		{Name: "call-and-health", Meaning: "whether the required calls were accepted, and the target was healthy", Decide: callAndHealth},
		{
			Name: "transcript-judge", Meaning: "what a judge makes of the transcript",
			Decide: func(t *deadline.Trial) deadline.Verdict { return t.Judge.Verdict },
			Lacks:  func(t *deadline.Trial) bool { return !t.Judge.Made },
		},
		{Name: "report-time", Meaning: "the state when the agent reports", Decide: atReport},
		{Name: "until-deadline", Meaning: "the state until the deadline: the reference", Decide: func(t *deadline.Trial) deadline.Verdict {
			v, _ := Verify(t)
			return v
		}},
	}
}

// Named returns the policy with that name. The error lists what there is.
func Named(name string) (Policy, error) {
	var names []string
	for _, p := range Policies() {
		if p.Name == name {
			return p, nil
		}
		names = append(names, p.Name)
	}
	return Policy{}, fmt.Errorf("unknown policy %q: the policies are %s", name, strings.Join(names, ", "))
}

// Verify returns the reference verdict: Fulfilled if some readable observation no later
// than the deadline satisfies the predicate, Violated if none does and one was readable,
// and otherwise NotDetermined. A probe that failed is never a satisfaction, and what is
// observed later changes the mode of a violation, not the verdict.
func Verify(t *deadline.Trial) (deadline.Verdict, deadline.Mode) {
	verdict, mode := deadline.NotDetermined, deadline.Never
	for _, o := range t.Observations {
		switch {
		case !o.Readable:
		case o.At > t.Deadline:
			if o.Holds {
				mode = deadline.Late
			}
		case o.Holds:
			return deadline.Fulfilled, deadline.NoMode
		default:
			verdict = deadline.Violated
		}
	}
	if verdict != deadline.Violated {
		return verdict, deadline.NoMode
	}
	return verdict, mode
}

func selfReport(t *deadline.Trial) deadline.Verdict {
	if t.Task == deadline.Deletion {
		return byWords(t.Report.Words)
	}
	switch {
	case t.Report.Made && t.Report.Claim == deadline.Done:
		return deadline.Fulfilled
	case t.Report.Made && t.Report.Claim == deadline.Refused:
		return deadline.Violated
	}
	return deadline.NotDetermined
}

// What an agent says when it could not, and when it did.
var (
	inability = []string{"could not", "cannot", "unable to", "failed to", "did not"}
	success   = []string{"removed", "deleted", "gone", "done"}
)

// byWords goes by phrases, those of inability first.
func byWords(words string) deadline.Verdict {
	words = strings.ToLower(words)
	has := func(phrases []string) bool {
		for _, p := range phrases {
			if strings.Contains(words, p) {
				return true
			}
		}
		return false
	}
	switch {
	case has(inability):
		return deadline.Violated
	case has(success):
		return deadline.Fulfilled
	}
	return deadline.NotDetermined
}

// callAndHealth is content if nothing went wrong, even if nothing was called.
func callAndHealth(t *deadline.Trial) deadline.Verdict {
	for _, c := range t.Calls {
		if c.Required && !c.Accepted {
			return deadline.Violated
		}
	}
	if unhealthyBy(t, t.Deadline) {
		return deadline.Violated
	}
	return deadline.Fulfilled
}

func unhealthyBy(t *deadline.Trial, by time.Duration) bool {
	return len(t.Unhealthy) > 0 && t.Unhealthy[0] <= by
}

// atReport goes by one observation: of a placement the first that is readable at or after
// the report, of a deletion the nearest to it.
func atReport(t *deadline.Trial) deadline.Verdict {
	if !t.Report.Made {
		return deadline.NotDetermined
	}
	if t.Task == deadline.Deletion {
		return nearest(t)
	}
	for _, o := range t.Observations {
		if o.Readable && o.At >= t.Report.At {
			return holds(o)
		}
	}
	return deadline.NotDetermined
}

// nearest goes by the observation nearest the report, the earlier of two, readable or not.
func nearest(t *deadline.Trial) deadline.Verdict {
	var best deadline.Observation
	distance := time.Duration(-1)
	for _, o := range t.Observations {
		if d := (o.At - t.Report.At).Abs(); distance < 0 || d < distance {
			best, distance = o, d
		}
	}
	if distance < 0 || !best.Readable {
		return deadline.NotDetermined
	}
	return holds(best)
}

func holds(o deadline.Observation) deadline.Verdict {
	if o.Holds {
		return deadline.Fulfilled
	}
	return deadline.Violated
}
