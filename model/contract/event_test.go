package contract_test

import (
	"errors"
	"strings"
	"testing"

	studied "example.com/commitpoint/model"
	"example.com/commitpoint/model/contract"
)

// everyKind is what an event of each kind is, in declaration order: of worker a or of the
// environment, who causes it, and what it acts on.
const everyKind = `a:claim: worker a, task
a:read: worker a, inputs
a:candidate: worker a, candidate
a:candidate-pair: worker a, candidate
a:candidate-alias: worker a, candidate
a:candidate-unclean: worker a, candidate
a:candidate-case: worker a, candidate
a:verify: checker, evidence store
a:verify-tests: checker, evidence store
a:verify-review: checker, evidence store
a:preflight: service, task
a:commit: service, task
a:refresh: worker a, contract
a:replace: worker a, candidate
a:retry: worker a, task
a:retry-other: worker a, task
a:report-failure: worker a, task
a:impersonate: worker b, task
lease-expire: clock, task
renew: owner, task
reclaim: owner, task
restage: scheduler, task
cancel: user, task
migrate: authority, contract
revoke: authority, grants
revoke-second: authority, grants
regrant: authority, grants
input-edit: other writer, inputs
file-add: other writer, inputs
foreign-publish: other writer, targets
alias-move: other writer, targets
withdraw-checker: authority, evidence store
publish-policy: authority, policy
restart-fences: authority, task
restart-attempts: authority, task
restore: authority, task
sweep-read: sweeper, task
sweep-write: sweeper, task
`

// everyEvent returns one event of each kind: worker w's, or the environment's.
func everyEvent(w contract.Worker) []contract.Event {
	var events []contract.Event
	for k := contract.Claim; k <= contract.SweepWrite; k++ {
		e := contract.Event{Kind: k}
		if k.ByWorker() {
			e.Worker = w
		}
		events = append(events, e)
	}
	return events
}

func TestWhoActsOnWhat(t *testing.T) {
	var got strings.Builder
	for _, e := range everyEvent(contract.A) {
		got.WriteString(e.String() + ": " + e.Actor() + ", " + e.Object() + "\n")
	}
	if got.String() != everyKind {
		t.Errorf("who acts on what:\n%s\nwant\n%s", &got, everyKind)
	}
	for _, tt := range []struct{ kind, actor string }{
		{"b:read", "worker b"}, {"b:impersonate", "worker a"}, {"b:verify", "checker"},
	} {
		if e := event(t, tt.kind); e.Actor() != tt.actor {
			t.Errorf("%v is caused by %s, want %s", e, e.Actor(), tt.actor)
		}
	}
}

func TestEventsRoundTrip(t *testing.T) {
	seen := map[string]bool{}
	for _, w := range []contract.Worker{contract.A, contract.B} {
		for _, e := range everyEvent(w) {
			for _, n := range []uint8{0, 2, 10, 255} {
				e.N = n
				text := e.String()
				if got, err := contract.ParseEvent(text); err != nil || got != e {
					t.Errorf("%+v prints as %s, which reads as %+v, %v", e, text, got, err)
				}
				seen[text] = true
			}
		}
	}
	if len(seen) != 4*(2*18+20) {
		t.Errorf("%d different texts, want 4 of each of 18 kinds of two workers and 20 of the environment", len(seen))
	}
	tests := []struct {
		event        contract.Event
		want, reason string
	}{
		{contract.Event{Worker: contract.B, Kind: contract.Commit, N: 1}, "b:commit", "the first needs no number"},
		{contract.Event{Kind: contract.Reclaim, N: 2}, "reclaim#2", "the second has one"},
		{contract.Event{}, "event(0)", "the zero Event is none"},
		{contract.Event{Worker: contract.A, Kind: contract.SweepWrite + 1}, "a:event(39)", "nor is there one beyond the last"},
	}
	for _, tt := range tests {
		if got := tt.event.String(); got != tt.want {
			t.Errorf("%+v prints as %s, want %s: %s", tt.event, got, tt.want, tt.reason)
		}
	}
}

func TestParseEventRefuses(t *testing.T) {
	const bad = " has a bad number: repeated events are "
	tests := []struct{ text, want, reason string }{
		{"commit", `event "commit" is a worker's: write a:commit or b:commit`, "whose?"},
		{"retry#2", `event "retry#2" is a worker's: write a:retry or b:retry`, "a number is no worker"},
		{"a:reclaim", `event "a:reclaim" is the environment's, and has no worker: write reclaim`, "nobody's"},
		{"b:lease-expire#2", `event "b:lease-expire#2" is the environment's, and has no worker: write lease-expire`, "nobody's, again"},
		{"c:commit", `event "c:commit" has an unknown worker: they are a and b, as in a:commit`, "there are two"},
		{"A:commit", `event "A:commit" has an unknown worker: they are a and b, as in a:commit`, "names are in lower case"},
		{":commit", `event ":commit" has an unknown worker: they are a and b, as in a:commit`, "no name"},
		{"a:commit#1", `event "a:commit#1"` + bad + "commit#2, commit#3, … up to #255", "the first has no number"},
		{"reclaim#0", `event "reclaim#0"` + bad + "reclaim#2, reclaim#3, … up to #255", "before the first"},
		{"reclaim#02", `event "reclaim#02"` + bad + "reclaim#2, reclaim#3, … up to #255", "another text of the second"},
		{"reclaim#256", `event "reclaim#256"` + bad + "reclaim#2, reclaim#3, … up to #255", "too large"},
		{"reclaim#-2", `event "reclaim#-2"` + bad + "reclaim#2, reclaim#3, … up to #255", "negative"},
		{"reclaim#", `event "reclaim#"` + bad + "reclaim#2, reclaim#3, … up to #255", "no number"},
		{"reclaim#2#3", `event "reclaim#2#3"` + bad + "reclaim#2, reclaim#3, … up to #255", "two"},
	}
	for _, tt := range tests {
		if e, err := contract.ParseEvent(tt.text); err == nil || err.Error() != tt.want || e != (contract.Event{}) {
			t.Errorf("ParseEvent(%q) = %v, %v; want %s: %s", tt.text, e, err, tt.want, tt.reason)
		}
	}
}

// What no event is called is a model.ErrUnknownEvent, whose text lists what there is.
func TestUnknownEvents(t *testing.T) {
	list := "the events are "
	for i, e := range everyEvent(contract.A) {
		if i > 0 {
			list += ", "
		}
		list += e.String()
	}
	for _, text := range []string{"", "#2", "a:", "a:commmit", "a:b:commit", "re claim", "reclaim ", "trusted-verify"} {
		_, err := contract.ParseEvent(text)
		if want := `unknown event "` + text + `": ` + list; !errors.Is(err, studied.ErrUnknownEvent) || err.Error() != want {
			t.Errorf("ParseEvent(%q) = %v\nwant %s", text, err, want)
		}
	}
}

func TestKinds(t *testing.T) {
	const deciding = "a:commit a:retry a:retry-other a:impersonate"
	const preparing = "a:candidate a:candidate-pair a:candidate-alias a:candidate-unclean a:candidate-case"
	var decide, prepare []string
	for i, e := range everyEvent(contract.A) {
		if e.Kind.ByWorker() != (i < 18) {
			t.Errorf("%v is a worker's: %v", e, e.Kind.ByWorker())
		}
		if e.Kind.Decides() {
			decide = append(decide, e.String())
		}
		if m, ok := e.Kind.Manifest(); ok {
			if int(m) != len(prepare) {
				t.Errorf("%v prepares manifest %d, want %d", e, m, len(prepare))
			}
			prepare = append(prepare, e.String())
		}
	}
	if got := strings.Join(decide, " "); got != deciding {
		t.Errorf("decided are %s, want %s", got, deciding)
	}
	if got := strings.Join(prepare, " "); got != preparing {
		t.Errorf("candidates are prepared by %s, want %s", got, preparing)
	}
	if k := contract.Kind(0); k.Decides() {
		t.Error("no event at all is decided")
	}
}

func TestWorkers(t *testing.T) {
	if contract.A.Other() != contract.B || contract.B.Other() != contract.A {
		t.Error("the other worker is the same")
	}
	if got := contract.A.String() + contract.B.String() + contract.Worker(0).String(); got != "abnobody" {
		t.Errorf("the workers are called %s", got)
	}
}
