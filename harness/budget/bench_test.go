package budget_test

import (
	"math"
	"strconv"
	"sync/atomic"
	"testing"
)

// One operation's life: reserve, dispatch, settle.
func BenchmarkOperation(b *testing.B) {
	life := func(b *testing.B, next func() int64) func() {
		l := newLedger(b, math.MaxInt64)
		return func() {
			op := strconv.FormatInt(next(), 10)
			ok(b, l.Reserve(op, "a", 6), l.Dispatch(op), l.Settle(op, 4))
		}
	}
	b.Run("alone", func(b *testing.B) {
		b.ReportAllocs()
		var n int64
		one := life(b, func() int64 { n++; return n })
		for b.Loop() {
			one()
		}
	})
	b.Run("parallel", func(b *testing.B) {
		b.ReportAllocs()
		var n atomic.Int64
		one := life(b, func() int64 { return n.Add(1) })
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				one()
			}
		})
	})
}
