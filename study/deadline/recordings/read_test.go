package recordings

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/commitpoint/model/deadline"
)

func read(t testing.TB, path string) (all []Recording) {
	t.Helper()
	for r, err := range All(path) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, r)
	}
	return all
}

// A trial is the same in both formats, and so is what comes of it.
func TestFormatsAgree(t *testing.T) {
	lines, documents := write(t, makeTrials(300))
	a, b := read(t, lines), read(t, documents)
	if diff := cmp.Diff(a, b); diff != "" || len(a) != 300 {
		t.Fatalf("%d trials; condensed -, original +:\n%s", len(a), diff)
	}
	opt := Options{Late: seconds(10, 20, 30, 40)}
	if diff := cmp.Diff(score(t, lines, opt), score(t, documents, opt)); diff != "" {
		t.Errorf("condensed -, original +:\n%s", diff)
	}
}

// What a trial is read as, field by field.
func TestRead(t *testing.T) {
	lines, documents := write(t, []made{{
		ID: "a", Population: "placement-fault", Deadline: 30.25, Expected: 100, Said: "done", Final: "Done.", Reported: 20.0000000016,
		Calls: []madeCall{
			{T: 1.5, Tool: "get_file_distribution", OK: true},
			{T: 2, Tool: "schedule_file_replication", OK: false, Target: "label", Provider: "b", Path: "id", Argument: "0ab1"},
			{T: 47.222, Tool: "schedule_file_replication", OK: true, Target: "target", Provider: ourTarget, Path: "exact", Argument: ourPath},
		},
		Seen:      []madeSample{{T: 0, Bytes: 0}, {T: 3.1, Bytes: nil}, {T: 6, Bytes: 100}, {T: 9, Bytes: 101}},
		Unhealthy: []float64{6}, Judge: "Violated", From: 1.0, Until: nil,
		Statuses: []madeStatus{{7, "active"}, {8, "enqueued"}, {9, nil}},
	}})
	want := Recording{ID: "a", Population: "placement-fault", Trial: deadline.Trial{
		Deadline: 30250 * time.Millisecond,
		Calls: []deadline.Call{
			{At: 1500 * time.Millisecond, Accepted: true},
			{At: 2 * time.Second, Required: true, Target: deadline.Label, Path: deadline.ByID},
			{At: 47222 * time.Millisecond, Required: true, Accepted: true, Target: deadline.Contracted, Path: deadline.Exact},
		},
		Report: deadline.Report{Made: true, At: 20*time.Second + 2, Claim: deadline.Done},
		Observations: []deadline.Observation{
			{Readable: true, Short: true}, {At: 3100 * time.Millisecond}, {At: 6 * time.Second, Readable: true, Holds: true}, {At: 9 * time.Second, Readable: true}},
		Unhealthy: []time.Duration{6 * time.Second},
		Statuses: []deadline.Status{
			{At: 7 * time.Second, Signal: deadline.Pending}, {At: 8 * time.Second, Signal: deadline.Terminal}, {At: 9 * time.Second}},
		Judge:     deadline.Judgement{Made: true, Verdict: deadline.Violated},
		Condition: deadline.Condition{Present: true, From: time.Second},
	}}
	for _, path := range []string{lines, documents} {
		if diff := cmp.Diff([]Recording{want}, read(t, path)); diff != "" {
			t.Errorf("want -, got +:\n%s", diff)
		}
	}

	lines, documents = write(t, []made{{
		ID: "b", Population: "deletion-healthy", Deletion: true, Deadline: 30, Said: "no_final_answer", Final: "It's göne.",
		Calls: []madeCall{{T: 2, Tool: "delete_file", OK: true, Path: "other:/else", Argument: "/else"}},
		Seen:  []madeSample{{T: 0, Bytes: 8192}, {T: 3, Bytes: nil}, {T: 6, Bytes: 1, Gone: true}, {T: 9, Bytes: 0}, {T: 12, Bytes: 0, Gone: true}},
	}})
	readable := func(s int, holds bool) deadline.Observation {
		return deadline.Observation{At: time.Duration(s) * time.Second, Readable: true, Holds: holds}
	}
	want = Recording{ID: "b", Population: "deletion-healthy", Trial: deadline.Trial{
		Task: deadline.Deletion, Deadline: 30 * time.Second,
		Calls:        []deadline.Call{{At: 2 * time.Second, Required: true, Accepted: true, Path: deadline.OtherPath}},
		Report:       deadline.Report{Words: "no_final_answer It's göne."},
		Observations: []deadline.Observation{readable(0, false), {At: 3 * time.Second}, readable(6, false), readable(9, false), readable(12, true)},
	}}
	for _, path := range []string{lines, documents} {
		if diff := cmp.Diff([]Recording{want}, read(t, path)); diff != "" {
			t.Errorf("want -, got +:\n%s", diff)
		}
	}
}

// The path can be a file, or a directory, which is read in the order of the paths.
func TestPaths(t *testing.T) {
	dir := t.TempDir()
	put := func(name string, text []byte) {
		t.Helper()
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	trials := makeTrials(6)
	put("runs/b/trial-1.json", trials[0].original(t))
	put("runs/a/rows.jsonl", slices.Concat([]byte("\n \n"), trials[1].condensed(t), []byte("\r\n\n"), trials[2].condensed(t))) // no newline at the end
	put("runs/trial-0.json", trials[3].condensed(t))                                                                           // either format in either file
	put("runs/z.jsonl", trials[4].original(t))
	put("runs/other.json", []byte("not looked at"))
	put("runs/trial-2.txt", []byte("not looked at"))
	if err := os.Symlink("runs", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "runs", "trial-3.json"), 0o777); err != nil { // a directory
		t.Fatal(err)
	}
	ids := func(path string) (ids []string) {
		for _, r := range read(t, filepath.Join(dir, path)) {
			ids = append(ids, r.ID)
		}
		return ids
	}
	want := []string{trials[1].ID, trials[2].ID, trials[0].ID, trials[3].ID, trials[4].ID}
	for _, path := range []string{"runs", "link"} {
		if got := ids(path); !slices.Equal(got, want) {
			t.Errorf("%s has %q, want %q", path, got, want)
		}
	}
	if got := ids("runs/b/trial-1.json"); !slices.Equal(got, want[2:3]) {
		t.Errorf("one file has %q, want %q", got, want[2:3])
	}
	for r, err := range All(filepath.Join(dir, "runs")) {
		if err != nil || r.ID != want[0] {
			t.Errorf("the first is %q, %v", r.ID, err)
		}
		break // nothing more is yielded
	}
}

// Errors that are not about one trial.
func TestUnreadable(t *testing.T) {
	dir := t.TempDir()
	only := func(path string) error {
		t.Helper()
		var errs []error
		for _, err := range All(path) {
			errs = append(errs, err)
		}
		if len(errs) != 1 {
			t.Fatalf("%s gives %v, want one error", path, errs)
		}
		return errs[0]
	}
	if err := only(dir); !errors.Is(err, ErrNone) || !strings.HasPrefix(err.Error(), dir+" has no trials: ") {
		t.Errorf("an empty directory gives %v", err)
	}
	empty := filepath.Join(dir, "empty.jsonl")
	if err := os.WriteFile(empty, []byte("\n\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := only(empty); !errors.Is(err, ErrNone) {
		t.Errorf("an empty file gives %v", err)
	}
	missing := filepath.Join(dir, "missing")
	var path *fs.PathError
	if err := only(missing); !errors.As(err, &path) || path.Path != missing || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file gives %v", err)
	}
	if os.Geteuid() == 0 {
		return // who can read everything
	}
	secret := filepath.Join(dir, "secret")
	if err := os.Mkdir(secret, 0); err != nil {
		t.Fatal(err)
	}
	if err := only(dir); !errors.As(err, &path) || path.Path != secret {
		t.Errorf("an unreadable directory gives %v", err)
	}
}

// A trial whose fixture was not in place is told, whatever else is in it, and not scored.
func TestExcluded(t *testing.T) {
	dir := t.TempDir()
	condensed := `{"trial":"a","population":"p","setup_invalid":true,"physical":null}`
	original := `{"trial_id":"b","scenario_id":"E3","contract":{"terms":[{"term_id":"T1","t_max_s":30}]},
		"expected":{"per_term":{"T1":{"setup_invalid":true,"expected_size":null}}},"a4_result":{}}`
	for name, text := range map[string]string{"a.jsonl": condensed, "trial-b.json": original} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got := score(t, dir, Options{})
	want := []string{"deletion-healthy-gated", "p"}
	for i, p := range got.Populations {
		if p.Population != want[i] || p.Trials != 1 || p.Excluded != 1 || p.Reference != (Reference{}) || len(p.Policies) != 4 {
			t.Errorf("%+v, want 1 trial of %s, excluded", p, want[i])
		}
	}
}
