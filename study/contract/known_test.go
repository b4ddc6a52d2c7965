package contract

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"example.com/commitpoint/counterexamples"
	"example.com/commitpoint/enumerate"
	"example.com/commitpoint/mechanisms/contract"
	model "example.com/commitpoint/model/contract"
	"example.com/commitpoint/study"
)

// steps returns the states of the complete mechanism on a history.
func steps(t testing.TB, history string) []state {
	t.Helper()
	events, err := parse(strings.Fields(history))
	if err != nil {
		t.Fatal(err)
	}
	return counterexamples.Replay(machine{mechanism: contract.Complete}, events)
}

// Known to be unsound: an authority that loses both counters and does not begin a new
// incarnation issues the very identity again that it has issued before. Nothing that it
// knows then tells the two holders apart, so that no predicate can: the complete mechanism
// accepts what the oracle, which counts assignments, does not. An authority must keep one
// of the counters, or begin a new incarnation.
func TestKnownUnsoundnessOfLosingBothCounters(t *testing.T) {
	const before = "a:read a:candidate a:verify a:preflight "
	for _, lost := range []string{"restart-fences restart-attempts reclaim", "restart-attempts restart-fences reclaim"} {
		never, again := steps(t, before), steps(t, before+lost)
		if was, is := never[len(never)-1].model, again[len(again)-1].model; was != is {
			t.Fatalf("after %s the authority knows\n%+v\nand had known\n%+v", lost, is, was)
		}
		trace, err := Explain(contract.Complete, strings.Fields(before+lost+" a:commit")...)
		if err != nil {
			t.Fatal(err)
		}
		if trace.Kind != "unsafe-accept" || trace.Decision != "accepted" || strings.Join(trace.Oracle.Reasons, ", ") != "ownership" || len(trace.FailedChecks) > 0 {
			t.Errorf("after %s: %s (%s), for the reasons %v, and %v fail", lost, trace.Kind, trace.Decision, trace.Oracle.Reasons, trace.FailedChecks)
		}
	}
}

// The same loss deceives whoever acts for the task: another worker that sends the request
// as its own, the report of a failure, and the sweeper.
func TestKnownUnsoundnessReachesEveryWriter(t *testing.T) {
	const lost = "restart-fences restart-attempts "
	end := func(history string) state {
		states := steps(t, history)
		return states[len(states)-1]
	}
	s := end("a:read a:candidate a:verify " + lost + "b:claim")
	d := machine{mechanism: contract.Complete}.at(&s, model.Event{Worker: model.A, Kind: model.Impersonate})
	if !d.decision.Accepted || d.verdict.Reasons.String() != "caller, ownership" {
		t.Errorf("the request of the one before, sent by the next: accepted %v, %v", d.decision.Accepted, d.verdict.Reasons)
	}
	for _, history := range []string{lost + "reclaim a:report-failure", "sweep-read " + lost + "reclaim lease-expire sweep-write"} {
		if s := end(history); s.broken != intruded {
			t.Errorf("after %s %b is broken, and it was the task of another", history, s.broken)
		}
	}
}

// safeEarly are the predicates that may move, together.
const safeEarly = model.Caller | model.Scope

// Whatever else happens, in whatever order, the complete mechanism is right and breaks no
// invariant, also beyond the families: in histories of all events of both workers, drawn
// the same every time, of which only those are left out in which both counters are lost
// in one incarnation. Nor is anything accepted wrongly by the mechanism with those
// predicates at preflight that may move, as far as the families can tell.
func TestNothingElseIsKnownToBeUnsound(t *testing.T) {
	var all []model.Event
	for k := model.Claim; k <= model.SweepWrite; k++ {
		if k.ByWorker() {
			all = append(all, model.Event{Worker: model.A, Kind: k}, model.Event{Worker: model.B, Kind: k})
		} else {
			all = append(all, model.Event{Kind: k})
		}
	}
	var likely [][]model.Event
	for _, names := range []string{
		"a:read a:candidate a:verify a:commit a:retry",
		"a:read a:candidate a:verify a:preflight a:claim a:commit",
		"a:read a:candidate-pair a:verify a:read a:candidate a:commit",
		"b:claim b:read b:candidate b:verify b:commit b:retry",
		"sweep-read lease-expire sweep-write a:claim a:report-failure",
	} {
		events, err := parse(strings.Fields(names))
		if err != nil {
			t.Fatal(err)
		}
		likely = append(likely, events)
	}
	m, early := machine{mechanism: contract.Complete}, machine{mechanism: contract.Hoisted(safeEarly)}
	random := rand.New(rand.NewPCG(1, 2))
	accepted, refused := 0, 0
	for range 200_000 {
		s, hoisted := m.Init(), early.Init()
		var history []model.Event
		rest := likely[random.IntN(len(likely))]
		lost := map[model.Kind]bool{}
		for range 5 + random.IntN(8) {
			e := all[random.IntN(len(all))]
			if random.IntN(2) == 0 && len(rest) > 0 {
				e, rest = rest[0], rest[1:]
			}
			if e.Kind == model.Restore {
				clear(lost)
			}
			if lost[model.RestartFences+model.RestartAttempts-e.Kind] {
				continue // the other counter is lost already
			}
			if e.Kind == model.RestartFences || e.Kind == model.RestartAttempts {
				lost[e.Kind] = true
			}
			history = append(history, e)
			if e.Kind.Decides() {
				d := m.at(&s, e)
				if d.wrong() {
					t.Fatalf("%s: accepted %v; the oracle says %v, and %v fail", text(history), d.decision.Accepted, d.verdict.Reasons, d.decision.Failed)
				}
				if refused++; d.decision.Accepted {
					accepted++
				}
			}
			if e.Kind.Decides() {
				if d := early.at(&hoisted, e); d.decision.Accepted && !d.verdict.Eligible() {
					t.Fatalf("%s: with %v at preflight it is accepted; the oracle says %v", text(history), safeEarly, d.verdict.Reasons)
				}
			}
			early.Step(&hoisted, e)
			if m.Step(&s, e); s.broken != 0 {
				t.Fatalf("%s: %b is broken", text(history), s.broken)
			}
		}
	}
	if refused -= accepted; accepted < 50_000 || refused < 50_000 {
		t.Errorf("%d accepted, %d refused: too few", accepted, refused)
	}
}

// made returns the scenarios of made-up families: a chain and free events each.
func made(t testing.TB, families ...[2]string) []scenarios {
	t.Helper()
	var in []scenarios
	for _, f := range families {
		family := Family{Name: "made-up", chains: []string{f[0]}, free: f[1]}
		orders, err := family.Scenarios()
		if err != nil {
			t.Fatal(err)
		}
		in = append(in, scenarios{family, orders})
	}
	return in
}

// What would show the contract to be wrong is an error, not a result.
func TestUnsound(t *testing.T) {
	const whole = "a:read a:candidate a:verify a:preflight a:commit"
	const torn, twice = "a:read a:candidate-pair a:verify a:preflight a:commit", "b:read b:candidate b:verify b:preflight b:claim b:commit"
	opt := enumerate.Options{}
	obligations := func(in []scenarios) error { return new(Result).obligations(t.Context(), in, opt) }
	moving := func(in []scenarios) error { _, err := hoist(t.Context(), in, opt); return err }
	keeping := func(in []scenarios) error { _, err := breaks(t.Context(), in, opt); return err }
	tests := []struct {
		name, reason string
		find         func([]scenarios) error
		in           []scenarios
		want         string
	}{
		{"no need", "nothing needs the predicate in these scenarios", obligations, made(t, [2]string{whole, "cancel"}),
			"unsound: nothing goes wrong without caller"},
		{"early for another reason", "it is unsafe where preflight failed anyway", moving,
			made(t, [2]string{"a:read a:candidate a:preflight a:verify a:commit", "cancel"}),
			"unsound: active is unsafe at preflight only where something else failed there"},
		{"not together", "one stands in for the other", moving, made(t, [2]string{whole, "b:claim"}),
			"unsound: active, caller, attempt, fence, incarnation, lease, scope, grant, contract, dependencies, bases, binding, criteria " +
				"are safe at preflight one by one and not together"},
		{"broken by the complete mechanism", "both counters are lost", keeping,
			made(t, [2]string{"restart-fences restart-attempts reclaim a:report-failure", "cancel"}),
			`unsound: the complete mechanism breaks "whoever has lost the task changes nothing": [restart-fences restart-attempts reclaim a:report-failure]`},
		{"broken by nobody", "the invariant says nothing then", keeping,
			made(t, [2]string{"sweep-read a:report-failure sweep-write", ""}, [2]string{torn, ""}, [2]string{whole + " " + twice, ""}),
			`unsound: preflight does not break "a task has one terminal write", which says nothing then`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if err := tt.find(tt.in); !errors.Is(err, ErrUnsound) || !errors.Is(err, study.ErrUnsound) || err.Error() != tt.want {
				t.Errorf("error %v\nwant %s: %s", err, tt.want, tt.reason)
			}
		})
	}
}

// So it is for the whole, with families that show the complete mechanism to be wrong.
func TestComputeUnsound(t *testing.T) {
	published := families
	defer func() { families = published }()
	families = []Family{{
		Name:   "lost-both",
		chains: []string{"a:read a:candidate a:verify a:commit"},
		free:   "restart-fences restart-attempts reclaim",
	}}
	_, err := Compute(t.Context(), enumerate.Options{})
	const want = "unsound: the complete mechanism errs: [a:read a:candidate a:verify restart-fences restart-attempts reclaim a:commit]"
	if !errors.Is(err, ErrUnsound) || err.Error() != want {
		t.Errorf("error %v\nwant %s", err, want)
	}
	for name, f := range map[string]Family{
		`family unknown: unknown event "b:clame": the events are `:           {Name: "unknown", chains: []string{"b:clame"}},
		`family free: event "claim" is a worker's: write a:claim or b:claim`: {Name: "free", free: "claim"},
		`family first: unknown event "lost": the events are `:                {Name: "first", before: [][2]string{{"lost", "cancel"}}},
		`family then: unknown event "lost": the events are `:                 {Name: "then", free: "cancel", before: [][2]string{{"cancel", "lost"}}},
	} {
		families = []Family{f}
		if _, err := Compute(t.Context(), enumerate.Options{}); err == nil || !strings.HasPrefix(err.Error(), name) {
			t.Errorf("family %s: error %v, want %s…", f.Name, err, name)
		}
	}
	if len(Families()) != 1 || Families()[0].Name == "" {
		t.Errorf("the families are %v", Families())
	}
}
