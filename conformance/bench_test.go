package conformance_test

import (
	"context"
	"testing"

	"example.com/commitpoint/conformance"
	"example.com/commitpoint/internal/wrapped"
)

// An idle system answers at once, and refuses everything. It counts its steps.
type idle struct{ steps *int }

func (idle) About() conformance.About {
	return conformance.About{Name: "idle", Events: wrapped.StudyEvents()}
}

func (idle) Reset(context.Context) error { return nil }

func (s idle) Apply(context.Context, string) error {
	*s.steps++
	return nil
}

func (s idle) Submit(context.Context, string) (conformance.Decision, error) {
	*s.steps++
	return conformance.Decision{}, nil
}

func (idle) Recorded(context.Context) (r conformance.Record, err error) { return r, nil }

// What the kit costs a step, an event that the system is told of, in every schedule of
// the study: all that is needed to hand out the schedules, to judge, and to find and tell
// the shortest schedule in which an eligible request is refused. One system, one worker.
func BenchmarkOverhead(b *testing.B) {
	steps := 0
	newSystem := func() (conformance.System, error) { return idle{&steps}, nil }
	for b.Loop() {
		r, err := conformance.Check(b.Context(), newSystem, conformance.Options{})
		if err != nil || r.Fault != nil || r.Sets[0].Ran != 6701 {
			b.Fatal(err, r.Fault)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(steps), "ns/step")
}
