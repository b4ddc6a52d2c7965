package deadline

import (
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/commitpoint/model/deadline"
)

const sec = time.Second

// What a probe can say.
func holdsAt(s time.Duration) deadline.Observation {
	return deadline.Observation{At: s * sec, Readable: true, Holds: true}
}

func shortAt(s time.Duration) deadline.Observation {
	return deadline.Observation{At: s * sec, Readable: true, Short: true}
}

func failedAt(s time.Duration) deadline.Observation { return deadline.Observation{At: s * sec} }

// schedules is the right call of a placement, accepted.
func schedules(s time.Duration) deadline.Call {
	return deadline.Call{At: s * sec, Required: true, Accepted: true, Target: deadline.Contracted, Path: deadline.Exact}
}

// deletes is the right call of a deletion, accepted.
func deletes(s time.Duration) deadline.Call {
	return deadline.Call{At: s * sec, Required: true, Accepted: true, Path: deadline.Exact}
}

func seen(o ...deadline.Observation) []deadline.Observation { return o }
func called(c ...deadline.Call) []deadline.Call             { return c }
func done(s time.Duration) deadline.Report {
	return deadline.Report{Made: true, At: s * sec, Claim: deadline.Done}
}

func TestVerify(t *testing.T) {
	tests := []struct {
		name, reason string
		seen         []deadline.Observation
		want         deadline.Verdict
		mode         deadline.Mode
	}{
		{"nothing", "nobody looked", nil, deadline.NotDetermined, deadline.NoMode},
		{"in time", "it held before the deadline", seen(shortAt(3), holdsAt(6)), deadline.Fulfilled, deadline.NoMode},
		{"at the deadline", "no later is enough", seen(shortAt(3), holdsAt(30)), deadline.Fulfilled, deadline.NoMode},
		{"held once", "a later look does not revise it", seen(holdsAt(6), shortAt(9)), deadline.Fulfilled, deadline.NoMode},
		{"late", "it held after the deadline only", seen(shortAt(3), holdsAt(31)), deadline.Violated, deadline.Late},
		{"late, then lost", "it did hold", seen(shortAt(3), holdsAt(31), shortAt(40)), deadline.Violated, deadline.Late},
		{"never", "it was readable, and short", seen(shortAt(3), shortAt(31)), deadline.Violated, deadline.Never},
		{"failed probes in time", "they say nothing", seen(failedAt(3), failedAt(30), shortAt(31)), deadline.NotDetermined, deadline.NoMode},
		{"failed probes, then held", "a gap is no satisfaction, and no violation", seen(failedAt(3), holdsAt(31)), deadline.NotDetermined, deadline.NoMode},
		{"one readable", "one is enough to violate", seen(failedAt(3), shortAt(30), failedAt(33)), deadline.Violated, deadline.Never},
		{"a failed probe that claims to hold", "what it says does not count",
			seen(shortAt(3), deadline.Observation{At: 6 * sec, Holds: true}), deadline.Violated, deadline.Never},
		{"a failed late probe that claims to hold", "what it says does not count",
			seen(shortAt(3), deadline.Observation{At: 36 * sec, Holds: true}), deadline.Violated, deadline.Never},
		{"too much", "more bytes than are expected do not hold, though they are not short",
			seen(deadline.Observation{At: 3 * sec, Readable: true}), deadline.Violated, deadline.Never},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, mode := Verify(&deadline.Trial{Deadline: 30 * sec, Observations: tt.seen})
			if got != tt.want || mode != tt.mode {
				t.Errorf("%v %v, want %v %v: %s", got, mode, tt.want, tt.mode, tt.reason)
			}
		})
	}
}

// says is the report of a deletion.
func says(words string) deadline.Report {
	return deadline.Report{Made: true, At: 9 * sec, Words: words}
}

func TestPolicies(t *testing.T) {
	const deletion = deadline.Deletion
	const yes, no, unknown = deadline.Fulfilled, deadline.Violated, deadline.NotDetermined
	refused := func(c deadline.Call) deadline.Call { c.Accepted = false; return c }
	elsewhere := func(c deadline.Call) deadline.Call { c.Target, c.Path = deadline.Source, deadline.OtherPath; return c }
	tests := []struct {
		policy, name, reason string
		trial                deadline.Trial
		want                 deadline.Verdict
	}{
		{"self-report", "done", "it says so", deadline.Trial{Report: done(9)}, yes},
		{"self-report", "refused", "it says that it did not", deadline.Trial{Report: deadline.Report{Made: true, Claim: deadline.Refused}}, no},
		{"self-report", "no claim", "it says neither", deadline.Trial{Report: deadline.Report{Made: true}}, unknown},
		{"self-report", "done, at no time", "there is no report", deadline.Trial{Report: deadline.Report{Claim: deadline.Done}}, unknown},
		{"self-report", "refused, at no time", "there is no report", deadline.Trial{Report: deadline.Report{Claim: deadline.Refused}}, unknown},
		{"self-report", "removed", "a deletion goes by words", deadline.Trial{Task: deletion, Report: says("no_final_answer The file was REMOVED.")}, yes},
		{"self-report", "deleted", "as above", deadline.Trial{Task: deletion, Report: says("It is deleted")}, yes},
		{"self-report", "gone", "as above", deadline.Trial{Task: deletion, Report: says("it's gone")}, yes},
		{"self-report", "the claim itself", "as above", deadline.Trial{Task: deletion, Report: says("done ")}, yes},
		{"self-report", "within a word", "phrases are looked for as substrings", deadline.Trial{Task: deletion, Report: says("abandoned")}, yes},
		{"self-report", "not removed", "inability is looked for first", deadline.Trial{Task: deletion, Report: says("done I could not have it removed")}, no},
		{"self-report", "cannot", "as above", deadline.Trial{Task: deletion, Report: says("done Deleted; I CANNOT verify it")}, no},
		{"self-report", "unable to", "as above", deadline.Trial{Task: deletion, Report: says("unable to")}, no},
		{"self-report", "failed to", "as above", deadline.Trial{Task: deletion, Report: says("done failed to")}, no},
		{"self-report", "did not", "as above", deadline.Trial{Task: deletion, Report: says("done did not")}, no},
		{"self-report", "nothing said", "neither is said", deadline.Trial{Task: deletion, Report: says("scheduled")}, unknown},
		{"self-report", "a deletion's claim", "goes by words alone", deadline.Trial{Task: deletion, Report: done(9)}, unknown},

		{"call-and-health", "no call", "nothing went wrong", deadline.Trial{}, yes},
		{"call-and-health", "accepted", "nothing went wrong", deadline.Trial{Calls: called(schedules(3))}, yes},
		{"call-and-health", "refused, then accepted", "one of them failed", deadline.Trial{Deadline: 30 * sec, Calls: called(refused(schedules(3)), schedules(6))}, no},
		{"call-and-health", "refused after the deadline", "at any time", deadline.Trial{Deadline: 30 * sec, Calls: called(schedules(3), refused(schedules(33)))}, no},
		{"call-and-health", "refused, of something else", "whatever its arguments", deadline.Trial{Deadline: 30 * sec, Calls: called(refused(elsewhere(schedules(3))))}, no},
		{"call-and-health", "another call failed", "it is not the required one", deadline.Trial{Calls: called(deadline.Call{At: 3 * sec})}, yes},
		{"call-and-health", "unhealthy", "within the deadline", deadline.Trial{Deadline: 30 * sec, Unhealthy: []time.Duration{30 * sec}}, no},
		{"call-and-health", "unhealthy later", "after the deadline it does not matter", deadline.Trial{Deadline: 30 * sec, Unhealthy: []time.Duration{31 * sec}}, yes},
		{"call-and-health", "a deletion refused", "the same", deadline.Trial{Task: deletion, Calls: called(refused(deletes(3)))}, no},

		{"transcript-judge", "fulfilled", "it says so", deadline.Trial{Judge: deadline.Judgement{Made: true, Verdict: yes}}, yes},
		{"transcript-judge", "unparseable", "nothing is known of it", deadline.Trial{Judge: deadline.Judgement{Made: true}}, unknown},

		{"report-time", "no report", "at what time?", deadline.Trial{Observations: seen(holdsAt(9))}, unknown},
		{"report-time", "the first after", "and not the one before", deadline.Trial{Report: done(9), Observations: seen(holdsAt(6), shortAt(12), holdsAt(15))}, no},
		{"report-time", "at the report", "the same time will do", deadline.Trial{Report: done(9), Observations: seen(shortAt(6), holdsAt(9), shortAt(12))}, yes},
		{"report-time", "a failed probe", "the next that is readable", deadline.Trial{Report: done(9), Observations: seen(failedAt(10), holdsAt(12))}, yes},
		{"report-time", "nothing after", "nothing decides", deadline.Trial{Report: done(9), Observations: seen(holdsAt(6), failedAt(12))}, unknown},
		{"report-time", "after the deadline", "the deadline is not looked at", deadline.Trial{Deadline: 5 * sec, Report: done(9), Observations: seen(shortAt(3), holdsAt(12))}, yes},
		{"report-time", "a deletion: the nearest before", "either side", deadline.Trial{Task: deletion, Report: done(9), Observations: seen(holdsAt(8), shortAt(12))}, yes},
		{"report-time", "a deletion: the nearest after", "either side", deadline.Trial{Task: deletion, Report: done(9), Observations: seen(shortAt(6), holdsAt(10))}, yes},
		{"report-time", "a deletion: as near", "the earlier of two", deadline.Trial{Task: deletion, Report: done(9), Observations: seen(holdsAt(8), shortAt(10))}, yes},
		{"report-time", "a deletion: the nearest failed", "the next is not asked", deadline.Trial{Task: deletion, Report: done(9), Observations: seen(holdsAt(6), failedAt(9), holdsAt(12))}, unknown},
		{"report-time", "a deletion: nothing", "nobody looked", deadline.Trial{Task: deletion, Report: done(9)}, unknown},
		{"report-time", "a deletion: no report", "at what time?", deadline.Trial{Task: deletion, Observations: seen(holdsAt(0))}, unknown},

		{"until-deadline", "late", "the reference", deadline.Trial{Deadline: 30 * sec, Observations: seen(shortAt(6), holdsAt(33))}, no},
		{"until-deadline", "in time", "the reference", deadline.Trial{Deadline: 30 * sec, Observations: seen(shortAt(6), holdsAt(30))}, yes},
	}
	for _, tt := range tests {
		t.Run(tt.policy+"/"+tt.name, func(t *testing.T) {
			p, err := Named(tt.policy)
			if err != nil {
				t.Fatal(err)
			}
			if got := p.Decide(&tt.trial); got != tt.want {
				t.Errorf("%v, want %v: %s", got, tt.want, tt.reason)
			}
		})
	}
}

// Only the judge's policy can lack what it reads.
func TestLacks(t *testing.T) {
	asked := deadline.Trial{Judge: deadline.Judgement{Made: true}}
	for _, p := range Policies() {
		judge := p.Name == "transcript-judge"
		if (p.Lacks != nil) != judge {
			t.Errorf("%s can lack something: %v, want %v", p.Name, p.Lacks != nil, judge)
		}
		if judge && (!p.Lacks(&deadline.Trial{}) || p.Lacks(&asked)) {
			t.Errorf("%s lacks the judge when there is one, or not when there is none", p.Name)
		}
	}
}

// No policy and no attribution looks at the condition that was injected.
func TestConditionIsWithheld(t *testing.T) {
	plain := deadline.Trial{Deadline: 30 * sec, Calls: called(schedules(3)), Report: done(9), Observations: seen(shortAt(6), holdsAt(33))}
	faulty := plain
	faulty.Condition = deadline.Condition{Present: true, Cleared: true, Until: 45 * sec}
	for _, task := range []deadline.Task{deadline.Placement, deadline.Deletion} {
		plain.Task, faulty.Task = task, task
		for _, p := range Policies() {
			if a, b := p.Decide(&plain), p.Decide(&faulty); a != b {
				t.Errorf("%s of a %v says %v, and %v with a condition", p.Name, task, a, b)
			}
		}
		if a, b := Attribute(&plain), Attribute(&faulty); a != b {
			t.Errorf("a %v is attributed to %v, and %v with a condition", task, a, b)
		}
	}
}

func TestNames(t *testing.T) {
	var names []string
	for _, p := range Policies() {
		if names = append(names, p.Name); p.Meaning == "" {
			t.Errorf("%s has no meaning", p.Name)
		}
	}
	if want := []string{"self-report", "call-and-health", "transcript-judge", "report-time", "until-deadline"}; !slices.Equal(names, want) {
		t.Errorf("policies %q, want %q", names, want)
	}
	_, err := Named("self")
	if err == nil || !strings.Contains(err.Error(), "the policies are self-report, call-and-health, ") {
		t.Errorf("an unknown name gives %v", err)
	}
}
