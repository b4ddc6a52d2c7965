package contract_test

import (
	"slices"
	"testing"

	"example.com/commitpoint/model/contract"
)

// What each manifest really writes, wherever the alias leads.
func TestResolve(t *testing.T) {
	outA, outB, secret := contract.TargetSet(contract.OutA), contract.TargetSet(contract.OutB), contract.TargetSet(contract.Secret)
	tests := []struct {
		name, reason string
		manifest     contract.Manifest
		declared     []string
		latest       contract.Target
		want         contract.Targets
	}{
		{"plain", "one path is one target", contract.Plain, []string{"out/a"}, contract.OutA, outA},
		{"plain, alias to out/b", "the alias is not asked for", contract.Plain, []string{"out/a"}, contract.OutB, outA},
		{"plain, alias to secret", "nor if it leads outside", contract.Plain, []string{"out/a"}, contract.Secret, outA},
		{"pair", "two paths are two targets", contract.Pair, []string{"out/a", "out/b"}, contract.OutA, outA | outB},
		{"pair, alias to out/b", "the alias is not asked for", contract.Pair, []string{"out/a", "out/b"}, contract.OutB, outA | outB},
		{"pair, alias to secret", "nor if it leads outside", contract.Pair, []string{"out/a", "out/b"}, contract.Secret, outA | outB},
		{"alias", "the alias is followed", contract.Aliased, []string{"out/latest"}, contract.OutA, outA},
		{"alias to out/b", "to where it leads", contract.Aliased, []string{"out/latest"}, contract.OutB, outB},
		{"alias to secret", "in the scope by its name, and outside", contract.Aliased, []string{"out/latest"}, contract.Secret, secret},
		{"unclean", "below out by its name, and outside", contract.Unclean, []string{"out/../secret"}, contract.OutA, secret},
		{"unclean, alias to out/b", "the alias is not asked for", contract.Unclean, []string{"out/../secret"}, contract.OutB, secret},
		{"unclean, alias to secret", "the alias is not asked for", contract.Unclean, []string{"out/../secret"}, contract.Secret, secret},
		{"other case", "case and a slash at the end make no other file", contract.OtherCase, []string{"Out/A/"}, contract.OutA, outA},
		{"other case, alias to out/b", "the alias is not asked for", contract.OtherCase, []string{"Out/A/"}, contract.OutB, outA},
		{"other case, alias to secret", "nor if it leads outside", contract.OtherCase, []string{"Out/A/"}, contract.Secret, outA},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.manifest.Resolve(tt.latest); got != tt.want {
				t.Errorf("writes %v, want %v: %s", got, tt.want, tt.reason)
			}
			if got := tt.manifest.Declared(); !slices.Equal(got, tt.declared) {
				t.Errorf("declares %q, want %q", got, tt.declared)
			}
			s := contract.Initial(contract.Setup{})
			s.Latest = tt.latest
			if got := s.Writes(contract.Candidate{Manifest: tt.manifest}); got != tt.want {
				t.Errorf("the state says that it writes %v, want %v", got, tt.want)
			}
			if inside := contract.InScope.Has(tt.want); inside == tt.want.Has(secret) {
				t.Errorf("%v is in the scope: %v", tt.want, inside)
			}
		})
	}
}

func TestTargets(t *testing.T) {
	both := contract.TargetSet(contract.OutB, contract.OutA)
	tests := []struct {
		name string
		set  contract.Targets
		each []contract.Target
		text string
	}{
		{"none", contract.TargetSet(), nil, "none"},
		{"one", contract.TargetSet(contract.Secret), []contract.Target{contract.Secret}, "secret"},
		{"two, in order", both, []contract.Target{contract.OutA, contract.OutB}, "out/a, out/b"},
		{"the same twice", contract.TargetSet(contract.OutB, contract.OutB), []contract.Target{contract.OutB}, "out/b"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.set.Each(); !slices.Equal(got, tt.each) || tt.set.String() != tt.text {
				t.Errorf("%v, called %v; want %v, %s", got, tt.set, tt.each, tt.text)
			}
		})
	}
	if !both.Has(contract.TargetSet(contract.OutA)) || !both.Has(0) || both.Has(both|contract.TargetSet(contract.Secret)) || contract.Targets(0).Has(both) {
		t.Error("a set has what is in it, and nothing else")
	}
	if both != contract.InScope {
		t.Errorf("the scope is %v, want %v", contract.InScope, both)
	}
}

func TestChecks(t *testing.T) {
	const names = "active, caller, attempt, fence, incarnation, lease, scope, grant, contract, dependencies, bases, binding, criteria"
	if contract.All.String() != names || len(contract.All.Each()) != 13 || len(contract.All.Names()) != 13 {
		t.Errorf("the predicates are %v, want %s", contract.All, names)
	}
	var union contract.Checks
	for i, c := range contract.All.Each() {
		if c != 1<<i || len(c.Names()) != 1 || c.Names()[0] != contract.All.Names()[i] || c.String() != c.Names()[0] {
			t.Errorf("check %d is %d, called %v", i, c, c)
		}
		union |= c
	}
	if union != contract.All {
		t.Errorf("together they are %v", union)
	}
	if none := contract.Checks(0); none.String() != "none" || none.Names() == nil || len(none.Names())+len(none.Each()) != 0 {
		t.Errorf("no checks are called %v, %v", none, none.Names())
	}
	if got := (contract.Lease | contract.Caller).String(); got != "caller, lease" {
		t.Errorf("two checks are called %s, want them in declaration order", got)
	}
}
