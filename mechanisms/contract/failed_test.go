package contract_test

import (
	"strings"
	"testing"

	"example.com/commitpoint/mechanisms/contract"
	model "example.com/commitpoint/model/contract"
)

// after returns the state after the events with the given names, separated by spaces,
// but for the last, and the request that the last submits.
func after(t testing.TB, setup model.Setup, names string) (model.State, model.Request) {
	t.Helper()
	s := model.Initial(setup)
	var last model.Event
	for i, name := range strings.Fields(names) {
		if i > 0 {
			s.Step(last)
		}
		var err error
		if last, err = model.ParseEvent(name); err != nil {
			t.Fatal(err)
		}
	}
	if !last.Kind.Decides() {
		t.Fatalf("%s does not end with a request", names)
	}
	return s, s.Request(last)
}

const chain = "a:read a:candidate a:verify "

// For each predicate histories after which it alone fails, and some like them after which
// none does.
func TestFailed(t *testing.T) {
	tests := []struct {
		history, reason string
		want            model.Checks
	}{
		{chain + "a:commit", "nothing happened", 0},
		{chain + "a:retry", "a request like any other, the first time", 0},
		{chain + "renew lease-expire a:commit", "it was prolonged before it ran out", 0},
		{chain + "migrate a:refresh a:verify a:commit", "read and verified again", 0},
		{chain + "withdraw-checker a:verify-review a:commit", "reviewed again by an admitted version", 0},
		{chain + "restart-fences a:commit", "what was issued is what it was", 0},
		{chain + "restart-attempts a:commit", "what was issued is what it was", 0},
		{chain + "sweep-read sweep-write a:commit", "the lease is live, and the sweeper guarded", 0},
		{chain + "publish-policy a:commit", "the task is pinned", 0},
		{chain + "revoke regrant a:commit", "granted again", 0},
		{chain + "revoke-second a:commit", "a grant that it does not need", 0},
		{chain + "alias-move a:commit", "an alias that it does not use", 0},
		{"input-edit file-add foreign-publish " + chain + "a:commit", "all changed before", 0},
		{"b:claim b:read b:candidate b:verify revoke b:commit", "the grants are worker a's", 0},
		{"restage b:read b:candidate b:verify b:commit", "assigned by the scheduler", 0},
		{"a:read a:candidate-case a:verify a:commit", "another spelling of what is in scope", 0},
		{"a:read a:candidate-alias a:verify a:commit", "the alias leads into the scope", 0},

		{chain + "cancel a:commit", "cancelled", model.Active},
		{chain + "a:report-failure a:commit", "failed", model.Active},
		{chain + "a:impersonate", "the other worker calls", model.Caller},
		{chain + "restart-fences reclaim a:commit", "the fence comes again, the attempt's ids do not", model.Attempt},
		{chain + "restart-fences restage restart-attempts a:commit", "nor does a stage; and it is another worker's", model.Attempt | model.Caller},
		{chain + "restart-attempts reclaim a:commit", "the attempt's ids come again, the fence does not", model.Fence},
		{chain + "restore a:commit", "the attempt is of an authority that is gone", model.Incarnation},
		{chain + "restore reclaim a:commit", "with the same ids and fence", model.Incarnation},
		{chain + "lease-expire a:commit", "it ran out", model.Lease},
		{chain + "lease-expire renew a:commit", "renewing comes too late", model.Lease},
		{chain + "renew lease-expire lease-expire#2 a:commit", "prolonged once, and run out", model.Lease},
		{"a:read a:candidate-unclean a:verify a:commit", "outside by an unclean path", model.Scope},
		{"alias-move a:read a:candidate-alias a:verify a:commit", "outside by an alias", model.Scope},
		{chain + "revoke a:commit", "withdrawn", model.Grant},
		{"a:read a:candidate-pair a:verify revoke-second a:commit", "one of two is withdrawn", model.Grant},
		{chain + "migrate a:commit", "pinned to another contract since", model.Contract},
		{chain + "input-edit a:commit", "the input is another", model.Dependencies},
		{chain + "file-add a:commit", "the directory has another member", model.Dependencies},
		{chain + "foreign-publish a:commit", "the target is another", model.Bases},
		{"a:read a:candidate-case a:verify foreign-publish a:commit", "whatever it is called", model.Bases},
		{chain + "a:replace a:commit", "the receipts are about other bytes", model.Binding},
		{chain + "migrate a:refresh a:commit", "about another contract", model.Binding},
		{chain + "migrate a:refresh a:verify-tests a:commit", "the review is, still", model.Binding},
		{chain + "a:claim a:commit", "about another attempt", model.Binding},
		{chain + "restore a:claim a:commit", "about another incarnation's, with the same ids", model.Binding},
		{chain + "restart-attempts a:claim a:commit", "about another, with the same ids", model.Binding},
		{chain + "file-add a:read a:candidate a:commit", "about a candidate of another directory", model.Binding},
		{"a:read a:candidate a:commit", "there are none", model.Criteria},
		{"a:read a:candidate a:verify-tests a:commit", "there is no review", model.Criteria},
		{"a:read a:candidate a:verify-review a:commit", "there are no tests", model.Criteria},
		{chain + "withdraw-checker a:commit", "the review's checker is not admitted", model.Criteria},

		{chain + "b:claim a:commit", "who has lost the task has nothing of it", model.Caller | model.Attempt | model.Fence},
		{chain + "alias-move a:commit a:replace a:retry", "the retry is of what was sent, the receipts too", 0},
		{"a:read a:candidate-alias a:verify alias-move a:commit", "another target, of which nothing is known", model.Scope | model.Bases},
		{"a:commit", "a request of nothing", model.Contract | model.Dependencies | model.Bases | model.Criteria},
		{"b:commit", "by nobody in particular", model.Caller | model.Attempt | model.Fence | model.Incarnation |
			model.Contract | model.Dependencies | model.Bases | model.Criteria},
		{"sweep-read " + chain + "lease-expire sweep-write a:commit", "nobody's", model.Caller | model.Attempt | model.Fence | model.Lease},
	}
	alone := map[model.Checks]int{}
	for _, tt := range tests {
		t.Run(tt.history, func(t *testing.T) {
			s, r := after(t, model.Setup{}, tt.history)
			alone[tt.want]++
			if got := contract.Failed(&s, &r); got != tt.want {
				t.Errorf("%v fail, want %v: %s", got, tt.want, tt.reason)
			}
		})
	}
	for _, c := range model.All.Each() {
		if alone[c] == 0 {
			t.Errorf("no history in which %v alone fails", c)
		}
	}
}

// What no history leads to is refused as well: each part of a request counts.
func TestEveryPartCounts(t *testing.T) {
	tests := []struct {
		name, reason string
		change       func(*model.State, *model.Request)
		want         model.Checks
	}{
		{"outer id", "a stage", func(_ *model.State, r *model.Request) { r.Attempt.Outer = 2 }, model.Attempt | model.Binding},
		{"inner id", "a try", func(_ *model.State, r *model.Request) { r.Attempt.Inner = 2 }, model.Attempt | model.Binding},
		{"fence ahead", "equal means equal", func(_ *model.State, r *model.Request) { r.Attempt.Fence = 2 }, model.Fence | model.Binding},
		{"incarnation ahead", "equal means equal", func(_ *model.State, r *model.Request) { r.Attempt.Incarnation = 2 }, model.Incarnation | model.Binding},
		{"nobody calls", "nobody has a grant", func(_ *model.State, r *model.Request) { r.Caller = 0 }, model.Caller | model.Grant},
		{"nobody's", "nobody has receipts", func(_ *model.State, r *model.Request) { r.Author = 0 }, model.Criteria},
		{"of the other", "who has none", func(_ *model.State, r *model.Request) { r.Author = model.B }, model.Criteria},
		{"contract ahead", "equal means equal", func(_ *model.State, r *model.Request) { r.Contract = 2 }, model.Contract | model.Binding},
		{"input of the candidate", "the receipt names it", func(s *model.State, r *model.Request) { s.Inputs, r.Content.Inputs = 2, 2 }, model.Binding},
		{"directory of the candidate", "the receipt names it", func(s *model.State, r *model.Request) { s.Members, r.Content.Members = 2, 2 }, model.Binding},
		{"based on another revision", "equal means equal", func(_ *model.State, r *model.Request) { r.Content.Bases[model.OutA] = 2 }, model.Bases},
		{"based on what it does not write", "it does not matter", func(_ *model.State, r *model.Request) { r.Content.Bases[model.OutB] = 7 }, 0},
		{"a fail", "it is about the request, and no pass", func(s *model.State, _ *model.Request) { s.Of(model.A).Receipts[model.Tests].Pass = false }, model.Criteria},
		{"another version of tests", "it is not admitted", func(s *model.State, _ *model.Request) { s.Of(model.A).Receipts[model.Tests].Version = 2 }, model.Criteria},
		{"several", "all that fail are named, not the first",
			func(s *model.State, _ *model.Request) { s.Owner.Lease, s.Inputs, s.Grants[0] = 0, 2, 0 }, model.Lease | model.Grant | model.Dependencies},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, r := after(t, model.Setup{}, chain+"a:commit")
			tt.change(&s, &r)
			if got := contract.Failed(&s, &r); got != tt.want {
				t.Errorf("%v fail, want %v: %s", got, tt.want, tt.reason)
			}
		})
	}
}

// A criterion that is not required is not asked for.
func TestOptionalReview(t *testing.T) {
	tests := []struct {
		history, reason string
		want            model.Checks
	}{
		{"a:read a:candidate a:verify-tests a:commit", "tests suffice", 0},
		{"a:read a:candidate a:verify-review a:commit", "a review does not", model.Criteria},
		{chain + "a:replace a:verify-tests a:commit", "of which the review is about other bytes", 0},
		{chain + "withdraw-checker a:commit", "of which the review is not admitted", 0},
	}
	for _, tt := range tests {
		s, r := after(t, model.Setup{Optional: true}, tt.history)
		if got := contract.Failed(&s, &r); got != tt.want {
			t.Errorf("after %s %v fail, want %v: %s", tt.history, got, tt.want, tt.reason)
		}
	}
}

// What each flaw makes of what fails.
func TestFlaws(t *testing.T) {
	tests := []struct {
		flaw            contract.Flaw
		history, reason string
		failed, looked  model.Checks
	}{
		{contract.OuterOnly, chain + "restart-fences reclaim a:commit", "the stage is the same", model.Attempt, 0},
		{contract.OuterOnly, chain + "restage a:commit", "it is not", model.Caller | model.Attempt | model.Fence, model.Caller | model.Attempt | model.Fence},
		{contract.OuterOnly, chain + "a:commit", "it is", 0, 0},
		{contract.InnerOnly, chain + "restage a:commit", "the try has the same number", model.Caller | model.Attempt | model.Fence, model.Caller | model.Fence},
		{contract.InnerOnly, chain + "restart-fences reclaim a:commit", "it has not", model.Attempt, model.Attempt},
		{contract.InnerOnly, chain + "a:commit", "it has", 0, 0},
		{contract.OwnReceipts, "a:read a:candidate a:commit", "it brings what it likes", model.Criteria, 0},
		{contract.OwnReceipts, chain + "a:replace a:commit", "what the store has is about something else", model.Binding, model.Binding},
		{contract.FirstGrant, "a:read a:candidate-pair a:verify revoke-second a:commit", "the first is held", model.Grant, 0},
		{contract.FirstGrant, "a:read a:candidate-pair a:verify revoke a:commit", "it is not", model.Grant, model.Grant},
		{contract.FirstGrant, "a:read a:candidate-pair a:verify a:commit", "both are", 0, 0},
		{contract.CachedGrants, chain + "revoke a:commit", "it was held at the start", model.Grant, 0},
		{contract.CachedGrants, "a:read a:candidate-pair a:verify revoke-second a:commit", "both were", model.Grant, 0},
		{contract.DeclaredPaths, "a:read a:candidate-unclean a:verify a:commit", "it begins with out/", model.Scope, 0},
		{contract.DeclaredPaths, "a:read a:candidate-alias a:verify alias-move a:commit", "it begins with out/", model.Scope | model.Bases, model.Bases},
		{contract.DeclaredPaths, "a:read a:candidate-case a:verify a:commit", "it begins with Out/, and is the same file", 0, model.Scope},
		{contract.DeclaredPaths, "a:read a:candidate-pair a:verify a:commit", "both begin with out/", 0, 0},
		{contract.UnguardedSweep, chain + "cancel a:commit", "of the sweeper, not of requests", model.Active, model.Active},
		{contract.UnguardedFail, chain + "cancel a:commit", "of reports, not of requests", model.Active, model.Active},
		{contract.TornPublish, chain + "cancel a:commit", "of publication, not of requests", model.Active, model.Active},
	}
	for _, tt := range tests {
		s, r := after(t, model.Setup{}, tt.history)
		m := contract.Mechanism{Requires: model.All, Flaws: tt.flaw}
		if failed, looked := contract.Failed(&s, &r), m.Look(&s, &r); failed != tt.failed || looked != tt.looked {
			t.Errorf("flaw %b after %s: %v fail, and by its look %v; want %v, %v: %s", tt.flaw, tt.history, failed, looked, tt.failed, tt.looked, tt.reason)
		}
		if complete := contract.Complete.Look(&s, &r); complete != tt.failed {
			t.Errorf("the complete mechanism's look after %s: %v fail, want %v", tt.history, complete, tt.failed)
		}
	}
	s, r := after(t, model.Setup{}, chain+"a:commit")
	r.Caller = 0
	for _, flaw := range []contract.Flaw{contract.FirstGrant, contract.CachedGrants} {
		if got := (contract.Mechanism{Flaws: flaw}).Look(&s, &r); got != model.Caller|model.Grant {
			t.Errorf("flaw %b, nobody calls: %v fail", flaw, got)
		}
	}
}
