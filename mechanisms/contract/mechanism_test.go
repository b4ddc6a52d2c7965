package contract_test

import (
	"fmt"
	"strings"
	"testing"

	"example.com/commitpoint/mechanisms/contract"
	model "example.com/commitpoint/model/contract"
)

func named(t testing.TB, name string) contract.Mechanism {
	t.Helper()
	m, err := contract.Named(name)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// The table, in its order: what each lacks of the contract, and what it does otherwise.
func TestAll(t *testing.T) {
	const want = `complete: none
without-active: active
without-caller: caller
without-attempt: attempt
without-fence: fence
without-incarnation: incarnation
without-lease: lease
without-scope: scope
without-grant: grant
without-contract: contract
without-dependencies: dependencies
without-bases: bases
without-binding: binding
without-criteria: criteria
without-identity: none, identity 1
id-alone: none, identity 2
any-caller: none, identity 3
preflight: none, early all
fence-for-attempt: attempt, incarnation
attempt-for-fence: fence, incarnation
outer-attempt: caller, fence, flaw 1
inner-attempt: caller, fence, flaw 2
own-receipts: none, flaw 4
first-grant: none, flaw 8
declared-paths: none, flaw 16
cached-grant: none, flaw 32
unguarded-sweeper: none, flaw 64
unguarded-failure: none, flaw 128
fail-on-refusal: none, flaw 256
torn-publication: none, flaw 512
`
	var got strings.Builder
	known := map[string]bool{}
	for _, m := range contract.All() {
		fmt.Fprintf(&got, "%s: %v", m.Name, model.All&^m.Requires)
		if m.Identity != contract.WholeRequest {
			fmt.Fprintf(&got, ", identity %d", m.Identity)
		}
		if m.Early != 0 {
			fmt.Fprintf(&got, ", early %s", map[bool]string{true: "all", false: m.Early.String()}[m.Early == model.All])
		}
		if m.Flaws != 0 {
			fmt.Fprintf(&got, ", flaw %d", m.Flaws)
		}
		fmt.Fprintln(&got)
		if known[m.Name] || m.Meaning == "" {
			t.Errorf("%s comes twice, or has no meaning", m.Name)
		}
		known[m.Name] = true
	}
	if got.String() != want {
		t.Errorf("the mechanisms:\n%s\nwant\n%s", &got, want)
	}
	contract.All()[0].Name, contract.All()[20].Name = "changed", "changed"
	if contract.All()[0].Name != "complete" || contract.All()[20].Name != "outer-attempt" {
		t.Error("the table can be changed through what All returns")
	}
}

func TestNamed(t *testing.T) {
	for _, m := range contract.All() {
		if got := named(t, m.Name); got != m {
			t.Errorf("Named(%q) = %+v, want %+v", m.Name, got, m)
		}
	}
	tests := []struct {
		name, reason string
		lacks        model.Checks
		called       string
	}{
		{"without lease grant", "two", model.Lease | model.Grant, "without-lease-grant"},
		{"without grant  lease grant", "in any order, spaced anyhow, more than once", model.Lease | model.Grant, "without-lease-grant"},
		{" without binding ", "one, with spaces around", model.Binding, "without-binding"},
		{"without-lease-grant", "by the name that it has then", model.Lease | model.Grant, "without-lease-grant"},
	}
	if m := named(t, "early scope caller"); m.Requires != model.All || m.Early != model.Caller|model.Scope || m.Name != "early-caller-scope" {
		t.Errorf("two at preflight are %+v", m)
	}
	for _, tt := range tests {
		m := named(t, tt.name)
		if m.Requires != model.All&^tt.lacks || m.Name != tt.called || m.Early|model.Checks(m.Identity)|model.Checks(m.Flaws) != 0 {
			t.Errorf("Named(%q) = %+v, want one that lacks %v: %s", tt.name, m, tt.lacks, tt.reason)
		}
	}
}

func TestNamedRefuses(t *testing.T) {
	list := "the mechanisms are complete, without-active, "
	end := ", unguarded-failure, fail-on-refusal, torn-publication, and without or early PREDICATE …"
	tests := []struct{ name, begins, ends string }{
		{"", `unknown mechanism "": ` + list, end},
		{"atomic", `unknown mechanism "atomic": ` + list, end},
		{"without", `unknown mechanism "without": ` + list, end},
		{"without-", `unknown mechanism "without-": ` + list, end},
		{"with lease", `unknown mechanism "with lease": ` + list, end},
		{"without lease leese", `unknown predicate "leese": the predicates are active, caller, `, ", binding, criteria"},
		{"without-leese", `unknown predicate "leese": the predicates are active, caller, `, ", binding, criteria"},
		{"without none", `unknown predicate "none": the predicates are active, caller, `, ", binding, criteria"},
		{"without lease,grant", `unknown predicate "lease,grant": the predicates are active, caller, `, ", binding, criteria"},
	}
	for _, tt := range tests {
		m, err := contract.Named(tt.name)
		if err == nil || !strings.HasPrefix(err.Error(), tt.begins) || !strings.HasSuffix(err.Error(), tt.ends) || m != (contract.Mechanism{}) {
			t.Errorf("Named(%q) = %+v, %v; want %s…%s", tt.name, m, err, tt.begins, tt.ends)
		}
	}
}

func TestWithoutAndHoisted(t *testing.T) {
	m := contract.Hoisted(model.Scope | model.Caller)
	if m.Name != "early-caller-scope" || m.Requires != model.All || m.Early != model.Caller|model.Scope || m.Identity != contract.WholeRequest || m.Flaws != 0 {
		t.Errorf("Hoisted = %+v", m)
	}
	if !strings.HasPrefix(m.Meaning, "caller, scope at preflight") {
		t.Errorf("it means %q", m.Meaning)
	}
	m = contract.Without(model.Scope | model.Caller)
	if m.Meaning != "all but caller, scope" || m.Has(contract.OuterOnly) {
		t.Errorf("Without = %+v", m)
	}
	if m.Flaws = contract.OuterOnly | contract.TornPublish; !m.Has(contract.TornPublish) || m.Has(contract.FirstGrant) {
		t.Errorf("flaws %b: has the wrong ones", m.Flaws)
	}
}

// What failed is what a mechanism requires of the state at the commit, and at preflight of
// what it evaluates there.
func TestDecide(t *testing.T) {
	early := model.Lease | model.Grant
	tests := []struct {
		name, reason string
		mechanism    contract.Mechanism
		history      string
		atPreflight  model.Checks
		failed       model.Checks
	}{
		{"all right", "accepted", contract.Complete, chain + "a:commit", 0, 0},
		{"one thing wrong", "refused for it", contract.Complete, chain + "cancel a:commit", 0, model.Active},
		{"two things wrong", "for both", contract.Complete, chain + "cancel lease-expire a:commit", 0, model.Active | model.Lease},
		{"what it does not require", "is not looked at", contract.Without(model.Active), chain + "cancel lease-expire a:commit", 0, model.Lease},
		{"the zero mechanism", "requires nothing", contract.Mechanism{}, "b:commit", model.All, 0},
		{"late answers", "what failed at preflight does not matter", contract.Complete, chain + "a:commit", model.All, 0},
		{"early answers, right", "nothing failed then, and what fails now is not looked at", contract.Hoisted(early), chain + "lease-expire revoke a:commit", 0, 0},
		{"early answers, wrong", "what failed then counts, though all is well now", contract.Hoisted(early), chain + "a:commit", early, early},
		{"early answers of others", "only those that are early count", contract.Hoisted(early), chain + "a:commit", model.Grant | model.Scope, model.Grant},
		{"early and late", "both count", contract.Hoisted(early), chain + "cancel a:commit", model.Lease, model.Active | model.Lease},
		{"preflight", "nothing is looked at later", contract.Mechanism{Requires: model.All, Early: model.All}, chain + "cancel lease-expire a:commit", 0, 0},
		{"preflight of something else", "everything failed then", contract.Mechanism{Requires: model.All, Early: model.All}, chain + "a:commit", model.All, model.All},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, r := after(t, model.Setup{}, tt.history)
			before := s
			want := contract.Decision{Accepted: tt.failed == 0, Failed: tt.failed}
			if got := tt.mechanism.Decide(&s, &r, tt.atPreflight); got != want {
				t.Errorf("%+v, want %+v: %s", got, want, tt.reason)
			}
			if s != before {
				t.Error("deciding changes the state")
			}
		})
	}
}

// How each way to recognize a request answers what comes after one was recorded.
func TestIdentity(t *testing.T) {
	replayed, mismatch := contract.Decision{Accepted: true, Replayed: true}, contract.Decision{Mismatch: true}
	tests := []struct {
		name, reason string
		change       func(*model.Request)
		want         [4]contract.Decision // by WholeRequest, NoIdentity, IDAlone, WithoutCaller
	}{
		{"the same", "what was recorded", func(*model.Request) {},
			[4]contract.Decision{replayed, {Failed: model.Active | model.Bases}, replayed, replayed}},
		{"another caller", "the receipt is not for it", func(r *model.Request) { r.Caller = model.B },
			[4]contract.Decision{mismatch, {Failed: model.Active | model.Caller | model.Bases}, replayed, replayed}},
		{"other bytes", "another body under the same id", func(r *model.Request) { r.Content.Bytes.Variant = 2 },
			[4]contract.Decision{mismatch, {Failed: model.Active | model.Bases | model.Binding}, replayed, mismatch}},
		{"another attempt", "another body under the same id", func(r *model.Request) { r.Attempt.Fence = 2 },
			[4]contract.Decision{mismatch, {Failed: model.Active | model.Fence | model.Bases | model.Binding}, replayed, mismatch}},
		{"another author", "another body under the same id", func(r *model.Request) { r.Author = model.B },
			[4]contract.Decision{mismatch, {Failed: model.Active | model.Bases | model.Criteria}, replayed, mismatch}},
	}
	s, r := after(t, model.Setup{}, chain+"a:commit")
	s.Complete(r, false)
	for _, tt := range tests {
		for identity, want := range tt.want {
			changed := r
			tt.change(&changed)
			m := contract.Mechanism{Requires: model.All, Identity: contract.Identity(identity)}
			if got := m.Decide(&s, &changed, 0); got != want {
				t.Errorf("%s, identity %d: %+v, want %+v: %s", tt.name, identity, got, want, tt.reason)
			}
		}
	}
}

// Another id is another request, and before anything is recorded there is nothing to
// recognize.
func TestIdentityOfOthers(t *testing.T) {
	s, r := after(t, model.Setup{}, chain+"a:commit")
	open := s
	s.Complete(r, false)
	other := r
	other.ID = 2
	for identity := range contract.Identity(4) {
		m := contract.Mechanism{Requires: model.All, Identity: identity}
		if got, want := m.Decide(&s, &other, 0), (contract.Decision{Failed: model.Active | model.Bases}); got != want {
			t.Errorf("identity %d decides on another id %+v, want %+v", identity, got, want)
		}
		if got := m.Decide(&open, &r, 0); !got.Accepted || got.Replayed {
			t.Errorf("identity %d, with nothing recorded: %+v", identity, got)
		}
		if got := m.Decide(&open, &model.Request{}, 0); got.Accepted || got.Replayed || got.Mismatch {
			t.Errorf("identity %d takes no request for the one that is not recorded: %+v", identity, got)
		}
	}
}
