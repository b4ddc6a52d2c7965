package episode

import (
	"testing"

	"example.com/commitpoint/enumerate"
)

// All schedules, for every mechanism.
func BenchmarkCompute(b *testing.B) {
	for b.Loop() {
		if _, err := Compute(b.Context(), enumerate.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
