package sqlservice

import (
	"testing"

	"example.com/commitpoint/conformance"
)

// What it takes to drive the service on SQLite through the study: through all of its
// schedules, and through those that take every step.
func BenchmarkStudy(b *testing.B) {
	for _, mode := range []conformance.Mode{conformance.All, conformance.Covering} {
		b.Run(mode.String(), func(b *testing.B) {
			benchmark(b, StudySystem, memory, conformance.Options{Mode: mode})
		})
	}
}

// The same for the whole contract.
func BenchmarkContract(b *testing.B) {
	benchmark(b, ContractSystem, memory, conformance.Options{Sets: conformance.Contract(), Mode: conformance.Covering})
}

// The same for the study on PostgreSQL.
func BenchmarkPostgres(b *testing.B) {
	benchmark(b, StudySystem, postgresSource(b), conformance.Options{Mode: conformance.Covering})
}

func benchmark(b *testing.B, newSystem maker, source string, opt conformance.Options) {
	schedules := uint64(0)
	for b.Loop() {
		r, err := conformance.Check(b.Context(), opening(newSystem, source, right), opt)
		if err != nil || r.Fault != nil || len(r.Failures) > 0 {
			b.Fatal(err, r.Fault, r.Failures)
		}
		for _, s := range r.Sets {
			schedules += s.Ran
		}
	}
	b.ReportMetric(float64(schedules)/float64(b.N), "schedules/op")
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(schedules), "µs/schedule")
}

// One decision.
func BenchmarkComplete(b *testing.B) {
	for _, refused := range []bool{true, false} {
		name := map[bool]string{true: "refused", false: "accepted"}[refused]
		b.Run(name, func(b *testing.B) {
			system := open(b, ContractSystem, memory, right).(*contractSystem)
			events := []string{"a:read", "a:candidate", "a:verify"}
			if refused {
				events = events[:2]
			}
			for b.Loop() {
				b.StopTimer()
				if err := system.Reset(b.Context()); err != nil {
					b.Fatal(err)
				}
				for _, e := range events {
					if err := system.Apply(b.Context(), e); err != nil {
						b.Fatal(err)
					}
				}
				b.StartTimer()
				d, err := system.Submit(b.Context(), "a:commit")
				if err != nil || d.Accepted == refused {
					b.Fatal(d, err)
				}
			}
		})
	}
}
