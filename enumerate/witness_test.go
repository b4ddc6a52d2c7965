package enumerate_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"example.com/commitpoint/enumerate"
)

// bruteWitnesses walks every history of every order, nothing merged, and compares
// all that end with the same observation.
func bruteWitnesses(universe enumerate.Order[int], orders []enumerate.Order[int], m enumerate.Machine[uint16, int]) []enumerate.Witness[int, sight] {
	guard, guarded := m.(maze)
	var found []enumerate.Witness[int, sight]
	for _, o := range orders {
		var extend func(history []int, s uint16)
		extend = func(history []int, s uint16) {
			for _, e := range o.Events() {
				longer := append(slices.Clone(history), e)
				if o.Validate(longer) != nil || guarded && !guard.Enabled(s, e) {
					continue
				}
				next := m.Next(s, e)
				if v, ok := look(s, e, next); ok {
					i := slices.IndexFunc(found, func(w enumerate.Witness[int, sight]) bool { return w.Value == v })
					if i < 0 {
						found = append(found, enumerate.Witness[int, sight]{Value: v, History: longer})
					} else if less(universe, longer, found[i].History) {
						found[i].History = longer
					}
				}
				extend(longer, next)
			}
		}
		extend(nil, m.Init())
	}
	slices.SortFunc(found, func(a, b enumerate.Witness[int, sight]) int {
		if less(universe, a.History, b.History) {
			return -1
		}
		return 1
	})
	return found
}

func TestWitnessesAreTheLeastOfAll(t *testing.T) {
	longest := 0
	rapid.Check(t, func(t *rapid.T) {
		universe := drawOrder(t, 6)
		orders := []enumerate.Order[int]{universe}
		for range rapid.IntRange(0, 2).Draw(t, "restrictions") {
			kept := rapid.IntRange(0, 63).Draw(t, "kept")
			orders = append(orders, universe.Restrict(func(e int) bool { return kept>>e&1 == 1 }))
		}
		if rapid.Bool().Draw(t, "restrictions only") && len(orders) > 1 {
			orders = orders[1:]
		}
		var m enumerate.Machine[uint16, int] = drawMixer(t)
		if rapid.Bool().Draw(t, "guarded") {
			m = drawMaze(t)
		}
		want := bruteWitnesses(universe, orders, m)
		for _, w := range want {
			longest = max(longest, len(w.History))
		}
		for workers := 1; workers <= 2; workers++ {
			got, err := enumerate.Witnesses(t.Context(), orders, m, enumerate.Observe(look), enumerate.Options{Workers: workers})
			if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
				t.Fatalf("%v: %v, %v\nwant %v", orders, got, err, want)
			}
		}
	})
	if longest < 3 {
		t.Errorf("no witness has more than %d events", longest)
	}
}

func TestWitnessesRefuseAndFail(t *testing.T) {
	if got, err := enumerate.Witnesses(t.Context(), nil, mixer{1, 1, 2}, enumerate.Observe(look), enumerate.Options{}); got != nil || err == nil || !strings.HasPrefix(err.Error(), "witnesses: no orders") {
		t.Errorf("of no orders: %v, %v; nothing found there would say nothing", got, err)
	}
	_, err := enumerate.Witnesses(t.Context(), free(t, 12), mixer{31, 17, 9973}, enumerate.Observe(look), enumerate.Options{MaxNodes: 5000})
	var incomplete *enumerate.IncompleteError
	if !errors.As(err, &incomplete) || !errors.Is(err, enumerate.ErrLimit) {
		t.Errorf("error = %v, want an incomplete run", err)
	}
	calls := 0
	moody := func(before uint16, e int, after uint16) (int, bool) {
		if calls++; calls > 12 {
			panic("enough")
		}
		return calls, true
	}
	_, err = enumerate.Witnesses(t.Context(), free(t, 3), mixer{3, 5, 7}, enumerate.Observe(moody), enumerate.Options{Workers: 1})
	var fault *enumerate.Fault
	if !errors.As(err, &fault) || !strings.Contains(err.Error(), "panics: enough") {
		t.Errorf("error = %v, want a fault", err)
	}
}
