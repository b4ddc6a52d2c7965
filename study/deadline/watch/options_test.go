package watch

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

// The points of a grid, one after the other, are those that a list of them has.
func TestGridAgainstAList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string, from, to time.Duration) time.Duration {
			return time.Duration(rapid.Int64Range(int64(from), int64(to)).Draw(t, name))
		}
		g := grid{deadline: draw("deadline", 1, 40)}
		g.every = draw("every", 1, g.deadline)
		g.end = draw("end", g.deadline, 60)
		var points []time.Duration
		for p := range g.end + 1 {
			if p%g.every == 0 || p == g.deadline {
				points = append(points, p)
			}
		}
		for i := 0; ; {
			now := points[i] + draw("probe", 0, 20)
			next, skipped, ok := g.next(points[i], now)
			j := i + 1
			for j < len(points) && points[j] < now {
				j++
			}
			if ok != (j < len(points)) || ok && next != points[j] || skipped != j-i-1 {
				t.Fatalf("after %v of %v at %v: %v, %d skipped, %v; want number %d of %v", points[i], g, now, next, skipped, ok, j, points)
			}
			if i = j; !ok {
				return
			}
		}
	})
}
