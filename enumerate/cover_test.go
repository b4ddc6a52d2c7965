package enumerate_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"example.com/commitpoint/enumerate"
)

// A graphEdge is an edge of the merged graph, the dumb way: by the events done, sorted,
// the state and the event.
type graphEdge struct {
	done  string
	state uint16
	event int
}

func edgesOf(m enumerate.Machine[uint16, int], schedule []int) []graphEdge {
	var edges []graphEdge
	s := m.Init()
	for i, e := range schedule {
		done := slices.Sorted(slices.Values(schedule[:i]))
		edges = append(edges, graphEdge{fmt.Sprint(done), s, e})
		s = m.Next(s, e)
	}
	return edges
}

// antichain returns the largest number of edges of which no two are on one schedule of
// the orders, by the theorems of Dilworth and König: the number of edges less a maximum
// matching of those that can come one before the other.
func antichain(m enumerate.Machine[uint16, int], orders []enumerate.Order[int]) (size int, all map[graphEdge]bool) {
	all = make(map[graphEdge]bool)
	later := make(map[graphEdge]map[graphEdge]bool)
	for _, o := range orders {
		for schedule := range o.Schedules() {
			edges := edgesOf(m, schedule)
			for i, a := range edges {
				all[a] = true
				if later[a] == nil {
					later[a] = make(map[graphEdge]bool)
				}
				for _, b := range edges[i+1:] {
					later[a][b] = true
				}
			}
		}
	}
	closure(later)
	matched := make(map[graphEdge]graphEdge) // by the later one
	for a := range all {
		tried := make(map[graphEdge]bool)
		var match func(a graphEdge) bool
		match = func(a graphEdge) bool {
			for b := range later[a] {
				if tried[b] {
					continue
				}
				tried[b] = true
				if before, taken := matched[b]; !taken || match(before) {
					matched[b] = a
					return true
				}
			}
			return false
		}
		match(a)
	}
	return len(all) - len(matched), all
}

// closure makes the relation transitive: where states merge, an edge can come after
// another on no schedule but one that was put together of two.
func closure(later map[graphEdge]map[graphEdge]bool) {
	for grew := true; grew; {
		grew = false
		for _, after := range later {
			for b := range after {
				for c := range later[b] {
					if !after[c] {
						after[c], grew = true, true
					}
				}
			}
		}
	}
}

func TestCoverTakesEveryEdgeWithTheFewestSchedules(t *testing.T) {
	most := 0
	rapid.Check(t, func(t *rapid.T) {
		universe := drawOrder(t, 5)
		orders := []enumerate.Order[int]{universe}
		for range rapid.IntRange(0, 2).Draw(t, "restrictions") {
			kept := rapid.IntRange(0, 31).Draw(t, "kept")
			orders = append(orders, universe.Restrict(func(e int) bool { return kept>>e&1 == 1 }))
		}
		if rapid.Bool().Draw(t, "restrictions only") && len(orders) > 1 {
			orders = orders[1:]
		}
		m := drawMixer(t)
		want, missing := antichain(m, orders)
		cover, err := enumerate.Cover(t.Context(), orders, m, enumerate.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, schedule := range cover {
			if !slices.ContainsFunc(orders, func(o enumerate.Order[int]) bool {
				return o.Len() == len(schedule) && o.Validate(schedule) == nil
			}) {
				t.Fatalf("%v is a schedule of none of %v", schedule, orders)
			}
			for _, e := range edgesOf(m, schedule) {
				delete(missing, e)
			}
		}
		// Of no events there is one schedule, which has no edge to take.
		if len(missing) > 0 || len(cover) != want && want > 0 {
			t.Fatalf("%d schedules %v, at least %d are needed; not taken: %v", len(cover), cover, want, missing)
		}
		most = max(most, want)
	})
	if most < 10 {
		t.Errorf("no cover had more than %d schedules", most)
	}
}

func TestCoverIsTheSameForAnyNumberOfWorkers(t *testing.T) {
	o, err := enumerate.NewOrder[int]().Free("", 0, 1, 2, 3, 4, 5, 6).Build()
	if err != nil {
		t.Fatal(err)
	}
	m := mixer{7, 11, 13}
	want, err := enumerate.Cover(t.Context(), []enumerate.Order[int]{o}, m, enumerate.Options{Workers: 1})
	if err != nil || len(want) < 100 || !slices.IsSortedFunc(want, slices.Compare[[]int]) {
		t.Fatal(len(want), err)
	}
	for workers := 2; workers < 5; workers++ {
		got, err := enumerate.Cover(t.Context(), []enumerate.Order[int]{o}, m, enumerate.Options{Workers: workers})
		if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%d workers: %v, %v", workers, got, err)
		}
	}
}

func TestCoverRefuses(t *testing.T) {
	o, err := enumerate.NewOrder[int]().Free("", 0, 1, 2).Build()
	if err != nil {
		t.Fatal(err)
	}
	other, err := enumerate.NewOrder[int]().Chain("", 2, 1, 0).Build()
	if err != nil {
		t.Fatal(err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, test := range []struct {
		name   string
		ctx    context.Context
		orders []enumerate.Order[int]
		m      enumerate.Machine[uint16, int]
		opt    enumerate.Options
		want   string
	}{
		{"no orders", t.Context(), nil, mixer{1, 1, 2}, enumerate.Options{}, "give at least one"},
		{"orders that share nothing", t.Context(), []enumerate.Order[int]{o, other}, mixer{1, 1, 2}, enumerate.Options{}, "not restrictions of one order"},
		{"events that are blocked", t.Context(), []enumerate.Order[int]{o}, maze{}, enumerate.Options{}, "use Walk"},
		{"negative workers", t.Context(), []enumerate.Order[int]{o}, mixer{1, 1, 2}, enumerate.Options{Workers: -1}, "-1 workers"},
		{"a limit", t.Context(), []enumerate.Order[int]{o}, mixer{1, 1, 2}, enumerate.Options{MaxNodes: 2}, "limit reached"},
		{"bytes", t.Context(), []enumerate.Order[int]{o}, mixer{1, 1, 2}, enumerate.Options{MaxBytes: 1000}, "limit reached"},
		{"an end", ended, []enumerate.Order[int]{o}, mixer{1, 1, 2}, enumerate.Options{}, "context canceled"},
	} {
		t.Run(test.name, func(t *testing.T) {
			cover, err := enumerate.Cover(test.ctx, test.orders, test.m, test.opt)
			if err == nil || !strings.Contains(err.Error(), test.want) || cover != nil {
				t.Errorf("%v, %v; want an error with %q", cover, err, test.want)
			}
		})
	}
}

// Each of the schedules of several orders is drawn about as often as any other.
func TestDrawIsUniform(t *testing.T) {
	universe, err := enumerate.NewOrder[int]().Chain("", 0, 1).Free("", 2, 3).Build()
	if err != nil {
		t.Fatal(err)
	}
	orders := []enumerate.Order[int]{
		universe, // 12 schedules
		universe.Restrict(func(e int) bool { return e < 3 }),
		universe.Restrict(func(e int) bool { return e > 1 }), // 2
	}
	all := make(map[string]int)
	for _, o := range orders {
		for s := range o.Schedules() {
			all[fmt.Sprint(s)] = 0
		}
	}
	const each = 2000
	drawn, err := enumerate.Draw(t.Context(), orders, each*len(all), 7, enumerate.Options{})
	if err != nil || len(all) != 12+3+2 {
		t.Fatal(len(all), err)
	}
	for _, s := range drawn {
		if _, known := all[fmt.Sprint(s)]; !known {
			t.Fatalf("%v is no schedule", s)
		}
		all[fmt.Sprint(s)]++
	}
	for s, n := range all {
		if n < each*9/10 || n > each*11/10 { // four and a half standard deviations
			t.Errorf("%s was drawn %d times of about %d", s, n, each)
		}
	}
	again, err := enumerate.Draw(t.Context(), orders, 100, 7, enumerate.Options{})
	if err != nil || fmt.Sprint(again) != fmt.Sprint(drawn[:100]) {
		t.Error("the same seed drew other schedules")
	}
	other, err := enumerate.Draw(t.Context(), orders, 100, 8, enumerate.Options{})
	if err != nil || fmt.Sprint(again) == fmt.Sprint(other) {
		t.Error("another seed drew the same schedules")
	}
}

func TestDrawRefuses(t *testing.T) {
	o, err := enumerate.NewOrder[int]().Free("", 0, 1, 2).Build()
	if err != nil {
		t.Fatal(err)
	}
	one := []enumerate.Order[int]{o}
	if _, err := enumerate.Draw(t.Context(), one, 0, 1, enumerate.Options{}); err == nil {
		t.Error("drew no schedules")
	}
	if _, err := enumerate.Draw[int](t.Context(), nil, 1, 1, enumerate.Options{}); err == nil {
		t.Error("drew of no orders")
	}
	incomplete := (*enumerate.IncompleteError)(nil)
	if _, err := enumerate.Draw(t.Context(), one, 1, 1, enumerate.Options{MaxNodes: 3}); !errors.As(err, &incomplete) || !errors.Is(err, enumerate.ErrLimit) {
		t.Error(err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := enumerate.Draw(ended, one, 1, 1, enumerate.Options{}); !errors.As(err, &incomplete) || !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
