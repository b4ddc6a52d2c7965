package ownership

import (
	"math/bits"
	"slices"
	"strings"
	"testing"

	model "example.com/commitpoint/model/harness/ownership"
)

var (
	take   = model.Event{Request: 1, Kind: model.Take}
	report = model.Event{Request: 1, Kind: model.Report}
)

func named(t *testing.T, name string) Mechanism {
	t.Helper()
	m, err := Named(name)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// An asked request has been made for A1, which it saw.
func asked(change func(*model.State)) *model.State {
	s := model.Initial()
	s.Requests[0].Asked, s.Requests[0].Seen = model.A1, model.A1
	if change != nil {
		change(&s)
	}
	return &s
}

// Where exact and each mechanism that lacks a rule of a removal differ, and where they
// agree.
func TestRemovals(t *testing.T) {
	slot := func(w model.Workload) func(*model.State) { return func(s *model.State) { s.Slot = w } }
	lease := func(l model.Lease) func(*model.State) { return func(s *model.State) { s.Lease = l } }
	askedForA2 := func(change func(*model.State)) func(*model.State) {
		return func(s *model.State) {
			s.Slot, s.Latest, s.Requests[0].Asked, s.Requests[0].Seen = model.A2, model.A2, model.A2, model.A2
			change(s)
		}
	}
	const every = "by-port any-run any-owner any-generation checked-early blind-retry ignores-lease misses-renewal late-approval sticky-lease stale-lease late-renewal"
	for _, tt := range []struct {
		name   string
		change func(*model.State)
		failed string // of exact: what it refuses for
		others string // mechanisms that decide otherwise
	}{
		{"as asked", nil, "none", "whole-run never-removes"},
		{"an empty slot", slot(model.Nothing), "present", "checked-early"},
		{"another generation", slot(model.A2), "generation", "by-port any-generation checked-early"},
		{"another owner", askedForA2(slot(model.B2)), "owner", "by-port any-owner checked-early"},
		{"another owner and generation", slot(model.B2), "owner, generation", "by-port checked-early"},
		{"another run", slot(model.Other1), "run", "by-port any-run checked-early"},
		{"another run and generation", askedForA2(slot(model.Other1)), "run, generation", "by-port checked-early"},
		{"it saw another and the right one is there", func(s *model.State) { s.Requests[0].Seen = model.B2 }, "none", "whole-run never-removes checked-early"},
		{"it saw nothing and the right one is there", func(s *model.State) { s.Requests[0].Seen = model.Nothing }, "none", "whole-run never-removes checked-early"},
		{"another generation after another request has passed", func(s *model.State) { s.Slot, s.Requests[1].Decided = model.A2, model.Remove },
			"generation", "by-port any-generation checked-early blind-retry"},
		{"another generation after another request was refused", func(s *model.State) { s.Slot, s.Requests[1].Decided = model.A2, model.Refuse },
			"generation", "by-port any-generation checked-early"},
		{"another generation, and it has passed itself", func(s *model.State) { s.Slot, s.Requests[0].Decided = model.A2, model.Remove },
			"generation", "by-port any-generation checked-early"},

		{"retained", lease(model.Lease{For: model.A1}), "unretained", "ignores-lease"},
		{"retained, and the prior lease is over", lease(model.Lease{For: model.A1, PriorOver: true}), "unretained", "ignores-lease"},
		{"renewed ahead of its end", lease(model.Lease{For: model.A1, Renewed: model.InTime}), "unretained", "ignores-lease"},
		{"renewed in time", lease(model.Lease{For: model.A1, Renewed: model.InTime, FinalOver: true}), "unretained", "ignores-lease misses-renewal"},
		{"renewed too late", lease(model.Lease{For: model.A1, Renewed: model.TooLate, FinalOver: true}), "none", "whole-run never-removes sticky-lease late-renewal"},
		{"the lease has run out", lease(model.Lease{For: model.A1, FinalOver: true}), "none", "whole-run never-removes sticky-lease"},
		{"approved late", lease(model.Lease{For: model.A1, PriorOver: true, Late: true}), "none", "whole-run never-removes late-approval"},
		{"approved late, and run out", lease(model.Lease{For: model.A1, Late: true, FinalOver: true}), "none", "whole-run never-removes"},
		{"a lease of another generation", askedForA2(lease(model.Lease{For: model.A1})), "none", "whole-run never-removes stale-lease"},
		{"a late lease of another generation", askedForA2(lease(model.Lease{For: model.A1, Late: true})), "none", "whole-run never-removes"},
		{"another session's under A's lease", func(s *model.State) { s.Slot, s.Lease.For = model.B2, model.A1 }, "owner, generation", "by-port checked-early"},
		{"another run's under A's lease", func(s *model.State) { s.Slot, s.Lease.For = model.Other1, model.A1 }, "run", "by-port any-run checked-early"},
		{"another generation, retained", func(s *model.State) { s.Slot, s.Lease.For = model.A2, model.A2 }, "generation, unretained", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := asked(tt.change)
			if failed := Exact().Failed(s, take); failed.String() != tt.failed {
				t.Errorf("exact: fails %v, want %s", failed, tt.failed)
			}
			reference := Exact().Decide(s, take)
			if want := tt.failed == "none"; reference.Accepts() != want {
				t.Errorf("exact %v", reference)
			}
			var others []string
			for _, m := range All() {
				if m.Decide(s, take) != reference {
					others = append(others, m.Name)
				}
			}
			if !sameWords(others, tt.others) {
				t.Errorf("others than exact: %q, want %q", others, tt.others)
			}
		})
	}
	others := asked(func(s *model.State) { s.Slot, s.Lease.For = model.B2, model.A1 })
	if failed := named(t, "stale-lease").Failed(others, take); failed.String() != "owner, generation" {
		t.Errorf("stale-lease: a lease of A's is on what is B's: fails %v", failed)
	}
	if d := named(t, "whole-run").Decide(asked(nil), take); d != model.RemoveRun {
		t.Errorf("whole-run: %v", d)
	}
	for _, name := range strings.Fields(every) {
		if d := named(t, name).Decide(asked(nil), take); d != model.Remove {
			t.Errorf("%s: %v of what was asked for", name, d)
		}
	}
}

// Which mechanisms report a removal, for every kind of evidence, and its lack.
func TestReports(t *testing.T) {
	const others = "exact by-port any-run any-owner any-generation checked-early blind-retry whole-run ignores-lease " +
		"misses-renewal late-approval sticky-lease stale-lease late-renewal never-removes "
	removed := func(r model.Request) model.Request {
		r.Asked, r.Removed, r.Decided = model.A1, model.A1, model.Remove
		return r
	}
	for _, tt := range []struct {
		name    string
		request model.Request
		report  string // mechanisms that do
	}{
		{"answered", removed(model.Request{Answered: true}), others + "silence-is-removed any-answer outage-is-absence"},
		{"not answered", removed(model.Request{}), "silence-is-removed"},
		{"not answered, and an outage", removed(model.Request{Listed: model.Failed}), "silence-is-removed outage-is-absence"},
		{"not answered, and listed", removed(model.Request{Listed: model.Present}), "silence-is-removed"},
		{"not answered, and absent", removed(model.Request{Listed: model.Absent}), others + "silence-is-removed any-answer outage-is-absence"},
		{"a refusal", model.Request{Asked: model.A1, Decided: model.Refuse, Answered: true}, "any-answer"},
		{"a refusal, and absent", model.Request{Asked: model.A1, Decided: model.Refuse, Answered: true, Listed: model.Absent},
			others + "silence-is-removed any-answer outage-is-absence"},
		{"a refusal, and an outage", model.Request{Asked: model.A1, Decided: model.Refuse, Answered: true, Listed: model.Failed}, "any-answer outage-is-absence"},
		{"another was removed", model.Request{Asked: model.A1, Decided: model.Remove, Removed: model.B2, Answered: true}, "any-answer"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := model.Initial()
			s.Requests[0] = tt.request
			var got []string
			for _, m := range All() {
				d := m.Decide(&s, report)
				if d != model.SayRemoved && d != model.SayUnknown {
					t.Errorf("%s: %v", m.Name, d)
				}
				if d == model.SayRemoved {
					got = append(got, m.Name)
				}
			}
			if !sameWords(got, tt.report) {
				t.Errorf("reported by %q, want %q", got, tt.report)
			}
			evidence := Exact().Failed(&s, report) == 0
			if evidence != strings.HasPrefix(tt.report, "exact ") || !evidence && Exact().Failed(&s, report) != Evidence {
				t.Errorf("exact fails %v", Exact().Failed(&s, report))
			}
		})
	}
}

func TestNothingElseIsDecided(t *testing.T) {
	for _, e := range model.All() {
		for _, m := range All() {
			if d := m.Decide(asked(nil), e); (d == model.NoDecision) == e.Kind.Decides() {
				t.Errorf("%s: %v at %v", m.Name, d, e)
			}
			if failed := m.Failed(asked(nil), e); failed != 0 && !e.Kind.Decides() {
				t.Errorf("%s: fails %v at %v", m.Name, failed, e)
			}
		}
	}
}

// Each mechanism but the reference lacks one rule, by-port the three of identity, and no
// rule is kept by all.
func TestMechanismsAreData(t *testing.T) {
	var names []string
	lacked, by := Rules(0), map[Rules]string{}
	for i, m := range All() {
		names = append(names, m.Name)
		want := 1
		switch m.Name {
		case "exact":
			want = 0
		case "by-port":
			want = 3
		}
		if got := bits.OnesCount32(uint32(m.Lacks)); got != want || m.Meaning == "" || strings.HasSuffix(m.Meaning, ".") {
			t.Errorf("%d: %s lacks %d rules, want %d; %q", i, m.Name, got, want, m.Meaning)
		}
		if other, ok := by[m.Lacks]; ok {
			t.Errorf("%s and %s are one", m.Name, other)
		}
		by[m.Lacks] = m.Name
		lacked |= m.Lacks
	}
	if all := Reports<<1 - 1; lacked != all {
		t.Errorf("rules that every mechanism keeps: %b", all&^lacked)
	}
	if slices.Sort(names); len(slices.Compact(names)) != 19 {
		t.Errorf("names %q", names)
	}
	if Exact().Name != "exact" || Exact().Lacks != 0 {
		t.Errorf("the reference: %+v", Exact())
	}
}

func TestNamed(t *testing.T) {
	want := `unknown mechanism "by-pid": the mechanisms are exact, by-port, any-run, any-owner, any-generation, checked-early, blind-retry, ` +
		`whole-run, ignores-lease, misses-renewal, late-approval, sticky-lease, stale-lease, late-renewal, silence-is-removed, any-answer, ` +
		`outage-is-absence, never-removes, never-sure`
	if m, err := Named("by-pid"); err == nil || err.Error() != want || m != (Mechanism{}) {
		t.Errorf("%+v, %v\nwant %s", m, err, want)
	}
	for _, m := range All() {
		if got := named(t, m.Name); got != m {
			t.Errorf("%+v, want %+v", got, m)
		}
	}
}

func TestChecksNames(t *testing.T) {
	all := Evidence<<1 - 1
	if got := all.String(); got != "present, run, owner, generation, unretained, evidence" {
		t.Errorf("all: %s", got)
	}
	if none := Checks(0); none.String() != "none" || none.Names() == nil || len(none.Names()) != 0 {
		t.Errorf("none: %v, %q", none, none.Names())
	}
}

// sameWords compares a list with words, in any order.
func sameWords(list []string, words string) bool {
	want := strings.Fields(words)
	slices.Sort(want)
	return slices.Equal(slices.Sorted(slices.Values(list)), want)
}
