package recordings

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"
)

// readAll reads a text as a file of that name.
func readAll(name string, text []byte) (good []Recording, bad []*BadTrial, err error) {
	r := reader{seen: make(map[string]place), yield: func(r Recording, err error) bool {
		if err == nil {
			good = append(good, r)
			return true
		}
		bad = append(bad, err.(*BadTrial))
		return true
	}}
	err = r.read(name, bytes.NewReader(text))
	return good, bad, err
}

// Whatever the text, reading does not panic, every trial in it is read or said to be bad,
// with a line that is there, and what is read is whole: it can be scored.
func FuzzRead(f *testing.F) {
	for _, text := range []string{"", "\n", "{}", "null", "[[[[", `"\ud800"`, "{\"trial\":\"a\"}\n{\"trial_id\":\"b\"}", "\xff", "NaN",
		goodPlacement + "\n" + goodPlacement, goodDeletion, goodOriginal, goodResidue} {
		f.Add([]byte(text))
	}
	for _, m := range makeTrials(8) {
		f.Add(m.condensed(f))
		f.Add(m.original(f))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, name := range []string{"t.jsonl", "t.json"} {
			good, bad, err := readAll(name, text)
			if err != nil {
				t.Fatal(err)
			}
			want := 1
			if name == "t.jsonl" {
				want = 0
				for line := range bytes.Lines(text) {
					if len(bytes.TrimSpace(line)) > 0 {
						want++
					}
				}
			}
			if len(good)+len(bad) != want {
				t.Errorf("%s: %d good and %d bad trials of %d", name, len(good), len(bad), want)
			}
			for _, b := range bad {
				if lines := 1 + bytes.Count(text, []byte("\n")); b.Line < 1 || b.Line > lines || b.Why == "" || strings.Contains(b.Error(), "\n") {
					t.Errorf("%s: of %d lines: %q", name, lines, b)
				}
			}
			checkWhole(t, good)
			if name == "t.json" && len(good) == 1 && !json.Valid(text) {
				t.Errorf("what is no JSON is a trial: %+v", good[0])
			}
		}
	})
}

// checkWhole checks that trials can be scored.
func checkWhole(t *testing.T, all []Recording) {
	t.Helper()
	ids := map[string]bool{}
	s := NewScorer(Options{Late: seconds(10, 30)})
	for _, r := range all {
		if r.ID == "" || r.Population == "" || ids[r.ID] {
			t.Errorf("a trial without an id or a population, or one that was there before: %+v", r)
		}
		ids[r.ID] = true
		trial := r.Trial
		times := func(what string, at func(yield func(time.Duration))) {
			last := time.Duration(0)
			at(func(at time.Duration) {
				if at < last {
					t.Errorf("%s: a time of %s comes after %v: %v", r.ID, what, last, at)
				}
				last = at
			})
		}
		times("calls", func(yield func(time.Duration)) {
			for _, c := range trial.Calls {
				yield(c.At)
			}
		})
		times("observations", func(yield func(time.Duration)) {
			for _, o := range trial.Observations {
				yield(o.At)
			}
		})
		times("statuses", func(yield func(time.Duration)) {
			for _, s := range trial.Statuses {
				yield(s.At)
			}
		})
		times("health", func(yield func(time.Duration)) {
			for _, at := range trial.Unhealthy {
				yield(at)
			}
		})
		if slices.Min([]time.Duration{trial.Deadline, trial.Report.At, trial.Condition.From, trial.Condition.Until}) < 0 {
			t.Errorf("%s: a time before the start: %+v", r.ID, trial)
		}
		for _, o := range trial.Observations {
			if !o.Readable && (o.Holds || o.Short) || o.Holds && o.Short {
				t.Errorf("%s: an observation that contradicts itself: %+v", r.ID, o)
			}
		}
		if r.Excluded && trial.Observations != nil {
			t.Errorf("%s: excluded, with observations", r.ID)
		}
		s.Add(r)
	}
	total := 0
	for _, p := range s.Result().Populations {
		total += p.Reference.Fulfilled + p.Reference.Violated + p.Reference.NotDetermined + p.Excluded
	}
	if total != len(all) {
		t.Errorf("%d trials are counted, of %d", total, len(all))
	}
}

// A trial that is cut off anywhere is noticed, and never read as another.
func TestTruncated(t *testing.T) {
	for _, text := range []string{goodPlacement, goodDeletion, goodOriginal, goodResidue} {
		for n := range len(text) {
			good, bad, err := readAll("t.json", []byte(text[:n]))
			if err != nil || len(good) > 0 || len(bad) != 1 || !strings.Contains(bad[0].Why, "cut off") {
				t.Fatalf("%d of %d bytes: %d good, %v, %v", n, len(text), len(good), bad, err)
			}
		}
	}
}

// An error of the file itself is not about a trial.
func TestReadError(t *testing.T) {
	broken := errors.New("broken")
	for _, name := range []string{"t.jsonl", "t.json"} {
		r := reader{seen: make(map[string]place), yield: func(Recording, error) bool { return true }}
		if err := r.read(name, failing{broken}); !errors.Is(err, broken) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }
