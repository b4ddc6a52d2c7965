package contract_test

import (
	"slices"
	"strings"
	"testing"

	"example.com/commitpoint/mechanisms/contract"
	model "example.com/commitpoint/model/contract"
)

func TestEveryPredicateHasAdvice(t *testing.T) {
	known := map[string]bool{}
	for _, c := range model.All.Each() {
		advice := contract.Recovery(c)
		if advice == "" || known[advice] {
			t.Errorf("%v: %q is no advice of its own", c, advice)
		}
		known[advice] = true
		if events, ok := contract.Recover(c); ok != (c != model.Active) || (len(events) == 0) != (c == model.Active) {
			t.Errorf("%v: %v, %v", c, events, ok)
		}
	}
	if got := contract.Recovery(model.Grant); !strings.Contains(got, "not recovery") {
		t.Errorf("advice on a withdrawn grant is %q, want a word against retrying", got)
	}
	if got := contract.Recovery(model.Lease | model.Grant); got != "" {
		t.Errorf("advice on two predicates at once is %q", got)
	}
}

// The events make good what failed, in an order in which none undoes another, and each
// once.
func TestRecover(t *testing.T) {
	tests := []struct {
		failed model.Checks
		want   string
		reason string
	}{
		{0, "", "nothing failed"},
		{model.Caller, "a:claim a:verify", "receipts are about an attempt, too"},
		{model.Attempt | model.Fence | model.Incarnation | model.Lease, "a:claim a:verify", "one claim for all"},
		{model.Grant, "regrant", "others have to do it"},
		{model.Contract, "a:refresh a:verify", "verified against it"},
		{model.Scope, "a:read a:candidate a:verify", "another candidate"},
		{model.Dependencies, "a:read a:candidate a:verify", "of what there is now"},
		{model.Bases, "a:read a:candidate a:verify", "on what is published now"},
		{model.Binding, "a:verify", "exactly this candidate"},
		{model.Criteria, "a:verify", "with what is admitted now"},
		{model.Binding | model.Contract, "a:refresh a:verify", "verified once, at the end"},
		{model.Lease | model.Dependencies, "a:claim a:read a:candidate a:verify", "the candidate is verified for the new attempt"},
		{model.All &^ model.Active, "regrant a:claim a:read a:refresh a:candidate a:verify", "all of them, each once"},
	}
	for _, tt := range tests {
		events, ok := contract.Recover(tt.failed)
		var names []string
		for _, kind := range events {
			e := model.Event{Kind: kind}
			if kind.ByWorker() {
				e.Worker = model.A
			}
			names = append(names, e.String())
		}
		if got := strings.Join(names, " "); got != tt.want || !ok {
			t.Errorf("of %v: %s, %v; want %s: %s", tt.failed, got, ok, tt.want, tt.reason)
		}
	}
	for _, failed := range []model.Checks{model.Active, model.All, model.Active | model.Lease} {
		if events, ok := contract.Recover(failed); ok || events != nil {
			t.Errorf("%v is made good by %v, though the task has ended", failed, events)
		}
	}
}

// The events of each piece of advice make the predicate hold, wherever it failed alone.
func TestAdviceHelps(t *testing.T) {
	for _, history := range []string{
		chain + "restart-fences reclaim a:commit", chain + "restart-attempts reclaim a:commit", chain + "restore a:commit",
		chain + "lease-expire a:commit", "a:read a:candidate-unclean a:verify a:commit", chain + "revoke a:commit",
		chain + "migrate a:commit", chain + "input-edit a:commit", chain + "file-add a:commit", chain + "foreign-publish a:commit",
		chain + "a:replace a:commit", "a:read a:candidate a:commit", chain + "withdraw-checker a:commit", chain + "b:claim a:commit",
	} {
		s, r := after(t, model.Setup{}, history)
		failed := contract.Failed(&s, &r)
		if failed == 0 {
			t.Errorf("nothing fails after %s", history)
		}
		events, _ := contract.Recover(failed)
		for _, kind := range events {
			e := model.Event{Kind: kind}
			if kind.ByWorker() {
				e.Worker = model.A
			}
			s.Step(e)
		}
		r = s.Request(model.Event{Worker: model.A, Kind: model.Commit})
		if still := contract.Failed(&s, &r); still != 0 {
			t.Errorf("after %s and the advice on %v, %v fail", history, failed, still)
		}
	}
}

// A caller that is not authorized is told nothing but that.
func TestPublic(t *testing.T) {
	const unauthorized = "refused: the caller is not authorized to complete this task with this request"
	refused := func(c model.Checks) contract.Decision { return contract.Decision{Failed: c} }
	tests := []struct {
		name     string
		decision contract.Decision
		want     string
	}{
		{"accepted", contract.Decision{Accepted: true}, "recorded"},
		{"replayed", contract.Decision{Accepted: true, Replayed: true}, "recorded"},
		{"another request's id", contract.Decision{Mismatch: true}, unauthorized},
		{"not the attempt's principal", refused(model.Caller), unauthorized},
		{"no grant", refused(model.Grant), unauthorized},
		{"no grant, among others", refused(model.All), unauthorized},
		{"lease", refused(model.Lease), "refused: lease\nlease: obtain ownership first, then submit"},
		{"ended", refused(model.Active), "refused: active\nactive: none: the task has ended, and its status stays"},
		{"two", refused(model.Binding | model.Fence), "refused: fence, binding\n" +
			"fence: leave it to the holder of the current fence, or be assigned again\n" +
			"binding: have the admitted checkers verify exactly this candidate"},
	}
	for _, tt := range tests {
		if got := tt.decision.Public(); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// Those who may see everything are told everything, whoever called.
func TestAudit(t *testing.T) {
	s, r := after(t, model.Setup{}, chain+"reclaim cancel a:impersonate")
	const asked = "request 1 of a by b, attempt 1.1, fence 1, incarnation 1, contract 1, a's of input 1, directory 1, to out/a, on out/a 1, writing out/a: "
	const held = "; the task is a's, attempt 1.2, fence 2, incarnation 1, cancelled"
	tests := []struct {
		name, outcome string
		decision      contract.Decision
	}{
		{"accepted", "accepted", contract.Decision{Accepted: true}},
		{"replayed", "answered with the recorded receipt", contract.Decision{Accepted: true, Replayed: true}},
		{"mismatch", "refused: the id belongs to another request", contract.Decision{Mismatch: true}},
		{"refused", "refused: active, caller, attempt, fence", contract.Complete.Decide(&s, &r, 0)},
	}
	var outcomes []string
	for _, tt := range tests {
		if got := tt.decision.Audit(&s, &r); got != asked+tt.outcome+held {
			t.Errorf("%s: %s\nwant %s", tt.name, got, asked+tt.outcome+held)
		}
		outcomes = append(outcomes, tt.outcome)
	}
	slices.Sort(outcomes)
	if len(slices.Compact(outcomes)) != len(tests) {
		t.Errorf("outcomes that can't be told apart: %q", outcomes)
	}
}
