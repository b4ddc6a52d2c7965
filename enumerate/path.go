package enumerate

import (
	"cmp"
	"context"
	"math"
	"slices"
)

// Of all histories to a node, the least is found forwards, layer by layer: it goes
// on from the least history to some node of the layer before, and histories of equal
// length compare like those, then like their last events. So it is enough to know how
// the least histories to the nodes of one layer rank, and how each of them ends.

// A ranking has the least histories to the nodes of one layer, by down-set.
type ranking map[set]ranked

// A ranked has those to the states of one cell.
type ranked struct {
	keys  []uint64 // the rank of the node before in its layer, then the last event
	from  []int32  // the state of that node
	ranks []uint32 // in the layer
}

// eventBits is what an event takes in a key.
const eventBits = 6

func keyOf(rank uint32, event int) uint64 { return uint64(rank)<<eventBits | uint64(event) }
func eventOf(key uint64) int              { return int(key & (1<<eventBits - 1)) }

// rank ranks the layers up to the given one, as far as that was not done before.
func (t *tallier[S, E, O]) rank(ctx context.Context, depth int) error {
	if t.ranked == nil {
		t.ranked = []ranking{{0: {make([]uint64, 1), make([]int32, 1), make([]uint32, 1)}}}
	}
	for k := len(t.ranked); k <= depth; k++ {
		layer := make(ranking, len(t.layers[k]))
		for _, c := range t.layers[k] {
			if err := t.meter.hold(ctx, 0, uint64(c.states.size)*rankedBytes); err != nil {
				return err
			}
			layer[c.done] = c.endings(t.ranked[k-1])
		}
		layer.assign(t.ranked[k-1].size())
		t.ranked = append(t.ranked, layer)
	}
	return nil
}

// rankedBytes is what the least history to a node takes.
const rankedBytes = 8 + 4 + 4

// endings finds out how the least histories to the states of c end.
func (c *cell[S, O]) endings(below ranking) ranked {
	r := ranked{make([]uint64, c.states.size), make([]int32, c.states.size), make([]uint32, c.states.size)}
	for i := range r.keys {
		r.keys[i] = math.MaxUint64
	}
	for _, in := range c.in {
		ranks := below[c.done&^only(in.last)].ranks
		for source, target := range in.targets {
			if target == blocked {
				continue
			}
			if key := keyOf(ranks[source], in.last); key < r.keys[target] {
				r.keys[target], r.from[target] = key, int32(source)
			}
		}
	}
	return r
}

// assign ranks the nodes of a layer by their keys, which differ: first by the rank of
// the node before, of which there are as many as the layer below has, then by event.
func (l ranking) assign(below int) {
	start := make([]uint32, below+1) // of the places of those that come after each node
	for _, r := range l {
		for _, key := range r.keys {
			start[key>>eventBits+1]++
		}
	}
	for i := range below {
		start[i+1] += start[i]
	}
	places := make([]place, start[below])
	next := slices.Clone(start)
	for _, r := range l {
		for i, key := range r.keys {
			at := &next[key>>eventBits]
			places[*at] = place{key, &r.ranks[i]}
			*at++
		}
	}
	for i := range below {
		slices.SortFunc(places[start[i]:start[i+1]], func(a, b place) int { return cmp.Compare(a.key, b.key) })
	}
	for i, p := range places {
		*p.rank = uint32(i)
	}
}

// A place is where a rank goes, and what decides it.
type place struct {
	key  uint64
	rank *uint32
}

// size returns the number of nodes.
func (l ranking) size() (n int) {
	for _, r := range l {
		n += len(r.ranks)
	}
	return n
}

// history returns the least history to a state, as event indices.
func (t *tallier[S, E, O]) history(done set, state int32) []int {
	path := make([]int, done.size())
	for k := done.size(); k > 0; k-- {
		r := t.ranked[k][done]
		i := eventOf(r.keys[state])
		path[k-1], state = i, r.from[state]
		done &^= only(i)
	}
	return path
}

// path returns the least history that leads to one of the wanted states of c.
func (t *tallier[S, E, O]) path(ctx context.Context, c *cell[S, O], wanted []bool) ([]int, error) {
	if err := t.rank(ctx, c.done.size()); err != nil {
		return nil, err
	}
	ranks := t.ranked[c.done.size()][c.done].ranks
	least := -1
	for id, is := range wanted {
		if is && (least < 0 || ranks[id] < ranks[least]) {
			least = id
		}
	}
	return t.history(c.done, int32(least)), nil
}

// target returns where event i leads from state id of the cell below c.
func target[S, O comparable](c *cell[S, O], i int, id int32) (to int32, ok bool) {
	if c == nil {
		return 0, false
	}
	for _, in := range c.in {
		if in.last == i && in.targets[id] != blocked {
			return in.targets[id], true
		}
	}
	return 0, false
}
