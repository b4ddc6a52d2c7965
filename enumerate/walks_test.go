package enumerate_test

import (
	"context"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"sync/atomic"
	"testing"

	"pgregory.net/rapid"

	"example.com/commitpoint/enumerate"
)

// drawOrder draws a poset of up to limit events. Its declaration order is
// unrelated to its precedence.
func drawOrder(t *rapid.T, limit int) enumerate.Order[int] {
	n := rapid.IntRange(0, limit).Draw(t, "events")
	labels := make([]int, n)
	for i := range labels {
		labels[i] = i
	}
	b := enumerate.NewOrder[int]().Free("", rapid.Permutation(labels).Draw(t, "declaration")...)
	for i := range n {
		for j := range i {
			if rapid.IntRange(0, 3).Draw(t, "edge") == 0 {
				b.Before(j, i)
			}
		}
	}
	o, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// A mixer is a machine with few states that meet again on different ways; a
// tracer one whose states never do.
type (
	mixer  struct{ a, b, states uint16 }
	tracer struct{}
)

func (m mixer) Init() uint16                { return 1 }
func (m mixer) Next(s uint16, e int) uint16 { return (s*m.a + uint16(e)*m.b + s>>2) % m.states }
func (tracer) Init() string                 { return "" }
func (tracer) Next(s string, e int) string  { return s + fmt.Sprintf(" %d", e) }
func drawMixer(t *rapid.T) mixer {
	small := rapid.Uint16Range(1, 50)
	return mixer{small.Draw(t, "a"), small.Draw(t, "b"), small.Draw(t, "states")}
}

// replay is the dumb way: every schedule from the start.
func replay[S comparable](o enumerate.Order[int], m enumerate.Machine[S, int]) []enumerate.Outcome[S, int] {
	var outcomes []enumerate.Outcome[S, int]
	for schedule := range o.Schedules() {
		s := m.Init()
		for _, e := range schedule {
			s = m.Next(s, e)
		}
		i := slices.IndexFunc(outcomes, func(o enumerate.Outcome[S, int]) bool { return o.Final == s })
		if i < 0 {
			i = len(outcomes)
			outcomes = append(outcomes, enumerate.Outcome[S, int]{Final: s, First: schedule})
		}
		outcomes[i].Schedules++
	}
	return outcomes
}

func same[S comparable](a, b []enumerate.Outcome[S, int]) bool {
	return slices.EqualFunc(a, b, func(a, b enumerate.Outcome[S, int]) bool {
		return a.Final == b.Final && a.Schedules == b.Schedules && slices.Equal(a.First, b.First)
	})
}

// permutations is the schedules from the definition: all permutations that
// respect the precedence, sorted by declaration index.
func permutations(o enumerate.Order[int]) [][]int {
	var all [][]int
	var extend func(prefix, rest []int)
	extend = func(prefix, rest []int) {
		if len(rest) == 0 {
			all = append(all, slices.Clone(prefix))
		}
		for i, e := range rest {
			if !slices.ContainsFunc(rest, func(f int) bool { return o.Precedes(f, e) }) {
				extend(append(prefix, e), slices.Delete(slices.Clone(rest), i, i+1))
			}
		}
	}
	extend(nil, o.Events())
	return all
}

func TestSchedulesAreTheLinearExtensions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := drawOrder(t, 6)
		got := slices.Collect(o.Schedules())
		if want := permutations(o); !slices.EqualFunc(got, want, slices.Equal[[]int]) {
			t.Fatalf("schedules of %v:\n%v\nwant\n%v", o, got, want)
		}
		byIndex := func(a, b []int) int {
			return slices.CompareFunc(a, b, func(x, y int) int { return o.Index(x) - o.Index(y) })
		}
		if !slices.IsSortedFunc(got, byIndex) {
			t.Fatalf("schedules of %v are not in lexicographic order: %v", o, got)
		}
	})
}

// downSets counts linear extensions by the number of ways to reach each set of
// done events: a third way beside walking and the closed form.
func downSets(o enumerate.Order[int]) *big.Int {
	events := o.Events()
	ways := map[uint64]*big.Int{0: big.NewInt(1)}
	for range events {
		next := map[uint64]*big.Int{}
		for done, n := range ways {
			for i, e := range events {
				blocked := false
				for j, f := range events {
					blocked = blocked || done>>j&1 == 0 && o.Precedes(f, e)
				}
				if done>>i&1 == 1 || blocked {
					continue
				}
				to := done | 1<<i
				if next[to] == nil {
					next[to] = new(big.Int)
				}
				next[to].Add(next[to], n)
			}
		}
		ways = next
	}
	for _, n := range ways {
		return n
	}
	return big.NewInt(1)
}

func TestExtensionsAgreesWithWalking(t *testing.T) {
	forests := 0
	rapid.Check(t, func(t *rapid.T) {
		o := drawOrder(t, 7)
		if keep := rapid.IntRange(0, 14).Draw(t, "restricted below"); keep < 7 {
			o = o.Restrict(func(e int) bool { return e < keep })
		}
		walked := 0
		for range o.Schedules() {
			walked++
		}
		if n := downSets(o); n.Int64() != int64(walked) {
			t.Fatalf("%v has %d schedules, by down-sets %v", o, walked, n)
		}
		n, ok := o.Extensions()
		if ok && n.Int64() != int64(walked) {
			t.Fatalf("%v has %d schedules, the closed form says %v", o, walked, n)
		}
		if ok {
			forests++
		}
	})
	if forests < 10 {
		t.Errorf("only %d orders were forests: the closed form was hardly tested", forests)
	}
}

func TestExtensionsKnowsItsLimits(t *testing.T) {
	diamond, err := enumerate.NewOrder[int]().Chain("", 1, 2, 4).Chain("", 3).Before(1, 3).Before(3, 4).Build()
	if err != nil {
		t.Fatal(err)
	}
	if n, ok := diamond.Extensions(); ok {
		t.Errorf("the closed form for forests says %v of an order where 4 follows 2 and 3", n)
	}
	b := enumerate.NewOrder[int]()
	for i := range 64 {
		b.Free("", i)
	}
	o, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	want := new(big.Int).MulRange(1, 64)
	if n, ok := o.Extensions(); !ok || n.Cmp(want) != 0 {
		t.Errorf("64 free events have %v schedules, want 64!", n)
	}
}

func TestWalkVisitsEveryPrefixOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := drawOrder(t, 6)
		want := map[string]bool{}
		for s := range o.Schedules() {
			for i := range len(s) + 1 {
				want[fmt.Sprint(s[:i])] = true
			}
		}
		var last []int
		err := enumerate.Walk(t.Context(), []enumerate.Order[int]{o}, tracer{}, func(_ int, prefix []int, s *string) bool {
			key := fmt.Sprint(prefix)
			if !want[key] {
				t.Fatalf("%v: prefix %v was visited twice or belongs to no schedule", o, prefix)
			}
			delete(want, key)
			final := tracer{}.Init()
			for _, e := range prefix {
				final = tracer{}.Next(final, e)
			}
			if *s != final {
				t.Fatalf("state after %v = %q", prefix, *s)
			}
			if last != nil && slices.CompareFunc(last, prefix, func(x, y int) int { return o.Index(x) - o.Index(y) }) >= 0 {
				t.Fatalf("%v: prefix %v came after %v", o, prefix, last)
			}
			last = slices.Clone(prefix)
			return true
		})
		if err != nil || len(want) > 0 {
			t.Fatalf("%v: prefixes %v were not visited; %v", o, slices.Collect(maps.Keys(want)), err)
		}
	})
}

func TestWalkLeavesOutWhatVisitDeclines(t *testing.T) {
	o, err := enumerate.NewOrder[int]().Free("", 1, 2, 3).Build()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	orders := []enumerate.Order[int]{o, o.Restrict(func(e int) bool { return e != 3 })}
	err = enumerate.Walk(t.Context(), orders, tracer{}, func(order int, prefix []int, _ *string) bool {
		got = append(got, fmt.Sprint(order, prefix))
		return len(prefix) == 0 || prefix[0] == 2 && len(prefix) < 2
	})
	want := []string{"0 []", "0 [1]", "0 [2]", "0 [2 1]", "0 [2 3]", "0 [3]", "1 []", "1 [1]", "1 [2]", "1 [2 1]"}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("visited %v, %v; want %v", got, err, want)
	}
}

func TestOutcomesAgreeWithReplay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var orders []enumerate.Order[int]
		for range rapid.IntRange(0, 3).Draw(t, "orders") {
			o := drawOrder(t, 6)
			keep := rapid.IntRange(0, 6).Draw(t, "restricted below")
			orders = append(orders, o, o.Restrict(func(e int) bool { return e < keep }))
		}
		m := drawMixer(t)
		for workers := 1; workers <= 4; workers++ {
			opt := enumerate.Options{Workers: workers}
			got, err := enumerate.Outcomes(context.Background(), orders, m, opt)
			if err != nil {
				t.Fatal(err)
			}
			traced, err := enumerate.Outcomes(context.Background(), orders, tracer{}, opt)
			if err != nil {
				t.Fatal(err)
			}
			for i, o := range orders {
				if want := replay(o, m); !same(got[i], want) {
					t.Fatalf("%d workers, %v:\n%v\nwant\n%v", workers, o, got[i], want)
				}
				if want := replay(o, tracer{}); !same(traced[i], want) {
					t.Fatalf("%d workers, %v, states that never merge:\n%v\nwant\n%v", workers, o, traced[i], want)
				}
			}
		}
	})
}

// counting counts calls of Next, to see what is shared.
type counting struct{ calls *atomic.Int64 }

func (c counting) Init() uint8               { return 0 }
func (c counting) Next(s uint8, e int) uint8 { c.calls.Add(1); return s | 1<<e }

func TestNextIsCalledOnceForEachStateAndEvent(t *testing.T) {
	o, err := enumerate.NewOrder[int]().Free("", 0, 1, 2, 3, 4, 5).Build()
	if err != nil {
		t.Fatal(err)
	}
	c := counting{new(atomic.Int64)}
	_, err = enumerate.Outcomes(context.Background(), []enumerate.Order[int]{o, o}, c, enumerate.Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	// 64 sets of done events, each with as many edges as events are missing; the
	// first, second, fourth, … up to the 128th call is made twice, to compare.
	if got, want := c.calls.Load(), int64(6*32+8); got != want {
		t.Errorf("Next was called %d times for 2 × 720 schedules, want %d", got, want)
	}
}

// The number of allocations must not grow with the number of schedules.
func TestWalkAllocatesNothingPerSchedule(t *testing.T) {
	allocations := func(events int) float64 {
		b := enumerate.NewOrder[int]()
		for e := range events {
			b.Free("", e)
		}
		o, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		m := mixer{3, 5, 7}
		schedules := 0
		visit := func(_ int, prefix []int, _ *uint16) bool {
			if len(prefix) == events {
				schedules++
			}
			return true
		}
		return testing.AllocsPerRun(1, func() {
			if err := enumerate.Walk(t.Context(), []enumerate.Order[int]{o}, m, visit); err != nil {
				t.Error(err)
			}
		})
	}
	few, many := allocations(5), allocations(8) // 120 and 40,320 schedules
	if many > few+8 {
		t.Errorf("walking 40,320 schedules allocates %v times, 120 schedules %v times", many, few)
	}
}
