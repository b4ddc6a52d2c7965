package deadline

import (
	"testing"
	"time"

	"example.com/commitpoint/model/deadline"
)

func status(s time.Duration, signal deadline.Signal) deadline.Status {
	return deadline.Status{At: s * sec, Signal: signal}
}

// aimed is a call at another target.
func aimed(c deadline.Call, target deadline.Target) deadline.Call {
	c.Target = target
	return c
}

func named(c deadline.Call, path deadline.Path) deadline.Call {
	c.Path = path
	return c
}

func TestAttributePlacement(t *testing.T) {
	nothing := seen(shortAt(3), shortAt(33))
	refused := schedules(3)
	refused.Accepted = false
	tests := []struct {
		name, reason string
		trial        deadline.Trial
		want         Evidence
	}{
		{"nothing wrong with the agent", "then it is the service's", deadline.Trial{Calls: called(schedules(3)), Report: done(9), Observations: nothing}, NoAgentEvidence},
		{"no call", "nothing was asked of the service", deadline.Trial{Report: done(9), Observations: nothing}, NoRightCall},
		{"by the label", "the service does not know it", deadline.Trial{Calls: called(aimed(schedules(3), deadline.Label)), Report: done(9), Observations: nothing}, NoRightCall},
		{"another path", "it is another file", deadline.Trial{Calls: called(named(schedules(3), deadline.OtherPath)), Report: done(9), Observations: nothing}, NoRightCall},
		{"by the file's id", "a placement goes by the path", deadline.Trial{Calls: called(named(schedules(3), deadline.ByID)), Report: done(9), Observations: nothing}, NoRightCall},
		{"another operation", "it is not the required one", deadline.Trial{Calls: called(deadline.Call{Accepted: true, Target: deadline.Contracted, Path: deadline.Exact}), Report: done(9), Observations: nothing}, NoRightCall},
		{"a refused call", "it was the right one", deadline.Trial{Calls: called(refused), Report: done(9), Observations: nothing}, NoAgentEvidence},
		{"reported before it", "nothing could have been done", deadline.Trial{Calls: called(aimed(schedules(3), deadline.Source), schedules(12)), Report: done(9), Observations: nothing}, ReportBeforeCall},
		{"reported with it", "that is not before", deadline.Trial{Calls: called(schedules(9)), Report: done(9), Observations: nothing}, NoAgentEvidence},
		{"no report", "the agent never said so", deadline.Trial{Calls: called(schedules(3)), Observations: nothing}, NoReport},
		{"no call and no report", "both are told", deadline.Trial{Observations: nothing}, NoRightCall | NoReport},

		{"a failed probe", "in the window", deadline.Trial{Calls: called(schedules(3)), Report: done(9), Observations: seen(shortAt(3), failedAt(30))}, NoAgentEvidence | ProbeFailed},
		{"a failed probe with the call", "the window begins there", deadline.Trial{Calls: called(schedules(3)), Report: done(9), Observations: seen(failedAt(3), shortAt(6))}, NoAgentEvidence | ProbeFailed},
		{"a failed probe before the call", "it is not in the window", deadline.Trial{Calls: called(schedules(4)), Report: done(9), Observations: seen(failedAt(3), shortAt(6))}, NoAgentEvidence},
		{"a failed probe before the right call", "the window begins with any call of the operation",
			deadline.Trial{Calls: called(aimed(schedules(2), deadline.Source), schedules(6)), Report: done(9), Observations: seen(failedAt(3), shortAt(6))}, NoAgentEvidence | ProbeFailed},
		{"a failed probe after the deadline", "it is not in the window", deadline.Trial{Calls: called(schedules(3)), Report: done(9), Observations: seen(shortAt(3), failedAt(31))}, NoAgentEvidence},
		{"a failed probe and no call", "the window begins at the start", deadline.Trial{Report: done(9), Observations: seen(failedAt(0), shortAt(6))}, NoRightCall | ProbeFailed},

		{"pending at the deadline", "and too little is there", deadline.Trial{Calls: called(schedules(3)), Report: done(9), Observations: nothing, Statuses: []deadline.Status{status(30, deadline.Pending)}}, NoAgentEvidence | StillPending},
		{"pending before the deadline", "it can have ended", deadline.Trial{Calls: called(schedules(3)), Report: done(9), Observations: nothing, Statuses: []deadline.Status{status(29, deadline.Pending)}}, NoAgentEvidence},
		{"pending, and all is there", "too little is not there", deadline.Trial{Calls: called(schedules(3)), Report: done(9), Observations: seen(shortAt(3), holdsAt(33)), Statuses: []deadline.Status{status(36, deadline.Pending)}}, NoAgentEvidence},
		{"pending, and the last probe failed", "the last that could be read counts", deadline.Trial{Calls: called(schedules(3)), Report: done(9), Observations: seen(shortAt(3), holdsAt(31), shortAt(33), failedAt(36)), Statuses: []deadline.Status{status(36, deadline.Pending)}}, NoAgentEvidence | StillPending},
		{"ended short", "at any time", deadline.Trial{Calls: called(schedules(3)), Report: done(9), Observations: nothing, Statuses: []deadline.Status{status(6, deadline.Terminal)}}, NoAgentEvidence | EndedShort},
		{"ended, of the label", "that is the target, too", deadline.Trial{Calls: called(aimed(schedules(3), deadline.Label)), Report: done(9), Observations: nothing, Statuses: []deadline.Status{status(6, deadline.Terminal)}}, NoRightCall | EndedShort},
		{"ended elsewhere", "it says nothing of the target", deadline.Trial{Calls: called(aimed(schedules(3), deadline.Source), schedules(6)), Report: done(9), Observations: nothing, Statuses: []deadline.Status{status(6, deadline.Terminal)}}, NoAgentEvidence},
		{"ended at another target", "as above", deadline.Trial{Calls: called(aimed(schedules(3), deadline.OtherTarget)), Report: done(9), Observations: nothing, Statuses: []deadline.Status{status(6, deadline.Terminal)}}, NoRightCall},
		{"ended, and nothing was accepted", "nobody knows where it was aimed at", deadline.Trial{Calls: called(refused), Report: done(9), Observations: nothing, Statuses: []deadline.Status{status(6, deadline.Terminal)}}, NoAgentEvidence | EndedShort},
		{"ended, after a refused call elsewhere", "the first that was accepted counts", deadline.Trial{Calls: called(aimed(refused, deadline.Source), schedules(6)), Report: done(9), Observations: nothing, Statuses: []deadline.Status{status(9, deadline.Terminal)}}, NoAgentEvidence | EndedShort},
		{"no signal", "it says nothing", deadline.Trial{Calls: called(schedules(3)), Report: done(9), Observations: nothing, Statuses: []deadline.Status{status(36, deadline.NoSignal)}}, NoAgentEvidence},

		{"unhealthy", "in the window", deadline.Trial{Calls: called(schedules(3)), Report: done(9), Observations: nothing, Unhealthy: []time.Duration{1 * sec, 30 * sec}}, NoAgentEvidence | TargetUnhealthy},
		{"unhealthy before the call", "it is not in the window", deadline.Trial{Calls: called(schedules(3)), Report: done(9), Observations: nothing, Unhealthy: []time.Duration{2 * sec}}, NoAgentEvidence},
		{"unhealthy after the deadline", "it is not in the window", deadline.Trial{Calls: called(schedules(3)), Report: done(9), Observations: nothing, Unhealthy: []time.Duration{31 * sec}}, NoAgentEvidence},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.trial.Deadline = 30 * sec
			checkEvidence(t, &tt.trial, tt.want, tt.reason)
		})
	}
}

func TestAttributeDeletion(t *testing.T) {
	refused := deletes(3)
	refused.Accepted = false
	tests := []struct {
		name, reason string
		calls        []deadline.Call
		report       deadline.Report
		seen         []deadline.Observation
		want         Evidence
	}{
		{"removed late", "it was issued in time", called(deletes(3)), done(36), seen(shortAt(3), holdsAt(33)), RemovedLate},
		{"issued at the deadline", "that is in time", called(deletes(30)), done(36), seen(shortAt(3), holdsAt(33)), RemovedLate},
		{"reported before it was gone", "and removed late", called(deletes(3)), done(9), seen(shortAt(3), holdsAt(33)), ReportBeforeGone | RemovedLate},
		{"reported when it was gone", "that is not before", called(deletes(3)), done(33), seen(shortAt(3), holdsAt(33)), RemovedLate},
		{"never removed", "nothing speaks against anybody", called(deletes(3)), done(9), seen(shortAt(3), shortAt(33)), 0},
		{"no deletion", "nothing was asked of the service", nil, done(9), seen(shortAt(3)), NoDeletion},
		{"a refused deletion", "it was not accepted", called(refused), done(9), seen(shortAt(3)), NoDeletion},
		{"of another file", "it is not the contracted one", called(named(deletes(3), deadline.OtherPath)), done(9), seen(shortAt(3)), NoDeletion},
		{"of no file", "it is not the contracted one", called(named(deletes(3), deadline.NoPath)), done(9), seen(shortAt(3)), NoDeletion},
		{"by an id", "it is the file's", called(named(deletes(3), deadline.ByID)), done(9), seen(shortAt(3)), 0},
		{"issued late", "after the deadline", called(deletes(31)), done(40), seen(shortAt(3), holdsAt(36)), DeletionLate},
		{"issued late and never removed", "after the deadline", called(deletes(31)), done(40), seen(shortAt(3)), DeletionLate},
		{"issued twice", "the first counts", called(deletes(3), deletes(31)), done(40), seen(shortAt(3), holdsAt(36)), RemovedLate},
		{"no report", "nothing came before anything", called(deletes(3)), deadline.Report{}, seen(shortAt(3), holdsAt(33)), RemovedLate},
		{"gone without a deletion", "and reported before", nil, done(9), seen(shortAt(3), holdsAt(33)), NoDeletion | ReportBeforeGone},
		{"a failed probe that claims it", "what it says does not count", called(deletes(3)), done(40),
			seen(shortAt(3), deadline.Observation{At: 29 * sec, Holds: true}, holdsAt(33)), RemovedLate},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			trial := deadline.Trial{Task: deadline.Deletion, Deadline: 30 * sec, Calls: tt.calls, Report: tt.report, Observations: tt.seen}
			checkEvidence(t, &trial, tt.want, tt.reason)
		})
	}
}

// checkEvidence compares the evidence on a violated trial, and the agent's part alone.
func checkEvidence(t *testing.T, trial *deadline.Trial, want Evidence, reason string) {
	t.Helper()
	if v, _ := Verify(trial); v != deadline.Violated {
		t.Fatalf("the trial is %v: only violated ones are attributed", v)
	}
	if got := Attribute(trial); got != want {
		t.Errorf("%v, want %v: %s", got, want, reason)
	}
	if got := AgentEvidence(trial); got != want.Agents() {
		t.Errorf("of the agent %v, want %v", got, want.Agents())
	}
}

func TestParty(t *testing.T) {
	agents := []Evidence{NoRightCall, ReportBeforeCall, NoReport, NoDeletion, DeletionLate, ReportBeforeGone}
	services := []Evidence{NoAgentEvidence, ProbeFailed, StillPending, EndedShort, TargetUnhealthy, RemovedLate}
	check := func(e Evidence, want Party) {
		t.Helper()
		if got := e.Party(); got != want {
			t.Errorf("%v speaks against %v, want %v", e, got, want)
		}
	}
	check(0, Neither)
	for _, a := range agents {
		check(a, Agent)
		for _, s := range services {
			check(s, Service)
			check(a|s, Both)
			if (a | s).Agents() != a {
				t.Errorf("of %v the agent's part is %v", a|s, (a | s).Agents())
			}
		}
	}
	if got := len(evidenceNames); got != len(agents)+len(services) {
		t.Errorf("%d names of evidence, want %d", got, len(agents)+len(services))
	}
	if got, want := (NoReport | RemovedLate).String(), "there is no report; the removal was first observed after the deadline"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := Evidence(0).String(); got != "none" {
		t.Errorf("no evidence is %q", got)
	}
}
