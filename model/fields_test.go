package model_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"example.com/commitpoint/model"
)

// fieldNames are the names of a state's fields, in their order.
const fieldNames = "attempt|fence|lease|grants|default policy|input|read|artifact|candidate|evidence|completion"

// fields returns the names and the values of a state's fields.
func fields(s model.State) (names, values []string) {
	for name, value := range s.Fields() {
		names, values = append(names, name), append(values, value)
	}
	return names, values
}

// short is the beginning of a content's SHA-256.
func short(content string) string {
	sum := sha256.Sum256([]byte(content))
	return hex.EncodeToString(sum[:2]) + "…"
}

func TestFields(t *testing.T) {
	end := after(t, "input-edit", "read", "candidate", "trusted-verify", "lease-expire", "reassign", "revoke", "publish-behavior-v2", "artifact-edit")
	end.Ledger, _, _ = end.Ledger.Complete(end.Request(), true)
	tests := []struct {
		name  string
		state model.State
		want  string
	}{
		{"before any event", model.Initial(), "1, worker A|1|live|worker A, worker B|behavior-v1|1|none|" + short("draft\n") + "|none|none|none"},
		{"after most of them", end, "2, worker B|2|live|worker B|behavior-v2|2|2|" + short("overwritten by another writer, edit 1\n") +
			"|" + short("44") + " of input 2|receipt 1, pass of " + short("44") + "|request 1, " + short("44")},
		{"expired", after(t, "lease-expire"), "1, worker A|1|expired|worker A, worker B|behavior-v1|1|none|" + short("draft\n") + "|none|none|none"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			names, values := fields(tt.state)
			if got := strings.Join(names, "|"); got != fieldNames {
				t.Errorf("names\n%s\nwant\n%s", got, fieldNames)
			}
			if got := strings.Join(values, "|"); got != tt.want {
				t.Errorf("values\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
	for name := range model.Initial().Fields() {
		if name == "fence" {
			break // leaving early is fine
		}
	}
}

// Each event changes the fields that it says, and no other.
func TestEventsChangeFields(t *testing.T) {
	tests := []struct{ before, event, want string }{
		{"", "read", "read"},
		{"read", "candidate", "artifact, candidate"},
		{"read candidate", "trusted-verify", "evidence"},
		{"read candidate trusted-verify", "preflight", ""}, // what is answered is a mechanism's
		{"read candidate trusted-verify preflight", "commit", ""},
		{"", "input-edit", "input"},
		{"read candidate", "artifact-edit", "artifact"},
		{"", "lease-expire", "lease"},
		{"", "reassign", "attempt, fence"},
		{"lease-expire", "reassign", "attempt, fence, lease"},
		{"", "revoke", "grants"},
		{"", "publish-behavior-v2", "default policy"},
	}
	asked := map[model.Kind]bool{}
	for _, tt := range tests {
		before := after(t, strings.Fields(tt.before)...)
		e, err := model.ParseEvent(tt.event)
		if err != nil {
			t.Fatal(err)
		}
		asked[e.Kind] = true
		names, old := fields(before)
		_, values := fields(model.Next(before, e))
		changed := slices.DeleteFunc(names, func(name string) bool {
			i := slices.Index(strings.Split(fieldNames, "|"), name)
			return old[i] == values[i]
		})
		if got := strings.Join(changed, ", "); got != tt.want {
			t.Errorf("after %q %s changes %q, want %q", tt.before, tt.event, got, tt.want)
		}
	}
	if len(asked) != int(model.PublishV2) {
		t.Errorf("%d kinds of event were tried, of %d", len(asked), model.PublishV2)
	}
}

// Of all states that histories of the chain and the environment lead to, with each
// edit twice and the request accepted or refused, no two have the same fields.
func TestFieldsTellStatesApart(t *testing.T) {
	environment := append(model.Environment(), model.Event{Kind: model.InputEdit, N: 2}, model.Event{Kind: model.ArtifactEdit, N: 2})
	type point struct {
		state       model.State
		chain, done uint16 // events of the chain, and a set of those of the environment
	}
	seen := map[point]bool{{state: model.Initial()}: true}
	byFields := map[string]model.State{}
	for stack := slices.Collect(maps.Keys(seen)); len(stack) > 0; {
		p := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		_, values := fields(p.state)
		key := strings.Join(values, "|")
		if other, ok := byFields[key]; ok && other != p.state {
			t.Fatalf("two states have the fields %s:\n%+v\n%+v", key, other, p.state)
		}
		byFields[key] = p.state
		var next []point
		if int(p.chain) < len(model.Chain()) {
			e := model.Chain()[p.chain]
			next = append(next, point{model.Next(p.state, e), p.chain + 1, p.done})
			if e.Kind == model.Commit {
				accepted := next[0]
				accepted.state.Ledger, _, _ = accepted.state.Ledger.Complete(p.state.Request(), true)
				next = append(next, accepted)
			}
		}
		for i, e := range environment {
			if p.done>>i&1 == 0 {
				next = append(next, point{model.Next(p.state, e), p.chain, p.done | 1<<i})
			}
		}
		for _, n := range next {
			if !seen[n] {
				seen[n] = true
				stack = append(stack, n)
			}
		}
	}
	if len(byFields) != 2064 {
		t.Errorf("%d different states, want 2,064", len(byFields))
	}
}

func TestRoles(t *testing.T) {
	const want = `read: worker A, input
candidate: worker A, artifact
trusted-verify: checker, evidence store
preflight: service, task
commit: service, task
input-edit: other writer, input
artifact-edit: other writer, artifact
lease-expire: clock, task
reassign: scheduler, task
revoke: authority, grants
publish-behavior-v2: authority, policy
`
	var got strings.Builder
	for _, e := range append(model.Chain(), model.Environment()...) {
		fmt.Fprintf(&got, "%v: %s, %s\n", e, e.Kind.Actor(), e.Kind.Object())
		if e.Kind.Actor() == "" || e.Kind.Object() == "" {
			t.Errorf("%v has no actor or no object", e)
		}
	}
	if got.String() != want {
		t.Errorf("who acts on what:\n%s\nwant\n%s", &got, want)
	}
}

func TestStrings(t *testing.T) {
	verified := after(t, "read", "candidate", "trusted-verify")
	rejected := after(t, "read", "candidate", "artifact-edit#3", "trusted-verify")
	recorded, _, _ := model.Ledger{}.Complete(verified.Request(), true)
	refused, _, _ := model.Ledger{}.Complete(verified.Request(), false)
	answer := short("42")
	tests := []struct {
		name  string
		value fmt.Stringer
		want  string
	}{
		{"no grants", model.Grants(0), "nobody"},
		{"one grant", model.Grants(0).With(model.WorkerB), "worker B"},
		{"both grants, whatever came first", model.Grants(0).With(model.WorkerB).With(model.WorkerA), "worker A, worker B"},
		{"a grant that is gone", verified.Grants.Without(model.WorkerB), "worker A"},
		{"the pinned policy", model.BehaviorV1, "behavior-v1"},
		{"the newest policy", model.BehaviorV2, "behavior-v2"},
		{"no revision", model.Revision(0), "none"},
		{"a revision", model.Revision(12), "12"},
		{"nobody", model.Principal(0), "nobody"},
		{"no content", model.Blob{}, "none"},
		{"no digest", model.Digest{}, "none"},
		{"content", model.NewBlob("42"), answer},
		{"content of no bytes", model.NewBlob(""), "e3b0…"},
		{"no candidate", model.Candidate{}, "none"},
		{"a candidate", verified.Candidate, answer + " of input 1"},
		{"no receipt", model.Receipt{}, "none"},
		{"a pass", verified.Evidence, "receipt 1, pass of " + answer},
		{"a fail", rejected.Evidence, "receipt 1, fail of " + short("overwritten by another writer, edit 3\n")},
		{"an open ledger", model.Ledger{}, "none"},
		{"a refusal leaves nothing", refused, "none"},
		{"a recorded request", recorded, "request 1, " + answer},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := tt.value.String()
			if d, ok := tt.value.(model.Digest); ok {
				got = d.Short()
			}
			if got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
	if got := model.NewBlob("42").Digest(); got.Short() != answer || len(got.String()) != 64 {
		t.Errorf("digest %v, in short %s", got, got.Short())
	}
}
