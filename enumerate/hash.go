package enumerate

import (
	"hash/maphash"
	"reflect"
	"sync"
	"unsafe"
)

// newHash returns a hash function for values of type T. Nothing that depends on
// it may show, since it differs from process to process.
//
// Hashing is a quarter of a tally's time, and maphash.Comparable copies the
// value and looks at its type each time. Values that are equal if and only if
// their bytes are, which small states mostly are, are hashed as bytes.
func newHash[T comparable]() func(*T) uint64 {
	seed := maphash.MakeSeed()
	if size := unsafe.Sizeof(*new(T)); plain(reflect.TypeFor[T]()) {
		return func(v *T) uint64 { return maphash.Bytes(seed, unsafe.Slice((*byte)(unsafe.Pointer(v)), size)) }
	}
	return func(v *T) uint64 { return maphash.Comparable(seed, *v) }
}

// plainTypes remembers what isPlain says, which takes longer than a small walk.
var plainTypes sync.Map

func plain(t reflect.Type) bool {
	if known, ok := plainTypes.Load(t); ok {
		return known.(bool)
	}
	is := isPlain(t)
	plainTypes.Store(t, is)
	return is
}

// isPlain reports whether values of a type are equal if and only if their bytes
// are: they consist of integers and booleans, with no padding between them.
func isPlain(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Bool, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return true
	case reflect.Array:
		return isPlain(t.Elem())
	case reflect.Struct:
		size := uintptr(0)
		for i := range t.NumField() {
			f := t.Field(i)
			if f.Name == "_" || !isPlain(f.Type) {
				return false
			}
			size += f.Type.Size()
		}
		return size == t.Size()
	}
	return false
}
