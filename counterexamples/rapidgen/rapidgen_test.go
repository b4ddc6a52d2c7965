package rapidgen_test

import (
	"flag"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"example.com/commitpoint/counterexamples"
	"example.com/commitpoint/counterexamples/rapidgen"
	"example.com/commitpoint/enumerate"
	"example.com/commitpoint/mechanisms"
	"example.com/commitpoint/model"
	"example.com/commitpoint/study"
)

// order returns an order of letters, declared in this order.
func order(t rapid.TB, letters string, pairs ...string) enumerate.Order[string] {
	t.Helper()
	b := enumerate.NewOrder[string]()
	for _, e := range strings.Split(letters, "") {
		b.Free("", e)
	}
	for _, p := range pairs {
		b.Before(p[:1], p[1:])
	}
	o, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func isUpper(e string) bool { return strings.ToLower(e) != e }

// word writes a history as a word.
func word(history []string) string { return strings.Join(history, "") }

// drawn returns what a generator draws, each once, sorted.
func drawn[V any](g *rapid.Generator[V], text func(V) string) []string {
	seen := map[string]bool{}
	for seed := range 500 {
		seen[text(g.Example(seed))] = true
	}
	return slices.Sorted(maps.Keys(seen))
}

func TestAllAndNothingElseIsDrawn(t *testing.T) {
	free, pair, chain := order(t, "abc"), order(t, "bac", "ab"), order(t, "cab", "ca", "ab")
	events := func(o enumerate.Order[string]) string { return word(o.Events()) }
	tests := []struct {
		name string
		got  []string
		want string
	}{
		{"schedules", drawn(rapidgen.Schedule(free), word), "abc acb bac bca cab cba"},
		{"schedules of a pair and one more", drawn(rapidgen.Schedule(pair), word), "abc acb cab"},
		{"schedule of a chain", drawn(rapidgen.Schedule(chain), word), "cab"},
		{"schedule of nothing", drawn(rapidgen.Schedule(enumerate.Order[string]{}), word), ""},
		{"schedules of a restriction", drawn(rapidgen.Schedule(chain.Restrict(func(e string) bool { return e != "a" })), word), "cb"},
		{"histories", drawn(rapidgen.History(free), word), " a ab abc ac acb b ba bac bc bca c ca cab cb cba"},
		{"histories of a pair and one more", drawn(rapidgen.History(pair), word), " a ab abc ac acb c ca cab"},
		{"history of nothing", drawn(rapidgen.History(enumerate.Order[string]{}), word), ""},
		{"restrictions", drawn(rapidgen.Restriction(order(t, "aBcD"), isUpper), events), "aBc aBcD ac acD"},
		{"no optional event", drawn(rapidgen.Restriction(chain, isUpper), events), "cab"},
		{"all optional", drawn(rapidgen.Restriction(order(t, "AB"), isUpper), events), " A AB B"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := strings.Join(tt.got, " "); got != tt.want {
				t.Errorf("drew %q, want %q", got, tt.want)
			}
		})
	}
}

func TestAllDrawnAreValid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		letters := "fEdCbA"
		var pairs []string
		for i := range 4 {
			if j := rapid.IntRange(i+1, 6).Draw(t, "then"); j < 6 {
				pairs = append(pairs, letters[i:i+1]+letters[j:j+1])
			}
		}
		o := order(t, letters, pairs...)
		some := rapidgen.Restriction(o, isUpper).Draw(t, "some")
		for _, e := range o.Events() {
			if !isUpper(e) && some.Index(e) < 0 {
				t.Errorf("%v lacks %s, which is not optional", some, e)
			}
		}
		schedule := rapidgen.Schedule(some).Draw(t, "schedule")
		if err := some.Validate(schedule); err != nil || len(schedule) != some.Len() {
			t.Errorf("%v is no schedule of %v: %v", schedule, some, err)
		}
		history := rapidgen.History(some).Draw(t, "history")
		if err := some.Validate(history); err != nil {
			t.Errorf("%v is no history of %v: %v", history, some, err)
		}
	})
}

// The largest order there can be, a chain and free events.
func TestManyEvents(t *testing.T) {
	b := enumerate.NewOrder[int]()
	for e := range enumerate.MaxEvents {
		if b.Free("", e); e > enumerate.MaxEvents/2 {
			b.Before(e-1, e)
		}
	}
	o, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	g := rapidgen.Schedule(o)
	first, second := g.Example(1), g.Example(2)
	if slices.Equal(first, second) || len(second) != enumerate.MaxEvents || o.Validate(first) != nil || o.Validate(second) != nil {
		t.Errorf("drew %v and %v", first, second)
	}
}

// A recorder is a testing.TB for rapid that takes a failure without failing.
type recorder struct {
	testing.TB
	failed bool
}

func (r *recorder) Failed() bool          { return r.failed }
func (r *recorder) FailNow()              { r.failed = true; runtime.Goexit() }
func (r *recorder) Errorf(string, ...any) { r.failed = true }
func (r *recorder) Logf(string, ...any)   {}
func (r *recorder) Log(...any)            {}

// setFlag sets a flag of rapid's until the end of the test.
func setFlag(t *testing.T, name, value string) {
	t.Helper()
	old := flag.Lookup(name).Value.String()
	if err := flag.Set(name, value); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { flag.Set(name, old) })
}

// shrunk returns what rapid shrinks a drawn value to as long as it is bad. It is
// always the same: once in hundreds of times rapid stops a little early.
func shrunk[V any](t *testing.T, g *rapid.Generator[V], bad func(V) bool) (last V) {
	setFlag(t, "rapid.nofailfile", "true") // the failures are wanted
	setFlag(t, "rapid.checks", "500")
	setFlag(t, "rapid.seed", "1")
	done := make(chan struct{})
	go func() { // FailNow ends the goroutine
		defer close(done)
		rapid.Check(&recorder{TB: t}, func(r *rapid.T) {
			if v := g.Draw(r, "value"); bad(v) {
				last = v
				r.Fatal("bad")
			}
		})
	}()
	<-done
	return last
}

func TestShrinking(t *testing.T) {
	o := order(t, "cdab", "ca", "db")
	holds := func([]string) bool { return true }
	swapped := func(h []string) bool { return slices.Index(h, "b") < slices.Index(h, "a") }
	two := func(h []string) bool { return len(h) >= 2 }
	hasB := func(h []string) bool { return slices.Contains(h, "b") }
	withB := word(shrunk(t, rapidgen.History(o), hasB))
	tests := []struct {
		name, reason string
		got, want    string
	}{
		{"any schedule", "the first", word(shrunk(t, rapidgen.Schedule(o), holds)), "cdab"},
		{"b before a", "the first such", word(shrunk(t, rapidgen.Schedule(o), swapped)), "cdba"},
		{"any history", "the empty one", word(shrunk(t, rapidgen.History(o), holds)), ""},
		{"history of two events", "the first of two", word(shrunk(t, rapidgen.History(o), two)), "cd"},
		{"history with b", "nothing follows the deciding event", withB[len(withB)-1:], "b"},
		{"any restriction", "the fewest events", word(shrunk(t, rapidgen.Restriction(order(t, "aBcD"), isUpper),
			func(enumerate.Order[string]) bool { return true }).Events()), "ac"},
		{"restriction with D", "no more than that", word(shrunk(t, rapidgen.Restriction(order(t, "aBcDE"), isUpper),
			func(o enumerate.Order[string]) bool { return o.Index("D") >= 0 }).Events()), "acD"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.got != tt.want {
				t.Errorf("shrank to %q, want %q: %s", tt.got, tt.want, tt.reason)
			}
		})
	}
}

func TestRestrictionOfWhat(t *testing.T) {
	defer func() {
		want := "rapidgen.Restriction: optional is nil; pass a function that says which events may be missing"
		if got := recover(); got != want {
			t.Errorf("panic = %v, want %s", got, want)
		}
	}()
	rapidgen.Restriction(order(t, "ab"), nil)
}

// beyond returns the chain with seven more events, which has four million
// schedules, and those events.
func beyond(t *testing.T) (enumerate.Order[model.Event], []model.Event) {
	t.Helper()
	environment, err := study.ParseHistory("input-edit", "input-edit#2", "artifact-edit#2", "lease-expire", "reassign", "revoke", "publish-behavior-v2")
	if err != nil {
		t.Fatal(err)
	}
	o, err := study.Order(environment...)
	if err != nil {
		t.Fatal(err)
	}
	return o, environment
}

func isEnvironment(e model.Event) bool { return e.Kind > model.Commit }

func named(t *testing.T, name string) mechanisms.Mechanism {
	t.Helper()
	m, err := mechanisms.Named(name)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// An example: a mechanism is judged where there are too many schedules for all of
// them to be tried.
func TestAtomicBeyondTheStudy(t *testing.T) {
	atomic := named(t, "atomic")
	order, _ := beyond(t)
	rapid.Check(t, func(t *rapid.T) {
		scenario := rapidgen.Restriction(order, isEnvironment).Draw(t, "scenario")
		schedule := rapidgen.Schedule(scenario).Draw(t, "schedule")
		d, err := study.Decide(atomic, schedule)
		if err != nil {
			t.Fatal(err)
		}
		if d.Accepted != d.Verdict.Eligible() {
			t.Errorf("accepted: %v, though the reasons not to are %v", d.Accepted, d.Verdict.Reasons)
		}
	})
}

// What rapid finds, Shrink brings to the end, which is the study's counterexample.
func TestFromDrawnToShortest(t *testing.T) {
	report := named(t, "self-report")
	order, environment := beyond(t)
	wrong := func(h []model.Event) bool {
		d, err := study.Decide(report, h)
		return err == nil && d.Accepted && !d.Verdict.Eligible()
	}
	found := shrunk(t, rapidgen.Schedule(order), wrong)
	var scenarios []enumerate.Order[model.Event]
	for dropped := range 1 << len(environment) {
		scenarios = append(scenarios, order.Restrict(func(e model.Event) bool {
			return !isEnvironment(e) || dropped>>slices.Index(environment, e)&1 == 0
		}))
	}
	got, err := counterexamples.Shrink(scenarios, found, wrong)
	if want := "[read candidate trusted-verify preflight input-edit commit]"; err != nil || fmt.Sprint(got) != want {
		t.Errorf("%v shrank to %v, %v; want %s", found, got, err, want)
	}
}
