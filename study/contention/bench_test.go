package contention

import (
	"context"
	"fmt"
	"testing"
	"time"

	"example.com/commitpoint/enumerate"
)

// tally runs the contention model and returns the number of edges.
func tally(b *testing.B, submitters, workers int) float64 {
	order, err := Order(submitters)
	if err != nil {
		b.Fatal(err)
	}
	r, err := enumerate.Tally(context.Background(), order, machine{}, enumerate.ObserveOn(isCommit, decide), enumerate.Options{Workers: workers})
	if err != nil {
		b.Fatal(err)
	}
	if want := nodes[submitters]; r.Nodes != want {
		b.Fatalf("%d submitters: %d nodes, want %d", submitters, r.Nodes, want)
	}
	return float64(r.Edges)
}

// nodes are the sizes of the graphs, four submitters included, for which a test
// would take too long.
var nodes = map[int]uint64{1: 568, 2: 22_488, 3: 1_169_892, 4: 77_866_620}

// BenchmarkEdges reports the cost of an edge on one core for one to four submitters:
// from 30,240 schedules to 6 × 10¹⁹. Four take some 2 GB and half a minute.
func BenchmarkEdges(b *testing.B) {
	for submitters := 1; submitters <= 4; submitters++ {
		b.Run(fmt.Sprintf("submitters=%d", submitters), func(b *testing.B) {
			var edges float64
			for b.Loop() {
				edges = tally(b, submitters, 1)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/edges, "ns/edge")
		})
	}
}

// BenchmarkThreeSubmitters reports, from one run, how much faster two workers
// are than one, and how many times as long the engine takes on one as the
// hand-packed program does.
func BenchmarkThreeSubmitters(b *testing.B) {
	var one, two, packed time.Duration
	for b.Loop() {
		start := time.Now()
		tally(b, 3, 1)
		afterOne := time.Now()
		tally(b, 3, 2)
		afterTwo := time.Now()
		packedTally()
		one += afterOne.Sub(start)
		two += afterTwo.Sub(afterOne)
		packed += time.Since(afterTwo)
	}
	b.ReportMetric(float64(one)/float64(two), "one/two-workers")
	b.ReportMetric(float64(one)/float64(packed), "engine/packed")
	b.ReportMetric(one.Seconds()/float64(b.N), "one-s/op")
	b.ReportMetric(two.Seconds()/float64(b.N), "two-s/op")
}

// BenchmarkStop reports how long a run goes on after it is cancelled.
func BenchmarkStop(b *testing.B) {
	order, err := Order(4)
	if err != nil {
		b.Fatal(err)
	}
	var late time.Duration
	for b.Loop() {
		ctx, cancel := context.WithCancel(context.Background())
		var cancelled time.Time
		time.AfterFunc(200*time.Millisecond, func() { cancelled = time.Now(); cancel() })
		if _, err := enumerate.Tally(ctx, order, machine{}, enumerate.ObserveOn(isCommit, decide), enumerate.Options{}); err == nil {
			b.Fatal("the run was not stopped")
		}
		late = max(late, time.Since(cancelled))
	}
	b.ReportMetric(float64(late.Microseconds())/1000, "worst-ms")
}
