package enumerate

import (
	"math"
	"reflect"
	"testing"
)

func TestIsPlain(t *testing.T) {
	type packed struct {
		A [3]uint16
		B bool
		C uint8
	}
	type padded struct {
		A uint8
		B uint16
	}
	tests := []struct {
		value  any
		reason string
		want   bool
	}{
		{packed{}, "no padding", true},
		{[2]packed{}, "an array of such", true},
		{struct{}{}, "nothing at all", true},
		{padded{}, "a byte between its fields", false},
		{struct {
			A uint16
			B uint8
		}{}, "a byte after its fields", false},
		{struct {
			A uint8
			_ uint8
		}{}, "a blank field is not compared", false},
		{"text", "equal strings lie in different places", false},
		{1.5, "0 and -0 are equal", false},
		{[1]*int{}, "left to the general case", false},
	}
	for _, tt := range tests {
		if got := isPlain(reflect.TypeOf(tt.value)); got != tt.want {
			t.Errorf("isPlain(%T) = %v, want %v: %s", tt.value, got, tt.want, tt.reason)
		}
	}
}

// Equal values have equal hashes, whatever their type.
func TestEqualValuesHashEqually(t *testing.T) {
	floats := newHash[float64]()
	zero, negative := 0.0, math.Copysign(0, -1)
	if floats(&zero) != floats(&negative) {
		t.Error("0 and -0 are equal and hash differently")
	}
	texts := newHash[string]()
	a, b := "ab", string([]byte{'a', 'b'})
	if texts(&a) != texts(&b) {
		t.Error("equal strings hash differently")
	}
	type pair struct{ x, y uint32 }
	pairs := newHash[pair]()
	seen := map[uint64]bool{}
	for x := range uint32(100) {
		for y := range uint32(100) {
			seen[pairs(&pair{x, y})] = true
		}
	}
	if len(seen) < 9_990 {
		t.Errorf("10,000 different pairs have %d hashes", len(seen))
	}
	empty := newHash[struct{}]()
	if empty(&struct{}{}) != empty(&struct{}{}) {
		t.Error("nothing hashes differently from nothing")
	}
}
