package study

import (
	"testing"

	"example.com/commitpoint/counterexamples"
	"example.com/commitpoint/mechanisms"
	"example.com/commitpoint/model"
)

// ownAtEither returns a rule that accepts everything if i is divisible by three
// and nothing otherwise, evaluated at preflight for odd i.
func ownAtEither(i int) mechanisms.Mechanism {
	m := mechanisms.Func("own", func(model.State, model.Request) mechanisms.Decision {
		return mechanisms.Decision{Accepted: i%3 == 0}
	})
	if i%2 == 1 {
		m = mechanisms.AtPreflight(m)
	}
	return m
}

// submission is what a mechanism sees in a control.
type submission struct {
	request model.Request
	state   model.State
}

// Each control alters what its name says, from preflight on, and nothing else.
func TestControlsAlterOneThing(t *testing.T) {
	sound := submission{state: model.Initial()}
	for _, e := range model.Chain()[:3] {
		sound.state = model.Next(sound.state, e)
	}
	sound.request = sound.state.Request()
	answer999 := func(s *submission, checker model.Checker, pass bool) {
		wrong := model.NewBlob("999")
		s.state.Candidate.Blob, s.state.Artifact, s.state.Task.Checker = wrong, wrong, checker
		s.state.Evidence = model.Receipt{ID: 2, Task: 1, Attempt: 1, Criterion: model.OutputIsDouble, Checker: checker,
			Pass: pass, Inputs: 1, Contract: s.state.Task.Contract, Digest: wrong.Digest()}
		s.request.Candidate, s.request.Evidence = wrong.Digest(), 2
	}
	want := map[string]func(*submission){
		"forged-receipt": func(s *submission) { s.request.Evidence = 99 },
		"other-candidate": func(s *submission) { // a genuine pass, cited: of "42\n", where the candidate is "42"
			s.state.Evidence.ID, s.request.Evidence = 2, 2
			s.state.Evidence.Digest = model.NewBlob("42\n").Digest()
		},
		"other-digest":       func(s *submission) { s.state.Evidence.Digest = other.Digest() },
		"other-task":         func(s *submission) { s.request.Task = 2 },
		"other-contract":     func(s *submission) { s.request.Contract = other.Digest() },
		"checker-rejected":   func(s *submission) { answer999(s, model.Doubles, false) },
		"inadequate-checker": func(s *submission) { answer999(s, model.IsInteger, true) },
	}
	for _, c := range Controls() {
		var seen []submission
		spy := mechanisms.Func("spy", func(s model.State, r model.Request) mechanisms.Decision {
			seen = append(seen, submission{r, s})
			return mechanisms.Decision{}
		})
		counterexamples.Replay(solo{spy, c}, model.Chain())
		altered := sound
		want[c.Name](&altered)
		for _, got := range seen { // at preflight and at commit
			if got != altered {
				t.Errorf("%s submits\n%+v\nwant\n%+v", c.Name, got, altered)
			}
		}
		if len(seen) != 4 {
			t.Errorf("%s was asked %d times, want twice at preflight and twice at commit", c.Name, len(seen))
		}
	}
	if len(want) != len(Controls()) {
		t.Errorf("%d controls, want %d", len(Controls()), len(want))
	}
}

// A reason that shows in several controls and in no schedule counts them.
func TestFindingsCountControls(t *testing.T) {
	opt, err := Options{}.complete()
	if err != nil {
		t.Fatal(err)
	}
	m, err := mechanisms.Named("without-evidence")
	if err != nil {
		t.Fatal(err)
	}
	all, err := find(t.Context(), m, opt)
	if err != nil {
		t.Fatal(err)
	}
	f := all.byKey[errorKey{UnsafeAccept, "evidence"}]
	if f.count != 4 || f.control.Name != "forged-receipt" || len(all.byKey) != 1 {
		t.Errorf("without-evidence goes wrong in %d controls, first in %q; want 4, first in forged-receipt: %+v", f.count, f.control.Name, all.byKey)
	}
}
