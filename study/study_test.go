package study_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"example.com/commitpoint/enumerate"
	"example.com/commitpoint/mechanisms"
	"example.com/commitpoint/model"
	"example.com/commitpoint/study"
)

func compute(t testing.TB, workers int) study.Report {
	t.Helper()
	r, err := study.Compute(context.Background(), workers)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// The published numbers: the report's section 6 for all but the first row,
// which is our reading of a table that names twelve of thirteen mechanisms.
func TestPublishedScores(t *testing.T) {
	want := []struct {
		name string
		study.Score
	}{
		{"self-report", study.Score{SafeAccept: 470, UnsafeAccept: 6224, UnsafeReject: 0, EligibleReject: 0}},
		{"attempt-lease", study.Score{SafeAccept: 470, UnsafeAccept: 1914, UnsafeReject: 4310, EligibleReject: 0}},
		{"preflight-cached", study.Score{SafeAccept: 470, UnsafeAccept: 718, UnsafeReject: 5506, EligibleReject: 0}},
		{"atomic", study.Score{SafeAccept: 470, UnsafeAccept: 0, UnsafeReject: 6224, EligibleReject: 0}},
		{"without-attempt", study.Score{SafeAccept: 470, UnsafeAccept: 667, UnsafeReject: 5557, EligibleReject: 0}},
		{"without-fence", study.Score{SafeAccept: 470, UnsafeAccept: 0, UnsafeReject: 6224, EligibleReject: 0}},
		{"without-lease", study.Score{SafeAccept: 470, UnsafeAccept: 517, UnsafeReject: 5707, EligibleReject: 0}},
		{"without-grant", study.Score{SafeAccept: 470, UnsafeAccept: 512, UnsafeReject: 5712, EligibleReject: 0}},
		{"without-inputs", study.Score{SafeAccept: 470, UnsafeAccept: 328, UnsafeReject: 5896, EligibleReject: 0}},
		{"without-artifact", study.Score{SafeAccept: 470, UnsafeAccept: 134, UnsafeReject: 6090, EligibleReject: 0}},
		{"without-evidence", study.Score{SafeAccept: 470, UnsafeAccept: 0, UnsafeReject: 6224, EligibleReject: 0}},
		{"without-contract", study.Score{SafeAccept: 470, UnsafeAccept: 0, UnsafeReject: 6224, EligibleReject: 0}},
		{"latest-policy", study.Score{SafeAccept: 234, UnsafeAccept: 0, UnsafeReject: 6224, EligibleReject: 236}},
	}
	r := compute(t, 0)
	if len(r.Scenarios) != 42 || r.Schedules != 6694 || r.Eligible != 470 || len(r.Mechanisms) != len(want) {
		t.Errorf("%d scenarios, %d schedules, %d eligible, %d mechanisms; want 42, 6694, 470, 13",
			len(r.Scenarios), r.Schedules, r.Eligible, len(r.Mechanisms))
	}
	var executions uint64
	for i, w := range want {
		if r.Mechanisms[i].Name != w.name || r.Scores[i] != w.Score {
			t.Errorf("row %d: %s %+v, want %s %+v", i+1, r.Mechanisms[i].Name, r.Scores[i], w.name, w.Score)
		}
		if r.Scores[i].Total() != r.Schedules {
			t.Errorf("row %d sums to %d", i+1, r.Scores[i].Total())
		}
		executions += r.Scores[i].Total()
	}
	if executions != 87022 {
		t.Errorf("%d executions, want 87,022", executions)
	}
	if want := (study.Replays{Identical: 16888, IdenticalSameReceipt: 16888, ChangedDigest: 16888, ChangedDigestRejected: 16888}); r.Replays != want {
		t.Errorf("replays = %+v, want %+v", r.Replays, want)
	}
}

// The number of schedules of each kind of scenario, and all scenarios there
// are: 1 with no event, 6 with one, 15 with two and 20 with three.
func TestScenarios(t *testing.T) {
	expire, reassign := model.Event{Kind: model.LeaseExpire}, model.Event{Kind: model.Reassign}
	unrelated := map[int]uint64{0: 1, 1: 6, 2: 42, 3: 336}
	ordered := map[int]uint64{2: 21, 3: 168}
	sizes := map[int]int{}
	seen := map[string]bool{}
	for _, s := range compute(t, 0).Scenarios {
		want := unrelated[len(s.Events)]
		if slices.Contains(s.Events, expire) && slices.Contains(s.Events, reassign) {
			want = ordered[len(s.Events)]
		}
		if s.Schedules != want {
			t.Errorf("scenario %v has %d schedules, want %d", s.Events, s.Schedules, want)
		}
		sizes[len(s.Events)]++
		key := fmt.Sprint(s.Events)
		if seen[key] {
			t.Errorf("scenario %v comes twice", s.Events)
		}
		seen[key] = true
	}
	if want := map[int]int{0: 1, 1: 6, 2: 15, 3: 20}; !reflect.DeepEqual(sizes, want) {
		t.Errorf("scenarios by number of events = %v, want %v", sizes, want)
	}
}

func TestControls(t *testing.T) {
	const believers = "self-report attempt-lease "
	const everyone = "self-report attempt-lease preflight-cached atomic without-attempt without-fence without-lease " +
		"without-grant without-inputs without-artifact without-evidence without-contract latest-policy"
	want := []struct{ name, acceptedBy, reasons string }{
		{"forged-receipt", believers + "without-evidence", "evidence"},
		{"other-candidate", believers + "without-evidence", "evidence"},
		{"other-digest", believers + "without-evidence", "evidence"},
		{"other-task", believers + "without-contract", "task"},
		{"other-contract", believers + "without-contract", "contract"},
		{"checker-rejected", believers + "without-evidence", "evidence"},
		{"inadequate-checker", everyone, "none"},
	}
	r := compute(t, 0)
	if len(r.Controls) != len(want) || len(r.Controls)*len(r.Mechanisms) != 91 {
		t.Fatalf("%d controls on %d mechanisms, want 7 on 13", len(r.Controls), len(r.Mechanisms))
	}
	for i, w := range want {
		c := r.Controls[i]
		if got := strings.Join(c.AcceptedBy, " "); c.Control.Name != w.name || got != w.acceptedBy || c.Verdict.Reasons.String() != w.reasons {
			t.Errorf("control %d: %s, accepted by %s, reasons %v\nwant %s, %s, %s",
				i+1, c.Control.Name, got, c.Verdict.Reasons, w.name, w.acceptedBy, w.reasons)
		}
		wrong := w.name == "checker-rejected" || w.name == "inadequate-checker"
		if c.Verdict.Correct == wrong {
			t.Errorf("%s: the oracle takes its answer for correct: %v", w.name, c.Verdict.Correct)
		}
	}
}

func TestCounterexamples(t *testing.T) {
	const before = "[read candidate trusted-verify preflight "
	want := []struct{ mechanism, kind, schedule, failed, reasons string }{
		{"self-report", "unsafe-accept", before + "input-edit commit]", "inputs", "inputs"},
		{"attempt-lease", "unsafe-accept", before + "input-edit commit]", "inputs", "inputs"},
		{"preflight-cached", "unsafe-accept", before + "input-edit commit]", "inputs", "inputs"},
		{"without-attempt", "unsafe-accept", before + "reassign commit]", "attempt, fence", "attempt"},
		{"without-lease", "unsafe-accept", before + "lease-expire commit]", "lease", "lease"},
		{"without-grant", "unsafe-accept", before + "revoke commit]", "grant", "grant"},
		{"without-inputs", "unsafe-accept", before + "input-edit commit]", "inputs", "inputs"},
		{"without-artifact", "unsafe-accept", before + "artifact-edit commit]", "artifact", "artifact"},
		{"latest-policy", "eligible-reject", before + "publish-behavior-v2 commit]", "latest-policy", "none"},
	}
	got := compute(t, 0).Counterexamples
	if len(got) != len(want) {
		t.Fatalf("%d counterexamples, want %d", len(got), len(want))
	}
	for i, w := range want {
		c := got[i]
		if c.Mechanism != w.mechanism || string(c.Kind) != w.kind || fmt.Sprint(c.Schedule) != w.schedule ||
			c.Failed.String() != w.failed || c.Reasons.String() != w.reasons {
			t.Errorf("counterexample %d = %+v, want %+v", i+1, c, w)
		}
	}
}

func TestWorkersChangeNothing(t *testing.T) {
	want := compute(t, 1)
	for _, workers := range []int{2, 3, 8} {
		got := compute(t, workers)
		got.Mechanisms, got.Controls = want.Mechanisms, want.Controls // hold functions, which don't compare
		if !reflect.DeepEqual(got, want) {
			t.Errorf("the report differs between 1 and %d workers", workers)
		}
	}
}

func TestOptionsRefuse(t *testing.T) {
	noRead := study.Universe().Restrict(func(e model.Event) bool { return e.Kind != model.Read })
	incomplete := study.Universe().Restrict(func(e model.Event) bool { return e.Kind != model.Preflight })
	tests := []struct {
		name string
		opt  study.Options
		want string
	}{
		{"too many mechanisms", study.Options{Mechanisms: make([]mechanisms.Mechanism, 65)},
			"65 mechanisms, at most 64 can be judged at once: split the list"},
		{"no chain", study.Options{Scenarios: []enumerate.Order[model.Event]{incomplete}},
			"scenario {read, candidate, trusted-verify, commit, input-edit, artifact-edit, lease-expire, reassign, revoke, publish-behavior-v2} lacks trusted-verify before preflight: restrict study.Universe() and keep the chain"},
		{"no read", study.Options{Scenarios: []enumerate.Order[model.Event]{study.Universe(), noRead}},
			"scenario {candidate, trusted-verify, preflight, commit, input-edit, artifact-edit, lease-expire, reassign, revoke, publish-behavior-v2} lacks read before candidate: restrict study.Universe() and keep the chain"},
		{"no scenarios", study.Options{Scenarios: []enumerate.Order[model.Event]{}},
			"nothing to judge: give mechanisms and scenarios, or nil for the study's"},
		{"no mechanisms", study.Options{Mechanisms: []mechanisms.Mechanism{}},
			"nothing to judge: give mechanisms and scenarios, or nil for the study's"},
		{"workers", study.Options{Workers: -1}, "walk the study's schedules: -1 workers: use 1 or more, or 0 for one a processor"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := study.Evaluate(context.Background(), tt.opt); err == nil || err.Error() != tt.want {
				t.Errorf("error = %v\nwant %s", err, tt.want)
			}
		})
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := study.Compute(ctx, 0)
	var incomplete *enumerate.IncompleteError
	if !errors.As(err, &incomplete) {
		t.Errorf("error = %v, want an incomplete run", err)
	}
}

func TestScenariosRefusesANegativeLimit(t *testing.T) {
	defer func() {
		if got, want := recover(), "study.Scenarios: a limit of -1 events; use 0 or more"; got != want {
			t.Errorf("panic = %v, want %s", got, want)
		}
	}()
	study.Scenarios(-1)
}

func TestOrderRefuses(t *testing.T) {
	revoke := model.Event{Kind: model.Revoke}
	tests := []struct {
		name   string
		events []model.Event
		want   string
	}{
		{"of the chain", []model.Event{{Kind: model.Read}}, "read is an event of the chain, which every scenario has: give environment events"},
		{"of the chain, numbered", []model.Event{{Kind: model.Commit, N: 2}}, "commit#2 is an event of the chain, which every scenario has: give environment events"},
		{"no event", []model.Event{{}}, "event(0) is no event: the environment's are [input-edit artifact-edit lease-expire reassign revoke publish-behavior-v2]"},
		{"beyond the last", []model.Event{{Kind: model.PublishV2 + 1}},
			"event(12) is no event: the environment's are [input-edit artifact-edit lease-expire reassign revoke publish-behavior-v2]"},
		{"twice", []model.Event{revoke, revoke}, "revoke is given twice: number repeated events, as in revoke#2"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := study.Order(tt.events...); err == nil || err.Error() != tt.want {
				t.Errorf("error = %v\nwant %s", err, tt.want)
			}
		})
	}
}
