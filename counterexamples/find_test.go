package counterexamples_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"example.com/commitpoint/counterexamples"
	"example.com/commitpoint/enumerate"
)

// A dial turns by an amount that depends on the event, and meets the same few numbers
// on many ways. A jammed one does not turn on event 0 before it stands where it may.
type (
	dial   struct{ start, by, size uint16 }
	jammed struct{ dial }
)

func (d dial) Init() uint16                   { return d.start % d.size }
func (d dial) Next(s uint16, e int) uint16    { return (s*3 + d.by*uint16(e+1)) % d.size }
func (j jammed) Enabled(s uint16, e int) bool { return e != 0 || s%2 == 0 }

// drawDial draws one of either.
func drawDial(t *rapid.T) enumerate.Machine[uint16, int] {
	n := rapid.Uint16Range(1, 24)
	d := dial{n.Draw(t, "start"), n.Draw(t, "by"), n.Draw(t, "size")}
	if rapid.Bool().Draw(t, "jammed") {
		return jammed{d}
	}
	return d
}

// drawRestrictions draws an order of five events, and one to three restrictions of it.
func drawRestrictions(t *rapid.T) (universe enumerate.Order[int], orders []enumerate.Order[int]) {
	b := enumerate.NewOrder[int]().Free("", rapid.Permutation([]int{0, 1, 2, 3, 4}).Draw(t, "declaration")...)
	for range rapid.IntRange(0, 4).Draw(t, "pairs") {
		first := rapid.IntRange(0, 3).Draw(t, "first")
		b.Before(first, rapid.IntRange(first+1, 4).Draw(t, "then"))
	}
	universe, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	for range rapid.IntRange(1, 3).Draw(t, "orders") {
		kept := rapid.IntRange(0, 31).Draw(t, "kept")
		orders = append(orders, universe.Restrict(func(e int) bool { return kept>>e&1 == 1 }))
	}
	return universe, orders
}

// dialed is what is asked of a dial; what is reachable breaks nothing.
var dialed = enumerate.Properties[uint16]{
	enumerate.Always("no seven", func(s uint16) bool { return s != 7 }),
	enumerate.Reachable("twenty", func(s uint16) bool { return s == 20 }),
	enumerate.Always("below ten", func(s uint16) bool { return s < 10 }),
	enumerate.Always("not divisible by five", func(s uint16) bool { return s%5 != 0 || s == 0 }),
}

// positions returns the declaration indices of a history.
func positions(universe enumerate.Order[int], history []int) (list []int) {
	for _, e := range history {
		list = append(list, universe.Index(e))
	}
	return list
}

// checked returns the shortest violation of each Always property by Check, which is
// asked about one order after the other.
func checked(t *rapid.T, universe enumerate.Order[int], orders []enumerate.Order[int], m enumerate.Machine[uint16, int]) map[string][]int {
	best := map[string][]int{}
	for _, o := range orders {
		c, err := enumerate.Check(t.Context(), o, m, dialed, enumerate.Options{})
		if deadlock := (*enumerate.Deadlock)(nil); err != nil && !errors.As(err, &deadlock) {
			t.Fatal(err)
		}
		for _, v := range c.Violations {
			if v.Schedule == nil {
				continue // something is not reached
			}
			history := []int{}
			for _, name := range v.Schedule {
				history = append(history, int(name[0]-'0'))
			}
			old, known := best[v.Property]
			if !known || enumerate.CompareHistories(positions(universe, history), positions(universe, old)) < 0 {
				best[v.Property] = history
			}
		}
	}
	return best
}

// walked returns the same by looking at every prefix of every schedule.
func walked(universe enumerate.Order[int], orders []enumerate.Order[int], m enumerate.Machine[uint16, int]) map[string][]int {
	holds := map[string]func(uint16) bool{
		"no seven": func(s uint16) bool { return s != 7 }, "below ten": func(s uint16) bool { return s <= 9 },
		"not divisible by five": func(s uint16) bool { return s == 0 || s%5 > 0 },
	}
	guard, guarded := m.(jammed)
	best := map[string][]int{}
	for _, o := range orders {
		for schedule := range o.Schedules() {
			s := m.Init()
			for n := range len(schedule) + 1 {
				for name, h := range holds {
					old, known := best[name]
					if !h(s) && (!known || enumerate.CompareHistories(positions(universe, schedule[:n]), positions(universe, old)) < 0) {
						best[name] = append([]int{}, schedule[:n]...)
					}
				}
				if n == len(schedule) || guarded && !guard.Enabled(s, schedule[n]) {
					break
				}
				s = m.Next(s, schedule[n])
			}
		}
	}
	return best
}

func TestFindViolationsAgreesWithCheck(t *testing.T) {
	atStart, later, elsewhere := 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		universe, orders := drawRestrictions(t)
		m := drawDial(t)
		want := walked(universe, orders, m)
		if c := checked(t, universe, orders, m); fmt.Sprint(c) != fmt.Sprint(want) {
			t.Fatalf("%v: by Check %v, by walking %v", orders, c, want)
		}
		for workers := 1; workers <= 2; workers++ {
			found, err := counterexamples.FindViolations(t.Context(), orders, m, dialed, enumerate.Options{Workers: workers})
			if err != nil {
				t.Fatal(err)
			}
			got := map[string][]int{}
			for i, c := range found {
				got[c.Reason] = c.History
				if i > 0 && enumerate.CompareHistories(positions(universe, found[i-1].History), positions(universe, c.History)) > 0 {
					t.Fatalf("%v before %v, which is shorter", found[i-1], c)
				}
			}
			if len(got) != len(found) || fmt.Sprintf("%#v", got) != fmt.Sprintf("%#v", want) {
				t.Fatalf("%v: found %v, want %v", orders, found, want)
			}
		}
		for _, history := range want {
			switch {
			case len(history) == 0:
				atStart++
			case orders[0].Validate(history) != nil:
				elsewhere++
			default:
				later++
			}
		}
	})
	if atStart < 10 || later < 10 || elsewhere < 10 {
		t.Errorf("of all violations %d are at the start, %d later and %d not in the first order: hardly tested", atStart, later, elsewhere)
	}
}

// What is broken at the start is broken by the empty history, whatever breaks it
// again later.
func TestFindViolationsAtTheStart(t *testing.T) {
	o, err := enumerate.NewOrder[int]().Free("", 0, 1).Build()
	if err != nil {
		t.Fatal(err)
	}
	properties := enumerate.Properties[string]{
		enumerate.Always("short", func(s string) bool { return len(s) < 2 }),
		enumerate.Always("never", func(string) bool { return false }),
		enumerate.Always("begun", func(s string) bool { return s != "" }),
		enumerate.Always("no a", func(s string) bool { return s != "a" }),
	}
	found, err := counterexamples.FindViolations(t.Context(), []enumerate.Order[int]{o}, trail{}, properties, enumerate.Options{})
	if want := "[{never []} {begun []} {no a [0]} {short [0 1]}]"; err != nil || fmt.Sprint(found) != want {
		t.Errorf("found %v, %v; want %s", found, err, want)
	}
	for _, c := range found {
		if c.History == nil {
			t.Errorf("the history of %q is nil, and not empty", c.Reason)
		}
	}
	if found, err := counterexamples.FindViolations(t.Context(), nil, trail{}, properties, enumerate.Options{}); found != nil || err == nil {
		t.Errorf("in no order nothing is looked at, and yet: %v, %v", found, err)
	}
}

// Sixty-four properties are not too many, and the last of them counts.
func TestFindViolationsCountsProperties(t *testing.T) {
	o, err := enumerate.NewOrder[int]().Free("", 0).Build()
	if err != nil {
		t.Fatal(err)
	}
	properties := make(enumerate.Properties[string], 0, 65)
	for i := range 64 {
		properties = append(properties, enumerate.Always(fmt.Sprint("property ", i), func(s string) bool { return i < 63 || s == "" }))
	}
	find := func() ([]counterexamples.Counterexample[int, string], error) {
		return counterexamples.FindViolations(t.Context(), []enumerate.Order[int]{o}, trail{}, properties, enumerate.Options{})
	}
	if found, err := find(); err != nil || fmt.Sprint(found) != "[{property 63 [0]}]" {
		t.Errorf("of 64 properties: %v, %v; want the last broken", found, err)
	}
	properties = append(properties, properties[0])
	if found, err := find(); found != nil || err == nil || err.Error() != "find violations: 65 properties; use 1 to 64" {
		t.Errorf("of 65 properties: %v, %v", found, err)
	}
	properties = nil
	if found, err := find(); found != nil || err == nil || err.Error() != "find violations: 0 properties; use 1 to 64" {
		t.Errorf("of no properties: %v, %v", found, err)
	}
}

// Nothing is found in a run that was cut short, though something was broken on the way.
func TestFindsNothingIncomplete(t *testing.T) {
	o, err := enumerate.NewOrder[int]().Free("", 0, 1, 2, 3, 4).Build()
	if err != nil {
		t.Fatal(err)
	}
	orders := []enumerate.Order[int]{o}
	never := enumerate.Properties[string]{enumerate.Always("never", func(string) bool { return false })}
	all := enumerate.Observe(func(_ string, _ int, after string) (string, bool) { return after, true })
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	const nodes = 326 // histories of five events, none of which meet
	for _, tt := range []struct {
		name string
		ctx  context.Context
		opt  enumerate.Options
		ends error
	}{
		{"a node too few", t.Context(), enumerate.Options{MaxNodes: nodes - 1}, enumerate.ErrLimit},
		{"one node", t.Context(), enumerate.Options{MaxNodes: 1}, enumerate.ErrLimit},
		{"cancelled", cancelled, enumerate.Options{}, context.Canceled},
		{"enough nodes", t.Context(), enumerate.Options{MaxNodes: nodes}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			found, err := counterexamples.FindViolations(tt.ctx, orders, trail{}, never, tt.opt)
			checkComplete(t, len(found), err, tt.ends)
			some, err := counterexamples.Find(tt.ctx, orders, trail{}, all, func(s string) []string { return suspicious(nil, s) }, tt.opt)
			checkComplete(t, len(some), err, tt.ends)
		})
	}
}

// checkComplete wants an incomplete run with nothing found, or a complete one.
func checkComplete(t *testing.T, found int, err, ends error) {
	t.Helper()
	var incomplete *enumerate.IncompleteError
	if errors.As(err, &incomplete) != (ends != nil) || !errors.Is(err, ends) || (found == 0) != (ends != nil) {
		t.Errorf("%d found, error %v; want it to end by %v", found, err, ends)
	}
}

// A property that panics is a fault, with the history after which it does.
func TestFindViolationsOfABrokenProperty(t *testing.T) {
	o, err := enumerate.NewOrder[int]().Free("", 0, 1, 2).Build()
	if err != nil {
		t.Fatal(err)
	}
	for at, want := range map[string][]string{"": nil, "cb": {"2", "1"}} {
		found, err := counterexamples.FindViolations(t.Context(), []enumerate.Order[int]{o}, trail{}, enumerate.Properties[string]{
			enumerate.Always("fine", func(s string) bool {
				if s == at {
					panic("no such state")
				}
				return false
			}),
		}, enumerate.Options{})
		var fault *enumerate.Fault
		if found != nil || !errors.As(err, &fault) || !fault.Known || !slices.Equal(fault.History, want) ||
			!strings.HasPrefix(err.Error(), "the machine panics: no such state") {
			t.Errorf("found %v, %v\nwant a fault after %v", found, err, want)
		}
	}
}

// The nearest history has the last swap that makes right of wrong, or wrong of right,
// and no swap that only changes the decision.
func TestFindNearest(t *testing.T) {
	o, err := enumerate.NewOrder[int]().Chain("", 0, 1).Free("", 2, 3).Build()
	if err != nil {
		t.Fatal(err)
	}
	type outcomes = map[string]counterexamples.Outcome
	wrong := counterexamples.Outcome{Decision: "accepted", Wrong: true}
	right := counterexamples.Outcome{Decision: "accepted", Eligible: true}
	refused := counterexamples.Outcome{Decision: "refused"}
	tests := []struct {
		name, reason string
		history      []int
		known        outcomes // right if not among them
		want         string
	}{
		{"the last swap", "all swaps make it right, and the last is nearest", []int{0, 2, 3, 1},
			outcomes{"[0 2 3 1]": wrong}, "{[0 2 1 3] 1 3 accepted true}"},
		{"an earlier swap", "the last two stay wrong", []int{0, 2, 3, 1},
			outcomes{"[0 2 3 1]": wrong, "[0 2 1 3]": wrong, "[0 3 2 1]": wrong, "[2 0 3 1]": refused}, "{[2 0 3 1] 2 0 refused false}"},
		{"from right to wrong", "a refusal of the ineligible is right, too", []int{2, 3},
			outcomes{"[2 3]": refused, "[3 2]": wrong}, "{[3 2] 3 2 accepted false}"},
		{"another decision", "it is right, as before", []int{2, 3}, outcomes{"[2 3]": refused, "[3 2]": right}, "none"},
		{"nothing changes", "all are wrong", []int{0, 2, 1}, outcomes{"[0 2 1]": wrong, "[0 1 2]": wrong, "[2 0 1]": wrong}, "none"},
		{"no swap", "the order forbids it", []int{0, 1}, outcomes{"[0 1]": wrong}, "none"},
		{"one event", "there is nothing to swap", []int{0}, outcomes{"[0]": wrong}, "none"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			before := slices.Clone(tt.history)
			nearest := counterexamples.FindNearest(o, tt.history, func(history []int) counterexamples.Outcome {
				if known, ok := tt.known[fmt.Sprint(history)]; ok {
					return known
				}
				return right
			})
			got := "none"
			if nearest != nil {
				got = fmt.Sprint(*nearest)
			}
			if got != tt.want || !slices.Equal(tt.history, before) {
				t.Errorf("nearest to %v: %s, want %s: %s", before, got, tt.want, tt.reason)
			}
		})
	}
}
