package conformance

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"example.com/commitpoint/study"
)

// ErrWrong is the error of a system that is wrong.
var ErrWrong = errors.New("the system does not conform")

// Test drives systems through the schedules and returns nil if they are right in all of
// them. Otherwise the error explains, for each distinct reason, the shortest schedule in
// which they are not, and is an ErrWrong; or it says what kept them from being judged,
// which is a *Fault if it is the system.
//
// A nil error says that the system is right in the schedules that were run, one operation
// after another; nothing about what happens within an operation, or about schedules of
// events that it lacks.
func Test(newSystem func() (System, error), opt Options) error {
	r, err := Check(context.Background(), newSystem, opt)
	if err != nil {
		return err
	}
	return r.err()
}

// A verdictError is the error of a report.
type verdictError struct {
	text string
	is   []error
}

func (e verdictError) Error() string   { return e.text }
func (e verdictError) Unwrap() []error { return e.is }

func (r Report) err() error {
	var e verdictError
	if len(r.Failures) > 0 {
		e.is = append(e.is, ErrWrong)
	}
	if r.Fault != nil {
		e.is = append(e.is, r.Fault)
	}
	if e.is == nil {
		return nil
	}
	var b strings.Builder
	r.WriteText(&b) // a strings.Builder does not fail
	e.text = strings.TrimSuffix(b.String(), "\n")
	return e
}

// Run is Test as a test: it has a subtest set/kind/reason for every reason that there can
// be, whether it fails or not, so that go test -run can pick one to be shown; all
// schedules are run in any case. One that passes logs how many requests could have shown
// it, and one that nothing exercised, because the system lacks an event, is skipped and
// says so.
func Run(t *testing.T, newSystem func() (System, error), opt Options) {
	t.Helper()
	r, err := Check(t.Context(), newSystem, opt)
	if err != nil {
		t.Fatal(err)
	}
	if r.Fault != nil {
		t.Error(r.Fault)
	}
	for _, s := range r.Sets {
		t.Run(s.Name, func(t *testing.T) {
			t.Helper()
			for _, kind := range Kinds() {
				t.Run(string(kind), func(t *testing.T) {
					t.Helper()
					r.subtests(t, s, kind)
				})
			}
		})
	}
}

// subtests makes a subtest for each reason of a kind.
func (r Report) subtests(t *testing.T, s SetReport, kind study.Kind) {
	t.Helper()
	var failed []string
	for _, f := range r.Failures {
		if f.Set == s.Name && f.Kind == kind {
			failed = append(failed, f.Reason)
			t.Run(f.Reason, func(t *testing.T) {
				t.Helper()
				f.Trace.Replay = study.ReplayLine(t)
				t.Error(text(f.Trace))
			})
		}
	}
	for _, x := range s.Exercised {
		if x.Kind == kind && !slices.Contains(failed, x.Reason) && (x.Reason != anyRefusal || failed == nil) {
			t.Run(x.Reason, func(t *testing.T) { t.Logf("%d requests could have shown it", x.Requests) })
		}
	}
	for _, name := range s.Unasked {
		if reason, ok := strings.CutPrefix(name, string(kind)+"/"); ok && !slices.Contains(failed, reason) {
			t.Run(reason, func(t *testing.T) {
				t.Skip("not exercised: no request that was made could have shown it")
			})
		}
	}
	for _, name := range s.Unexercised {
		if reason, ok := strings.CutPrefix(name, string(kind)+"/"); ok {
			t.Run(reason, func(t *testing.T) {
				t.Skipf("not exercised: the system lacks some of %s", strings.Join(s.LeftOut, ", "))
			})
		}
	}
}
