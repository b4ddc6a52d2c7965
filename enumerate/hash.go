package enumerate

import (
	"hash/maphash"
	"math/bits"
	"reflect"
	"sync"
	"unsafe"
)

// newHash returns a hash function for values of type T. Nothing that depends on
// it may show, since it differs from process to process.
//
// Hashing is a quarter of a tally's time, and maphash.Comparable copies the
// value and looks at its type each time. Values that are equal if and only if
// the bytes of their fields are, which small states mostly are, are hashed as
// bytes.
func newHash[T comparable]() func(*T) uint64 {
	seed := maphash.MakeSeed()
	spans, ok := spansOf(reflect.TypeFor[T]())
	switch {
	case !ok:
		return func(v *T) uint64 { return maphash.Comparable(seed, *v) }
	case len(spans) == 1:
		only := spans[0]
		return func(v *T) uint64 { return maphash.Bytes(seed, only.in(unsafe.Pointer(v))) }
	}
	return func(v *T) (h uint64) {
		for _, r := range spans {
			h = bits.RotateLeft64(h, 23)*0x9e3779b97f4a7c15 ^ maphash.Bytes(seed, r.in(unsafe.Pointer(v)))
		}
		return h
	}
}

// A span is a part of a value's memory that has no padding.
type span struct{ start, size uintptr }

// in returns the span's bytes in the value at v.
func (r span) in(v unsafe.Pointer) []byte {
	return unsafe.Slice((*byte)(unsafe.Add(v, r.start)), r.size)
}

// knownSpans remembers what appendSpans says, which takes longer than a small walk.
var knownSpans sync.Map // of reflect.Type to []span, nil for types with other fields

// spansOf returns the spans of a type, if its values are equal if and only if the
// bytes there are.
func spansOf(t reflect.Type) ([]span, bool) {
	known, ok := knownSpans.Load(t)
	if !ok {
		spans, plain := appendSpans([]span{}, t, 0)
		if !plain {
			spans = nil
		}
		known, _ = knownSpans.LoadOrStore(t, spans)
	}
	spans := known.([]span)
	return spans, spans != nil
}

// appendSpans appends the spans of a type that starts at an offset. It reports
// false for fields that are not integers or booleans, or arrays and structs of
// those: equal floats and strings, for instance, can differ in their bytes.
func appendSpans(spans []span, t reflect.Type, at uintptr) ([]span, bool) {
	switch t.Kind() {
	case reflect.Bool, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		if n := len(spans); n > 0 && spans[n-1].start+spans[n-1].size == at {
			spans[n-1].size += t.Size()
			return spans, true
		}
		return append(spans, span{at, t.Size()}), true
	case reflect.Array:
		for i := range t.Len() {
			var ok bool
			if spans, ok = appendSpans(spans, t.Elem(), at+uintptr(i)*t.Elem().Size()); !ok {
				return nil, false
			}
		}
		return spans, true
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			if f.Name == "_" {
				continue // not compared
			}
			var ok bool
			if spans, ok = appendSpans(spans, f.Type, at+f.Offset); !ok {
				return nil, false
			}
		}
		return spans, true
	}
	return nil, false
}
