package contract

import (
	"bytes"
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"example.com/commitpoint/counterexamples"
	"example.com/commitpoint/enumerate"
	"example.com/commitpoint/mechanisms/contract"
	model "example.com/commitpoint/model/contract"
)

// traced are the traces of every mechanism, in their order.
var traced = sync.OnceValues(func() ([][]counterexamples.Trace, error) {
	var all [][]counterexamples.Trace
	for _, m := range contract.All() {
		traces, err := Traces(context.Background(), m, enumerate.Options{})
		if err != nil {
			return nil, err
		}
		all = append(all, traces)
	}
	return all, nil
})

func tracesOfAll(t testing.TB) [][]counterexamples.Trace {
	t.Helper()
	all, err := traced()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// What goes wrong with each mechanism, in the order of Traces: kind, reason, family and the
// number of events.
const wantTraces = `complete:
without-active: +active/ownership/7
without-caller: +caller/identity/5
without-attempt: +ownership/lost-fences/8
without-fence: +ownership/lost-attempts/8
without-incarnation: +ownership/restored/7
without-lease: +lease/race/6
without-scope: +scope/unclean-path/6
without-grant: +grant/resent/6
without-contract: +contract/authority/7 +evidence/authority/7
without-dependencies: +dependencies/objects/7
without-bases: +bases/objects/7
without-binding: +evidence/resent/6
without-criteria: +evidence/evidence/4
without-identity: -active/resent/6 -bases/resent/6 -grant/resent/7 -lease/race/7 -binding/resent/8
id-alone: +identity/identity/7
any-caller: +identity/identity/7
preflight: +lease/race/6 +ownership/race/6 +grant/resent/6 +active/ownership/7 +contract/authority/7 +evidence/authority/7 +dependencies/objects/7 +bases/objects/7 +scope/objects/7 -criteria/resent/5 -active/resent/6 -caller/resent/6 -attempt/resent/6 -fence/resent/6 -incarnation/resent/6 -lease/resent/6 -scope/resent/6 -grant/resent/6 -contract/resent/6 -dependencies/resent/6 -bases/resent/6 -binding/resent/6
fence-for-attempt: +ownership/restored/7
attempt-for-fence: +ownership/restored/7
outer-attempt: +caller/identity/5 +ownership/identity/6
inner-attempt: +caller/identity/5 +ownership/ownership/7
own-receipts: +evidence/evidence/4
first-grant: +grant/authority/7
declared-paths: +scope/unclean-path/6 -scope/other-spelling/6
cached-grant: +grant/resent/6
unguarded-sweeper: -caller/writers/8 -attempt/writers/8 -fence/writers/8 -lease/writers/8
unguarded-failure:
fail-on-refusal: -active/resent/6 -caller/race/12 -attempt/race/12 -fence/race/12 -incarnation/race/12 -lease/race/12
torn-publication:
`

func TestTracesOfAll(t *testing.T) {
	var got strings.Builder
	for i, m := range contract.All() {
		fmt.Fprintf(&got, "%s:", m.Name)
		for _, trace := range tracesOfAll(t)[i] {
			kind := map[string]string{"unsafe-accept": "+", "eligible-reject": "-"}[trace.Kind]
			_, family, _ := strings.Cut(strings.TrimSuffix(trace.Summary, ")"), "(family ")
			fmt.Fprintf(&got, " %s%s/%s/%d", kind, trace.Reason, family, len(trace.Schedule))
		}
		fmt.Fprintln(&got)
	}
	if got.String() != wantTraces {
		t.Errorf("traces, + of an unsafe accept, - of an eligible reject:\n%s\nwant\n%s", &got, wantTraces)
	}
}

// Each trace says why, and is what comes of its history when it is run again, however it
// was written in between.
func TestTracesRunAgain(t *testing.T) {
	for i, m := range contract.All() {
		traces := tracesOfAll(t)[i]
		var b bytes.Buffer
		if err := counterexamples.WriteJSON(&b, traces); err != nil {
			t.Fatal(err)
		}
		read, err := counterexamples.ReadJSON(&b)
		if err != nil {
			t.Fatalf("%s: %v", m.Name, err)
		}
		if len(traces) > 0 && !reflect.DeepEqual(read, traces) {
			t.Errorf("%s: the traces are others after a round trip through JSON", m.Name)
		}
		known := map[string]bool{}
		for _, trace := range traces {
			checkTrace(t, m, trace)
			if key := trace.Kind + " " + trace.Reason; known[key] {
				t.Errorf("%s: %s comes twice", m.Name, key)
			} else {
				known[key] = true
			}
		}
	}
}

func checkTrace(t *testing.T, m contract.Mechanism, trace counterexamples.Trace) {
	t.Helper()
	again, err := Explain(m, trace.Schedule...)
	if err != nil {
		t.Fatal(err)
	}
	name := fmt.Sprintf("%s, %s %s", m.Name, trace.Kind, trace.Reason)
	reasons := trace.Oracle.Reasons
	if trace.Kind == "eligible-reject" {
		reasons = trace.FailedChecks
	}
	if !slices.Contains(reasons, trace.Reason) || trace.Oracle.Eligible != (trace.Kind == "eligible-reject") {
		t.Errorf("%s: for the reasons %v, eligible %v", name, reasons, trace.Oracle.Eligible)
	}
	if accepted := trace.Decision != "refused"; accepted == trace.Oracle.Eligible || trace.Mechanism != "contract/"+m.Name {
		t.Errorf("%s: %s by %s is not wrong", name, trace.Decision, trace.Mechanism)
	}
	if len(trace.Steps) != len(trace.Schedule) || trace.Steps[len(trace.Steps)-1].Event != trace.Schedule[len(trace.Schedule)-1] {
		t.Errorf("%s: %d steps of %v", name, len(trace.Steps), trace.Schedule)
	}
	// Another family may admit the history, and so have other neighbors.
	again.Reason, again.Summary, again.Nearest = trace.Reason, trace.Summary, trace.Nearest
	if !reflect.DeepEqual(again, trace) {
		t.Errorf("%s: run again it is\n%+v\nand was\n%+v", name, again, trace)
	}
}

func TestTracesAreTheSameForAnyWorkers(t *testing.T) {
	for _, name := range []string{"preflight", "complete", "any-caller"} {
		i := slices.IndexFunc(contract.All(), func(m contract.Mechanism) bool { return m.Name == name })
		for _, workers := range []int{1, 3} {
			got, err := Traces(t.Context(), contract.All()[i], enumerate.Options{Workers: workers})
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, tracesOfAll(t)[i]) {
				t.Errorf("%s: other traces with %d workers", name, workers)
			}
		}
	}
}

// What is told of a history: the decision and why, what it relied on, what the oracle says,
// what to do about it.
func TestExplain(t *testing.T) {
	const chain = "a:read a:candidate a:verify "
	const everything = "active caller attempt fence incarnation lease scope grant contract dependencies bases binding criteria"
	tests := []struct {
		mechanism, history string
		decision, kind     string
		relied, failed     string
		reasons            string
		note, last         string // the first note, and the effect of the last event
	}{
		{"complete", chain + "a:commit", "accepted", "", everything, "", "",
			"eligible: nothing that the contract asks for was missing", "ACCEPTED   relied on: " + strings.ReplaceAll(everything, " ", ", ")},
		{"complete", chain + "lease-expire a:commit", "refused", "", "", "lease", "lease",
			"not eligible: the lease had run out", "REFUSED   failed: lease"},
		{"complete", chain + "a:commit a:retry", "answered", "", "", "active bases", "",
			"eligible: it is the request that was recorded, and asks for its receipt", "ANSWERED   with the receipt of the recorded request"},
		{"complete", chain + "a:commit a:retry-other", "refused", "", "", "identity", "identity",
			"not eligible: the request id belongs to another request", "REFUSED   its id belongs to another request"},
		{"without-lease", chain + "lease-expire a:commit", "accepted", "unsafe-accept", strings.Replace(everything, "lease ", "", 1), "lease", "lease",
			"not eligible: the lease had run out", "ACCEPTED   relied on: " + strings.ReplaceAll(strings.Replace(everything, "lease ", "", 1), " ", ", ")},
		{"preflight", chain + "a:preflight cancel a:commit", "accepted", "unsafe-accept", everything, "active", "active",
			"not eligible: the task had been completed, cancelled or failed", "ACCEPTED   relied on the answer of preflight"},
		{"preflight", chain + "a:commit", "refused", "eligible-reject", "", everything, "",
			"eligible: nothing that the contract asks for was missing", "REFUSED   failed: " + strings.ReplaceAll(everything, " ", ", ")},
		{"without-identity", chain + "a:commit a:retry", "refused", "eligible-reject", "", "active bases", "",
			"eligible: it is the request that was recorded, and asks for its receipt", "REFUSED   failed: active, bases"},
		{"without " + everything, "b:commit", "accepted", "unsafe-accept", "",
			"caller attempt fence incarnation contract dependencies bases criteria", "ownership contract dependencies bases evidence",
			"not eligible: the task had been assigned again, or its authority had begun anew", "ACCEPTED"},
	}
	for _, tt := range tests {
		trace, err := Explain(mechanism(t, tt.mechanism), strings.Fields(tt.history)...)
		if err != nil {
			t.Fatal(err)
		}
		got := []string{trace.Decision, trace.Kind, strings.Join(trace.ReliedOn, " "), strings.Join(trace.FailedChecks, " "),
			strings.Join(trace.Oracle.Reasons, " "), trace.Notes[0], trace.Steps[len(trace.Steps)-1].Effect}
		want := []string{tt.decision, tt.kind, tt.relied, tt.failed, tt.reasons, tt.note, tt.last}
		if !slices.Equal(got, want) {
			t.Errorf("%s after %s:\n%q\nwant\n%q", tt.mechanism, tt.history, got, want)
		}
	}
}

// Every event has something to say of it.
func TestEveryEventIsTold(t *testing.T) {
	history := strings.Fields("a:claim a:read a:candidate a:candidate-pair a:candidate-alias a:candidate-unclean a:candidate-case a:verify a:verify-tests " +
		"a:verify-review a:preflight a:refresh a:replace lease-expire renew reclaim restage migrate revoke revoke-second regrant input-edit file-add " +
		"foreign-publish alias-move withdraw-checker publish-policy restart-fences restart-attempts restore sweep-read sweep-write cancel a:report-failure " +
		"a:commit a:retry a:retry-other a:impersonate")
	if len(history) != int(model.SweepWrite) {
		t.Fatalf("%d events, of %d", len(history), model.SweepWrite)
	}
	trace, err := Explain(contract.Complete, history...)
	if err != nil {
		t.Fatal(err)
	}
	effects := map[string]string{}
	for _, s := range trace.Steps {
		if s.Effect == "" || s.Actor == "" || s.Object == "" {
			t.Errorf("%s: %q by %q on %q", s.Event, s.Effect, s.Actor, s.Object)
		}
		if other, ok := effects[s.Effect]; ok && !strings.HasPrefix(s.Effect, "REFUSED") {
			t.Errorf("%s and %s are told alike: %s", s.Event, other, s.Effect)
		}
		effects[s.Effect] = s.Event
	}
}

func TestExplainRefuses(t *testing.T) {
	var long []string
	for n := 2; n <= 65; n++ {
		long = append(long, fmt.Sprintf("a:read#%d", n))
	}
	tests := []struct {
		name   string
		events []string
		want   string
	}{
		{"no request at the end", strings.Fields("a:read a:commit cancel"), `history "a:read a:commit cancel" does not end with a request, as in a:commit: there is nothing to judge`},
		{"nothing", nil, `history "" does not end with a request, as in a:commit: there is nothing to judge`},
		{"an event twice", strings.Fields("a:read a:read a:commit"), "the events are no history: order declares a:read twice: events have to differ, whoever their actor"},
		{"an event of the environment twice", strings.Fields("cancel cancel a:commit"), "the events are no history: order declares cancel twice: events have to differ, whoever their actor"},
		{"65 events", append(long, "a:commit"), "the events are no history: order has 65 events, at most 64 are possible: a:commit is one too many"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := Explain(contract.Complete, tt.events...); err == nil || err.Error() != tt.want {
				t.Errorf("error %q\nwant %s", err, tt.want)
			}
		})
	}
	if _, err := Explain(contract.Complete, "a:read", "a:comit"); err == nil || !strings.HasPrefix(err.Error(), `unknown event "a:comit": the events are a:claim, `) {
		t.Errorf("error %v, want the names of what there is", err)
	}
	if _, err := Explain(contract.Complete, append(long[1:], "a:commit")...); err != nil {
		t.Errorf("64 events: %v", err)
	}
}

// A test of one history passes when its request is decided rightly.
func TestRunHistory(t *testing.T) {
	RunHistory(t, contract.Complete, "a:read", "a:candidate", "a:verify", "lease-expire", "a:commit")
	RunHistory(t, mechanism(t, "without-lease"), "a:read", "a:candidate", "a:verify", "a:commit")
}
