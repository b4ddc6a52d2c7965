package study_test

import (
	"strings"
	"testing"

	"example.com/commitpoint/mechanisms"
	"example.com/commitpoint/model"
	"example.com/commitpoint/study"
)

func history(t testing.TB, names string) []model.Event {
	t.Helper()
	var events []model.Event
	for name := range strings.FieldsSeq(names) {
		e, err := model.ParseEvent(name)
		if err != nil {
			t.Fatal(err)
		}
		events = append(events, e)
	}
	return events
}

func named(t testing.TB, name string) mechanisms.Mechanism {
	t.Helper()
	m, err := mechanisms.Named(name)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// The histories that the report tells (section 6.3), with the neighbors that
// show why the order matters.
func TestThreeHistories(t *testing.T) {
	tests := []struct {
		name, reason string
		history      string
		eligible     bool
		accepts      string
		refuses      string
		failed       model.Checks
	}{
		{"a valid check becomes obsolete", "the edit falls between the check and the commit",
			"read candidate trusted-verify preflight artifact-edit commit", false, "preflight-cached", "atomic", model.Artifact},
		{"the edit comes before preflight", "then both see it",
			"read candidate trusted-verify artifact-edit preflight commit", false, "self-report", "preflight-cached atomic", model.Artifact},
		{"the edit comes before verification", "then the evidence fails too",
			"read candidate artifact-edit trusted-verify preflight commit", false, "self-report", "preflight-cached atomic", model.Artifact | model.Evidence},
		{"the edit comes before the candidate", "then it is overwritten",
			"read artifact-edit candidate trusted-verify preflight commit", true, "preflight-cached atomic", "", 0},
		{"ownership survives, but the dependency does not", "the observation is genuine, the input is not current",
			"read candidate input-edit trusted-verify preflight commit", false, "attempt-lease", "atomic", model.Inputs},
		{"a harmless policy publication", "the task was pinned before",
			"publish-behavior-v2 read candidate trusted-verify preflight commit", true, "atomic", "latest-policy", 0},
		{"revoke between check and commit", "the answer of preflight is stale",
			"read candidate trusted-verify preflight revoke commit", false, "preflight-cached without-grant", "atomic", model.Grant},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for i, list := range []string{tt.accepts, tt.refuses} {
				for name := range strings.FieldsSeq(list) {
					d, err := study.Decide(named(t, name), history(t, tt.history))
					if err != nil {
						t.Fatal(err)
					}
					if d.Accepted != (i == 0) || d.Verdict.Eligible() != tt.eligible || d.Failed != tt.failed {
						t.Errorf("%s on %s: %+v; %s", name, tt.history, d, tt.reason)
					}
				}
			}
		})
	}
}

// Events after the commit change no decision.
func TestDecisionIsHistorical(t *testing.T) {
	tail := "input-edit artifact-edit lease-expire reassign revoke publish-behavior-v2"
	for _, m := range mechanisms.All() {
		short, err := study.Decide(m, history(t, "read candidate trusted-verify preflight commit"))
		if err != nil {
			t.Fatal(err)
		}
		long, err := study.Decide(m, history(t, "read candidate trusted-verify preflight commit "+tail))
		if err != nil {
			t.Fatal(err)
		}
		if long != short || !long.Accepted {
			t.Errorf("%s: %+v after all events, %+v at the commit", m.Name, long, short)
		}
	}
}

func TestDecideRefuses(t *testing.T) {
	tests := []struct{ name, history, want string }{
		{"no commit", "read candidate", "history [read candidate] has no commit: there is nothing to decide"},
		{"commit first", "commit", "history has commit before read, which must precede it"},
		{"out of order", "read trusted-verify candidate preflight commit", "history has trusted-verify before candidate, which must precede it"},
		{"twice", "read revoke revoke candidate trusted-verify preflight commit", "revoke is given twice: number repeated events, as in revoke#2"},
		{"chain twice", "read read candidate trusted-verify preflight commit", "history has read twice"},
		{"reassign first", "reassign lease-expire read candidate trusted-verify preflight commit",
			"history has reassign before lease-expire, which must precede it"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if d, err := study.Decide(named(t, "atomic"), history(t, tt.history)); err == nil || err.Error() != tt.want {
				t.Errorf("Decide = %+v, %v\nwant %s", d, err, tt.want)
			}
		})
	}
}

func TestDecideBeyondTheBounds(t *testing.T) {
	d, err := study.Decide(named(t, "atomic"), history(t,
		"input-edit lease-expire input-edit#2 read artifact-edit candidate artifact-edit#2 trusted-verify reassign revoke preflight publish-behavior-v2 commit"))
	if err != nil {
		t.Fatal(err)
	}
	want := model.Attempt | model.Fence | model.Grant | model.Artifact | model.Evidence
	if d.Accepted || d.Failed != want || d.Decision.Failed != want {
		t.Errorf("got %+v, want refusal for %v", d, want)
	}
}
