package counterexamples_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"example.com/commitpoint/counterexamples"
	"example.com/commitpoint/enumerate"
)

// A trail remembers its events.
type trail struct{}

func (trail) Init() string                { return "" }
func (trail) Next(s string, e int) string { return s + string(rune('a'+e)) }

// suspicious gives a history reasons by its letters alone, so that they are
// easily computed a second time.
func suspicious(reasons []string, s string) []string {
	if strings.HasSuffix(s, "c") {
		reasons = append(reasons, "ends in c")
	}
	if b, d := strings.Index(s, "b"), strings.Index(s, "d"); b >= 0 && d > b {
		reasons = append(reasons, "d after b")
	}
	return reasons
}

// The shortest by comparing all prefixes of all schedules of all orders.
func bruteForce(orders []enumerate.Order[int]) map[string][]int {
	best := map[string][]int{}
	for _, o := range orders {
		for schedule := range o.Schedules() {
			for n := range len(schedule) + 1 {
				s := ""
				for _, e := range schedule[:n] {
					s = trail{}.Next(s, e)
				}
				for _, r := range suspicious(nil, s) {
					b, ok := best[r]
					if !ok || enumerate.CompareHistories(indices(o, schedule[:n]), indices(o, b)) < 0 {
						best[r] = schedule[:n]
					}
				}
			}
		}
	}
	return best
}

// indices knows the events of all restrictions: their declaration is 3 0 1 2 4.
func indices(_ enumerate.Order[int], history []int) []int {
	var list []int
	for _, e := range history {
		list = append(list, slices.Index([]int{3, 0, 1, 2, 4}, e))
	}
	return list
}

func TestFindIsTheLeastOfAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := enumerate.NewOrder[int]().Free("", 3, 0, 1, 2, 4)
		for range rapid.IntRange(0, 3).Draw(t, "pairs") {
			i := rapid.IntRange(0, 3).Draw(t, "first")
			b.Before(i, rapid.IntRange(i+1, 4).Draw(t, "then"))
		}
		universe, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		var orders []enumerate.Order[int]
		for range rapid.IntRange(1, 4).Draw(t, "orders") {
			kept := rapid.IntRange(0, 31).Draw(t, "kept")
			orders = append(orders, universe.Restrict(func(e int) bool { return kept>>e&1 == 1 }))
		}
		found, err := counterexamples.Find(t.Context(), orders, trail{}, enumerate.Observe(func(_ string, _ int, after string) (string, bool) {
			return after, true
		}), func(s string) []string { return suspicious(nil, s) }, enumerate.Options{})
		got := map[string][]int{}
		for i, c := range found {
			got[c.Reason] = c.History
			if i > 0 && enumerate.CompareHistories(indices(universe, found[i-1].History), indices(universe, c.History)) > 0 {
				t.Fatalf("%v before %v, which is shorter", found[i-1], c)
			}
		}
		if want := bruteForce(orders); err != nil || len(got) < len(found) || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("in %v found %v, want %v", orders, got, want)
		}
	})
}

func TestReplay(t *testing.T) {
	if got := fmt.Sprintf("%q", counterexamples.Replay(trail{}, []int{2, 0, 1})); got != `["" "c" "ca" "cab"]` {
		t.Errorf("states = %s", got)
	}
	if got := counterexamples.Replay(trail{}, nil); len(got) != 1 {
		t.Errorf("the empty history has %d states, want the initial one", len(got))
	}
}

func TestNeighbors(t *testing.T) {
	o, err := enumerate.NewOrder[int]().Chain("", 0, 1, 2).Free("", 3).Build()
	if err != nil {
		t.Fatal(err)
	}
	history := []int{0, 1, 3, 2}
	var got []string
	for _, n := range counterexamples.Neighbors(o, history) {
		got = append(got, fmt.Sprintf("%v: %d before %d", n.History, n.Later, n.Earlier))
	}
	want := []string{"[0 1 2 3]: 2 before 3", "[0 3 1 2]: 3 before 1"}
	if !slices.Equal(got, want) {
		t.Errorf("neighbors = %q, want %q: the last swap first, none that the order forbids", got, want)
	}
	if !slices.Equal(history, []int{0, 1, 3, 2}) {
		t.Error("the history was changed")
	}
	if first := counterexamples.Neighbors(o, []int{3, 0}); len(first) != 1 || !slices.Equal(first[0].History, []int{0, 3}) {
		t.Errorf("neighbors by swapping the first pair = %v", first)
	}
}
