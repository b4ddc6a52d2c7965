package recordings

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// published returns the file of recordings that a test is about. They are not part of the
// module: who has them says where.
func published(t testing.TB, name string) string {
	t.Helper()
	dir := os.Getenv("COMMITPOINT_RECORDINGS")
	if dir == "" {
		t.Skip("COMMITPOINT_RECORDINGS is not set: set it to the folder that has placement-trials and deletion-trials")
	}
	return filepath.Join(dir, name)
}

// score scores what is in a path, and fails if a trial is bad.
func score(t testing.TB, path string, opt Options) Result {
	t.Helper()
	s := NewScorer(opt)
	for r, err := range All(path) {
		if err != nil {
			t.Fatal(err)
		}
		s.Add(r)
	}
	return s.Result()
}

func seconds(values ...float64) (list []time.Duration) {
	for _, s := range values {
		list = append(list, time.Duration(s*float64(time.Second)))
	}
	return list
}

// Every figure that was published of the recordings.
func TestPublished(t *testing.T) {
	got := score(t, published(t, "."), Options{Late: seconds(10, 20, 25, 30, 35, 40)})
	if len(got.Populations) != 3 || got.Bad != 0 {
		t.Fatalf("%d populations, %d bad trials; want 3 and 0", len(got.Populations), got.Bad)
	}
	type errs struct{ Pass, Alarm int }
	type figures struct {
		Population string
		Trials     int
		Reference  Reference
		Errors     map[string]errs
	}
	want := []figures{
		// No false alarms are published of the deletions: those are ours.
		{"deletion-healthy", 56, Reference{40, 16, 0}, map[string]errs{
			"self-report": {12, 5}, "call-and-health": {11, 0}, "report-time": {9, 5}, "until-deadline": {}}},
		{"placement-fault", 56, Reference{0, 56, 0}, map[string]errs{
			"self-report": {37, 0}, "call-and-health": {47, 0}, "report-time": {}, "until-deadline": {}}},
		{"placement-healthy", 56, Reference{33, 23, 0}, map[string]errs{
			"self-report": {21, 9}, "call-and-health": {14, 1}, "transcript-judge": {0, 20}, "report-time": {1, 0}, "until-deadline": {}}},
	}
	for i, w := range want {
		p := got.Populations[i]
		f := figures{p.Population, p.Trials, p.Reference, map[string]errs{}}
		for _, s := range p.Policies {
			f.Errors[s.Name] = errs{s.FalsePass, s.FalseAlarm}
		}
		if diff := cmp.Diff(w, f); diff != "" {
			t.Errorf("want -, got +:\n%s", diff)
		}
	}
	var late []int
	for _, l := range got.Populations[2].Late {
		late = append(late, l.Count)
	}
	if diff := cmp.Diff([]int{37, 22, 13, 4, 2, 1}, late); diff != "" {
		t.Errorf("late placements, want -, got +:\n%s", diff)
	}
	fault := Attribution{GroundTruthable: 55, Shadowed: 18, Observable: 37, Agree: 37, Neither: 1}
	if diff := cmp.Diff(fault, got.Populations[1].Attribution); diff != "" {
		t.Errorf("attribution, want -, got +:\n%s", diff)
	}
}
