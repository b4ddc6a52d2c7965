package sqlservice

import (
	"testing"

	"example.com/commitpoint/conformance"
)

// The systems have every event that the kit has scenarios for.
func TestSystemsHaveEveryEvent(t *testing.T) {
	for _, tt := range []struct {
		name      string
		newSystem maker
		sets      []conformance.Set
	}{
		{"sqlservice right, study", StudySystem, []conformance.Set{conformance.Study()}},
		{"sqlservice right, contract", ContractSystem, conformance.Contract()},
	} {
		options := conformance.Options{Sets: tt.sets, Mode: conformance.Sample, Samples: 1, StepTimeout: patience}
		report, err := conformance.Check(t.Context(), opening(tt.newSystem, memory, right), options)
		if err != nil || report.Fault != nil || report.System != tt.name {
			t.Fatalf("%s: %v, %v", report.System, err, report.Fault)
		}
		for _, set := range report.Sets {
			if len(set.LeftOut) != 0 || len(set.Unexercised) != 0 || set.Scenarios != set.Of {
				t.Errorf("%s: without %q nothing exercises %q", set.Name, set.LeftOut, set.Unexercised)
			}
		}
	}
}

// What is no event is an error, and so is one that is asked for in the wrong way: it is
// never taken for a refusal.
func TestWhatIsNoEvent(t *testing.T) {
	for name, newSystem := range map[string]maker{"": StudySystem, "a:": ContractSystem} {
		system := open(t, newSystem, memory, right)
		if err := system.Reset(t.Context()); err != nil {
			t.Fatal(err)
		}
		for _, event := range []string{"nothing", name + "commit", name + "commit#2"} {
			if err := system.Apply(t.Context(), event); err == nil {
				t.Errorf("%s was applied", event)
			}
		}
		for _, event := range []string{"nothing", name + "read"} {
			if d, err := system.Submit(t.Context(), event); err == nil {
				t.Errorf("%s was decided: %+v", event, d)
			}
		}
		if err := system.Apply(t.Context(), name+"read#2"); err != nil {
			t.Errorf("a repetition: %v", err)
		}
	}
}

// Systems on one database don't affect each other, and leave nothing behind when they
// are closed.
func TestSystemsShareADatabase(t *testing.T) {
	source := postgresSource(t)
	one, other := open(t, ContractSystem, source, right), open(t, ContractSystem, source, right)
	run(t, one, []string{"a:read", "a:candidate", "a:verify"})
	run(t, other, []string{"a:read", "a:candidate", "a:verify", "revoke", "foreign-publish", "input-edit", "lease-expire", "cancel"})
	if d := perform(t, one, []string{"a:commit"}); !d.Accepted {
		t.Errorf("the other one's events have effects: %+v", d)
	}
	s := one.(*contractSystem).service
	for i, system := range []*stage{one.(*contractSystem).stage, other.(*contractSystem).stage} {
		if err := system.leave(t.Context()); err != nil {
			t.Error(err)
		}
		if left := text(t, s, `SELECT CAST(COUNT(*) AS TEXT) FROM projects`); left != [...]string{"1", "0"}[i] {
			t.Errorf("%s projects are left", left)
		}
	}
}
