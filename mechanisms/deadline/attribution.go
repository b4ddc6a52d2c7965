package deadline

import (
	"math/bits"
	"strings"
	"time"

	"example.com/commitpoint/model/deadline"
)

// A Party is who is to blame for a violated contract.
type Party uint8

// The parties, as sets: Both is Agent and Service.
const (
	Neither Party = 0
	Agent   Party = 1
	Service Party = 2
	Both    Party = Agent | Service
)

func (p Party) String() string { return [...]string{"neither", "agent", "service", "both"}[p] }

// Evidence is a set of what led to an attribution.
type Evidence uint16

// The evidence, of the agent's part first.
const (
	NoRightCall      Evidence = 1 << iota // no call has the exact target and the exact path
	ReportBeforeCall                      // the report came before the first such call
	NoReport                              // there is no report
	NoDeletion                            // no deletion of the contracted file was accepted
	DeletionLate                          // the deletion was issued after the deadline
	ReportBeforeGone                      // the report came before the removal was first observed
	NoAgentEvidence                       // nothing speaks against the agent
	ProbeFailed                           // a probe of the target failed between the first call and the deadline
	StillPending                          // the job was pending at the deadline or after it, and too little was there
	EndedShort                            // the job had ended, and too little was there
	TargetUnhealthy                       // the target's health was bad between the first call and the deadline
	RemovedLate                           // a deletion issued in time was first observed after the deadline

	agentEvidence   = NoAgentEvidence - 1
	serviceEvidence = RemovedLate<<1 - NoAgentEvidence
)

var evidenceNames = [...]string{
	"no call has the exact target and path",
	"the report came before the first such call",
	"there is no report",
	"no deletion of the contracted file was accepted",
	"the deletion was issued after the deadline",
	"the report came before the removal was observed",
	"nothing speaks against the agent",
	"a probe of the target failed between the first call and the deadline",
	"the job was pending at the deadline or later, and too little was there",
	"the job had ended, and too little was there",
	"the target's health was bad between the first call and the deadline",
	"the removal was first observed after the deadline",
}

// Names returns what the evidence is, in clauses.
func (e Evidence) Names() []string {
	names := make([]string, 0, bits.OnesCount16(uint16(e)))
	for i, name := range evidenceNames {
		if e>>i&1 != 0 {
			names = append(names, name)
		}
	}
	return names
}

// String returns the clauses separated by "; ", or "none".
func (e Evidence) String() string {
	if e == 0 {
		return "none"
	}
	return strings.Join(e.Names(), "; ")
}

// Party returns whom the evidence speaks against.
func (e Evidence) Party() (p Party) {
	if e&agentEvidence != 0 {
		p |= Agent
	}
	if e&serviceEvidence != 0 {
		p |= Service
	}
	return p
}

// Agents returns the evidence of the agent's part.
func (e Evidence) Agents() Evidence { return e & agentEvidence }

// Attribute returns the evidence on a trial whose contract was violated. It does not look
// at the condition that was injected. A violated placement is never anybody's fault less:
// without evidence against the agent it is the service's.
func Attribute(t *deadline.Trial) Evidence {
	if t.Task == deadline.Deletion {
		return ofDeletion(t)
	}
	e := AgentEvidence(t)
	if e == 0 {
		e |= NoAgentEvidence
	}
	from := time.Duration(0)
	if call, called := t.FirstRequired(); called {
		from = call.At
	}
	for _, o := range t.Observations {
		if !o.Readable && from <= o.At && o.At <= t.Deadline {
			e |= ProbeFailed
		}
	}
	for _, at := range t.Unhealthy {
		if from <= at && at <= t.Deadline {
			e |= TargetUnhealthy
		}
	}
	return e | bySignals(t)
}

// AgentEvidence returns the agent's part of the evidence on a violated trial.
func AgentEvidence(t *deadline.Trial) (e Evidence) {
	if t.Task == deadline.Deletion {
		return ofDeletion(t).Agents()
	}
	right, called := t.FirstRight()
	switch {
	case !called:
		e |= NoRightCall
	case t.Report.Made && t.Report.At < right.At:
		e |= ReportBeforeCall
	}
	if !t.Report.Made {
		e |= NoReport
	}
	return e
}

// bySignals returns the evidence of the service's own job, if too little is there in the
// end.
func bySignals(t *deadline.Trial) (e Evidence) {
	short := true
	for _, o := range t.Observations {
		if o.Readable {
			short = o.Short
		}
	}
	if !short {
		return 0
	}
	accepted, _ := t.FirstAccepted()
	// A job elsewhere says nothing of the target. Its label is the target, too, and a job
	// of which nobody knows where it is aimed at may be.
	elsewhere := accepted.Target == deadline.Source || accepted.Target == deadline.OtherTarget
	for _, s := range t.Statuses {
		switch {
		case s.Signal == deadline.Pending && s.At >= t.Deadline:
			e |= StillPending
		case s.Signal == deadline.Terminal && !elsewhere:
			e |= EndedShort
		}
	}
	return e
}

// ofDeletion returns the evidence on a violated deletion, of which there can be none.
func ofDeletion(t *deadline.Trial) (e Evidence) {
	deletion, issued := firstDeletion(t)
	switch {
	case !issued:
		e |= NoDeletion
	case deletion.At > t.Deadline:
		e |= DeletionLate
	}
	for _, o := range t.Observations {
		if !o.Readable || !o.Holds {
			continue
		}
		if t.Report.Made && t.Report.At < o.At {
			e |= ReportBeforeGone
		}
		if issued && deletion.At <= t.Deadline && o.At > t.Deadline {
			e |= RemovedLate
		}
		break // the first
	}
	return e
}

// firstDeletion returns the first accepted deletion of the contracted file.
func firstDeletion(t *deadline.Trial) (deadline.Call, bool) {
	for _, c := range t.Calls {
		if c.Required && c.Accepted && (c.Path == deadline.Exact || c.Path == deadline.ByID) {
			return c, true
		}
	}
	return deadline.Call{}, false
}
