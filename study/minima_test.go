package study_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/commitpoint/enumerate"
	"example.com/commitpoint/mechanisms"
	"example.com/commitpoint/model"
	"example.com/commitpoint/study"
)

// A minimum is the shortest history of a mechanism's error, by the kind of error and
// its reason.
type minimum struct{ mechanism, kind, reason, history string }

// minima are all that the thirteen have, in the order in which they are reported. A
// directed control is named where it is brought about, before preflight.
var minima = []minimum{
	{"self-report", "unsafe-accept", "inputs",
		"read candidate trusted-verify preflight input-edit commit"},
	{"self-report", "unsafe-accept", "artifact",
		"read candidate trusted-verify preflight artifact-edit commit"},
	{"self-report", "unsafe-accept", "evidence",
		"read candidate artifact-edit trusted-verify preflight commit"},
	{"self-report", "unsafe-accept", "lease",
		"read candidate trusted-verify preflight lease-expire commit"},
	{"self-report", "unsafe-accept", "attempt",
		"read candidate trusted-verify preflight reassign commit"},
	{"self-report", "unsafe-accept", "grant",
		"read candidate trusted-verify preflight revoke commit"},
	{"self-report", "unsafe-accept", "task",
		"read candidate trusted-verify other-task preflight commit"},
	{"self-report", "unsafe-accept", "contract",
		"read candidate trusted-verify other-contract preflight commit"},

	{"attempt-lease", "unsafe-accept", "inputs",
		"read candidate trusted-verify preflight input-edit commit"},
	{"attempt-lease", "unsafe-accept", "artifact",
		"read candidate trusted-verify preflight artifact-edit commit"},
	{"attempt-lease", "unsafe-accept", "evidence",
		"read candidate artifact-edit trusted-verify preflight commit"},
	{"attempt-lease", "unsafe-accept", "grant",
		"read candidate trusted-verify preflight revoke commit"},
	{"attempt-lease", "unsafe-accept", "task",
		"read candidate trusted-verify other-task preflight commit"},
	{"attempt-lease", "unsafe-accept", "contract",
		"read candidate trusted-verify other-contract preflight commit"},

	{"preflight-cached", "unsafe-accept", "inputs",
		"read candidate trusted-verify preflight input-edit commit"},
	{"preflight-cached", "unsafe-accept", "artifact",
		"read candidate trusted-verify preflight artifact-edit commit"},
	{"preflight-cached", "unsafe-accept", "lease",
		"read candidate trusted-verify preflight lease-expire commit"},
	{"preflight-cached", "unsafe-accept", "attempt",
		"read candidate trusted-verify preflight reassign commit"},
	{"preflight-cached", "unsafe-accept", "grant",
		"read candidate trusted-verify preflight revoke commit"},

	{"without-attempt", "unsafe-accept", "attempt",
		"read candidate trusted-verify preflight reassign commit"},
	{"without-attempt", "unsafe-accept", "lease",
		"read candidate trusted-verify preflight lease-expire reassign commit"},

	{"without-lease", "unsafe-accept", "lease",
		"read candidate trusted-verify preflight lease-expire commit"},

	{"without-grant", "unsafe-accept", "grant",
		"read candidate trusted-verify preflight revoke commit"},

	{"without-inputs", "unsafe-accept", "inputs",
		"read candidate trusted-verify preflight input-edit commit"},

	{"without-artifact", "unsafe-accept", "artifact",
		"read candidate trusted-verify preflight artifact-edit commit"},

	{"without-evidence", "unsafe-accept", "evidence",
		"read candidate trusted-verify forged-receipt preflight commit"},

	{"without-contract", "unsafe-accept", "task",
		"read candidate trusted-verify other-task preflight commit"},
	{"without-contract", "unsafe-accept", "contract",
		"read candidate trusted-verify other-contract preflight commit"},

	{"latest-policy", "eligible-reject", "latest-policy",
		"read candidate trusted-verify preflight publish-behavior-v2 commit"},
}

func TestMinima(t *testing.T) {
	var got []minimum
	for _, m := range mechanisms.All() {
		traces, err := study.Options{}.Traces(t.Context(), m)
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range traces {
			var steps []string
			for _, s := range x.Steps {
				steps = append(steps, s.Event)
			}
			got = append(got, minimum{x.Mechanism, x.Kind, x.Reason, strings.Join(steps, " ")})
		}
	}
	if diff := cmp.Diff(minima, got, cmp.AllowUnexported(minimum{})); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// The table once more, without the search: every schedule of every scenario up to its
// commit, decided on its own, and the least kept. Errors that this does not find are
// those of directed controls.
func TestMinimaAreTheLeastOfAll(t *testing.T) {
	histories := untilCommit()
	// 1 without environment events, 6·5 with one, 14·30 + 15 with two and 16·210 + 4·105
	// with three; the latter of each sum with lease-expire before reassign.
	if len(histories) != 4246 {
		t.Errorf("%d histories end with a commit, want 4,246", len(histories))
	}
	controls := map[string]bool{}
	for _, c := range study.Controls() {
		controls[c.Name] = true
	}
	for _, m := range mechanisms.All() {
		least := map[minimum][]model.Event{} // by all but the history
		for _, h := range histories {
			d, err := study.Decide(m, h)
			if err != nil {
				t.Fatal(err)
			}
			for _, key := range errorsOf(m.Name, d) {
				if best, ok := least[key]; !ok || enumerate.CompareHistories(indices(h), indices(best)) < 0 {
					least[key] = h
				}
			}
		}
		for _, want := range minima {
			if want.mechanism != m.Name || slices.ContainsFunc(strings.Fields(want.history), func(name string) bool { return controls[name] }) {
				continue
			}
			key := minimum{want.mechanism, want.kind, want.reason, ""}
			if got := strings.Join(model.Names(least[key]), " "); got != want.history {
				t.Errorf("%s, %s, %s: the least of all is %q, want %q", key.mechanism, key.kind, key.reason, got, want.history)
			}
			delete(least, key)
		}
		for key, h := range least {
			t.Errorf("%s, %s, %s is not in the table: %v", key.mechanism, key.kind, key.reason, h)
		}
	}
}

// untilCommit returns the histories that end with the commit in any schedule of the
// study's scenarios.
func untilCommit() [][]model.Event {
	var histories [][]model.Event
	known := map[string]bool{}
	for _, scenario := range study.Scenarios(study.MaxEnvironment) {
		for schedule := range scenario.Schedules() {
			h := schedule[:slices.Index(schedule, model.Event{Kind: model.Commit})+1]
			if key := strings.Join(model.Names(h), " "); !known[key] {
				known[key] = true
				histories = append(histories, slices.Clone(h))
			}
		}
	}
	return histories
}

// errorsOf names what is wrong with a decision.
func errorsOf(mechanism string, d study.Decided) (keys []minimum) {
	kind, reasons := "", []string(nil)
	switch eligible := d.Verdict.Eligible(); {
	case d.Accepted && !eligible:
		kind, reasons = "unsafe-accept", d.Verdict.Reasons.Names()
	case !d.Accepted && eligible:
		if kind, reasons = "eligible-reject", d.Decision.Failed.Names(); len(reasons) == 0 {
			reasons = []string{"unexplained"}
		}
	}
	for _, r := range reasons {
		keys = append(keys, minimum{mechanism, kind, r, ""})
	}
	return keys
}

// indices are the declaration indices of a history's events.
func indices(history []model.Event) []int {
	universe := study.Universe()
	list := make([]int, len(history))
	for i, e := range history {
		list[i] = universe.Index(e)
	}
	return list
}
