package sqlservice

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/commitpoint/conformance"
	"example.com/commitpoint/study"
)

// A maker is StudySystem or ContractSystem.
type maker func(ctx context.Context, source string, v Variant) (conformance.System, error)

// opening returns how the kit opens systems of a variant.
func opening(newSystem maker, source string, v Variant) func() (conformance.System, error) {
	return func() (conformance.System, error) { return newSystem(context.Background(), source, v) }
}

// patience is how long a step may take: as long as a machine that does much else needs.
const patience = time.Minute

// families returns some of the contract's sets of scenarios, by the names of the families.
func families(names ...string) (sets []conformance.Set) {
	for _, s := range conformance.Contract() {
		if slices.Contains(names, strings.TrimPrefix(s.Name(), "contract/")) {
			sets = append(sets, s)
		}
	}
	return sets
}

// The right service decides as it ought to in every schedule of the study.
func TestRightInTheStudy(t *testing.T) {
	conformance.Run(t, opening(StudySystem, memory, right), conformance.Options{StepTimeout: patience})
}

// And in schedules that take every step of the whole contract that there is.
func TestRightInTheContract(t *testing.T) {
	options := conformance.Options{Sets: conformance.Contract(), Mode: conformance.Covering, StepTimeout: patience}
	if testing.Short() {
		options.Sets = families("identity", "resent", "race", "writers")
	}
	conformance.Run(t, opening(ContractSystem, memory, right), options)
}

// What the covering schedules of a family can't show of a service that remembers more of
// the past than the reference does, others of its schedules can.
func TestRightInASample(t *testing.T) {
	options := conformance.Options{Sets: families("ownership", "authority", "evidence", "writers"), Mode: conformance.Sample, Samples: 300, Seed: 20260929, StepTimeout: patience}
	conformance.Run(t, opening(ContractSystem, memory, right), options)
}

// On PostgreSQL everything takes ten times as long, so that fewer schedules have to do.
func TestRightOnPostgres(t *testing.T) {
	source := postgresSource(t)
	t.Run("study", func(t *testing.T) {
		conformance.Run(t, opening(StudySystem, source, right), conformance.Options{Mode: conformance.Covering, StepTimeout: patience})
	})
	t.Run("contract", func(t *testing.T) {
		options := conformance.Options{Sets: conformance.Contract(), Mode: conformance.Sample, Samples: 30, Seed: 20260929, StepTimeout: patience}
		conformance.Run(t, opening(ContractSystem, source, right), options)
	})
}

// What each other variant does wrong, and the shortest schedule that shows it: in the
// study and in two families of the contract.
var wrong = []struct {
	variant      string
	chain, whole []string
}{
	{
		"split",
		[]string{
			"study, unsafe-accept, inputs: read candidate trusted-verify preflight input-edit commit",
			"study, unsafe-accept, artifact: read candidate trusted-verify preflight artifact-edit commit",
			"study, unsafe-accept, lease: read candidate trusted-verify preflight lease-expire commit",
			"study, unsafe-accept, attempt: read candidate trusted-verify preflight reassign commit",
			"study, unsafe-accept, grant: read candidate trusted-verify preflight revoke commit",
		},
		[]string{
			"contract/identity, unsafe-accept, grant: a:read a:candidate a:verify-tests a:verify-review a:preflight revoke a:commit",
			"contract/identity, unsafe-accept, active: a:read a:candidate a:verify-tests a:verify-review a:preflight cancel a:commit",
			"contract/identity, unsafe-accept, ownership: a:read a:candidate a:verify-tests a:verify-review a:preflight b:claim a:commit",
			"contract/race, unsafe-accept, lease: a:read a:candidate a:verify a:preflight lease-expire a:commit",
			"contract/race, unsafe-accept, ownership: a:read a:candidate a:verify a:preflight b:claim a:commit",
			"contract/race, unsafe-accept, active: a:read a:candidate a:verify a:preflight b:read b:candidate b:claim b:verify b:preflight b:commit a:commit",
			"contract/race, unsafe-accept, bases: a:read a:candidate a:verify a:preflight b:read b:candidate b:claim b:verify b:preflight b:commit a:commit",
		},
	},
	{
		"unguarded",
		[]string{
			"study, unsafe-accept, attempt: read candidate trusted-verify preflight reassign commit",
			"study, unsafe-accept, lease: read candidate trusted-verify preflight lease-expire reassign commit",
		},
		[]string{
			"contract/identity, unsafe-accept, caller: a:read a:candidate a:verify-tests a:verify-review a:impersonate",
			"contract/identity, unsafe-accept, ownership: a:read a:candidate a:verify-tests a:verify-review b:claim a:impersonate",
			"contract/race, unsafe-accept, ownership: b:read b:candidate b:verify b:preflight b:commit",
		},
	},
	{
		"cached-grant",
		[]string{"study, unsafe-accept, grant: read candidate trusted-verify preflight revoke commit"},
		[]string{"contract/identity, unsafe-accept, grant: a:read a:candidate a:verify-tests a:verify-review a:preflight revoke a:commit"},
	},
	{
		"id-alone",
		[]string{"study, unsafe-accept, identity: read candidate trusted-verify preflight commit retry-other"},
		[]string{"contract/identity, unsafe-accept, identity: a:read a:candidate a:verify-tests a:verify-review a:preflight a:commit a:retry-other"},
	},
	{
		"any-receipt",
		[]string{"study, unsafe-accept, evidence: read candidate trusted-verify forged-receipt preflight commit"},
		[]string{"contract/race, unsafe-accept, evidence: b:read b:candidate b:verify b:preflight b:claim b:commit"},
	},
}

// Every variant but the right one is wrong in just these ways. On PostgreSQL the study's
// are shown by their shortest schedules alone, since driving it through the others takes
// long and shows the same.
func TestVariantsAreWrong(t *testing.T) {
	if len(wrong) != len(variants)-1 {
		t.Errorf("%d variants are tested, of %d that are wrong", len(wrong), len(variants)-1)
	}
	for _, tt := range wrong {
		v, err := Named(tt.variant)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(v.Name, func(t *testing.T) {
			onEach(t, func(t *testing.T, source string) {
				chain, whole := opening(StudySystem, source, v), opening(ContractSystem, source, v)
				if source == memory {
					wrongIn(t, chain, []conformance.Set{conformance.Study()}, tt.chain)
				} else {
					wrongOn(t, chain, tt.chain)
				}
				wrongIn(t, whole, families("identity", "race"), tt.whole)
			})
		})
	}
}

// wrongIn asserts in what a system is wrong, and in nothing else.
func wrongIn(t *testing.T, newSystem func() (conformance.System, error), sets []conformance.Set, want []string) {
	t.Helper()
	report, err := conformance.Check(t.Context(), newSystem, conformance.Options{Sets: sets, Mode: conformance.Covering, StepTimeout: patience})
	if err != nil || report.Fault != nil {
		t.Fatal(err, report.Fault)
	}
	var got []string
	for _, f := range report.Failures {
		got = append(got, failure(f.Set, string(f.Kind), f.Reason, f.Schedule))
	}
	if !slices.Equal(got, want) {
		t.Errorf("it is wrong in\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// wrongOn asserts that a system is wrong in certain schedules of the study.
func wrongOn(t *testing.T, newSystem func() (conformance.System, error), want []string) {
	t.Helper()
	for _, line := range want {
		_, schedule, _ := strings.Cut(line, ": ") // which may be wrong for another reason, too
		trace, err := conformance.Explain(t.Context(), newSystem, conformance.Options{StepTimeout: patience}, strings.Fields(schedule)...)
		if err != nil || trace.Kind != string(study.UnsafeAccept) || strings.Join(trace.Schedule, " ") != schedule {
			t.Errorf("%s: it is wrong in %q, %s, %v", line, trace.Schedule, trace.Kind, err)
		}
	}
}

func failure(set, kind, reason string, schedule []string) string {
	return fmt.Sprintf("%s, %s, %s: %s", set, kind, reason, strings.Join(schedule, " "))
}
