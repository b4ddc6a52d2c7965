package enumerate

// A store holds values in chunks, so that growing moves none of them but the
// first few, and can be used again.
type store[T any] struct {
	chunks [][]T
	used   int
}

const chunkSize = 128

func (s *store[T]) at(n uint) *T { return &s.chunks[n/chunkSize][n%chunkSize] }

func (s *store[T]) add(v T) {
	k := s.used / chunkSize
	if k == len(s.chunks) {
		var chunk []T
		if k > 0 {
			chunk = make([]T, 0, chunkSize)
		}
		s.chunks = append(s.chunks, chunk)
	}
	s.chunks[k] = append(s.chunks[k], v)
	s.used++
}

// reset empties the store and keeps its memory.
func (s *store[T]) reset() {
	for k := range s.chunks {
		s.chunks[k] = s.chunks[k][:0]
	}
	s.used = 0
}

// A list is a sequence of values that lie one after the other in a store. It
// grows while it is the last there.
type list[T any] struct {
	store *store[T]
	start int
	size  int
}

// listIn returns an empty list at the end of a store.
func listIn[T any](s *store[T]) list[T] { return list[T]{store: s, start: s.used} }

// at returns the value at position i.
func (l *list[T]) at(i int32) *T { return l.store.at(uint(l.start) + uint(i)) }

func (l *list[T]) add(v T) {
	l.store.add(v)
	l.size++
}

// An index numbers values from 0 in the order in which it meets them. It is an
// open-addressing hash table that keeps the hashes: states are large, and
// hashing them again whenever the table grows would cost more than the rest.
type index[T comparable] struct {
	hash   func(*T) uint64
	values list[T] // by number
	hashes []uint64
	slots  []int32 // 1 + a number, or 0; a power of two of them, at most half full
	spare  []int32 // what slots is a part of
}

const fewSlots = 64

func newIndex[T comparable]() index[T] {
	spare := make([]int32, fewSlots)
	return index[T]{hash: newHash[T](), values: listIn(new(store[T])), slots: spare, spare: spare}
}

// take returns the values and leaves an empty index, which goes on in the same
// store and uses the memory of the hash table again.
func (x *index[T]) take() list[T] {
	values := x.values
	x.values = listIn(values.store)
	x.hashes = x.hashes[:0]
	x.slots = x.spare[:fewSlots]
	clear(x.slots)
	return values
}

// drop empties the index and its store.
func (x *index[T]) drop() {
	x.values.store.reset()
	x.take()
}

// number returns the number of *v, and whether that is new. It does not keep v;
// but v should be in memory that is used again, since the compiler can't know.
func (x *index[T]) number(v *T) (id int32, isNew bool) {
	h := x.hash(v)
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

// isNew numbers *v and reports whether its number is new.
func (x *index[T]) isNew(v *T) bool {
	_, isNew := x.number(v)
	return isNew
}

// find returns the number of *v, or a negative number if it has none. Several
// goroutines may look at the same time.
func (x *index[T]) find(v *T) int32 {
	h := x.hash(v)
	for at := x.slot(h); x.slots[at] != 0; at = (at + 1) & (len(x.slots) - 1) {
		if id := x.slots[at] - 1; x.hashes[id] == h && *x.values.at(id) == *v {
			return id
		}
	}
	return -1
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
