package contention_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"example.com/commitpoint/model"
	"example.com/commitpoint/model/contention"
)

// fields returns the names and the values of a state's fields, each joined by "|".
func fields(s contention.State, submitters int) (names, values string) {
	var n, v []string
	for name, value := range s.Fields(submitters) {
		n, v = append(n, name), append(v, value)
	}
	return strings.Join(n, "|"), strings.Join(v, "|")
}

func TestFields(t *testing.T) {
	const shared = "input|owner|lease|grant|default policy|artifact"
	const first, second = "|w1 read|w1 receipt|w1 preflight", "|w2 read|w2 receipt|w2 preflight"
	end := contention.Initial()
	for name := range strings.FieldsSeq("w1:read w1:candidate input-edit w2:read w2:trusted-verify w2:candidate w1:trusted-verify lease-expire reassign") {
		end = contention.Next(end, parse(t, name))
	}
	end.Submitters[1].Early = true
	edited := contention.Initial()
	for name := range strings.FieldsSeq("artifact-edit lease-expire revoke publish-behavior-v2 w1:trusted-verify") {
		edited = contention.Next(edited, parse(t, name))
	}
	tests := []struct {
		name         string
		state        contention.State
		submitters   int
		names, value string
	}{
		{"nobody's", contention.Initial(), 0, shared, "1|w1|live|held|as pinned|draft"},
		{"one submitter's", contention.Initial(), 1, shared + first, "1|w1|live|held|as pinned|draft|none|none|not all held"},
		{"two submitters'", end, 2, shared + first + second,
			"2|w2|live|held|as pinned|w2's of input 2|1|about w2's of input 2|not all held|2|about w1's of input 1|all held"},
		{"the environment's", edited, 1, shared + first, "1|w1|expired|revoked|newer|edited|none|about edited|not all held"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if names, values := fields(tt.state, tt.submitters); names != tt.names || values != tt.value {
				t.Errorf("%s\n%s\nwant\n%s\n%s", names, values, tt.names, tt.value)
			}
		})
	}
	for name := range end.Fields(2) {
		if name == "w1 read" {
			break // leaving early is fine
		}
	}
}

// Each event changes the fields that it says, and no other.
func TestEventsChangeFields(t *testing.T) {
	tests := []struct{ before, event, want string }{
		{"", "w2:read", "w2 read"},
		{"w2:read", "w2:candidate", "artifact"},
		{"w2:read w2:candidate", "w1:trusted-verify", "w1 receipt"},
		{"w1:read", "w1:preflight", ""},
		{"w1:read", "w1:commit", ""},
		{"", "input-edit", "input"},
		{"", "artifact-edit", "artifact"},
		{"", "lease-expire", "lease"},
		{"lease-expire", "reassign", "owner|lease"},
		{"lease-expire reassign", "reassign#2", "owner"},
		{"", "revoke", "grant"},
		{"", "publish-behavior-v2", "default policy"},
	}
	for _, tt := range tests {
		before := contention.Initial()
		for name := range strings.FieldsSeq(tt.before) {
			before = contention.Next(before, parse(t, name))
		}
		names, old := fields(before, 2)
		_, values := fields(contention.Next(before, parse(t, tt.event)), 2)
		var changed []string
		for i, value := range strings.Split(values, "|") {
			if value != strings.Split(old, "|")[i] {
				changed = append(changed, strings.Split(names, "|")[i])
			}
		}
		if got := strings.Join(changed, "|"); got != tt.want {
			t.Errorf("after %q %s changes %q, want %q", tt.before, tt.event, got, tt.want)
		}
	}
}

// Of all states that two submitters and four events of the environment lead to, with
// either answer of preflight, no two have the same fields.
func TestFieldsTellStatesApart(t *testing.T) {
	environment := []model.Kind{model.InputEdit, model.ArtifactEdit, model.LeaseExpire, model.Reassign}
	type point struct {
		state contention.State
		chain [2]uint8 // events of each submitter
		done  uint8    // a set of those of the environment
	}
	seen := map[point]bool{{state: contention.Initial()}: true}
	byFields := map[string]contention.State{}
	for stack := slices.Collect(maps.Keys(seen)); len(stack) > 0; {
		p := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		_, key := fields(p.state, 2)
		if other, ok := byFields[key]; ok && other != p.state {
			t.Fatalf("two states have the fields %s:\n%+v\n%+v", key, other, p.state)
		}
		byFields[key] = p.state
		visit := func(next point) {
			if !seen[next] {
				seen[next] = true
				stack = append(stack, next)
			}
		}
		for w := range p.chain {
			if int(p.chain[w]) == len(model.Chain())-1 { // a commit changes nothing
				continue
			}
			next, e := p, contention.Event{Submitter: uint8(w) + 1, Kind: model.Chain()[p.chain[w]].Kind}
			next.state = contention.Next(p.state, e)
			next.chain[w]++
			visit(next)
			if e.Kind == model.Preflight {
				next.state.Submitters[w].Early = true
				visit(next)
			}
		}
		for i, k := range environment {
			if p.done>>i&1 == 0 {
				visit(point{contention.Next(p.state, contention.Event{Kind: k}), p.chain, p.done | 1<<i})
			}
		}
	}
	if len(byFields) != 1992 {
		t.Errorf("%d different states, want 1,992", len(byFields))
	}
}

func TestActors(t *testing.T) {
	tests := []struct{ event, actor, object string }{
		{"w1:read", "submitter 1", "input"},
		{"w2:read", "submitter 2", "input"},
		{"w6:candidate", "submitter 6", "artifact"},
		{"w2:trusted-verify", "checker", "evidence store"},
		{"w2:preflight", "service", "task"},
		{"w1:commit", "service", "task"},
		{"input-edit", "other writer", "input"},
		{"artifact-edit", "other writer", "artifact"},
		{"lease-expire", "clock", "task"},
		{"reassign#2", "scheduler", "task"},
		{"revoke", "authority", "grants"},
		{"publish-behavior-v2", "authority", "policy"},
	}
	for _, tt := range tests {
		if e := parse(t, tt.event); e.Actor() != tt.actor || e.Object() != tt.object {
			t.Errorf("%s: %s acts on %s, want %s on %s", tt.event, e.Actor(), e.Object(), tt.actor, tt.object)
		}
	}
}

func TestBlobStrings(t *testing.T) {
	for _, tt := range []struct {
		blob contention.Blob
		want string
	}{
		{contention.Blob{}, "draft"},
		{contention.Edited, "edited"},
		{contention.Blob{Writer: 3, Inputs: 2}, "w3's of input 2"},
		{contention.Submitter{Read: 2}.Candidate(4), "w4's of input 2"},
	} {
		if got := tt.blob.String(); got != tt.want {
			t.Errorf("%+v is %q, want %q", tt.blob, got, tt.want)
		}
	}
}
