package enumerate_test

import (
	"context"
	"testing"
	"time"

	"example.com/commitpoint/enumerate"
)

// BenchmarkOutcomesAgainstReplay walks 40,320 schedules, and reports from one run
// how many times as long it takes to replay each from the start.
func BenchmarkOutcomesAgainstReplay(b *testing.B) {
	orders, m := free(b, 8), mixer{3, 5, 700}
	var fast, plain time.Duration
	for b.Loop() {
		start := time.Now()
		if _, err := enumerate.Outcomes(context.Background(), orders, m, enumerate.Options{Workers: 1}); err != nil {
			b.Fatal(err)
		}
		middle := time.Now()
		for schedule := range orders[0].Schedules() {
			s := m.Init()
			for _, e := range schedule {
				s = m.Next(s, e)
			}
		}
		fast += middle.Sub(start)
		plain += time.Since(middle)
	}
	b.ReportMetric(float64(plain)/float64(fast), "replay/outcomes")
}

// BenchmarkWorkers reports, from one run, how much faster two workers walk
// 3,628,800 schedules than one.
func BenchmarkWorkers(b *testing.B) {
	orders, m := free(b, 10), mixer{3, 5, 700}
	elapsed := [3]time.Duration{}
	for b.Loop() {
		for workers := 1; workers <= 2; workers++ {
			start := time.Now()
			if _, err := enumerate.Outcomes(context.Background(), orders, m, enumerate.Options{Workers: workers}); err != nil {
				b.Fatal(err)
			}
			elapsed[workers] += time.Since(start)
		}
	}
	b.ReportMetric(float64(elapsed[1])/float64(elapsed[2]), "one/two-workers")
}

func BenchmarkWalk(b *testing.B) {
	b.ReportAllocs()
	orders, m := free(b, 8), mixer{3, 5, 700}
	for b.Loop() {
		prefixes := 0
		if err := enumerate.Walk(b.Context(), orders, m, func(int, []int, *uint16) bool { prefixes++; return true }); err != nil {
			b.Fatal(err)
		}
	}
}
