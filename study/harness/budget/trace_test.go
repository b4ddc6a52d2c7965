package budget

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/commitpoint/counterexamples"
	"example.com/commitpoint/enumerate"
	mechanisms "example.com/commitpoint/mechanisms/harness/budget"
	model "example.com/commitpoint/model/harness/budget"
)

// The shortest history of each error of each mechanism.
func TestTraces(t *testing.T) {
	const (
		reserve  = "original:read original:decide original:write "
		sent     = reserve + "original:dispatch "
		retry    = "retry:read retry:decide retry:write"
		fallback = "fallback:read fallback:decide fallback:write"
	)
	want := map[string][]string{
		"check-then-act": {
			"unsafe-accept over-cap: original:read original:decide fallback:read original:write fallback:decide fallback:write",
			"eligible-reject admission: " + reserve + "fallback:read original:cancel fallback:decide fallback:write",
		},
		"release-on-unknown": {
			"unsafe-accept unknown-outcome: " + sent + "original:cancel",
			"unsafe-accept over-cap: " + sent + "original:cancel " + fallback,
		},
		"release-on-timeout": {
			"unsafe-accept unknown-outcome: " + sent + "original:timeout",
			"unsafe-accept over-cap: " + sent + "original:timeout " + retry,
		},
		"idempotent-by-amount": {
			"unsafe-accept over-cap: " + sent + "original:timeout " + retry,
			"eligible-reject charge: " + sent + "original:run original:timeout original:charge " + retry + " retry:dispatch retry:run retry:charge",
		},
		"settled-only":     {"unsafe-accept over-cap: " + reserve + fallback},
		"per-route-caps":   {"unsafe-accept over-cap: " + reserve + fallback},
		"unpriced-is-free": {"unsafe-accept unpriced: unpriced:write"},
		"fail-open": {
			"unsafe-accept unpriced: down unpriced:write",
			"unsafe-accept unavailable: down unpriced:write",
			"unsafe-accept over-cap: " + reserve + "fallback:read fallback:decide down fallback:write",
		},
		"dispatches-freed": {
			"unsafe-accept not-admitted: " + reserve + "original:cancel original:dispatch",
			"unsafe-accept over-cap: " + reserve + "original:cancel original:dispatch " + fallback,
		},
		"settle-again": {
			"unsafe-accept settled-before: " + sent + "original:run original:charge original:charge#2",
			"eligible-reject admission: " + sent + "original:run original:charge original:charge#2 " + fallback,
		},
		"trusts-charges": {
			"unsafe-accept above-bound: " + sent + "original:run original:overcharge",
			"eligible-reject admission: " + sent + "original:run original:overcharge original:charge " + fallback,
		},
		"never-gives-back": {
			"eligible-reject release: " + reserve + "original:cancel",
			"eligible-reject admission: " + sent + "original:run original:charge " + fallback,
		},
	}
	for _, m := range mechanisms.All() {
		traces, err := Traces(t.Context(), m, enumerate.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, x := range traces {
			got = append(got, x.Kind+" "+x.Reason+": "+strings.Join(x.Schedule, " "))
			if x.Nearest != nil && x.Nearest.Decision == "" {
				t.Errorf("%s %s: nothing is answered in the nearest history", m.Name, x.Reason)
			}
			again, err := Explain(m, x.Schedule...)
			if same, difference := x.SameOutcome(again); err != nil || !same {
				t.Errorf("%s: %v, %s", m.Name, err, difference)
			}
		}
		if d := cmp.Diff(want[m.Name], got); d != "" {
			t.Errorf("%s (-want +got):\n%s", m.Name, d)
		}
	}
}

// The parts in which Traces looks have the shortest histories of the whole, and every kind
// of error that the counts show.
func TestPartsHaveAllHistories(t *testing.T) {
	r, err := computed()
	if err != nil {
		t.Fatal(err)
	}
	race, whole := told()
	for i, m := range mechanisms.All() {
		observer := enumerate.ObserveOn(asks, func(before state, e model.Event, _ state) (answer, bool) {
			a := machine{m}.answered(&before, e)
			return a, len(a.keys()) > 0
		})
		find := func(orders []enumerate.Order[model.Event]) map[errorKey]string {
			found, err := counterexamples.Find(t.Context(), orders, machine{m}, observer, answer.keys, enumerate.Options{})
			if err != nil {
				t.Fatal(err)
			}
			histories := map[errorKey]string{}
			for _, c := range found {
				for _, e := range c.History {
					histories[c.Reason] += e.String() + " "
				}
			}
			return histories
		}
		got := find(traced())
		for _, s := range r.Scenarios {
			for _, e := range s.Ledgers[i].Errors {
				if got[errorKey{e.Kind, e.Reason}] == "" {
					t.Errorf("%s: no history of %s %s, which %s has", m.Name, e.Kind, e.Reason, s.Name)
				}
			}
		}
		if testing.Short() || i%5 != 2 { // the whole is ten times as large
			continue
		}
		if want := find([]enumerate.Order[model.Event]{race, whole, whole.Restrict(func(e model.Event) bool { return !isBreach(e) })}); !cmp.Equal(want, got) {
			t.Errorf("%s: the parts have %v, the whole %v", m.Name, got, want)
		}
	}
}

// One history, as it is told.
func TestNarration(t *testing.T) {
	var b strings.Builder
	for _, history := range []struct{ mechanism, events string }{
		{"release-on-timeout", "original:read original:decide original:write original:dispatch original:timeout retry:read retry:decide retry:write"},
		{"fail-open", "original:read original:decide down original:write"},
		{"never-gives-back", "original:read original:decide original:write original:dispatch original:ack original:timeout original:cancel original:run original:confirm"},
		{"trusts-charges", "unpriced:write unpriced:dispatch down up original:read original:decide original:write original:write#2 original:dispatch original:run " +
			"original:timeout original:overcharge original:charge original:reconcile"},
		{"idempotent-by-amount", "original:read original:decide original:write original:dispatch original:run original:timeout original:charge " +
			"retry:read retry:decide retry:write retry:dispatch retry:run retry:charge"},
		{"atomic", "original:read original:decide original:write original:dispatch original:cancel original:timeout original:reconcile"},
		{"atomic", "original:read original:decide original:write original:dispatch original:timeout original:reconcile"},
		{"atomic", "r1:read r1:decide r1:write r2:read r2:decide r2:write r3:read r3:decide r3:write r4:read r4:decide r4:write"},
	} {
		m, err := mechanisms.Named(history.mechanism)
		if err != nil {
			t.Fatal(err)
		}
		trace, err := Explain(m, strings.Fields(history.events)...)
		if err != nil {
			t.Fatal(err)
		}
		counterexamples.WriteText(&b, trace)
		b.WriteString("\n")
	}
	golden(t, "narration.golden", b.String())
}

func TestExplainRefuses(t *testing.T) {
	for _, tt := range []struct{ name, events, want string }{
		{"nothing", "", "empty"},
		{"an unknown event", "original:fly", `unknown event "original:fly"`},
		{"too early", "original:write", "before original:read"},
		{"two orders in one", "r1:read original:read", "original:read"},
		{"a racer too many", "r5:read", "r1 to r4"},
		{"ends with no question", "original:read", "asked nothing: end it with"},
		{"ends with a release of nothing", "original:read original:decide original:write original:cancel original:confirm", "asked nothing"},
		{"the end", "end", "end"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			trace, err := Explain(mechanisms.Atomic, strings.Fields(tt.events)...)
			if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "\n") || len(trace.Steps) > 0 {
				t.Errorf("Explain(%q) has the error %v, and %d steps", tt.events, err, len(trace.Steps))
			}
		})
	}
}

func TestRunHistory(t *testing.T) {
	RunHistory(t, mechanisms.Atomic, strings.Fields("original:read original:decide original:write original:dispatch original:timeout")...)
	m, err := mechanisms.Named("release-on-timeout")
	if err != nil {
		t.Fatal(err)
	}
	failed := false
	t.Run("wrong", func(t *testing.T) {
		inner := &testing.T{}
		done := make(chan bool)
		go func() { // Errorf of a T that is nobody's marks it as failed
			defer close(done)
			RunHistory(inner, m, strings.Fields("original:read original:decide original:write original:dispatch original:timeout")...)
		}()
		<-done
		failed = inner.Failed()
	})
	if !failed {
		t.Error("a history in which the mechanism is wrong does not fail")
	}
}

// The events that are marked are those that others depend on.
func TestMarks(t *testing.T) {
	trace, err := Explain(mechanisms.Atomic, strings.Fields("original:read original:decide original:write down original:dispatch original:run up original:cancel")...)
	if err != nil {
		t.Fatal(err)
	}
	var marked []string
	for i, s := range trace.Steps {
		if s.Marked {
			marked = append(marked, trace.Schedule[i])
		}
	}
	if want := []string{"down", "original:run", "up", "original:cancel"}; !slices.Equal(marked, want) {
		t.Errorf("marked are %v, want %v", marked, want)
	}
}

// What nothing is asked at comes out as what it is compared with: it is no nearest history.
func TestNothingAskedIsNoDifference(t *testing.T) {
	m, err := mechanisms.Named("release-on-timeout")
	if err != nil {
		t.Fatal(err)
	}
	var history []model.Event
	for name := range strings.FieldsSeq("original:read original:decide original:write down original:dispatch up original:timeout") {
		e, err := model.ParseEvent(name)
		if err != nil {
			t.Fatal(err)
		}
		history = append(history, e)
	}
	for _, wrong := range []bool{true, false} {
		if got := outcome(m, history, history[len(history)-1], wrong).Wrong; got != wrong {
			t.Errorf("compared with an answer that is wrong (%t) it comes out as %t", wrong, got)
		}
	}
}
