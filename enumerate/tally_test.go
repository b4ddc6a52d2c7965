package enumerate_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"example.com/commitpoint/enumerate"
)

// A maze is a mixer that blocks events, and ends here and there.
type maze struct {
	mixer
	open, ends uint16
}

func (m maze) Enabled(s uint16, e int) bool { return (s+7*uint16(e))%5 < m.open }
func (m maze) Done(s uint16) bool           { return s%3 < m.ends }

func drawMaze(t *rapid.T) maze {
	return maze{drawMixer(t), rapid.Uint16Range(1, 5).Draw(t, "open"), rapid.Uint16Range(0, 3).Draw(t, "ends")}
}

// A sight is what the tests observe: on some edges, the event and a little of
// both states.
type sight struct {
	event         int
	before, after uint16
}

func look(before uint16, e int, after uint16) (sight, bool) {
	return sight{e, before % 2, after % 3}, (before+uint16(e))%3 != 0
}

// dumb is a tally by walking every history from the start, with nothing merged
// and nothing weighted.
type dumb struct {
	schedules, deadlocks uint64
	nodes, edges         map[string]bool
	observed             map[sight]uint64
	shortest             []int // deadlock
}

func walkAll(o enumerate.Order[int], m enumerate.Machine[uint16, int]) dumb {
	d := dumb{nodes: map[string]bool{}, edges: map[string]bool{}, observed: map[sight]uint64{}}
	guard, guarded := m.(maze)
	var extend func(history []int, s uint16, seen []sight)
	extend = func(history []int, s uint16, seen []sight) {
		done := slices.Sorted(slices.Values(history))
		node := fmt.Sprint(done, s)
		d.nodes[node] = true
		stuck := true
		for _, e := range o.Events() {
			if o.Validate(append(slices.Clone(history), e)) != nil || guarded && !guard.Enabled(s, e) {
				continue
			}
			stuck = false
			d.edges[node+fmt.Sprint(" ", e)] = true
			next := m.Next(s, e)
			further := slices.Clone(seen)
			if v, ok := look(s, e, next); ok {
				further = append(further, v)
			}
			extend(append(slices.Clone(history), e), next, further)
		}
		switch {
		case !stuck:
		case len(history) == o.Len() || guarded && guard.Done(s):
			d.schedules++
			for _, v := range seen {
				d.observed[v]++
			}
		default:
			d.deadlocks++
			if d.shortest == nil || less(o, history, d.shortest) {
				d.shortest = history
			}
		}
	}
	extend([]int{}, m.Init(), nil)
	return d
}

// less is the order of histories: fewest events, least sorted indices, least
// sequence.
func less(o enumerate.Order[int], a, b []int) bool {
	indices := func(history []int) (list []int) {
		for _, e := range history {
			list = append(list, o.Index(e))
		}
		return list
	}
	x, y := indices(a), indices(b)
	if len(x) != len(y) {
		return len(x) < len(y)
	}
	if c := slices.Compare(slices.Sorted(slices.Values(x)), slices.Sorted(slices.Values(y))); c != 0 {
		return c < 0
	}
	return slices.Compare(x, y) < 0
}

func compare(t *rapid.T, o enumerate.Order[int], got enumerate.Tallied[sight], want dumb) {
	t.Helper()
	observed := map[sight]uint64{}
	for _, v := range got.Observed {
		if n := v.Count.Big(); n.Sign() > 0 { // a deadlocked history observes nothing that counts
			observed[v.Value] = n.Uint64()
		}
		if got.Count(v.Value) != v.Count {
			t.Fatalf("Count(%v) = %v, want %v", v.Value, got.Count(v.Value), v.Count)
		}
	}
	if got.Schedules.String() != fmt.Sprint(want.schedules) || got.Deadlocks.String() != fmt.Sprint(want.deadlocks) ||
		got.Nodes != uint64(len(want.nodes)) || got.Edges != uint64(len(want.edges)) || !maps.Equal(observed, want.observed) {
		t.Fatalf("%v:\n%+v\nby walking: %d schedules, %d deadlocks, %d nodes, %d edges, observed %v",
			o, got, want.schedules, want.deadlocks, len(want.nodes), len(want.edges), want.observed)
	}
}

func TestTallyAgreesWithWalking(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := drawOrder(t, 6)
		if keep := rapid.IntRange(0, 12).Draw(t, "restricted below"); keep < 6 {
			o = o.Restrict(func(e int) bool { return e < keep })
		}
		m := drawMixer(t)
		want := walkAll(o, m)
		for workers := 1; workers <= 3; workers++ {
			got, err := enumerate.Tally(t.Context(), o, m, enumerate.Observe(look), enumerate.Options{Workers: workers})
			if err != nil {
				t.Fatal(err)
			}
			compare(t, o, got, want)
		}
	})
}

// Each of several orders gets what it would get alone.
func TestTallyAllAgreesWithTally(t *testing.T) {
	shared := uint64(0)
	rapid.Check(t, func(t *rapid.T) {
		universe := drawOrder(t, 7)
		var orders []enumerate.Order[int]
		for range rapid.IntRange(1, 6).Draw(t, "orders") {
			kept := rapid.IntRange(0, 127).Draw(t, "kept")
			orders = append(orders, universe.Restrict(func(e int) bool { return kept>>e&1 == 1 }))
		}
		m := forgetful{drawMixer(t)}
		for workers := 1; workers <= 2; workers++ {
			visited := uint64(0)
			got, err := enumerate.TallyAll(t.Context(), orders, m, enumerate.Observe(lookEarly),
				enumerate.Options{Workers: workers, Progress: func(p enumerate.Progress) { visited = p.Nodes }})
			if err != nil {
				t.Fatal(err)
			}
			alone := uint64(0)
			for i, o := range orders {
				want, err := enumerate.Tally(t.Context(), o, m, enumerate.Observe(lookEarly), enumerate.Options{Workers: 1})
				if err != nil || fmt.Sprint(got[i]) != fmt.Sprint(want) {
					t.Fatalf("%v of %v: %v\nalone %v, %v", o, orders, got[i], want, err)
				}
				alone += want.Nodes
			}
			if visited > alone {
				t.Fatalf("%v: %d nodes together, %d alone", orders, visited, alone)
			}
			shared += alone - visited
		}
	})
	if shared == 0 {
		t.Error("no node was shared")
	}
}

// A hasty machine forgets, once 1 is done, what 0 would show, which is never later.
type hasty struct{ broken }

func (hasty) Canonical(done enumerate.Events[int], s uint16) uint16 {
	if done.Has(1) {
		return 0
	}
	return s
}

// A canonical form is checked along histories that some order has, not along those of
// all events together: after 1 there is no 0 in either of these orders.
func TestTallyAllChecksCanonicalFormsWithinTheOrders(t *testing.T) {
	o, err := enumerate.NewOrder[int]().Chain("", 0, 1).Build()
	if err != nil {
		t.Fatal(err)
	}
	orders := []enumerate.Order[int]{o, o.Restrict(func(e int) bool { return e == 1 })}
	atZero := func(before uint16, e int, _ uint16) (uint16, bool) { return before, e == 0 }
	if _, err := enumerate.TallyAll(t.Context(), orders, hasty{}, enumerate.Observe(atZero), enumerate.Options{}); err != nil {
		t.Error(err)
	}
}

// Several orders that can't share are refused.
func TestTallyAllRefuses(t *testing.T) {
	none := enumerate.Observer[uint16, int, bool]{}
	other, err := enumerate.NewOrder[int]().Chain("", 0, 1, 2).Build()
	if err != nil {
		t.Fatal(err)
	}
	for want, run := range map[string]func() ([]enumerate.Tallied[bool], error){
		"the orders are not restrictions of one order; use Restrict, or a run for each": func() ([]enumerate.Tallied[bool], error) {
			return enumerate.TallyAll(t.Context(), []enumerate.Order[int]{free(t, 3)[0], other}, mixer{1, 1, 2}, none, enumerate.Options{})
		},
		"tally all: the machine blocks events, so that the orders do not share completions; use Tally for each": func() ([]enumerate.Tallied[bool], error) {
			return enumerate.TallyAll(t.Context(), free(t, 3), maze{mixer{1, 1, 2}, 3, 1}, none, enumerate.Options{})
		},
		"<nil>": func() ([]enumerate.Tallied[bool], error) {
			return enumerate.TallyAll(t.Context(), nil, mixer{1, 1, 2}, none, enumerate.Options{})
		},
	} {
		if got, err := run(); fmt.Sprint(err) != want || got != nil {
			t.Errorf("%v, %v; want %s", got, err, want)
		}
	}
}

func TestGuardedTallyAgreesWithWalking(t *testing.T) {
	deadlocks, ends := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		o, m := drawOrder(t, 6), drawMaze(t)
		want := walkAll(o, m)
		if want.deadlocks > 0 {
			deadlocks++
		}
		if want.schedules > 0 && o.Len() > 0 {
			ends++
		}
		for workers := 1; workers <= 3; workers++ {
			got, err := enumerate.Tally(t.Context(), o, m, enumerate.Observe(look), enumerate.Options{Workers: workers})
			var deadlock *enumerate.Deadlock
			if errors.As(err, &deadlock) != (want.deadlocks > 0) || err != nil && deadlock == nil {
				t.Fatalf("%v: error %v, want %d deadlocks", o, err, want.deadlocks)
			}
			compare(t, o, got, want)
			if deadlock != nil && (fmt.Sprint(deadlock.Shortest) != fmt.Sprint(want.shortest) || deadlock.Histories != got.Deadlocks) {
				t.Fatalf("%v: %v; the shortest is %v", o, deadlock, want.shortest)
			}
		}
	})
	if deadlocks < 5 || ends < 5 {
		t.Errorf("only %d machines deadlocked and %d came to an end", deadlocks, ends)
	}
}

// The same bytes for any number of workers: results hold their order, too.
func TestTallyIsTheSameForAnyWorkers(t *testing.T) {
	o := free(t, 9)[0]
	m := mixer{13, 7, 41}
	want, err := enumerate.Tally(t.Context(), o, m, enumerate.Observe(look), enumerate.Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	for workers := 2; workers <= 8; workers++ {
		got, err := enumerate.Tally(t.Context(), o, m, enumerate.Observe(look), enumerate.Options{Workers: workers})
		if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%d workers: %v, %v\nwant %v", workers, got, err, want)
		}
	}
}

// A stepping mixer steps in place.
type stepping struct{ mixer }

func (m stepping) Step(s *uint16, e int) { *s = m.Next(*s, e) }

// A lagging one does not do the same in place.
type lagging struct{ mixer }

func (m lagging) Step(s *uint16, e int) { *s = m.Next(*s, e) + 1 }

func TestStepInPlace(t *testing.T) {
	o, m := free(t, 6)[0], mixer{3, 5, 31}
	want, err := enumerate.Tally(t.Context(), o, m, enumerate.Observe(look), enumerate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := enumerate.Tally(t.Context(), o, stepping{m}, enumerate.Observe(look), enumerate.Options{})
	if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("stepping in place: %v, %v\nwant %v", got, err, want)
	}
	_, err = enumerate.Tally(t.Context(), o, lagging{m}, enumerate.Observe(look), enumerate.Options{})
	var fault *enumerate.Fault
	if !errors.As(err, &fault) {
		t.Errorf("a Step that differs from Next: %v", err)
	}
}

// chains returns the order of disjoint chains of the given lengths.
func chains(t testing.TB, lengths ...int) enumerate.Order[int] {
	t.Helper()
	b := enumerate.NewOrder[int]()
	for c, n := range lengths {
		chain := make([]int, n)
		for i := range chain {
			chain[i] = 16*c + i
		}
		b.Chain("", chain...)
	}
	o, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// The three walks and the closed form agree on the number of schedules, also
// where it is beyond 64 bits.
func TestTallyCountsBeyond64Bits(t *testing.T) {
	o := chains(t, 16, 16, 16, 16)
	got, err := enumerate.Tally(t.Context(), o, mixer{0, 0, 1}, enumerate.Observer[uint16, int, sight]{}, enumerate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	n, ok := o.Extensions()
	if !ok || got.Schedules.Big().Cmp(n) != 0 || n.BitLen() < 100 || got.DownSets != 17*17*17*17 {
		t.Errorf("four chains of 16: %v schedules, closed form %v, %d down-sets", got.Schedules, n, got.DownSets)
	}
}

func TestTallyReportsOverflow(t *testing.T) {
	o := chains(t, 12, 12, 13, 13, 14)
	if n, ok := o.Extensions(); !ok || n.BitLen() <= 128 {
		t.Fatalf("the closed form says %v schedules, which is no overflow", n)
	}
	got, err := enumerate.Tally(context.Background(), o, mixer{1, 1, 2}, enumerate.Observe(look), enumerate.Options{})
	if !errors.Is(err, enumerate.ErrOverflow) || got.Observed != nil {
		t.Errorf("got %v, %v; want an overflow and no result", got, err)
	}
}
