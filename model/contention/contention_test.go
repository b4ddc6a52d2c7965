package contention_test

import (
	"strings"
	"testing"

	"example.com/commitpoint/model/contention"
)

func TestEventRoundTrip(t *testing.T) {
	for text := range strings.FieldsSeq(`w1:read w1:candidate w6:trusted-verify w2:preflight w2:commit
		input-edit artifact-edit revoke publish-behavior-v2 lease-expire reassign reassign#2 reassign#5`) {
		e, err := contention.ParseEvent(text)
		if err != nil || e.String() != text {
			t.Errorf("ParseEvent(%q) = %v, %v", text, e, err)
		}
	}
}

func TestParseEventRefuses(t *testing.T) {
	const notOne = `: submitters go once through [read candidate trusted-verify preflight commit], as in w1:read, and the environment's events have no submitter`
	tests := []struct{ text, reason, want string }{
		{"w7:read", "there are six at most", `unknown event "w7:read": there is no such submitter, they are w1 to w6`},
		{"w0:read", "they are numbered from 1", `unknown event "w0:read": there is no such submitter, they are w1 to w6`},
		{"w01:read", "one event has one text", `unknown event "w01:read": there is no such submitter, they are w1 to w6`},
		{"A:read", "not a submitter", `unknown event "A:read": there is no such submitter, they are w1 to w6`},
		{"read", "whose?", `unknown event "read"` + notOne},
		{"w1:revoke", "the environment's", `unknown event "w1:revoke"` + notOne},
		{"w1:read#2", "once", `unknown event "w1:read#2"` + notOne},
	}
	for _, tt := range tests {
		if e, err := contention.ParseEvent(tt.text); err == nil || err.Error() != tt.want {
			t.Errorf("ParseEvent(%q) = %v, %v\nwant %s (%s)", tt.text, e, err, tt.want, tt.reason)
		}
	}
	if _, err := contention.ParseEvent("w1:rea"); err == nil || !strings.HasPrefix(err.Error(), `unknown event "rea": `) {
		t.Errorf("a misspelt event: %v", err)
	}
}

// Each event changes what it says and nothing else.
func TestNext(t *testing.T) {
	tests := []struct {
		before, event, reason string
		change                func(*contention.State)
	}{
		{"input-edit", "w2:read", "the current revision", func(s *contention.State) { s.Submitters[1].Read = 2 }},
		{"w2:read input-edit", "w2:candidate", "over whatever is there, from what was read",
			func(s *contention.State) { s.Artifact = contention.Blob{Writer: 2, Inputs: 1} }},
		{"w1:read w2:read w1:candidate w2:candidate", "w1:trusted-verify", "the artifact as it is now, here the other's candidate",
			func(s *contention.State) { s.Submitters[0].Observed = contention.Blob{Writer: 2, Inputs: 1} }},
		{"w1:read", "w1:preflight", "the answer is the mechanism's", func(*contention.State) {}},
		{"w1:read", "w1:commit", "a decision changes nothing", func(*contention.State) {}},
		{"w1:read w1:candidate", "artifact-edit", "one constant", func(s *contention.State) { s.Artifact = contention.Edited }},
		{"", "lease-expire", "", func(s *contention.State) { s.LeaseLive = false }},
		{"lease-expire", "reassign", "the next submitter, with a fresh lease", func(s *contention.State) { s.Owner, s.LeaseLive = 2, true }},
		{"lease-expire reassign", "reassign#2", "the next again", func(s *contention.State) { s.Owner = 3 }},
		{"", "revoke", "one grant for all", func(s *contention.State) { s.Granted = false }},
		{"", "publish-behavior-v2", "", func(s *contention.State) { s.NewPolicy = true }},
	}
	for _, tt := range tests {
		t.Run(tt.event, func(t *testing.T) {
			before := contention.Initial()
			for name := range strings.FieldsSeq(tt.before) {
				before = contention.Next(before, parse(t, name))
			}
			want := before
			tt.change(&want)
			if got := contention.Next(before, parse(t, tt.event)); got != want {
				t.Errorf("after %q, %s leads to\n%+v\nwant\n%+v: %s", tt.before, tt.event, got, want, tt.reason)
			}
		})
	}
}

func parse(t *testing.T, text string) contention.Event {
	t.Helper()
	e, err := contention.ParseEvent(text)
	if err != nil {
		t.Fatal(err)
	}
	return e
}
