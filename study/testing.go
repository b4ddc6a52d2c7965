package study

import (
	"context"
	"errors"
	"regexp"
	"strings"
	"testing"

	"example.com/commitpoint/counterexamples"
	"example.com/commitpoint/enumerate"
	"example.com/commitpoint/mechanisms"
	"example.com/commitpoint/model"
)

// Test judges m in the whole study: every schedule of its 42 scenarios, and the
// directed controls. It returns nil if m accepts exactly the eligible requests;
// otherwise the error explains, for each distinct reason, the shortest history
// in which it does not, or says why m can't be judged: a rule that panics, or
// that gives two answers to one question.
//
// A nil error says that m decides rightly within the bounds of the study and
// nothing about larger ones, or about the code that implements it.
func Test(m mechanisms.Mechanism) error { return Options{}.Test(m) }

// Run is Test as a test: it has a subtest kind/reason for every reason that
// there can be, whether it fails or not, so that go test -run can pick one. One that
// passes logs how often it could have failed; one that could not, because the reason
// does not occur in the scenarios, is skipped and says so.
func Run(t *testing.T, m mechanisms.Mechanism) {
	t.Helper()
	Options{}.Run(t, m)
}

// Test is like the function Test, in the scenarios of o. It does not look at
// o.Mechanisms.
func (o Options) Test(m mechanisms.Mechanism) error {
	explained, _, err := o.judge(context.Background(), m)
	if err != nil {
		return err
	}
	var failures []string
	for _, key := range errorKeys() {
		if trace, ok := explained[key]; ok {
			failures = append(failures, text(trace))
		}
	}
	if failures == nil {
		return nil
	}
	return errors.New(strings.Join(failures, "\n\n"))
}

// Run is like the function Run, in the scenarios of o. It does not look at
// o.Mechanisms.
func (o Options) Run(t *testing.T, m mechanisms.Mechanism) {
	t.Helper()
	explained, all, err := o.judge(t.Context(), m)
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range Kinds() {
		t.Run(string(kind), func(t *testing.T) {
			t.Helper()
			for _, key := range errorKeys() {
				if key.kind != kind {
					continue
				}
				t.Run(key.reason, func(t *testing.T) {
					t.Helper()
					trace, fails := explained[key]
					switch exercised, occurs := all.exercised[key]; {
					case fails:
						trace.Replay = ReplayLine(t)
						t.Error(text(trace))
					case occurs:
						t.Logf("could have failed in %v", exercised)
					default:
						t.Skip("not exercised: it can't fail in any of these schedules or the directed controls")
					}
				})
			}
		})
	}
}

// judge returns an explanation for each key under which m goes wrong.
func (o Options) judge(ctx context.Context, m mechanisms.Mechanism) (map[errorKey]counterexamples.Trace, findings, error) {
	o, err := o.forOne()
	if err != nil {
		return nil, findings{}, err
	}
	all, err := find(ctx, m, o)
	if err != nil {
		return nil, findings{}, err
	}
	explained := make(map[errorKey]counterexamples.Trace, len(all.byKey))
	for key, f := range all.byKey {
		if explained[key], err = all.explain(m, f, admitting(o.Scenarios, f.history)); err != nil {
			return nil, findings{}, err
		}
	}
	return explained, all, nil
}

// forOne is complete for options that say nothing of mechanisms.
func (o Options) forOne() (Options, error) {
	o.Mechanisms = nil
	return o.complete()
}

// admitting returns the first order that admits history.
func admitting(orders []enumerate.Order[model.Event], history []model.Event) enumerate.Order[model.Event] {
	for _, o := range orders {
		if o.Validate(history) == nil {
			return o
		}
	}
	return enumerate.Order[model.Event]{}
}

func text(t counterexamples.Trace) string {
	var b strings.Builder
	counterexamples.WriteText(&b, t) // a strings.Builder does not fail
	return strings.TrimSuffix(b.String(), "\n")
}

// ReplayLine returns the command that runs just this test.
func ReplayLine(t *testing.T) string { return "go test -run '" + pattern(t.Name()) + "'" }

// pattern returns the go test -run pattern that matches just the test name.
func pattern(name string) string {
	parts := strings.Split(name, "/")
	for i, p := range parts {
		parts[i] = "^" + regexp.QuoteMeta(p) + "$"
	}
	return strings.Join(parts, "/")
}
