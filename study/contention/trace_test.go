package contention

import (
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"reflect"
	"slices"
	"strings"
	"testing"

	"example.com/commitpoint/counterexamples"
	"example.com/commitpoint/enumerate"
	"example.com/commitpoint/mechanisms"
	"example.com/commitpoint/model"
	"example.com/commitpoint/model/contention"
	"example.com/commitpoint/study"
)

func mechanism(t testing.TB, name string) mechanisms.Mechanism {
	t.Helper()
	m, err := mechanisms.Named(name)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// accepts is the thirteen's table once more.
func (s sight) accepts(m mechanisms.Mechanism) bool {
	if m.At == mechanisms.Preflight {
		return s.early&model.All == 0
	}
	return s.late&m.Requires == 0
}

// errors returns "kind reason" of all that is wrong with a mechanism's decision.
func (s sight) errors(m mechanisms.Mechanism) (keys []string) {
	switch accepts := s.accepts(m); {
	case accepts:
		for _, name := range s.reasons.Names() {
			keys = append(keys, "unsafe-accept "+name)
		}
	case s.reasons != 0:
	case m.At == mechanisms.Preflight:
		keys = append(keys, "eligible-reject preflight")
	default:
		for _, name := range (s.late & m.Requires).Names() {
			keys = append(keys, "eligible-reject "+name)
		}
	}
	return keys
}

// What goes wrong with each of the thirteen, and how often, in the order of Traces.
const wantTraces = `self-report: unsafe-accept attempt 726485760
self-report: unsafe-accept inputs 968647680
self-report: unsafe-accept artifact 1011104640
self-report: unsafe-accept grant 1210809600
self-report: unsafe-accept lease 691891200
attempt-lease: unsafe-accept inputs 380540160
attempt-lease: unsafe-accept artifact 385963200
attempt-lease: unsafe-accept grant 475675200
preflight-cached: unsafe-accept inputs 14230080
preflight-cached: unsafe-accept artifact 17448480
preflight-cached: unsafe-accept grant 19760832
preflight-cached: unsafe-accept lease 12688128
preflight-cached: unsafe-accept attempt 6344064
preflight-cached: eligible-reject preflight 2180064
without-attempt: unsafe-accept attempt 11532960
without-attempt: unsafe-accept lease 8683200
without-lease: unsafe-accept lease 7266240
without-grant: unsafe-accept grant 52417440
without-inputs: unsafe-accept inputs 12883680
without-artifact: unsafe-accept artifact 11159520
latest-policy: eligible-reject latest-policy 7842816
`

// Traces of the thirteen, with the counts once more from a count of one's own and,
// where there is one reason, from the scores; and each told again by Explain.
func TestTracesOfTheThirteen(t *testing.T) {
	counts, err := counted()
	if err != nil {
		t.Fatal(err)
	}
	r, err := Compute(t.Context(), TracedSubmitters, enumerate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	for i, m := range mechanisms.All() {
		want := map[string]uint64{}
		for seen, n := range counts {
			for _, key := range seen.errors(m) {
				want[key] += n
			}
		}
		traces, err := Traces(t.Context(), m, enumerate.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, trace := range traces {
			key := trace.Kind + " " + trace.Reason
			fmt.Fprintf(&got, "%s: %s %d\n", m.Name, key, want[key])
			if suffix := fmt.Sprintf(" (%d times in 726485760 schedules)", want[key]); !strings.HasSuffix(trace.Summary, suffix) {
				t.Errorf("%s, %s: %s\nwant%s", m.Name, key, trace.Summary, suffix)
			}
			checkAgain(t, m, trace)
		}
		if len(want) != len(traces) {
			t.Errorf("%s: %d traces, and %d ways to go wrong: %v", m.Name, len(traces), len(want), want)
		}
		if len(traces) == 1 {
			var sum enumerate.Count
			for _, d := range r.Decisions {
				sum = plus(sum, plus(d.Mechanisms[i].UnsafeAccept, d.Mechanisms[i].EligibleReject))
			}
			if n := want[traces[0].Kind+" "+traces[0].Reason]; sum != enumerate.NewCount(n) {
				t.Errorf("%s goes wrong %d times, and %v times by the scores", m.Name, n, sum)
			}
		}
	}
	if got.String() != wantTraces {
		t.Errorf("traces:\n%s\nwant\n%s", &got, wantTraces)
	}
}

// checkAgain runs the history of a trace again.
func checkAgain(t *testing.T, m mechanisms.Mechanism, trace counterexamples.Trace) {
	t.Helper()
	again, err := Explain(m, trace.Schedule...)
	if err != nil {
		t.Fatal(err)
	}
	if same, difference := trace.SameOutcome(again); !same {
		t.Errorf("%s, %s: %s", m.Name, trace.Reason, difference)
	}
	summary := again.Summary
	again.Reason, again.Summary = trace.Reason, trace.Summary // which say more in a trace
	if !reflect.DeepEqual(again, trace) || !strings.HasPrefix(trace.Summary, summary+" (") {
		t.Errorf("%s, %s: explained again\n%+v\nis\n%+v", m.Name, trace.Reason, trace, again)
	}
	history := parsed(t, trace.Schedule)
	_, seen := follow(history, history[len(history)-1])
	if keys := seen.errors(m); !slices.Contains(keys, trace.Kind+" "+trace.Reason) || trace.Mechanism != "contention/"+m.Name {
		t.Errorf("%s, %s of %s: %v goes wrong by %q", m.Name, trace.Reason, trace.Mechanism, trace.Schedule, keys)
	}
}

// parsed reads the names of events.
func parsed(t *testing.T, names []string) (history []contention.Event) {
	t.Helper()
	for _, name := range names {
		e, err := contention.ParseEvent(name)
		if err != nil {
			t.Fatal(err)
		}
		history = append(history, e)
	}
	return history
}

// follow takes a history event by event and returns the states on the way, with the
// answers of preflight, and what there is to see at the given commit.
func follow(history []contention.Event, commit contention.Event) (states []contention.State, seen sight) {
	at, answers := point{state: contention.Initial()}, [2]bool{}
	for i := range len(history) + 1 {
		s := at.state
		for w, early := range answers {
			s.Submitters[w].Early = early
		}
		if states = append(states, s); i == len(history) {
			break
		}
		e := history[i]
		next, sight := at.step(e)
		if e == commit {
			seen = sight
		}
		if at = next; e.Kind == model.Preflight {
			answers[e.Submitter-1] = at.early[e.Submitter-1]&model.All == 0
		}
	}
	return states, seen
}

// The four ways in which a decision and the truth can meet, told from the side of the
// last submitter, and each step of the way.
func TestExplain(t *testing.T) {
	const chain1, chain2 = "w1:read w1:candidate w1:trusted-verify w1:preflight ", "w2:read w2:candidate w2:trusted-verify w2:preflight "
	const all, none = "attempt, fence, lease, grant, inputs, artifact, evidence, contract", "none"
	tests := []struct{ name, mechanism, history, kind, decision, relied, failed, reasons string }{
		{"right to accept", "atomic", chain1 + "w1:commit", "", "accepted", all, none, none},
		{"wrong to accept", "without-lease", chain1 + "lease-expire w1:commit",
			"unsafe-accept", "accepted", strings.Replace(all, "lease, ", "", 1), "lease", "lease"},
		{"right to refuse", "atomic", chain1 + "lease-expire w1:commit", "", "refused", none, "lease", "lease"},
		{"wrong to refuse", "latest-policy", chain1 + "publish-behavior-v2 w1:commit", "eligible-reject", "refused", none, "latest-policy", none},
		{"wrong to trust an answer", "preflight-cached", chain1 + chain2 + "w1:commit",
			"unsafe-accept", "accepted", none, "artifact", "artifact"},
		{"wrong to trust a refusal", "preflight-cached", "w1:read " + chain2 + "lease-expire reassign w2:commit",
			"eligible-reject", "refused", none, none, none},
		{"right to trust a refusal", "preflight-cached", "w1:read w1:candidate w1:trusted-verify revoke w1:preflight w1:commit",
			"", "refused", none, "grant", "grant"},
		{"the second of two commits", "atomic", chain1 + "w1:commit lease-expire reassign " + chain2 + "w2:commit",
			"", "accepted", all, none, none},
		{"everything at once", "atomic", chain1 + "input-edit artifact-edit lease-expire revoke publish-behavior-v2 reassign w1:commit",
			"", "refused", none, "attempt, fence, grant, inputs, artifact", "attempt, lease, grant, inputs, artifact"},
		{"before it owns the task", "self-report", chain2 + "w2:commit", "unsafe-accept", "accepted", none, "attempt, fence", "attempt"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := mechanism(t, tt.mechanism)
			events := strings.Fields(tt.history)
			got, err := Explain(m, events...)
			if err != nil {
				t.Fatal(err)
			}
			text := func(names []string) string { return cmp.Or(strings.Join(names, ", "), "none") }
			if got.Mechanism != "contention/"+tt.mechanism || got.Kind != tt.kind || got.Reason != "" || got.Decision != tt.decision ||
				text(got.ReliedOn) != tt.relied || text(got.FailedChecks) != tt.failed ||
				text(got.Oracle.Reasons) != tt.reasons || got.Oracle.Eligible != (tt.reasons == "none") {
				t.Errorf("%+v\nwant %+v", got, tt)
			}
			last := events[len(events)-1]
			judged := map[bool]string{true: "eligible", false: "not eligible"}[tt.reasons == "none"]
			summary := fmt.Sprintf("%q %s a completion of submitter %c that was %s", "contention/"+tt.mechanism, tt.decision, last[1], judged)
			if got.Summary != summary {
				t.Errorf("summary %q, want %q", got.Summary, summary)
			}
			history := parsed(t, events)
			states, seen := follow(history, history[len(history)-1])
			checkSteps(t, got, m, history, states)
			if want := study.Notes(seen.reasons, seen.late&model.All, seen.accepts(m)); !slices.Equal(got.Notes, want) {
				t.Errorf("notes %q, want %q", got.Notes, want)
			}
		})
	}
}

// checkSteps computes each step but for its effect from the states.
func checkSteps(t *testing.T, trace counterexamples.Trace, m mechanisms.Mechanism, history []contention.Event, states []contention.State) {
	t.Helper()
	told := func(s contention.State) (fields counterexamples.State) {
		for name, value := range s.Fields(2) {
			fields = append(fields, counterexamples.Field{Name: name, Value: value})
		}
		return fields
	}
	if len(trace.Steps) != len(history) || !slices.Equal(trace.Initial, told(contention.Initial())) {
		t.Fatalf("%d steps of %v from %v", len(trace.Steps), history, trace.Initial)
	}
	mine := history[len(history)-1].Submitter
	for i, e := range history {
		step, before, after := trace.Steps[i], told(states[i]), told(states[i+1])
		want := counterexamples.Step{Actor: e.Actor(), Event: e.String(), Object: e.Object(), Effect: step.Effect, Marked: e.Submitter != mine,
			Changed: []counterexamples.Change{}, State: after, Holds: []string{}, Fails: []string{}}
		for j := range after {
			if before[j] != after[j] {
				want.Changed = append(want.Changed, counterexamples.Change{Field: after[j].Name, From: before[j].Value, To: after[j].Value})
			}
		}
		fails := failed(states[i+1], mine)
		for _, c := range (model.All | m.Requires).Each() {
			if fails.Has(c) {
				want.Fails = append(want.Fails, c.String())
			} else {
				want.Holds = append(want.Holds, c.String())
			}
		}
		if !reflect.DeepEqual(step, want) {
			t.Errorf("step %d:\n%+v\nwant\n%+v", i+1, step, want)
		}
	}
}

// What each event is said to come to, and how the last commit is told apart from
// another submitter's.
func TestEffects(t *testing.T) {
	const history = "w1:read w2:read w1:candidate w1:trusted-verify w2:candidate w2:trusted-verify w1:preflight w2:preflight w2:commit " +
		"input-edit artifact-edit publish-behavior-v2 lease-expire reassign revoke w1:commit"
	want := strings.Split(`reads input revision 1
reads input revision 1
its candidate is written to the artifact
submitter 1 gets a receipt about content that is w1's of input 1
its candidate is written to the artifact
submitter 2 gets a receipt about content that is w2's of input 1
of submitter 1: does not pass all of the eight checks
of submitter 2: does not pass all of the eight checks
of submitter 2; what is decided changes nothing shared
the input is now revision 2
the artifact is overwritten
a newer policy is the default; the task stays pinned
the lease of submitter 1 runs out
the task is submitter 2's, with a fresh lease
the grant of all submitters is withdrawn
`, "\n")
	for name, last := range map[string]string{
		"atomic":           "REFUSED   failed: attempt, fence, grant, inputs, artifact",
		"preflight-cached": "REFUSED   relied on the answer of preflight",
		"self-report":      "ACCEPTED",
	} {
		want[len(want)-1] = last
		trace, err := Explain(mechanism(t, name), strings.Fields(history)...)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, step := range trace.Steps {
			got = append(got, step.Effect)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s:\n%s\nwant\n%s", name, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
	trace, err := Explain(mechanism(t, "attempt-lease"), "w1:read", "w1:candidate", "w1:trusted-verify", "w1:preflight", "w1:commit")
	if err != nil {
		t.Fatal(err)
	}
	want = []string{"of submitter 1: passes all of the eight checks", "ACCEPTED   relied on: attempt, fence, lease"}
	if got := []string{trace.Steps[3].Effect, trace.Steps[4].Effect}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// The nearest history is one adjacent swap away, as late as possible, and the same
// commit is decided right if it was wrong: for histories from here and there among the
// schedules in which the task changes hands.
func TestNearest(t *testing.T) {
	whole, err := Order(2)
	if err != nil {
		t.Fatal(err)
	}
	order := whole.Restrict(func(e contention.Event) bool {
		return e.Submitter > 0 || e.Kind == model.LeaseExpire || e.Kind == model.Reassign
	})
	n, found, none := 0, 0, 0
	for schedule := range order.Schedules() {
		if n++; n%61 != 0 {
			continue
		}
		for _, name := range []string{"preflight-cached", "without-attempt", "attempt-lease"} {
			m := mechanism(t, name)
			for i, last := range schedule {
				if !isCommit(last) {
					continue
				}
				history := schedule[:i+1]
				trace, err := Explain(m, names(history)...)
				if err != nil {
					t.Fatal(err)
				}
				want := nearest(order, m, history)
				if found++; want == nil {
					none++
				}
				if !reflect.DeepEqual(trace.Nearest, want) {
					t.Errorf("%s, %v: nearest %+v, want %+v", m.Name, history, trace.Nearest, want)
				}
			}
		}
	}
	if found != 272*3*2 || none != 1392 {
		t.Errorf("of %d histories %d have no neighbor that comes out otherwise, want 1,392 of 1,632", found, none)
	}
}

func names(history []contention.Event) (list []string) {
	for _, e := range history {
		list = append(list, e.String())
	}
	return list
}

func nearest(order enumerate.Order[contention.Event], m mechanisms.Mechanism, history []contention.Event) *counterexamples.Nearest {
	commit := history[len(history)-1]
	_, given := follow(history, commit)
	for i := len(history) - 2; i >= 0; i-- {
		swapped := slices.Clone(history)
		swapped[i], swapped[i+1] = history[i+1], history[i]
		_, seen := follow(swapped, commit)
		if order.Validate(swapped) != nil || (seen.errors(m) == nil) == (given.errors(m) == nil) {
			continue
		}
		return &counterexamples.Nearest{Schedule: names(swapped), Later: history[i+1].String(), Earlier: history[i].String(),
			Decision: map[bool]string{true: "accepted", false: "refused"}[seen.accepts(m)], Eligible: seen.reasons == 0}
	}
	return nil
}

func TestExplainRefuses(t *testing.T) {
	tests := []struct{ name, history, want string }{
		{"nothing", "", "history  does not end with a commit, as in w1:commit: there is nothing to judge"},
		{"no commit at the end", "w1:read w1:candidate w1:trusted-verify w1:preflight w1:commit revoke",
			"history w1:read w1:candidate w1:trusted-verify w1:preflight w1:commit revoke does not end with a commit, as in w1:commit: there is nothing to judge"},
		{"an impossible order", "w1:candidate w1:read w1:trusted-verify w1:preflight w1:commit", "history has w1:candidate before w1:read, which must precede it"},
		{"reassigned first", "reassign lease-expire", "history has reassign before lease-expire, which must precede it"},
		{"twice", "w1:read revoke revoke", "history has revoke twice"},
		{"a third submitter", "w3:read", "history has w3:read, which is not an event of the order"},
		{"a second reassignment", "lease-expire reassign reassign#2", "history has reassign#2, which is not an event of the order"},
		{"no such submitter", "w7:read", `unknown event "w7:read": there is no such submitter, they are w1 to w6`},
		{"whose?", "commit", `unknown event "commit": submitters go once through [read candidate trusted-verify preflight commit], ` +
			"as in w1:read, and the environment's events have no submitter"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Explain(mechanism(t, "atomic"), strings.Fields(tt.history)...)
			if err == nil || err.Error() != tt.want || !reflect.DeepEqual(got, counterexamples.Trace{}) {
				t.Errorf("%+v, error %v\nwant %s", got, err, tt.want)
			}
		})
	}
}

// TestTraceChild is run by TestRunHistory, in a process of its own.
func TestTraceChild(t *testing.T) {
	if words := strings.Fields(os.Getenv("COMMITPOINT_CONTENTION")); len(words) > 0 {
		RunHistory(t, mechanism(t, words[0]), words[1:]...)
	}
}

func TestRunHistory(t *testing.T) {
	const early = "w2:read w2:candidate w2:trusted-verify w2:preflight "
	for _, tt := range []struct {
		what   string
		passes bool
		prints string
	}{
		{"atomic " + early + "w2:commit", true, "--- PASS: TestTraceChild "},
		{"atomic " + early + "lease-expire reassign w2:commit", true, "--- PASS: TestTraceChild "},
		{"without-attempt " + early + "w2:commit", false, `"contention/without-attempt" accepted a completion of submitter 2 that was not eligible`},
		{"preflight-cached " + early + "lease-expire reassign w2:commit", false,
			`"contention/preflight-cached" refused a completion of submitter 2 that was eligible`},
		{"atomic " + early, false, "does not end with a commit"},
	} {
		cmd := exec.Command(os.Args[0], "-test.run=^TestTraceChild$", "-test.v")
		cmd.Env = append(os.Environ(), "COMMITPOINT_CONTENTION="+tt.what)
		out, err := cmd.CombinedOutput()
		if (err == nil) != tt.passes || !strings.Contains(string(out), tt.prints) || strings.Contains(string(out), "trace_test.go:") == tt.passes {
			t.Errorf("%s: %v, want a pass %v and %q in\n%s", tt.what, err, tt.passes, tt.prints, out)
		}
	}
}

// Mechanisms that the model can't decide for are refused, and not judged as others.
func TestOnlyTheStudied(t *testing.T) {
	for _, m := range []mechanisms.Mechanism{
		mechanisms.Func("never", func(model.State, model.Request) mechanisms.Decision { return mechanisms.Decision{} }),
		{Name: "early-lease", Requires: model.Lease, At: mechanisms.Preflight},
	} {
		want := fmt.Sprintf("mechanism %q is none of the study's thirteen", m.Name)
		if _, err := Traces(t.Context(), m, enumerate.Options{}); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("Traces: %v, want %s", err, want)
		}
		if _, err := Explain(m, "w1:read"); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("Explain: %v, want %s", err, want)
		}
	}
}
