package budget

import (
	"testing"

	"example.com/commitpoint/enumerate"
)

// All schedules of all scenarios, for every mechanism.
func BenchmarkCompute(b *testing.B) {
	for b.Loop() {
		if _, err := Compute(b.Context(), enumerate.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
