package study

import (
	"bytes"
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"example.com/commitpoint/counterexamples"
	"example.com/commitpoint/enumerate"
	"example.com/commitpoint/mechanisms"
	"example.com/commitpoint/model"
	"example.com/commitpoint/oracle"
)

func mechanism(t testing.TB, name string) mechanisms.Mechanism {
	t.Helper()
	m, err := mechanisms.Named(name)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func tracesOf(t testing.TB, opt Options, name string) []counterexamples.Trace {
	t.Helper()
	traces, err := opt.Traces(t.Context(), mechanism(t, name))
	if err != nil {
		t.Fatal(err)
	}
	return traces
}

// parsed reads the events of a history that are separated by spaces.
func parsed(t testing.TB, text string) []model.Event {
	t.Helper()
	history, err := ParseHistory(strings.Fields(text)...)
	if err != nil {
		t.Fatal(err)
	}
	return history
}

// An ending is how a history ends for one mechanism, by taking one step after another
// of the model alone.
type ending struct {
	states   []model.State // before the first event, and after each
	decision mechanisms.Decision
	accepted bool
	failed   model.Checks // of the contract at the commit
	reasons  oracle.Reasons
}

func stepThrough(m mechanisms.Mechanism, history []model.Event) (end ending) {
	s, facts := model.Initial(), oracle.Begin()
	end.states = append(end.states, s)
	for _, e := range history {
		r := s.Request()
		if e.Kind == model.Preflight && m.At == mechanisms.Preflight || e.Kind == model.Commit && m.At == mechanisms.Commit {
			end.decision = m.Decide(s, r)
		}
		if e.Kind == model.Commit {
			end.accepted, end.failed, end.reasons = end.decision.Accepted, mechanisms.Failed(s, r)&model.All, facts.Judge(r).Reasons
			s.Ledger, _, _ = s.Ledger.Complete(r, end.accepted)
		}
		s = model.Next(s, e)
		if facts = facts.Observe(e); e.Kind == model.TrustedVerify {
			facts = facts.Record(s.Evidence)
		}
		end.states = append(end.states, s)
	}
	return end
}

// errors returns "kind reason" of all that is wrong, and the kind.
func (e ending) errors() (keys []string, kind string) {
	names := []string{}
	switch {
	case e.accepted && e.reasons != 0:
		kind, names = "unsafe-accept", e.reasons.Names()
	case !e.accepted && e.reasons == 0:
		kind, names = "eligible-reject", e.decision.Failed.Names()
	}
	for _, name := range names {
		keys = append(keys, kind+" "+name)
	}
	return keys, kind
}

// What Traces returns for each of the thirteen, in order, and in how many schedules or
// controls it shows.
const wantTraces = `self-report: inputs 2,272 of 6,694 schedules, 6,224 in all
self-report: artifact 1,704 of 6,694 schedules, 6,224 in all
self-report: evidence 568 of 6,694 schedules, 6,224 in all
self-report: lease 2,485 of 6,694 schedules, 6,224 in all
self-report: attempt 2,320 of 6,694 schedules, 6,224 in all
self-report: grant 2,840 of 6,694 schedules, 6,224 in all
self-report: task 1 of 7 directed controls, no schedule
self-report: contract 1 of 7 directed controls, no schedule
attempt-lease: inputs 964 of 6,694 schedules, 1,914 in all
attempt-lease: artifact 723 of 6,694 schedules, 1,914 in all
attempt-lease: evidence 241 of 6,694 schedules, 1,914 in all
attempt-lease: grant 1,205 of 6,694 schedules, 1,914 in all
attempt-lease: task 1 of 7 directed controls, no schedule
attempt-lease: contract 1 of 7 directed controls, no schedule
preflight-cached: inputs 218 of 6,694 schedules, 718 in all
preflight-cached: artifact 200 of 6,694 schedules, 718 in all
preflight-cached: lease 221 of 6,694 schedules, 718 in all
preflight-cached: attempt 197 of 6,694 schedules, 718 in all
preflight-cached: grant 239 of 6,694 schedules, 718 in all
without-attempt: attempt 667 of 6,694 schedules
without-attempt: lease 243 of 6,694 schedules, 667 in all
without-lease: lease 517 of 6,694 schedules
without-grant: grant 512 of 6,694 schedules
without-inputs: inputs 328 of 6,694 schedules
without-artifact: artifact 134 of 6,694 schedules
without-evidence: evidence 4 of 7 directed controls, no schedule
without-contract: task 1 of 7 directed controls, no schedule
without-contract: contract 1 of 7 directed controls, no schedule
latest-policy: latest-policy 236 of 6,694 schedules
`

func TestTracesOfTheThirteen(t *testing.T) {
	var got strings.Builder
	for _, m := range mechanisms.All() {
		for _, trace := range tracesOf(t, Options{}, m.Name) {
			_, summary, _ := strings.Cut(trace.Summary, "(")
			fmt.Fprintf(&got, "%s: %s %s\n", m.Name, trace.Reason, strings.TrimSuffix(summary, ")"))
			kind, did := "unsafe-accept", "accepted a completion that was not eligible"
			if m.Name == "latest-policy" {
				kind, did = "eligible-reject", "refused a completion that was eligible"
			}
			if trace.Kind != kind || trace.Mechanism != m.Name || !strings.HasPrefix(trace.Summary, fmt.Sprintf("%q %s (", m.Name, did)) {
				t.Errorf("%s: %s, %s", m.Name, trace.Kind, trace.Summary)
			}
		}
	}
	if got.String() != wantTraces {
		t.Errorf("traces:\n%s\nwant\n%s", &got, wantTraces)
	}
}

// The counts, the shortest histories and the order once more, from every schedule on
// its own, for mechanisms that make errors of both kinds too.
func TestTracesAgreeWithSteppingThrough(t *testing.T) {
	strict := mechanisms.AtPreflight(mechanisms.Mechanism{Name: "strict early", Requires: model.All | model.LatestPolicy})
	careless := mechanisms.Mechanism{Name: "careless and strict", Requires: model.LatestPolicy | model.Inputs}
	for _, m := range append(mechanisms.All(), strict, careless) {
		counts, inAll, shortest := map[string]int{}, map[string]int{}, map[string][]model.Event{}
		for _, o := range Scenarios(MaxEnvironment) {
			for schedule := range o.Schedules() {
				history := schedule[:slices.Index(schedule, commit)+1]
				keys, kind := stepThrough(m, history).errors()
				inAll[kind]++
				for _, key := range keys {
					if counts[key]++; counts[key] == 1 || compareEvents(history, shortest[key]) < 0 {
						shortest[key] = history
					}
				}
			}
		}
		traces, err := Options{}.Traces(t.Context(), m)
		if err != nil {
			t.Fatal(err)
		}
		var order []string
		for _, trace := range traces {
			key := trace.Kind + " " + trace.Reason
			order = append(order, key)
			if shortest[key] == nil {
				continue // it shows in controls alone
			}
			want := fmt.Sprintf("(%s of 6,694 schedules", commas(counts[key]))
			if inAll[trace.Kind] > counts[key] {
				want += fmt.Sprintf(", %s in all", commas(inAll[trace.Kind]))
			}
			if !strings.HasSuffix(trace.Summary, want+")") || !slices.Equal(trace.Schedule, model.Names(shortest[key])) {
				t.Errorf("%s, %s: %s, %v\nwant %s) and %v", m.Name, key, trace.Summary, trace.Schedule, want, shortest[key])
			}
		}
		sorted := slices.Clone(order)
		slices.SortStableFunc(sorted, func(a, b string) int {
			return cmp.Or(-cmp.Compare(a[:1], b[:1]), -cmp.Compare(min(1, counts[a]), min(1, counts[b])), compareEvents(shortest[a], shortest[b]))
		})
		if len(counts) > len(traces) || !slices.Equal(order, sorted) {
			t.Errorf("%s: traces of %q, %d of them in schedules; want the order %q", m.Name, order, len(counts), sorted)
		}
	}
}

// compareEvents compares histories of the study's events.
func compareEvents(a, b []model.Event) int {
	positions := func(history []model.Event) (list []int) {
		for _, e := range history {
			list = append(list, int(e.Kind)) // the universe is declared in the order of kinds
		}
		return list
	}
	return enumerate.CompareHistories(positions(a), positions(b))
}

func commas(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%d,%03d", n/1000, n%1000)
}

// What shows in controls alone comes in the order of the reasons, however the controls
// are called.
func TestTracesOfControls(t *testing.T) {
	var got []string
	for _, trace := range tracesOf(t, Options{Scenarios: Scenarios(0), Mechanisms: make([]mechanisms.Mechanism, 65)}, "self-report") {
		got = append(got, trace.Reason+" by "+trace.Steps[3].Event)
	}
	if want := []string{"evidence by forged-receipt", "task by other-task", "contract by other-contract"}; !slices.Equal(got, want) {
		t.Errorf("in the bare chain %q, want %q", got, want)
	}
}

// A trace is what Explain tells of its history; only a control can't be told again.
func TestTracesAreExplained(t *testing.T) {
	var all []counterexamples.Trace
	for _, m := range mechanisms.All() {
		for _, trace := range tracesOf(t, Options{}, m.Name) {
			all = append(all, trace)
			again, err := Explain(m, parsed(t, strings.Join(trace.Schedule, " ")))
			if err != nil {
				t.Fatal(err)
			}
			control := len(trace.Steps) > len(trace.Schedule)
			same, difference := trace.SameOutcome(again)
			again.Reason, again.Summary = trace.Reason, trace.Summary
			if same == control || !control && !reflect.DeepEqual(again, trace) {
				t.Errorf("%s, %s: explained again it is the same: %v, %s\n%+v\n%+v", m.Name, trace.Reason, same, difference, trace, again)
			}
			if control && (trace.Nearest != nil || !strings.HasSuffix(trace.Summary, "directed controls, no schedule)")) {
				t.Errorf("%s, %s: %s, with a swap %v", m.Name, trace.Reason, trace.Summary, trace.Nearest)
			}
		}
	}
	var document bytes.Buffer
	if err := counterexamples.WriteJSON(&document, all); err != nil {
		t.Fatal(err)
	}
	read, err := counterexamples.ReadJSON(&document)
	if err != nil || len(read) != len(all) || len(all) != 29 {
		t.Fatalf("%d of %d traces come back from JSON, want 29: %v", len(read), len(all), err)
	}
	for i := range read {
		if same, difference := all[i].SameOutcome(read[i]); !same || !reflect.DeepEqual(read[i], all[i]) {
			t.Errorf("from JSON %s\n%+v\nwant\n%+v", difference, read[i], all[i])
		}
	}
}
