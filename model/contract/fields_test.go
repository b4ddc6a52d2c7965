package contract_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/commitpoint/model/contract"
)

// fieldNames are the names of a state's fields, in their order.
var fieldNames = strings.Split("status|owner|attempt|lease|last attempt id|last fence|incarnation|contract|grants of a|grants of b|"+
	"input|directory|out/latest|checker of tests|checker of review|default policy|swept|recorded|out/a|out/b|secret|"+
	"a's attempt|a's input|a's directory|a's contract|a's candidate|a's tests|a's review|a's request|"+
	"b's attempt|b's input|b's directory|b's contract|b's candidate|b's tests|b's review|b's request", "|")

// fields returns the names and the values of a state's fields.
func fields(s contract.State) (names, values []string) {
	for name, value := range s.Fields() {
		names, values = append(names, name), append(values, value)
	}
	return names, values
}

func TestFieldNames(t *testing.T) {
	sorted := slices.Sorted(slices.Values(fieldNames))
	if unique := len(slices.Compact(sorted)); unique != 37 {
		t.Errorf("%d different names, want 37", unique)
	}
	for _, before := range []string{"", "a:read a:candidate a:verify a:commit completed", "cancel sweep-read", "b:claim restore lease-expire"} {
		if names, _ := fields(after(t, contract.Setup{}, before)); !slices.Equal(names, fieldNames) {
			t.Errorf("the names after %q\n%s", before, cmp.Diff(fieldNames, names))
		}
	}
	for name := range after(t, contract.Setup{}, "").Fields() {
		if name == "lease" {
			break // leaving early is fine
		}
	}
}

// Each event changes the fields that it says, and no other.
func TestEventsChangeFields(t *testing.T) {
	tests := []struct{ before, event, want string }{
		{"", "b:claim", "owner: b|attempt: 1.2, fence 2, incarnation 1|last attempt id: 2|last fence: 2|b's attempt: 1.2, fence 2, incarnation 1"},
		{"", "a:read", "a's input: 1|a's directory: 1|a's contract: 1"},
		{"a:read file-add", "a:candidate", "a's candidate: a's of input 1, directory 1, to out/a, on out/a 1"},
		{"b:read", "b:candidate-pair", "b's candidate: b's of input 1, directory 1, to out/a and out/b, on out/a 1, on out/b 1"},
		{"", "a:candidate-alias", "a's candidate: a's of input none, directory none, to out/latest, on out/a 1"},
		{"a:read", "a:candidate-unclean", "a's candidate: a's of input 1, directory 1, to out/../secret, on secret 1"},
		{"a:read", "a:candidate-case", "a's candidate: a's of input 1, directory 1, to Out/A/, on out/a 1"},
		{"a:read a:candidate", "a:verify-tests", "a's tests: pass of a's of input 1, directory 1, attempt 1.1, fence 1, incarnation 1, for contract 1, by version 1"},
		{"b:candidate withdraw-checker", "b:verify-review", "b's review: pass of b's of input none, directory none, attempt none, for contract 1, by version 2"},
		{"a:read a:candidate a:verify-review", "a:verify", "a's tests: pass of a's of input 1, directory 1, attempt 1.1, fence 1, incarnation 1, for contract 1, by version 1"},
		{"a:read", "a:preflight", ""}, // what is answered is a mechanism's
		{"a:read a:candidate", "a:commit", "a's request: 1 of a by a, attempt 1.1, fence 1, incarnation 1, contract 1: a's of input 1, directory 1, to out/a, on out/a 1"},
		{"", "b:retry", "b's request: 2 of b by b, attempt none, contract none: none"},
		{"a:read a:candidate", "a:retry-other", ""},
		{"a:read a:candidate", "a:impersonate", ""},
		{"a:read migrate", "a:refresh", "a's contract: 2"},
		{"a:read a:candidate", "a:replace", "a's candidate: a's of input 1, variant 1, directory 1, to out/a, on out/a 1"},
		{"", "a:report-failure", "status: failed"},
		{"", "lease-expire", "lease: none"},
		{"", "renew", "lease: 2"},
		{"", "reclaim", "attempt: 1.2, fence 2, incarnation 1|last attempt id: 2|last fence: 2"},
		{"", "restage", "owner: b|attempt: 2.1, fence 2, incarnation 1|last fence: 2|b's attempt: 2.1, fence 2, incarnation 1"},
		{"", "cancel", "status: cancelled"},
		{"", "migrate", "contract: 2"},
		{"", "revoke", "grants of a: none"},
		{"", "revoke-second", "grants of a: out/a, secret"},
		{"revoke", "regrant", "grants of a: out/a, out/b, secret"},
		{"", "input-edit", "input: 2"},
		{"", "file-add", "directory: 2"},
		{"", "foreign-publish", "out/a: revision 2, foreign bytes 2"},
		{"", "alias-move", "out/latest: secret"},
		{"", "withdraw-checker", "checker of review: version 2"},
		{"", "publish-policy", "default policy: newer"},
		{"", "restart-fences", "last fence: none"},
		{"", "restart-attempts", "last attempt id: none"},
		{"", "restore", "last attempt id: none|last fence: none|incarnation: 2"},
		{"", "sweep-read", "swept: running, attempt 1.1, fence 1, incarnation 1"},
		{"cancel", "sweep-read", "swept: nothing to do, attempt 1.1, fence 1, incarnation 1"},
		{"sweep-read lease-expire", "sweep-write", "owner: nobody|attempt: 1.2, fence 2, incarnation 1|last attempt id: 2|last fence: 2"},
		{"a:read a:candidate", "completed", "status: completed|recorded: request 1 of a by a, attempt 1.1, fence 1, incarnation 1, contract 1: " +
			"a's of input 1, directory 1, to out/a, on out/a 1, write 1|out/a: revision 2, a's of input 1"},
	}
	tried := map[string]bool{}
	for _, tt := range tests {
		names, old := fields(after(t, contract.Setup{}, tt.before))
		_, values := fields(after(t, contract.Setup{}, tt.before+" "+tt.event))
		var changed []string
		for i, name := range names {
			if old[i] != values[i] {
				changed = append(changed, name+": "+values[i])
			}
		}
		if got := strings.Join(changed, "|"); got != tt.want {
			t.Errorf("after %q %s changes\n%s\nwant\n%s", tt.before, tt.event, got, tt.want)
		}
		if tt.event != "completed" {
			tried[contract.Event{Kind: event(t, tt.event).Kind}.String()] = true
		}
	}
	if len(tried) != int(contract.SweepWrite) {
		t.Errorf("%d kinds of event were tried, of %d", len(tried), contract.SweepWrite)
	}
}

// No two states that histories lead to have the same fields: what an event changes can be
// seen. The histories are drawn, the same every time.
func TestFieldsTellStatesApart(t *testing.T) {
	events := append(everyEvent(contract.A), everyEvent(contract.B)[:18]...)
	random := rand.New(rand.NewPCG(1, 1))
	byFields := map[string]contract.State{}
	for range 1200 {
		s := contract.Initial(contract.Setup{})
		for range 14 {
			e := events[random.IntN(len(events))]
			if random.IntN(2) == 0 {
				e = event(t, []string{"a:read", "a:candidate", "a:verify", "a:commit"}[random.IntN(4)])
			}
			if e.Kind.Decides() && random.IntN(2) == 0 {
				s.Complete(s.Request(e), random.IntN(2) == 0)
			}
			s.Step(e)
			_, values := fields(s)
			key := strings.Join(values, "|")
			if other, ok := byFields[key]; ok && other != s {
				t.Fatalf("two states have the same fields:\n%s", cmp.Diff(other, s))
			}
			byFields[key] = s
		}
	}
	if len(byFields) < 7_000 {
		t.Errorf("%d different states: too few", len(byFields))
	}
}

func TestStrings(t *testing.T) {
	tests := []struct {
		name  string
		value fmt.Stringer
		want  string
	}{
		{"no attempt", contract.Identity{}, "none"},
		{"no candidate", contract.Candidate{}, "none"},
		{"no receipt", contract.Receipt{}, "none"},
		{"a fail", contract.Receipt{Attempt: first, Contract: 2, Bytes: contract.Bytes{Writer: 255, Variant: 3}, Members: 1, Version: 1},
			"fail of foreign bytes 3, directory 1, attempt 1.1, fence 1, incarnation 1, for contract 2, by version 1"},
		{"no request", contract.Request{}, "none"},
		{"a request of another", contract.Request{ID: 1, Caller: contract.B, Author: contract.A, Attempt: first, Contract: 1, Content: plain},
			"1 of a by b, attempt 1.1, fence 1, incarnation 1, contract 1: a's of input 1, directory 1, to out/a, on out/a 1"},
		{"nothing swept", contract.Sweep{}, "none"},
		{"nothing recorded", contract.Ledger{}, "none"},
		{"two writes", contract.Ledger{Bound: contract.Request{ID: 2, Caller: contract.B, Author: contract.B}, Writes: 2},
			"request 2 of b by b, attempt none, contract none: none, write 2"},
		{"tests", contract.Tests, "tests"},
		{"review", contract.Review, "review"},
	}
	for _, tt := range tests {
		if got := tt.value.String(); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}
