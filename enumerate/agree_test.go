package enumerate_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"example.com/commitpoint/enumerate"
)

// All ways through an order agree: for posets of up to nine events and small
// machines, with guards and without, on how many schedules end in each state.
func TestThreeWalksAgree(t *testing.T) {
	compared, guarded, deadlocked := 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		o := drawOrder(t, 9)
		var m enumerate.Machine[uint16, int] = drawMixer(t)
		if rapid.Bool().Draw(t, "guarded") {
			m = drawMaze(t)
		}
		guard, isGuarded := m.(maze)
		size, err := enumerate.Tally(t.Context(), o, mixer{1, 1, 1}, enumerate.Observer[uint16, int, bool]{}, enumerate.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if size.Schedules.Cmp(enumerate.NewCount(20_000)) > 0 {
			return // the plain way would take too long
		}
		compared++
		if isGuarded {
			guarded++
		}

		bySchedules := map[uint16]uint64{} // from the order alone, and the machine beside it
		seen := map[string]bool{}
		stuck := uint64(0)
		for schedule := range o.Schedules() {
			s, end := m.Init(), 0
			for ; end < len(schedule); end++ {
				if isGuarded && !guard.Enabled(s, schedule[end]) {
					break
				}
				s = m.Next(s, schedule[end])
			}
			history := schedule[:end]
			if seen[fmt.Sprint(history)] || goesOn(o, m, history, s) {
				continue // the same blocked history, or one that another schedule continues
			}
			seen[fmt.Sprint(history)] = true
			if end == o.Len() || guard.Done(s) {
				bySchedules[s]++
			} else {
				stuck++
			}
		}

		byOutcomes := map[uint16]uint64{}
		outcomes, err := enumerate.Outcomes(t.Context(), []enumerate.Order[int]{o}, m, enumerate.Options{Workers: 2})
		var deadlock *enumerate.Deadlock
		if errors.As(err, &deadlock) != (stuck > 0) {
			t.Fatalf("%v: Outcomes says %v; %d histories are stuck", o, err, stuck)
		}
		for _, outcome := range outcomes[0] {
			byOutcomes[outcome.Final] = outcome.Schedules
		}

		byWalk := map[uint16]uint64{}
		err = enumerate.Walk(t.Context(), []enumerate.Order[int]{o}, m, func(_ int, prefix []int, s *uint16) bool {
			if !goesOn(o, m, prefix, *s) && (len(prefix) == o.Len() || guard.Done(*s)) {
				byWalk[*s]++
			}
			return true
		})
		if err != nil {
			t.Fatal(err)
		}

		tallied, err := enumerate.Tally(t.Context(), o, m, enumerate.Observer[uint16, int, bool]{}, enumerate.Options{})
		var same *enumerate.Deadlock
		if errors.As(err, &same) != (stuck > 0) || stuck > 0 && fmt.Sprint(same) != fmt.Sprint(deadlock) {
			t.Fatalf("%v: Tally says %v, Outcomes %v", o, same, deadlock)
		}
		if stuck > 0 {
			deadlocked++
		}
		total := uint64(0)
		for _, n := range bySchedules {
			total += n
		}
		if !maps.Equal(bySchedules, byOutcomes) || !maps.Equal(bySchedules, byWalk) ||
			tallied.Schedules.String() != fmt.Sprint(total) || tallied.Deadlocks.String() != fmt.Sprint(stuck) {
			t.Fatalf("%v: by schedules %v, by outcomes %v, by walk %v; tally %v and %v stuck, want %d and %d",
				o, bySchedules, byOutcomes, byWalk, tallied.Schedules, tallied.Deadlocks, total, stuck)
		}
	})
	if compared < 20 || guarded < 10 || deadlocked < 5 {
		t.Errorf("%d compared, %d of them guarded, %d with deadlocks: too few", compared, guarded, deadlocked)
	}
}

// goesOn reports whether some event can follow the history.
func goesOn(o enumerate.Order[int], m enumerate.Machine[uint16, int], history []int, s uint16) bool {
	guard, guarded := m.(maze)
	return slices.ContainsFunc(o.Events(), func(e int) bool {
		return o.Validate(append(slices.Clone(history), e)) == nil && (!guarded || guard.Enabled(s, e))
	})
}
