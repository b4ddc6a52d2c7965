package deadline

import (
	"testing"

	"example.com/commitpoint/enumerate"
)

// The exhaustive model: nearly a hundred million schedules, and those of the gate.
func BenchmarkCompute(b *testing.B) {
	for b.Loop() {
		if _, err := Compute(b.Context(), enumerate.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
