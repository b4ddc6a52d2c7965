package enumerate

import (
	"fmt"
	"math"
	"reflect"
	"testing"
	"unsafe"
)

type padded struct {
	A uint8
	B uint16
	_ uint16
	C [2]struct {
		D uint32
		E bool
	}
}

func TestSpans(t *testing.T) {
	tests := []struct {
		value  any
		reason string
		want   string
	}{
		{uint32(1), "all of it", "[{0 4}] true"},
		{struct {
			A [3]uint16
			B bool
			C uint8
		}{}, "fields that touch are one span", "[{0 8}] true"},
		{padded{}, "padding and blank fields are left out", "[{0 1} {2 2} {8 5} {16 5}] true"},
		{struct{}{}, "nothing at all", "[] true"},
		{"text", "equal strings lie in different places", "[] false"},
		{struct {
			A int
			B float64
		}{}, "0 and -0 are equal", "[] false"},
		{[1]*int{}, "left to the general case", "[] false"},
	}
	for _, tt := range tests {
		for range 2 { // the second time from memory
			spans, ok := spansOf(reflect.TypeOf(tt.value))
			if got := fmt.Sprint(spans, ok); got != tt.want {
				t.Errorf("spans of %T = %s, want %s: %s", tt.value, got, tt.want, tt.reason)
			}
		}
	}
}

// Equal values have equal hashes, whatever their type and what lies between
// their fields.
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
	empty := newHash[struct{}]()
	var nothing, neither struct{}
	if empty(&nothing) != empty(&neither) {
		t.Error("nothing hashes differently from nothing")
	}

	var clean, dirty padded
	memory := unsafe.Slice((*byte)(unsafe.Pointer(&dirty)), unsafe.Sizeof(dirty))
	for i := range memory {
		memory[i] = 0xff
	}
	dirty.A, dirty.B = 0, 0
	for i := range dirty.C {
		dirty.C[i].D, dirty.C[i].E = 0, false
	}
	if hash := newHash[padded](); clean != dirty || hash(&clean) != hash(&dirty) {
		t.Error("what lies between the fields is hashed")
	}
}

func TestDifferentValuesHashDifferently(t *testing.T) {
	hash := newHash[padded]()
	seen := map[uint64]bool{}
	for n := range uint32(20_000) {
		v := padded{A: uint8(n), B: uint16(n >> 8)}
		v.C[n%2].D = n / 7
		v.C[1].E = n%3 == 0
		seen[hash(&v)] = true
	}
	if len(seen) < 19_990 {
		t.Errorf("20,000 different values have %d hashes", len(seen))
	}
}
