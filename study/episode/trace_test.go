package episode

import (
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/commitpoint/counterexamples"
	"example.com/commitpoint/enumerate"
	mechanisms "example.com/commitpoint/mechanisms/episode"
	model "example.com/commitpoint/model/episode"
	oracle "example.com/commitpoint/oracle/episode"
)

var update = flag.Bool("update", false, "rewrite the files in testdata")

// The beginnings of histories: what it takes to be allowed, at the first chance and the
// second, and to dispatch.
const (
	guarded = "approve evidence first:observe "
	twice   = "first:observe first:admit approve evidence first:observe#2 first:admit#2 "
	escaped = "first:observe first:admit first:observe#2 first:admit#2 "
	sent    = twice + "first:reserve first:dispatch "
	heard   = sent + "effect repeat confirm "

	unadmitted = "replace successor:observe successor:admit successor:reserve" // a whole history
)

// The shortest history of each error of each mechanism.
func TestTraces(t *testing.T) {
	want := map[string][]string{
		"dispatch-on-allow": {
			"unsafe-accept no-reservation: first:observe first:admit second:reserve approve evidence first:observe#2 first:admit#2 first:reserve first:dispatch",
		},
		"reserves-unadmitted": {
			"unsafe-accept no-fresh-authority: " + unadmitted,
			"unsafe-accept not-approved: " + unadmitted,
			"unsafe-accept no-evidence: " + unadmitted,
			"unsafe-accept no-decision: " + unadmitted,
			"unsafe-accept revoked: " + escaped + "revoke first:reserve",
			"unsafe-accept replaced: " + escaped + "replace first:reserve",
			"unsafe-accept stale-view: " + twice + "expire first:reserve",
		},
		"allow-is-forever": {
			"unsafe-accept stale-view: " + twice + "expire first:reserve",
			"unsafe-accept revoked: " + twice + "revoke first:reserve",
			"unsafe-accept replaced: " + twice + "replace first:reserve",
			"unsafe-accept no-fresh-authority: approve evidence replace authorize successor:observe successor:admit revoke successor:reserve",
		},
		"trusts-views": {
			"unsafe-accept stale-view: " + guarded + "expire first:admit",
			"unsafe-accept revoked: " + guarded + "revoke first:admit",
			"unsafe-accept replaced: " + guarded + "replace first:admit",
			"unsafe-accept no-fresh-authority: approve evidence replace authorize successor:observe revoke successor:admit",
		},
		"hold-is-allow": {
			"unsafe-accept no-evidence: approve first:observe first:admit",
			"unsafe-accept stale-view: approve first:observe evidence first:admit",
			"unsafe-accept revoked: approve first:observe revoke first:admit",
			"unsafe-accept replaced: approve first:observe replace first:admit",
			"unsafe-accept no-fresh-authority: approve replace authorize successor:observe revoke successor:admit",
		},
		"approval-rewrites": {
			"unsafe-accept no-evidence: " + escaped + "approve first:reserve",
			"unsafe-accept no-decision: " + escaped + "approve first:reserve",
			"unsafe-accept revoked: " + escaped + "revoke approve first:reserve",
			"unsafe-accept replaced: " + escaped + "replace approve first:reserve",
			"unsafe-accept no-fresh-authority: replace authorize successor:observe revoke successor:admit approve successor:reserve",
		},
		"revoke-erases": {
			"unsafe-accept open-obligation: " + sent + "revoke effect repeat confirm accept close",
		},
		"inherits-authority": {
			"unsafe-accept no-fresh-authority: approve evidence replace successor:observe successor:admit",
		},
		"reserve-twice": {
			"unsafe-accept reserved-by-another: first:observe first:admit second:reserve approve evidence first:observe#2 first:admit#2 first:reserve",
			"unsafe-accept no-reservation: first:observe first:admit second:reserve approve evidence first:observe#2 first:admit#2 first:reserve first:dispatch",
		},
		"ack-is-effect": {
			"unsafe-accept unknown-effect: " + sent + "effect ack accept",
			"unsafe-accept no-accepted-evidence: " + sent + "effect ack discharge accept close",
		},
		"unknown-is-done": {
			"unsafe-accept unknown-effect: " + sent + "effect accept",
			"unsafe-accept no-accepted-evidence: " + sent + "effect discharge accept close",
		},
		"redispatch-on-silence": {
			"unsafe-accept unknown-effect: " + sent + "effect repeat",
		},
		"ignores-contradiction": {
			"unsafe-accept contested: " + heard + "contradict accept",
			"unsafe-accept no-accepted-evidence: " + heard + "contradict discharge accept close",
		},
		"last-word-wins": {
			"unsafe-accept contested: " + sent + "effect repeat contradict confirm accept",
			"unsafe-accept no-accepted-evidence: " + sent + "effect repeat contradict confirm discharge accept close",
		},
		"closes-with-open-obligation": {
			"unsafe-accept open-obligation: " + heard + "accept close",
		},
		"output-is-outcome": {
			"unsafe-accept no-accepted-evidence: " + sent + "effect repeat discharge accept confirm close",
		},
		"ended-is-fulfilled": {
			"unsafe-accept unknown-effect: " + escaped + "first:reserve first:dispatch effect accept close",
			"unsafe-accept no-accepted-evidence: " + escaped + "first:reserve first:dispatch effect accept close",
			"unsafe-accept open-obligation: " + escaped + "first:reserve first:dispatch effect accept close",
			"unsafe-accept contested: " + sent + "effect contradict accept close",
		},
		"never-closes": {
			"eligible-reject closure: " + heard + "discharge accept close",
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
			again, err := Explain(m, x.Schedule...)
			if same, difference := x.SameOutcome(again); err != nil || !same {
				t.Errorf("%s: %v, %s", m.Name, err, difference)
			}
			if x.Mechanism != "episode/"+m.Name || x.Oracle.Eligible != (x.Kind == "eligible-reject") {
				t.Errorf("%s goes by %s, and %v is eligible: %t", m.Name, x.Mechanism, x.Schedule, x.Oracle.Eligible)
			}
			if x.Nearest != nil && x.Nearest.Decision == "" {
				t.Errorf("%s: the nearest history of %v is one in which nothing is asked", m.Name, x.Schedule)
			}
		}
		if d := cmp.Diff(want[m.Name], got); d != "" {
			t.Errorf("%s (-want +got):\n%s", m.Name, d)
		}
	}
}

// The shortest history in which each property is broken, by the mechanism whose flaw it is
// about.
func TestShortestViolations(t *testing.T) {
	want := map[string]struct{ mechanism, history string }{
		"ALLOW only if every guard passes on a current view":                            {"trusts-views", guarded + "expire first:admit"},
		"a reservation takes a current ALLOW":                                           {"reserves-unadmitted", unadmitted},
		"nothing is dispatched without a current ALLOW and a reservation":               {"dispatch-on-allow", "first:observe first:admit second:reserve approve evidence first:observe#2 first:admit#2 first:reserve first:dispatch"},
		"an approval rewrites no decision":                                              {"approval-rewrites", "first:observe first:admit approve"},
		"a revocation erases no obligation":                                             {"revoke-erases", "revoke"},
		"a successor dispatches nothing without authority of its own":                   {"inherits-authority", "approve evidence replace successor:observe successor:admit successor:reserve successor:dispatch"},
		"one reservation of a resource succeeds":                                        {"reserve-twice", "first:observe first:admit second:reserve approve evidence first:observe#2 first:admit#2 first:reserve"},
		"fulfilled means accepted evidence, nothing owed, nothing contested or unknown": {"closes-with-open-obligation", heard + "accept close"},
		"what may have taken effect is not dispatched again":                            {"redispatch-on-silence", sent + "effect repeat"},
		"an observation rewrites no earlier one":                                        {"last-word-wins", heard + "contradict"},
		"what is due is not refused":                                                    {"never-closes", heard + "discharge accept close"},
	}
	for i, name := range oracle.PropertyNames {
		w, ok := want[name]
		if !ok {
			t.Errorf("no history of %q", name)
			continue
		}
		m, err := mechanisms.Named(w.mechanism)
		if err != nil {
			t.Fatal(err)
		}
		found, err := counterexamples.FindViolations(t.Context(), traced(), machine{m}, properties()[i:i+1], enumerate.Options{})
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, c := range found {
			got = text(c.History)
		}
		if got != w.history {
			t.Errorf("%q by %s: %s, want %s", name, w.mechanism, got, w.history)
		}
	}
}

func text(history []event) string {
	var names []string
	for _, e := range history {
		names = append(names, e.String())
	}
	return strings.Join(names, " ")
}

// The parts in which Traces looks have the shortest histories of the whole, and every kind
// of error that the counts show.
func TestPartsHaveAllHistories(t *testing.T) {
	r, err := computed()
	if err != nil {
		t.Fatal(err)
	}
	for i, m := range mechanisms.All() {
		observer := enumerate.ObserveOn(asks, func(before state, e event, _ state) (answer, bool) {
			a := machine{m}.answered(&before, e)
			return a, len(a.keys()) > 0
		})
		find := func(orders ...enumerate.Order[event]) map[errorKey]string {
			found, err := counterexamples.Find(t.Context(), orders, machine{m}, observer, answer.keys, enumerate.Options{})
			if err != nil {
				t.Fatal(err)
			}
			histories := map[errorKey]string{}
			for _, c := range found {
				histories[c.Reason] = text(c.History)
			}
			return histories
		}
		got := find(traced()...)
		if len(got) != len(r.Services[i].Errors) {
			t.Errorf("%s: %d histories of %d errors", m.Name, len(got), len(r.Services[i].Errors))
		}
		for _, e := range r.Services[i].Errors {
			if got[errorKey{e.Kind, e.Reason}] == "" {
				t.Errorf("%s: no history of %s %s, which the whole has", m.Name, e.Kind, e.Reason)
			}
		}
		if testing.Short() || i%4 != 3 { // the whole is ten times as large
			continue
		}
		if want := find(told()); !cmp.Equal(want, got) {
			t.Errorf("%s: the parts have %v, the whole %v", m.Name, got, want)
		}
	}
}

// Some histories, as they are told.
func TestNarration(t *testing.T) {
	var b strings.Builder
	for _, history := range []struct{ mechanism, events string }{
		{"allow-is-forever", guarded + "first:admit first:observe#2 first:admit#2 first:reserve revoke first:dispatch"},
		{"approval-rewrites", escaped + "evidence expire approve second:reserve first:reserve"},
		{"inherits-authority", "approve evidence replace successor:observe successor:admit"},
		{"complete", "approve evidence replace successor:observe authorize revoke successor:admit"},
		{"redispatch-on-silence", sent + "effect ack repeat"},
		{"last-word-wins", sent + "contradict effect repeat confirm review discharge accept close"},
		{"revoke-erases", escaped + "first:reserve first:dispatch revoke effect repeat ack confirm contradict review discharge accept close transfer close#2"},
		{"never-closes", heard + "contradict discharge accept close transfer close#2"},
		{"complete", heard + "discharge accept close"},
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
	const file = "testdata/narration.golden"
	if *update {
		if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), b.String()); d != "" {
		t.Error(d)
	}
}

func TestExplainRefuses(t *testing.T) {
	for _, tt := range []struct{ name, events, want string }{
		{"nothing", "", "empty"},
		{"an unknown event", "first:fly", `unknown event "first:fly"`},
		{"an event of no order", "second:observe", "second:observe"},
		{"too early", "first:admit", "before first:observe"},
		{"twice", "approve approve", "approve"},
		{"ends with no question", "first:observe", "asked nothing: end it with"},
		{"ends with a repetition of nothing", escaped + "first:reserve first:dispatch effect repeat", "asked nothing"},
		{"ends with a closure of what is fulfilled", heard + "discharge accept close transfer close#2", "close#2, at which the service is asked nothing"},
		{"the end", "end", "end"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			trace, err := Explain(mechanisms.Complete, strings.Fields(tt.events)...)
			if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "\n") || len(trace.Steps) > 0 {
				t.Errorf("Explain(%q) has the error %v, and %d steps", tt.events, err, len(trace.Steps))
			}
		})
	}
}

func TestRunHistory(t *testing.T) {
	RunHistory(t, mechanisms.Complete, strings.Fields(heard+"discharge accept close")...)
	m, err := mechanisms.Named("ended-is-fulfilled")
	if err != nil {
		t.Fatal(err)
	}
	failed := false
	t.Run("wrong", func(t *testing.T) {
		inner := &testing.T{}
		done := make(chan bool)
		go func() { // Errorf of a T that is nobody's marks it as failed
			defer close(done)
			RunHistory(inner, m, strings.Fields(heard+"accept close")...)
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
	trace, err := Explain(mechanisms.Complete, strings.Fields(sent+"replace authorize revoke expire effect ack repeat confirm contradict review discharge accept close")...)
	if err != nil {
		t.Fatal(err)
	}
	var marked []string
	for i, s := range trace.Steps {
		if s.Marked {
			marked = append(marked, trace.Schedule[i])
		}
	}
	if want := []string{"approve", "evidence", "replace", "authorize", "revoke", "expire", "effect", "contradict"}; !slices.Equal(marked, want) {
		t.Errorf("marked are %v, want %v", marked, want)
	}
}

// Every kind of event can be told, and every act that a kind can have.
func TestEverythingIsTold(t *testing.T) {
	for _, e := range life() {
		if tellings[e.Kind].yes == "" || (tellings[e.Kind].needs != 0) != (tellings[e.Kind].none != "") {
			t.Errorf("%v is told as %v", e, tellings[e.Kind])
		}
		if asks(e) && e.Kind != model.Admit && said(e.Kind, model.Agree) == "" {
			t.Errorf("nothing is said of agreeing to %v", e)
		}
	}
	for q := oracle.Admission; q <= oracle.Closure; q++ {
		if decisions[q].yes == "" || decisions[q].no == "" || decisions[q].object == "" || therefore[q] == "" {
			t.Errorf("%v has no words", q)
		}
	}
}
