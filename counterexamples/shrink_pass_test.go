package counterexamples_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"example.com/commitpoint/counterexamples"
	"example.com/commitpoint/counterexamples/rapidgen"
	"example.com/commitpoint/enumerate"
	"example.com/commitpoint/mechanisms"
	"example.com/commitpoint/model"
	"example.com/commitpoint/oracle"
	"example.com/commitpoint/study"
)

// intOrder returns an order of the events 0 to n-1, declared in this order.
func intOrder(t rapid.TB, n int, pairs ...[2]int) enumerate.Order[int] {
	t.Helper()
	b := enumerate.NewOrder[int]()
	for e := range n {
		b.Free("", e)
	}
	for _, p := range pairs {
		b.Before(p[0], p[1])
	}
	o, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// restrictions returns the orders with any of the optional events of o.
func restrictions[E comparable](o enumerate.Order[E], optional ...E) []enumerate.Order[E] {
	var orders []enumerate.Order[E]
	for dropped := range 1 << len(optional) {
		orders = append(orders, o.Restrict(func(e E) bool {
			i := slices.Index(optional, e)
			return i < 0 || dropped>>i&1 == 0
		}))
	}
	return orders
}

// A way is a history that is one change away from another.
type way[E any] struct {
	change  string
	history []E
}

// waysToShrink returns every change that Shrink promises to have tried.
func waysToShrink[E comparable](events, h []E) (ways []way[E]) {
	add := func(change string, parts ...[]E) { ways = append(ways, way[E]{change, slices.Concat(parts...)}) }
	for i := range h {
		add("without an event", h[:i], h[i+1:])
		if i > 0 {
			add("with a swap", h[:i-1], h[i:i+1], h[i-1:i], h[i+1:])
		}
		for j := i + 1; j <= len(h); j++ {
			add("without a run", h[:i], h[j:])
			if j < len(h) {
				add("without two events", h[:i], h[i+1:j], h[j+1:])
				add("with an event moved back", h[:i], h[i+1:j+1], h[i:i+1], h[j+1:])
				add("with an event moved ahead", h[:i], h[j:j+1], h[i:j], h[j+1:])
			}
			for _, e := range events {
				add("with a run replaced", h[:i], []E{e}, h[j:])
			}
		}
	}
	return ways
}

// shrinkAndCheck shrinks a failing history and checks all that Shrink promises.
func shrinkAndCheck[E comparable](t rapid.TB, orders []enumerate.Order[E], history []E, accept func([]E) bool) []E {
	t.Helper()
	fails := func(h []E) bool {
		return slices.ContainsFunc(orders, func(o enumerate.Order[E]) bool { return o.Validate(h) == nil }) && accept(h)
	}
	all := slices.MaxFunc(orders, func(a, b enumerate.Order[E]) int { return a.Len() - b.Len() })
	positions := func(h []E) (list []int) {
		for _, e := range h {
			list = append(list, all.Index(e))
		}
		return list
	}
	compare := func(a, b []E) int { return enumerate.CompareHistories(positions(a), positions(b)) }

	given := slices.Clone(history)
	asked := map[string]int{}
	got, err := counterexamples.Shrink(orders, given, func(h []E) bool {
		asked[fmt.Sprint(h)]++
		accepted := accept(h)
		clear(h) // it is a copy
		return accepted
	})
	if err != nil {
		t.Fatalf("shrink %v: %v", history, err)
	}
	if !slices.Equal(given, history) {
		t.Fatalf("the history given was %v and is now %v", history, given)
	}
	if !fails(got) || compare(got, history) > 0 {
		t.Fatalf("%v shrank to %v, which does not fail or is greater", history, got)
	}
	for h, n := range asked {
		if n > 1 && (n > 2 || h != fmt.Sprint(got)) {
			t.Fatalf("asked %d times about %v while shrinking %v to %v", n, h, history, got)
		}
	}
	for _, w := range waysToShrink(all.Events(), got) {
		if compare(w.history, got) < 0 && fails(w.history) {
			t.Fatalf("%v shrank to %v; %v, %s, is less and fails", history, got, w.history, w.change)
		}
	}
	if again, err := counterexamples.Shrink(orders, history, accept); err != nil || !slices.Equal(again, got) {
		t.Fatalf("%v shrank to %v, then to %v, %v", history, got, again, err)
	}
	return got
}

// findLeast returns the least history for each reason.
func findLeast[S, E, O, R comparable](t rapid.TB, orders []enumerate.Order[E], m enumerate.Machine[S, E],
	see func(S, E, S) (O, bool), reasons func(O) []R) map[R][]E {
	t.Helper()
	found, err := counterexamples.Find(context.Background(), orders, m, enumerate.Observe(see), reasons, enumerate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	least := map[R][]E{}
	for _, c := range found {
		least[c.Reason] = c.History
	}
	return least
}

func TestShrinkPasses(t *testing.T) {
	has := func(e int) func([]int) bool { return func(h []int) bool { return slices.Contains(h, e) } }
	before := func(a, b int) func([]int) bool {
		return func(h []int) bool { return has(a)(h) && slices.Index(h, a) < slices.Index(h, b) }
	}
	tests := []struct {
		name, reason string
		optional     []int
		history      string
		accept       func([]int) bool
		want         string
	}{
		{"tail", "what comes after the deciding event goes, optional or not", nil, "0 2 1 3 4", has(2), "2"},
		{"head", "what has to come before the deciding event stays", nil, "5 6 7 2 3", has(7), "6 7"},
		{"left out", "an optional event need not come before what it precedes", []int{6}, "5 6 7", has(7), "7"},
		{"all", "nothing is needed", nil, "3 1 2", func([]int) bool { return true }, ""},
		{"run", "three events that can only go together", nil, "3 0 1 2",
			func(h []int) bool { return has(3)(h) && len(h)%3 == 1 }, "3"},
		{"two", "an event and what undoes it, before and after another", nil, "1 5 2",
			func(h []int) bool {
				return has(5)(h) && (before(1, 5)(h) && before(5, 2)(h) || !has(1)(h) && !has(2)(h))
			}, "5"},
		{"replaced", "another event does as well and is declared earlier", []int{0, 1, 2}, "6 2 7",
			func(h []int) bool { return has(7)(h) && (has(1)(h) || has(2)(h)) }, "1 6 7"},
		{"several replaced", "one event does what took two", []int{0, 1, 2}, "6 0 1 7",
			func(h []int) bool { return has(7)(h) && (before(0, 1)(h) || has(2)(h)) }, "2 6 7"},
		{"swapped", "the order of two adjacent events does not matter", nil, "2 1",
			func(h []int) bool { return has(1)(h) && has(2)(h) }, "1 2"},
		{"moved", "an event jumps over two that belong together", nil, "1 2 0",
			func(h []int) bool { return len(h) == 3 && has(0)(h) && slices.Index(h, 2) == slices.Index(h, 1)+1 }, "0 1 2"},
		{"moved back", "the first event can only go last", nil, "2 0 1",
			func(h []int) bool { return len(h) == 3 && has(0)(h) && h[1] != 2 }, "0 1 2"},
		{"local minimum", "a limit: 4 5 is shorter and fails too, but no one change leads there", nil, "0 1 2",
			func(h []int) bool { return before(0, 1)(h) && has(2)(h) || has(4)(h) && has(5)(h) }, "0 1 2"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var history []int
			for word := range strings.FieldsSeq(tt.history) {
				history = append(history, int(word[0]-'0'))
			}
			orders := restrictions(intOrder(t, 8, [2]int{6, 7}), tt.optional...)
			got := strings.Trim(fmt.Sprint(shrinkAndCheck(t, orders, history, tt.accept)), "[]")
			if got != tt.want {
				t.Errorf("%s shrank to %s, want %s: %s", tt.history, got, tt.want, tt.reason)
			}
		})
	}
}

func TestShrinkRefuses(t *testing.T) {
	o := intOrder(t, 8, [2]int{6, 7})
	backwards, _ := enumerate.NewOrder[int]().Free("", 1, 0).Build()
	not1 := func(e int) bool { return e != 1 }
	foreign, _ := enumerate.NewOrder[int]().Free("", 9).Build()
	accepting := func(calls int) func([]int) bool {
		return func([]int) bool { calls--; return calls >= 0 }
	}
	tests := []struct {
		name    string
		orders  []enumerate.Order[int]
		history []int
		accept  func([]int) bool
		want    string
	}{
		{"out of order", restrictions(o), []int{0, 7, 6}, accepting(9),
			"no order admits it, because of event 2, 7: history has 7 before 6, which must precede it"},
		{"the closest order", restrictions(o, 0, 6), []int{0, 7, 6}, accepting(9),
			"no order admits it, because of event 3, 6: history has 6, which is not an event of the order"},
		{"no orders", nil, nil, accepting(9), "there is no order that could admit it"},
		{"moved events", []enumerate.Order[int]{o.Restrict(not1), backwards.Restrict(not1)}, []int{0}, accepting(9),
			"the orders are not restrictions of one order; use Restrict"},
		{"shared places", []enumerate.Order[int]{o, foreign}, []int{0}, accepting(9),
			"the orders are not restrictions of one order; use Restrict"},
		{"right", restrictions(o), []int{0, 1}, accepting(0), "the history does not fail, so there is nothing to shrink"},
		{"fickle at once", restrictions(o), []int{0, 1}, accepting(1), "accept changed its mind about [0 1]: it must be pure"},
		{"fickle later", restrictions(o), []int{0, 1}, accepting(2), "accept changed its mind about []: it must be pure"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := counterexamples.Shrink(tt.orders, tt.history, tt.accept)
			if want := "shrink history: " + tt.want; got != nil || err == nil || err.Error() != want {
				t.Errorf("got %v, %v\nwant %s", got, err, want)
			}
		})
	}
}

func TestShrinkWithoutAccept(t *testing.T) {
	defer func() {
		want := "counterexamples.Shrink: accept is nil; pass a function that says whether a history fails"
		if got := recover(); got != want {
			t.Errorf("panic = %v, want %s", got, want)
		}
	}()
	counterexamples.Shrink(restrictions(intOrder(t, 1)), nil, nil)
}

// A panel is a machine of three lamps: events switch one on, off or over, or look
// at it.
type panel []struct{ lamp, effect uint8 }

const (
	on uint8 = iota
	off
	over
	look
)

func (panel) Init() (lit uint8) { return 0 }

func (p panel) Next(lit uint8, e int) uint8 {
	lamp := uint8(1) << p[e].lamp
	switch p[e].effect {
	case on:
		return lit | lamp
	case off:
		return lit &^ lamp
	case over:
		return lit ^ lamp
	}
	return lit
}

// sees returns e if it is a look at a lamp that is lit.
func (p panel) sees(lit uint8, e int, _ uint8) (_ int, seen bool) {
	return e, p[e].effect == look && lit>>p[e].lamp&1 == 1
}

// fails reports whether a history ends with a look at a lamp that is lit.
func (p panel) fails(history []int) bool {
	if len(history) == 0 {
		return false
	}
	before, last := history[:len(history)-1], history[len(history)-1]
	_, seen := p.sees(counterexamples.Replay(p, before)[len(before)], last, 0)
	return seen
}

func drawPanel(t *rapid.T) panel {
	p := make(panel, rapid.IntRange(2, 12).Draw(t, "events"))
	for e := range p {
		p[e].lamp = rapid.Uint8Range(0, 2).Draw(t, "lamp")
		p[e].effect = rapid.Uint8Range(on, look).Draw(t, "effect")
	}
	return p
}

// drawPairs draws for some of the events one that precedes it.
func drawPairs(t *rapid.T, events []int) (pairs [][2]int) {
	for n, then := range events {
		if n > 0 && rapid.Bool().Draw(t, "ordered") {
			pairs = append(pairs, [2]int{rapid.SampledFrom(events[:n]).Draw(t, "first"), then})
		}
	}
	return pairs
}

// A panelRun is a schedule of a panel and the orders that histories may be shrunk in.
type panelRun struct {
	panel    panel
	orders   []enumerate.Order[int]
	schedule []int
}

func drawRun(t *rapid.T, p panel, pairs [][2]int, optional []int) panelRun {
	o := intOrder(t, len(p), pairs...)
	scenario := rapidgen.Restriction(o, func(e int) bool { return slices.Contains(optional, e) }).Draw(t, "scenario")
	return panelRun{p, restrictions(o, optional...), rapidgen.Schedule(scenario).Draw(t, "schedule")}
}

// A chained run has a chain, which does all the looking, and optional events.
func drawChained(t *rapid.T) panelRun {
	p := drawPanel(t)
	events := rapid.Permutation(intOrder(t, len(p)).Events()).Draw(t, "chain first")
	length := rapid.IntRange(max(1, len(p)-6), len(p)).Draw(t, "length of the chain")
	chain, optional := events[:length], events[length:]
	pairs := drawPairs(t, optional)
	for i, e := range chain[1:] {
		pairs = append(pairs, [2]int{chain[i], e})
	}
	for _, e := range optional {
		p[e].effect %= look
	}
	return drawRun(t, p, pairs, optional)
}

// A loose run has looks, optional events and precedence anywhere.
func drawLoose(t *rapid.T) panelRun {
	p := drawPanel(t)
	events := intOrder(t, len(p)).Events()
	optional := rapid.Permutation(events).Draw(t, "optional first")[:rapid.IntRange(0, min(6, len(p))).Draw(t, "optional")]
	return drawRun(t, p, drawPairs(t, events), optional)
}

// shrinkAll shrinks each failing history of the schedule. It returns how many there
// are, and how many are longer when shrunk than the shortest that fails the same
// way, which is with the same look.
func (r panelRun) shrinkAll(t rapid.TB) (failing, longer int) {
	shortest := findLeast(t, r.orders, r.panel, r.panel.sees, func(e int) []int { return []int{e} })
	for n, e := range r.schedule {
		if h := r.schedule[:n+1]; r.panel.fails(h) {
			failing++
			got := shrinkAndCheck(t, r.orders, h, func(h []int) bool { return r.panel.fails(h) && h[len(h)-1] == e })
			if len(got) > len(shortest[e]) {
				t.Logf("%v shrank to %v, and the shortest is %v", h, got, shortest[e])
				longer++
			}
		}
	}
	return failing, longer
}

// If a chain decides, and the other events are optional, what a history shrinks to
// is always as short as can be.
func TestShrinkIsAsShortAsFind(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		if _, longer := drawChained(t).shrinkAll(t); longer > 0 {
			t.Fatal("not the shortest")
		}
	})
}

// With looks and precedence anywhere, few local minima are too long.
func TestShrinkIsSeldomStuck(t *testing.T) {
	generator := rapid.Custom(drawLoose)
	failing, longer := 0, 0
	for seed := range 400 {
		f, l := generator.Example(seed).shrinkAll(t)
		failing, longer = failing+f, longer+l
	}
	if failing < 100 || longer > 2 {
		t.Errorf("%d of %d failing histories are too long when shrunk, want at most 2 of 100 or more", longer, failing)
	}
}

// A judge is the machine of one mechanism, which it observes at the commit.
type judge struct{ mechanisms.Mechanism }

type judged struct {
	model   model.State
	history oracle.History
	early   mechanisms.Decision // at preflight
}

// A ruling is what makes a decision right or wrong.
type ruling struct {
	mechanisms.Decision
	reasons oracle.Reasons
}

func (judge) Init() judged { return judged{model: model.Initial(), history: oracle.Begin()} }

func (j judge) Next(s judged, e model.Event) judged {
	if e.Kind == model.Preflight {
		s.early = j.Decide(s.model, s.model.Request())
	}
	s.model, s.history = model.Next(s.model, e), s.history.Observe(e)
	if e.Kind == model.TrustedVerify {
		s.history = s.history.Record(s.model.Evidence)
	}
	return s
}

func (j judge) rule(s judged, e model.Event, _ judged) (_ ruling, seen bool) {
	r := ruling{j.Decide(s.model, s.model.Request()), s.history.Judge(s.model.Request()).Reasons}
	if j.At == mechanisms.Preflight {
		r.Decision = s.early
	}
	return r, e.Kind == model.Commit
}

// wrong returns the ways in which a decision is wrong, one a reason.
func (r ruling) wrong() (ways []string) {
	switch eligible := r.reasons == 0; {
	case r.Accepted && !eligible:
		for _, reason := range r.reasons.Names() {
			ways = append(ways, "accepts in spite of "+reason)
		}
	case !r.Accepted && eligible:
		for _, check := range r.Failed.Names() {
			ways = append(ways, "refuses for "+check)
		}
	}
	return ways
}

// decide returns the ways in which m decides wrongly, none without a commit.
func decide(m mechanisms.Mechanism, history []model.Event) []string {
	d, err := study.Decide(m, history)
	if err != nil {
		return nil
	}
	return ruling{d.Decision, d.Verdict.Reasons}.wrong()
}

func drawMechanism(t *rapid.T) mechanisms.Mechanism {
	return mechanisms.Mechanism{
		Requires: model.Checks(rapid.Uint16Range(0, uint16(model.All|model.LatestPolicy)).Draw(t, "checks")),
		At:       rapid.SampledFrom([]mechanisms.Point{mechanisms.Commit, mechanisms.Preflight}).Draw(t, "at"),
	}
}

// drawBeyond draws a schedule of up to twelve events, any of them repetitions, and
// the orders that its histories may be shrunk in.
func drawBeyond(t *rapid.T) (orders []enumerate.Order[model.Event], schedule []model.Event) {
	var pool []model.Event
	for _, e := range model.Environment() {
		pool = append(pool, e, model.Event{Kind: e.Kind, N: 2}, model.Event{Kind: e.Kind, N: 3})
	}
	environment := rapid.Permutation(pool).Draw(t, "pool")[:rapid.IntRange(0, 7).Draw(t, "environment")]
	o, err := study.Order(environment...)
	if err != nil {
		t.Fatal(err)
	}
	some := rapidgen.Restriction(o, func(e model.Event) bool { return e.Kind > model.Commit })
	scenario := rapid.OneOf(some, rapid.Just(o)).Draw(t, "scenario")
	return restrictions(o, environment...), rapidgen.Schedule(scenario).Draw(t, "schedule")
}

// The draws show every reason that there is for an error within reach of events.
func TestDrawsFailInEveryWay(t *testing.T) {
	seen := map[string]int{}
	generator := rapid.Custom(func(t *rapid.T) []string {
		m := drawMechanism(t)
		_, schedule := drawBeyond(t)
		return append(decide(m, schedule), fmt.Sprint(len(schedule), " events"))
	})
	for seed := range 1000 {
		for _, way := range generator.Example(seed) {
			seen[way]++
		}
	}
	for _, want := range []string{
		"accepts in spite of attempt", "accepts in spite of lease", "accepts in spite of grant", "accepts in spite of inputs",
		"accepts in spite of artifact", "accepts in spite of evidence", "refuses for latest-policy", "5 events", "12 events",
	} {
		if seen[want] < 5 {
			t.Errorf("of 1,000 draws %d are such: %s", seen[want], want)
		}
	}
}

// Whatever a mechanism requires, the errors that it makes beyond the bounds of the
// study shrink to the least history that shows them.
func TestErrorsBeyondTheStudyShrinkToTheLeast(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawMechanism(t)
		orders, schedule := drawBeyond(t)
		least := findLeast(t, orders, judge{m}, judge{m}.rule, ruling.wrong)
		for _, way := range decide(m, schedule) {
			got := shrinkAndCheck(t, orders, schedule, func(h []model.Event) bool { return slices.Contains(decide(m, h), way) })
			if !slices.Equal(got, least[way]) {
				t.Fatalf("%v, which %s, shrank to %v; the least is %v", schedule, way, got, least[way])
			}
		}
	})
}
