package enumerate

import "hash/maphash"

// A table numbers the states of a machine as they are met and remembers its
// transitions. Schedules meet the same few states again and again, so that
// walking them is mostly looking up: the study's 6,694 schedules have 23,443
// prefixes, and 1,465 pairs of a state and an event.
//
// A table is used by one goroutine.
type table[S, E comparable] struct {
	machine Machine[S, E]
	events  []E
	states  index[S]
	next    []int32 // next[id*len(events)+i] is 1 + the state after event i; 0 is not known yet
}

func newTable[S, E comparable](m Machine[S, E], events []E) *table[S, E] {
	return &table[S, E]{machine: m, events: events, states: newIndex[S]()}
}

// start returns the number of the initial state.
func (t *table[S, E]) start() int32 { return t.id(t.machine.Init()) }

// state returns the state with number id.
func (t *table[S, E]) state(id int32) S { return *t.states.at(id) }

func (t *table[S, E]) id(s S) int32 {
	id, isNew := t.states.number(s)
	if isNew {
		t.next = append(t.next, make([]int32, len(t.events))...)
	}
	return id
}

// after returns the number of the state that follows state id on event i.
func (t *table[S, E]) after(id int32, i int) int32 {
	if to := t.next[int(id)*len(t.events)+i]; to != 0 {
		return to - 1
	}
	return t.learn(id, i)
}

func (t *table[S, E]) learn(id int32, i int) int32 {
	to := t.id(t.machine.Next(t.state(id), t.events[i])) // may move t.next
	t.next[int(id)*len(t.events)+i] = to + 1
	return to
}

// An index numbers values from 0 in the order in which it meets them. It is an
// open-addressing hash table that keeps the hashes: states are large, and
// hashing them again whenever the table grows would cost more than the rest.
type index[T comparable] struct {
	seed   maphash.Seed
	values [][]T // by number, in chunks, so that growing moves none
	hashes []uint64
	slots  []int32 // 1 + a number, or 0; a power of two of them, at most half full
}

const chunkSize = 128

// at returns the value with number id.
func (x *index[T]) at(id int32) *T { return &x.values[id/chunkSize][id%chunkSize] }

// size returns how many numbers were given out.
func (x *index[T]) size() int { return len(x.hashes) }

func newIndex[T comparable]() index[T] {
	return index[T]{seed: maphash.MakeSeed(), slots: make([]int32, 64)}
}

// number returns the number of v, and whether v is new.
func (x *index[T]) number(v T) (id int32, isNew bool) {
	h := maphash.Comparable(x.seed, v)
	at := x.slot(h)
	for ; x.slots[at] != 0; at = (at + 1) & (len(x.slots) - 1) {
		if id := x.slots[at] - 1; x.hashes[id] == h && *x.at(id) == v {
			return id, false
		}
	}
	id = int32(x.size())
	if id%chunkSize == 0 {
		x.values = append(x.values, make([]T, 0, chunkSize))
	}
	last := &x.values[len(x.values)-1]
	*last = append(*last, v)
	x.hashes = append(x.hashes, h)
	x.slots[at] = id + 1
	if 2*x.size() > len(x.slots) {
		x.grow()
	}
	return id, true
}

// slot returns where to start looking for a value with hash h.
func (x *index[T]) slot(h uint64) int { return int(h) & (len(x.slots) - 1) }

func (x *index[T]) grow() {
	x.slots = make([]int32, 4*len(x.slots))
	for id, h := range x.hashes {
		at := x.slot(h)
		for x.slots[at] != 0 {
			at = (at + 1) & (len(x.slots) - 1)
		}
		x.slots[at] = int32(id) + 1
	}
}
