package enumerate

import "hash/maphash"

// A list is a growing sequence of values. They lie in chunks, so that growing
// moves none of them but the first few.
type list[T any] struct {
	chunks [][]T
	size   int
}

const chunkSize = 128

// at returns the value at position i.
func (l *list[T]) at(i int32) *T { return &l.chunks[i/chunkSize][i%chunkSize] }

func (l *list[T]) add(v T) {
	if l.size%chunkSize == 0 {
		var chunk []T
		if l.size > 0 {
			chunk = make([]T, 0, chunkSize)
		}
		l.chunks = append(l.chunks, chunk)
	}
	last := &l.chunks[len(l.chunks)-1]
	*last = append(*last, v)
	l.size++
}

// An index numbers values from 0 in the order in which it meets them. It is an
// open-addressing hash table that keeps the hashes: states are large, and
// hashing them again whenever the table grows would cost more than the rest.
type index[T comparable] struct {
	seed   maphash.Seed
	values list[T] // by number
	hashes []uint64
	slots  []int32 // 1 + a number, or 0; a power of two of them, at most half full
	spare  []int32 // what slots is a part of
}

const fewSlots = 64

func newIndex[T comparable]() index[T] {
	spare := make([]int32, fewSlots)
	return index[T]{seed: maphash.MakeSeed(), slots: spare, spare: spare}
}

// take returns the values and leaves an empty index, which uses the memory of
// the hash table again.
func (x *index[T]) take() list[T] {
	values := x.values
	x.values = list[T]{}
	x.hashes = x.hashes[:0]
	x.slots = x.spare[:fewSlots]
	clear(x.slots)
	return values
}

// number returns the number of *v, and whether that is new.
func (x *index[T]) number(v *T) (id int32, isNew bool) {
	h := maphash.Comparable(x.seed, *v)
	at := x.slot(h)
	for ; x.slots[at] != 0; at = (at + 1) & (len(x.slots) - 1) {
		if id := x.slots[at] - 1; x.hashes[id] == h && *x.values.at(id) == *v {
			return id, false
		}
	}
	id = int32(x.values.size)
	x.values.add(*v)
	x.hashes = append(x.hashes, h)
	x.slots[at] = id + 1
	if 2*x.values.size > len(x.slots) {
		x.grow()
	}
	return id, true
}

// slot returns where to start looking for a value with hash h.
func (x *index[T]) slot(h uint64) int { return int(h) & (len(x.slots) - 1) }

func (x *index[T]) grow() {
	if n := 4 * len(x.slots); n > len(x.spare) {
		x.spare = make([]int32, n)
		x.slots = x.spare
	} else {
		x.slots = x.spare[:n]
		clear(x.slots)
	}
	for id, h := range x.hashes {
		at := x.slot(h)
		for x.slots[at] != 0 {
			at = (at + 1) & (len(x.slots) - 1)
		}
		x.slots[at] = int32(id) + 1
	}
}
