package study

import (
	"cmp"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.com/commitpoint/counterexamples"
	"example.com/commitpoint/mechanisms"
	"example.com/commitpoint/model"
)

// The four ways in which a decision and the truth can meet, and each step of the way,
// also beyond the commit and beyond the study's bounds.
func TestExplain(t *testing.T) {
	const sound = "read candidate trusted-verify preflight commit"
	const long = "publish-behavior-v2 input-edit read artifact-edit candidate trusted-verify input-edit#2 preflight " +
		"lease-expire artifact-edit#2 reassign revoke commit input-edit#3 revoke#2"
	const all, none = "attempt, fence, lease, grant, inputs, artifact, evidence, contract", "none"
	const five, facts = "attempt, fence, grant, inputs, artifact", "attempt, lease, grant, inputs, artifact"
	tests := []struct{ name, mechanism, history, kind, decision, relied, failed, reasons string }{
		{"right to accept", "atomic", sound, "", "accepted", all, none, none},
		{"wrong to accept", "without-lease", "read lease-expire candidate trusted-verify preflight commit",
			"unsafe-accept", "accepted", strings.Replace(all, "lease, ", "", 1), "lease", "lease"},
		{"right to refuse", "atomic", "read lease-expire candidate trusted-verify preflight commit", "", "refused", all, "lease", "lease"},
		{"wrong to refuse", "latest-policy", "publish-behavior-v2 " + sound,
			"eligible-reject", "refused", all + ", latest-policy", "latest-policy", none},
		{"right to refuse, for one reason too many", "latest-policy", "publish-behavior-v2 read candidate trusted-verify revoke preflight commit",
			"", "refused", all + ", latest-policy", "grant, latest-policy", "grant"},
		{"wrong to trust an answer", "preflight-cached", "read candidate trusted-verify preflight revoke input-edit commit",
			"unsafe-accept", "accepted", all, "grant, inputs", "grant, inputs"},
		{"right to trust a refusal", "preflight-cached", "read candidate trusted-verify revoke preflight input-edit commit",
			"", "refused", all, "grant", "grant, inputs"},
		{"what comes later does not matter", "self-report", sound + " revoke lease-expire", "", "accepted", none, none, none},
		{"beyond the bounds, refused", "atomic", long, "", "refused", all, five, facts},
		{"beyond the bounds, accepted", "self-report", long, "unsafe-accept", "accepted", none, five, facts},
		{"against its own answer", "shrugs", "read candidate trusted-verify preflight revoke commit",
			"unsafe-accept", "accepted", "lease", "grant", "grant"},
		{"for no reason", "never", sound, "eligible-reject", "refused", none, none, none},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			own := map[string]mechanisms.Decision{"never": {}, "shrugs": {Accepted: true, Relied: model.Lease, Failed: model.Lease}}
			m := mechanisms.Func(tt.mechanism, func(model.State, model.Request) mechanisms.Decision { return own[tt.mechanism] })
			if _, ok := own[tt.mechanism]; !ok {
				m = mechanism(t, tt.mechanism)
			}
			history := parsed(t, tt.history)
			got, err := Explain(m, history)
			if err != nil {
				t.Fatal(err)
			}
			text := func(names []string) string { return cmp.Or(strings.Join(names, ", "), "none") }
			if got.Mechanism != tt.mechanism || got.Kind != tt.kind || got.Reason != "" || got.Decision != tt.decision ||
				text(got.ReliedOn) != tt.relied || text(got.FailedChecks) != tt.failed ||
				text(got.Oracle.Reasons) != tt.reasons || got.Oracle.Eligible != (tt.reasons == "none") {
				t.Errorf("%+v\nwant %+v", got, tt)
			}
			judged := map[bool]string{true: "eligible", false: "not eligible"}[tt.reasons == "none"]
			if want := fmt.Sprintf("%q %s a completion that was %s", tt.mechanism, tt.decision, judged); got.Summary != want || got.Replay != "" {
				t.Errorf("summary %q, replay %q; want %q", got.Summary, got.Replay, want)
			}
			end := stepThrough(m, history)
			checkNotes(t, got.Notes, end)
			checkSteps(t, got, m, history, end.states)
		})
	}
}

// checkNotes wants a line a reason, and two for each check that the request failed.
func checkNotes(t *testing.T, notes []string, end ending) {
	t.Helper()
	var want []string
	for _, sentence := range end.reasons.Sentences() {
		want = append(want, "not eligible: "+sentence)
	}
	for _, c := range end.failed.Each() {
		want = append(want, map[bool]string{true: "would have refused: ", false: "refused: "}[end.accepted]+c.String(),
			"          recovery: "+mechanisms.Recovery(c))
	}
	if end.reasons == 0 {
		want = []string{"eligible: nothing that the contract asks for was missing at the commit"}
	}
	if !slices.Equal(notes, want) {
		t.Errorf("notes\n%s\nwant\n%s", strings.Join(notes, "\n"), strings.Join(want, "\n"))
	}
}

// checkSteps computes each step but for its effect from the states.
func checkSteps(t *testing.T, trace counterexamples.Trace, m mechanisms.Mechanism, history []model.Event, states []model.State) {
	t.Helper()
	told := func(s model.State) (fields counterexamples.State) {
		for name, value := range s.Fields() {
			fields = append(fields, counterexamples.Field{Name: name, Value: value})
		}
		return fields
	}
	if !slices.Equal(trace.Initial, told(model.Initial())) || len(trace.Steps) != len(history) || !slices.Equal(trace.Schedule, model.Names(history)) {
		t.Fatalf("%d steps of %v from %v", len(trace.Steps), trace.Schedule, trace.Initial)
	}
	for i, e := range history {
		step, before, after := trace.Steps[i], told(states[i]), told(states[i+1])
		want := counterexamples.Step{Actor: e.Kind.Actor(), Event: e.String(), Object: e.Kind.Object(), Effect: step.Effect,
			Marked: slices.Contains(model.Environment(), model.Event{Kind: e.Kind}), Changed: []counterexamples.Change{},
			State: after, Holds: []string{}, Fails: []string{}}
		for j := range after {
			if before[j] != after[j] {
				want.Changed = append(want.Changed, counterexamples.Change{Field: after[j].Name, From: before[j].Value, To: after[j].Value})
			}
		}
		failed := mechanisms.Failed(states[i+1], states[i+1].Request())
		for _, c := range (model.All | m.Requires).Each() {
			if failed.Has(c) {
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

func TestExplainRefuses(t *testing.T) {
	atomic := mechanism(t, "atomic")
	crash := mechanisms.Func("crash", func(model.State, model.Request) mechanisms.Decision { panic("no idea") })
	many := model.Chain()
	for n := range uint8(60) {
		many = append(many, model.Event{Kind: model.InputEdit, N: n + 2})
	}
	tests := []struct {
		name    string
		rule    mechanisms.Mechanism
		history []model.Event
		want    string
	}{
		{"no commit", atomic, model.Chain()[:4], "history [read candidate trusted-verify preflight] has no commit: there is nothing to decide"},
		{"nothing", atomic, nil, "history [] has no commit: there is nothing to decide"},
		{"impossible order", atomic, parsed(t, "read candidate preflight trusted-verify commit"),
			"history has preflight before trusted-verify, which must precede it"},
		{"the task is reassigned first", atomic, parsed(t, "reassign read candidate trusted-verify preflight commit lease-expire"),
			"history has reassign before lease-expire, which must precede it"},
		{"twice", atomic, parsed(t, "read input-edit input-edit candidate trusted-verify preflight commit"),
			"input-edit is given twice: number repeated events, as in input-edit#2"},
		{"a second commit", atomic, append(model.Chain(), model.Event{Kind: model.Commit, N: 2}),
			"history has commit#2, which is not an event of the order"},
		{"no event", atomic, append(model.Chain(), model.Event{}), "history has event(0), which is not an event of the order"},
		{"65 events", atomic, many, "a history of 65 events: there can be at most 64"},
		{"a rule that panics", crash, model.Chain(), `rule "crash" panicked: no idea; the history was [read candidate trusted-verify preflight commit]`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got, err := Explain(tt.rule, tt.history); err == nil || err.Error() != tt.want || !reflect.DeepEqual(got, counterexamples.Trace{}) {
				t.Errorf("%+v, error %v\nwant %s", got, err, tt.want)
			}
		})
	}
	if trace, err := Explain(atomic, many[:64]); err != nil || len(trace.Steps) != 64 {
		t.Errorf("64 events: %d steps, %v", len(trace.Steps), err)
	}
	history, err := ParseHistory("read", "reed", "commit")
	if history != nil || err == nil || !strings.HasPrefix(err.Error(), `unknown event "reed": the events are read, candidate, `) {
		t.Errorf("a misspelt event: %v, %v", history, err)
	}
}

// What each event is said to come to.
func TestEffects(t *testing.T) {
	const history = "publish-behavior-v2 read candidate artifact-edit trusted-verify preflight input-edit lease-expire reassign revoke commit"
	want := regexp.MustCompile(`(?m)^\t+`).ReplaceAllString(`behavior-v2 is the new default; the task stays pinned to behavior-v1
		reads input revision 1
		candidate 7347… written to the artifact
		the artifact is overwritten: now e20e…
		receipt: fail, digest e20e…
		PREFLIGHT
		the input is now revision 2
		the lease of attempt 1 runs out
		the task is worker B's: attempt 2, fence 2, a fresh lease
		worker A's grant is withdrawn
		COMMIT`, "")
	for name, own := range map[string][2]string{
		"atomic":           {"would refuse: fails artifact, evidence", "REFUSED   failed: attempt, fence, grant, inputs, artifact, evidence"},
		"preflight-cached": {"refuses, and will trust that: fails artifact, evidence", "REFUSED   relied on the answer of preflight"},
		"self-report":      {"would accept", "ACCEPTED"},
	} {
		trace, err := Explain(mechanism(t, name), parsed(t, history))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, step := range trace.Steps {
			got = append(got, step.Effect)
		}
		if want := strings.NewReplacer("PREFLIGHT", own[0], "COMMIT", own[1]).Replace(want); strings.Join(got, "\n") != want {
			t.Errorf("%s:\n%s\nwant\n%s", name, strings.Join(got, "\n"), want)
		}
	}
}

// A control is a step of its own before preflight, which changes what it says.
func TestControlSteps(t *testing.T) {
	m := mechanism(t, "self-report")
	for _, c := range Controls() {
		trace, _ := solo{m, c}.trace(Scenarios(0)[0], model.Chain())
		before := stepThrough(m, model.Chain()).states[3]
		after, request := before, before.Request()
		if c.state != nil {
			after = c.state(before)
			request = after.Request()
		}
		if c.request != nil {
			request = c.request(request)
		}
		var events, changed, differ []string
		for _, s := range trace.Steps {
			events = append(events, s.Event)
		}
		step := trace.Steps[3]
		for _, change := range step.Changed {
			changed = append(changed, change.Field)
		}
		old := trace.Steps[2].State
		for i, f := range step.State {
			if f != old[i] {
				differ = append(differ, f.Name)
			}
		}
		fails := (mechanisms.Failed(after, request) & model.All).Names()
		if got, want := strings.Join(events, " "), "read candidate trusted-verify "+c.Name+" preflight commit"; got != want ||
			step.Actor != "control" || step.Effect != c.Meaning || !step.Marked {
			t.Errorf("%s: %s, %s %s", c.Name, got, step.Actor, step.Effect)
		}
		if (c.state != nil) != (len(changed) > 0) || !slices.Equal(changed, differ) || !slices.Equal(step.Fails, fails) ||
			len(trace.Steps[2].Fails) > 0 || len(trace.Steps[4].Changed) > 0 || !slices.Equal(trace.Steps[5].Fails, fails) {
			t.Errorf("%s changes %q, want %q; then %q fails, and %q at the commit; want %q", c.Name, changed, differ, step.Fails, trace.Steps[5].Fails, fails)
		}
	}
}

// The nearest history is one adjacent swap away, as late as possible, and right if the
// given one is wrong: for every schedule of a scenario, up to the commit and beyond.
func TestNearest(t *testing.T) {
	order, err := Order(model.Event{Kind: model.LeaseExpire}, model.Event{Kind: model.Reassign}, model.Event{Kind: model.PublishV2})
	if err != nil {
		t.Fatal(err)
	}
	found, none := 0, 0
	for _, name := range []string{"preflight-cached", "without-attempt", "latest-policy", "atomic"} {
		m := mechanism(t, name)
		for schedule := range order.Schedules() {
			for _, history := range [][]model.Event{schedule, schedule[:slices.Index(schedule, commit)+1]} {
				trace, err := Explain(m, history)
				if err != nil {
					t.Fatal(err)
				}
				want := (*counterexamples.Nearest)(nil)
				_, kind := stepThrough(m, history).errors()
				for i := len(history) - 2; i >= 0 && want == nil; i-- {
					swapped := slices.Clone(history)
					swapped[i], swapped[i+1] = history[i+1], history[i]
					end := stepThrough(m, swapped)
					if _, other := end.errors(); order.Validate(swapped) != nil || (other == "") == (kind == "") {
						continue
					}
					decision := map[bool]string{true: "accepted", false: "refused"}[end.accepted]
					want = &counterexamples.Nearest{Schedule: model.Names(swapped), Later: history[i+1].String(), Earlier: history[i].String(),
						Decision: decision, Eligible: end.reasons == 0}
				}
				if found++; want == nil {
					none++
				}
				if !reflect.DeepEqual(trace.Nearest, want) {
					t.Errorf("%s, %v: nearest %+v, want %+v", name, history, trace.Nearest, want)
				}
			}
		}
	}
	if found != 4*2*168 || none != 1157 {
		t.Errorf("of %d histories %d have no neighbor that comes out otherwise, want 1,157 of 1,344", found, none)
	}
}
