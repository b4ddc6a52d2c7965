package conformance_test

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"example.com/commitpoint/conformance"
	"example.com/commitpoint/counterexamples"
	"example.com/commitpoint/enumerate"
	"example.com/commitpoint/internal/wrapped"
	mechanisms "example.com/commitpoint/mechanisms/contract"
)

// What every request of the study exercises, of a service that is right.
func TestExercised(t *testing.T) {
	s := check(t, wrapped.Study(named(t, "atomic")), conformance.Options{}).Sets[0]
	got := make(map[string]uint64)
	for _, x := range s.Exercised {
		got[string(x.Kind)+"/"+x.Reason] = x.Requests
	}
	// 470 eligible schedules and the control whose checker is inadequate; 3 requests each.
	want := map[string]uint64{
		"eligible-reject/any": 471, "eligible-reject/retry": 471, "wrong-record/lost-write": 471, "wrong-record/other-receipt": 471,
		"wrong-record/replay-writes": 471, "unsafe-accept/identity": 471, "wrong-record/refusal-writes": 3*6701 - 2*471,
		"unsafe-accept/task": 3, "unsafe-accept/contract": 3,
	}
	for name, n := range want {
		if got[name] != n {
			t.Errorf("%s: %d requests, want %d", name, got[name], n)
		}
	}
	if s.Requests != 3*6701 || len(got) != len(want)+6 {
		t.Errorf("%d requests, %v", s.Requests, got)
	}
}

// A green sample says what it did not ask, and so does a run in which something wrong hides
// the rest.
func TestUnasked(t *testing.T) {
	s := check(t, wrapped.Study(named(t, "atomic")), conformance.Options{Mode: conformance.Sample, Samples: 1}).Sets[0]
	if !slices.Contains(s.Unasked, "unsafe-accept/task") || len(s.Unexercised) > 0 {
		t.Errorf("%+v", s)
	}
	if s := check(t, wrapped.Study(named(t, "atomic")), conformance.Options{}).Sets[0]; len(s.Unasked) > 0 {
		t.Errorf("%q", s.Unasked)
	}
	s = check(t, hook(func(h *hooked) {
		h.submit = func(event string, d conformance.Decision) (conformance.Decision, error) {
			if event == "retry" {
				d = conformance.Decision{}
			}
			return d, nil
		}
	}), conformance.Options{}).Sets[0]
	if fmt.Sprint(s.Unasked) != "[unsafe-accept/identity]" {
		t.Errorf("%q", s.Unasked)
	}
}

// A machine that blocks events would have other schedules than those that are counted.
func TestOfRefusesGuards(t *testing.T) {
	defer func() {
		if p := recover(); p == nil || !strings.Contains(fmt.Sprint(p), "blocks events") {
			t.Errorf("Of panics with %v", p)
		}
	}()
	conformance.Of(conformance.Protocol[pennant, flagEvent]{
		Name: "guarded", Machine: guardedMachine{},
		Expect: func(pennant, flagEvent) (x conformance.Expected, submits bool) { return x, false },
		World:  func(pennant) (w conformance.World) { return w },
		Narrator: counterexamples.Narrator[pennant, flagEvent]{
			Event:  func(e flagEvent) (actor, name, object string) { return "", string(e), "" },
			Fields: func(pennant) iter.Seq2[string, string] { return func(func(string, string) bool) {} },
		},
	})
}

type guardedMachine struct{ flagMachine }

func (guardedMachine) Enabled(s pennant, e flagEvent) bool { return e != "raise" || s.armed }

// Publications are compared where the service reports them, too few as well as too many.
func TestPublications(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(published map[string]int)
		want   []string
	}{
		{"one too many", func(p map[string]int) { p["out/a"] *= 2 }, []string{"published"}},
		{"one too few", func(p map[string]int) { p["out/a"] = 0 }, []string{"published"}},
		{"not reported", func(p map[string]int) { delete(p, "out/a") }, nil},
		{"a target that nobody knows", func(p map[string]int) { p["elsewhere"] = 7 }, nil},
	} {
		open := wrapped.Contract(mechanisms.Complete)
		r := check(t, func() (conformance.System, error) {
			s, err := open()
			return hooked{System: s, recorded: func(r conformance.Record) (conformance.Record, error) {
				tt.change(r.Published)
				return r, nil
			}}, err
		}, conformance.Options{Mode: conformance.Covering, Sets: family(t, "other-spelling")})
		var got []string
		for _, f := range r.Failures {
			got = append(got, f.Reason)
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// A service that never says the same about a refusal has sixteen of them told.
func TestRefusalsThatNeverRepeat(t *testing.T) {
	r := check(t, hook(func(h *hooked) {
		var events []string
		h.reset = func(context.Context) error { events = nil; return nil }
		h.apply = func(_ context.Context, e string) error { events = append(events, e[:1]); return nil }
		h.submit = func(event string, d conformance.Decision) (conformance.Decision, error) {
			if d.Accepted && event == "commit" {
				return conformance.Decision{Refusal: "no: " + strings.Join(events, "")}, nil
			}
			return d, nil
		}
	}), conformance.Options{})
	if n := len(r.Failures); n != 16 || r.Sets[0].Wrong[0].Schedules != 471 {
		t.Errorf("%d reasons, in %+v", n, r.Sets[0].Wrong)
	}
}

// What was wrong before a system failed is told, with what it decided, by one that is
// opened anew.
func TestWrongBeforeAFault(t *testing.T) {
	open := wrapped.Study(named(t, "self-report"))
	r, err := conformance.Check(t.Context(), func() (conformance.System, error) {
		s, err := open()
		broken := false
		return hooked{System: s, apply: func(_ context.Context, e string) error {
			if broken = broken || e == "revoke"; broken {
				return errBroken
			}
			return nil
		}}, err
	}, conformance.Options{Workers: 2})
	if err != nil || r.Fault == nil || r.Verdict() != enumerate.Violated || len(r.Failures) == 0 {
		t.Fatalf("%v, %+v, %q", err, r.Fault, reasons(r))
	}
	if last := r.Fault.Schedule[len(r.Fault.Schedule)-1]; last != "revoke" || r.Fault.Set != "study" {
		t.Errorf("the fault is %+v", r.Fault)
	}
	for _, f := range r.Failures {
		if f.Trace.Decision != "accepted" || f.Trace.Steps[len(f.Trace.Steps)-1].Effect == "" {
			t.Errorf("%s: %q, %+v", f.Reason, f.Trace.Decision, f.Trace.Steps[len(f.Trace.Steps)-1])
		}
	}
}

// A failure that is not of a decision has no nearest history; a refused retry is called
// that.
func TestSummaries(t *testing.T) {
	lost := check(t, hook(func(h *hooked) {
		h.recorded = func(conformance.Record) (r conformance.Record, err error) { return r, nil }
	}), conformance.Options{Mode: conformance.Covering}).Failures[0].Trace
	if lost.Nearest != nil || !strings.HasPrefix(lost.Summary, `"atomic" did not record, or lost, the completion`) || lost.Notes[0] != "wrong record: lost-write" {
		t.Errorf("%+v", lost)
	}
	retried := check(t, hook(func(h *hooked) {
		h.submit = func(event string, d conformance.Decision) (conformance.Decision, error) {
			if event == "retry" {
				d = conformance.Decision{}
			}
			return d, nil
		}
	}), conformance.Options{Mode: conformance.Covering}).Failures[0].Trace
	if !strings.HasPrefix(retried.Summary, `"atomic" refused an identical request that it had recorded before`) {
		t.Error(retried.Summary)
	}
	history := strings.Fields("read candidate trusted-verify preflight commit retry-other")
	closed := false
	trace, err := conformance.Explain(t.Context(), hook(func(h *hooked) { h.close = func() error { closed = true; return nil } }), conformance.Options{}, history...)
	if err != nil || !closed || fmt.Sprint(trace.Notes) != "[not eligible: another request was recorded under this id]" {
		t.Errorf("%v, closed %v, %v", trace.Notes, closed, err)
	}
}

// The second of a kind needs the first.
func TestRepetitionsNeedTheFirst(t *testing.T) {
	events := without(wrapped.ContractEvents(), "reclaim")
	s := check(t, hookContract(events), conformance.Options{Mode: conformance.Covering, Sets: family(t, "restored")}).Sets[0]
	if fmt.Sprint(s.LeftOut) != "[reclaim reclaim#2]" || s.Scenarios != 8 {
		t.Errorf("%+v", s)
	}
}

// Refusals can have a hundred characters, but no broken ones.
func TestLongestRefusal(t *testing.T) {
	refusing := func(with string) func() (conformance.System, error) {
		return hook(func(h *hooked) {
			h.submit = func(_ string, d conformance.Decision) (conformance.Decision, error) {
				if !d.Accepted {
					d.Refusal = with
				}
				return d, nil
			}
		})
	}
	check(t, refusing(strings.Repeat("ß", 100)), conformance.Options{Mode: conformance.Covering})
	for _, bad := range []string{strings.Repeat("ß", 101), "no\xff", "no\t"} {
		if r, err := conformance.Check(t.Context(), refusing(bad), conformance.Options{Mode: conformance.Covering}); err != nil || r.Fault == nil {
			t.Errorf("%q: %+v, %v", bad, r.Fault, err)
		}
	}
}

// A protocol of somebody's own that is wrong itself is an error, not a verdict.
func TestProtocolsThatAreWrong(t *testing.T) {
	order, err := enumerate.NewOrder[flagEvent]().Chain("", "arm", "disarm").Free("", "raise").Build()
	if err != nil {
		t.Fatal(err)
	}
	other, err := enumerate.NewOrder[flagEvent]().Chain("", "raise", "disarm", "arm").Build()
	if err != nil {
		t.Fatal(err)
	}
	protocol := conformance.Protocol[pennant, flagEvent]{
		Name:    "flags",
		Orders:  []enumerate.Order[flagEvent]{order},
		Machine: flagMachine{},
		Expect:  func(_ pennant, e flagEvent) (x conformance.Expected, submits bool) { return x, e == "raise" },
		World:   func(pennant) (w conformance.World) { return w },
		Narrator: counterexamples.Narrator[pennant, flagEvent]{
			Event:  func(e flagEvent) (actor, name, object string) { return "", string(e), "" },
			Fields: func(pennant) iter.Seq2[string, string] { return func(func(string, string) bool) {} },
		},
	}
	unrelated, panics, worldless := protocol, protocol, protocol
	unrelated.Orders = append(unrelated.Orders, other)
	panics.Expect = func(s pennant, e flagEvent) (x conformance.Expected, submits bool) {
		if s.armed {
			panic("no flag")
		}
		return x, e == "raise"
	}
	worldless.World = func(s pennant) (w conformance.World) {
		if s.armed {
			panic("no world")
		}
		return w
	}
	open := func() (conformance.System, error) { return new(mast), nil }
	for name, p := range map[string]conformance.Protocol[pennant, flagEvent]{
		"not restrictions of one order": unrelated, "panics: no flag": panics,
		"a function of the protocol panics: no world": worldless,
	} {
		r, err := conformance.Check(t.Context(), open, conformance.Options{Sets: []conformance.Set{conformance.Of(p)}})
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v, %v", name, r.Verdict(), err)
		}
	}
	defer func() {
		if p := recover(); p == nil || !strings.Contains(fmt.Sprint(p), "a Protocol needs Name, Machine") {
			t.Errorf("Of panics with %v", p)
		}
	}()
	conformance.Of(conformance.Protocol[pennant, flagEvent]{Name: "flags"})
}
