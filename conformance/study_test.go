package conformance_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"example.com/commitpoint/conformance"
	"example.com/commitpoint/enumerate"
	"example.com/commitpoint/internal/wrapped"
	"example.com/commitpoint/mechanisms"
	"example.com/commitpoint/model"
	"example.com/commitpoint/study"
)

func without(list []string, names ...string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return slices.Contains(names, s) })
}

func named(t *testing.T, name string) mechanisms.Mechanism {
	t.Helper()
	m, err := mechanisms.Named(name)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// check drives systems and fails if they can't be judged.
func check(t testing.TB, newSystem func() (conformance.System, error), opt conformance.Options) conformance.Report {
	t.Helper()
	r, err := conformance.Check(t.Context(), newSystem, opt)
	if err != nil {
		t.Fatal(err)
	}
	if r.Fault != nil {
		t.Fatal(r.Fault)
	}
	return r
}

// reasons lists the failures with their shortest schedules.
func reasons(r conformance.Report) (list []string) {
	for _, f := range r.Failures {
		list = append(list, fmt.Sprintf("%s %s: %s", f.Kind, f.Reason, strings.Join(f.Schedule, " ")))
	}
	return list
}

// document returns a report as JSON.
func document(t *testing.T, r conformance.Report) string {
	t.Helper()
	data, err := json.MarshalIndent(r, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// What the kit finds of the thirteen mechanisms, as services, in every schedule: the
// shortest schedule of each reason. The chain is read, candidate, trusted-verify,
// preflight and commit, and what is told here is what happens beside it, before the
// commit.
func TestThirteen(t *testing.T) {
	const before, early = "read candidate trusted-verify preflight %s commit", "read candidate trusted-verify %s preflight commit"
	late := func(reason, event string) string {
		return "unsafe-accept " + reason + ": " + fmt.Sprintf(before, event)
	}
	control := func(reason, event string) string {
		return "unsafe-accept " + reason + ": " + fmt.Sprintf(early, event)
	}
	inputs, artifact, lease := late("inputs", "input-edit"), late("artifact", "artifact-edit"), late("lease", "lease-expire")
	attempt, grant := late("attempt", "reassign"), late("grant", "revoke")
	task, contract := control("task", "other-task"), control("contract", "other-contract")
	evidence := "unsafe-accept evidence: read candidate artifact-edit trusted-verify preflight commit"
	want := map[string][]string{
		"self-report":      {inputs, artifact, evidence, lease, attempt, grant, task, contract},
		"attempt-lease":    {inputs, artifact, evidence, grant, task, contract},
		"preflight-cached": {inputs, artifact, lease, attempt, grant},
		"atomic":           nil,
		// The lease is fresh after the task was reassigned.
		"without-attempt":  {attempt, late("lease", "lease-expire reassign")},
		"without-fence":    nil,
		"without-lease":    {lease},
		"without-grant":    {grant},
		"without-inputs":   {inputs},
		"without-artifact": {artifact},
		"without-evidence": {control("evidence", "forged-receipt")},
		"without-contract": {task, contract},
		"latest-policy":    {"eligible-reject latest-policy: " + fmt.Sprintf(before, "publish-behavior-v2")},
	}
	for _, m := range mechanisms.All() {
		for _, mode := range []conformance.Mode{conformance.All, conformance.Covering} {
			t.Run(m.Name+"/"+mode.String(), func(t *testing.T) {
				r := check(t, wrapped.Study(m), conformance.Options{Mode: mode})
				if got := reasons(r); !slices.Equal(got, want[m.Name]) {
					t.Errorf("got %q\nwant %q", got, want[m.Name])
				}
				verdict := enumerate.Holds
				if want[m.Name] != nil {
					verdict = enumerate.Violated
				}
				ran := map[conformance.Mode]uint64{conformance.All: 6701, conformance.Covering: 1286}[mode]
				if s := r.Sets[0]; r.Verdict() != verdict || s.Ran != ran || s.Schedules != enumerate.NewCount(6701) || s.Scenarios != 49 {
					t.Errorf("%v, %+v", r.Verdict(), s)
				}
			})
		}
	}
}

// At the commit, services are wrong in as many schedules as the published mechanisms are:
// 6,694 schedules without controls, and without retries, which find more.
func TestCommitsAreWrongAsPublished(t *testing.T) {
	report, err := study.Compute(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	for i, m := range mechanisms.All() {
		events := model.Names(append(model.Chain(), model.Environment()...))
		r := check(t, wrapped.Study(m, events...), conformance.Options{})
		want := []conformance.Wrong{}
		if n := report.Scores[i].UnsafeAccept; n > 0 {
			want = append(want, conformance.Wrong{Kind: study.UnsafeAccept, Schedules: n})
		}
		if n := report.Scores[i].EligibleReject; n > 0 {
			want = append(want, conformance.Wrong{Kind: study.EligibleReject, Schedules: n})
		}
		if s := r.Sets[0]; !slices.Equal(s.Wrong, want) || s.Ran != 6694 {
			t.Errorf("%s: %+v in %d schedules; published: %+v", m.Name, s.Wrong, s.Ran, want)
		}
	}
}

// Whatever a service requires, when, and whichever events it has: covering finds what all
// finds, with the same shortest schedules, as long as the service knows no more than what
// there is now and what there was at preflight.
func TestCoveringFindsWhatAllFinds(t *testing.T) {
	wrong := 0
	rapid.Check(t, func(t *rapid.T) {
		requires := model.Checks(rapid.IntRange(0, int(model.All|model.LatestPolicy)).Draw(t, "requires"))
		m := mechanisms.Mechanism{Name: "drawn", Requires: requires}
		if rapid.Bool().Draw(t, "early") {
			m.At = mechanisms.Preflight
		}
		events := []string{"commit"}
		for _, e := range without(wrapped.StudyEvents(), "commit") {
			if rapid.IntRange(0, 5).Draw(t, e) > 0 {
				events = append(events, e)
			}
		}
		if m.At == mechanisms.Preflight && !slices.Contains(events, "preflight") {
			events = append(events, "preflight")
		}
		var found [2][]string
		for i, mode := range []conformance.Mode{conformance.All, conformance.Covering} {
			r, err := conformance.Check(t.Context(), wrapped.Study(m, events...), conformance.Options{Mode: mode})
			if err != nil || r.Fault != nil {
				t.Fatal(err, r.Fault)
			}
			found[i] = reasons(r)
		}
		if !slices.Equal(found[0], found[1]) {
			t.Fatalf("%v at %v, with events %v:\nall      %q\ncovering %q", requires, m.At, events, found[0], found[1])
		}
		wrong += len(found[0])
	})
	if wrong < 50 {
		t.Errorf("only %d failures were found in all", wrong)
	}
}

func TestSampleIsSeeded(t *testing.T) {
	m := named(t, "preflight-cached")
	sample := func(seed uint64) conformance.Report {
		return check(t, wrapped.Study(m), conformance.Options{Mode: conformance.Sample, Samples: 300, Seed: seed})
	}
	a, again, b := sample(1), sample(1), sample(2)
	if a.Sets[0].Ran != 300 || len(a.Failures) != 5 {
		t.Errorf("%d schedules, failures %q", a.Sets[0].Ran, reasons(a))
	}
	if document(t, a) != document(t, again) || document(t, a) == document(t, b) {
		t.Error("the seed does not decide the sample")
	}
}

// What comes out does not depend on the number of workers.
func TestAnyNumberOfWorkers(t *testing.T) {
	for _, name := range []string{"self-report", "atomic"} {
		want := document(t, check(t, wrapped.Study(named(t, name)), conformance.Options{Workers: 1}))
		for _, workers := range []int{2, 3, 8} {
			got := document(t, check(t, wrapped.Study(named(t, name)), conformance.Options{Workers: workers}))
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("%s with %d workers (-one +several):\n%s", name, workers, d)
			}
		}
	}
}

// Progress is reported to the end, in every mode.
func TestProgress(t *testing.T) {
	for mode, of := range map[conformance.Mode]uint64{conformance.All: 6701, conformance.Covering: 1286, conformance.Sample: 40} {
		var seen []conformance.Progress
		opt := conformance.Options{Mode: mode, Samples: 40, Progress: func(p conformance.Progress) { seen = append(seen, p) }}
		check(t, wrapped.Study(named(t, "atomic")), opt)
		last := seen[len(seen)-1]
		if last.Ran != of || last.Of != enumerate.NewCount(of) || last.Set != "study" || last.Elapsed <= 0 {
			t.Errorf("%v: %+v", mode, last)
		}
		if !slices.IsSortedFunc(seen, func(a, b conformance.Progress) int { return int(a.Ran) - int(b.Ran) }) {
			t.Errorf("%v: %+v", mode, seen)
		}
	}
}
