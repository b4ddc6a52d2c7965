package study

import (
	"context"
	"testing"
	"time"

	"example.com/commitpoint/enumerate"
	"example.com/commitpoint/mechanisms"
	"example.com/commitpoint/model"
)

// BenchmarkEvaluate is the whole study on one core: 42 scenarios, thirteen
// mechanisms, the oracle and the replays, the scenarios built each time.
func BenchmarkEvaluate(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Evaluate(context.Background(), Options{Workers: 1}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/6694, "ns/schedule")
}

// BenchmarkWalk is the walk alone: every prefix of every schedule, with every
// mechanism's decision.
func BenchmarkWalk(b *testing.B) {
	b.ReportAllocs()
	scenarios, m := Scenarios(MaxEnvironment), newMachine(mechanisms.All())
	for b.Loop() {
		accepted := uint64(0)
		err := enumerate.Walk(b.Context(), scenarios, m, func(_ int, prefix []model.Event, s *state) bool {
			if n := len(prefix); n > 0 && isCommit(prefix[n-1]) {
				accepted += s.accepted.size()
			}
			return true
		})
		if err != nil || accepted == 0 {
			b.Fatal(accepted, err)
		}
	}
}

// BenchmarkEvaluateAgainstReplay reports, from one run, how many times as long
// it takes to replay every schedule for every mechanism.
func BenchmarkEvaluateAgainstReplay(b *testing.B) {
	opt, err := Options{Workers: 1}.complete()
	if err != nil {
		b.Fatal(err)
	}
	var fast, plain time.Duration
	for b.Loop() {
		start := time.Now()
		if _, err := Evaluate(context.Background(), opt); err != nil {
			b.Fatal(err)
		}
		middle := time.Now()
		for _, o := range opt.Scenarios {
			dumb(o, opt.Mechanisms)
		}
		fast += middle.Sub(start)
		plain += time.Since(middle)
	}
	b.ReportMetric(float64(plain)/float64(fast), "replay/evaluate")
}

// BenchmarkTally is all 64 subsets of the environment events, 330,262 schedules,
// on one core.
func BenchmarkTally(b *testing.B) {
	b.ReportAllocs()
	scenarios, m := Scenarios(len(model.Environment())), newMachine(mechanisms.All())
	for b.Loop() {
		if _, err := enumerate.TallyAll(b.Context(), scenarios, m, atCommit(state.outcome), enumerate.Options{Workers: 1}); err != nil {
			b.Fatal(err)
		}
	}
}
