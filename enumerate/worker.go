package enumerate

import (
	"context"
	"errors"
	"sync/atomic"
)

// A worker builds cells.
type worker[S, E, O comparable] struct {
	*tallier[S, E, O]
	ctx      context.Context
	states   index[S]
	seen     index[sighted[O]]
	raw      index[S]   // successors before they were made canonical, to tell what that saves
	sampled  bool       // whether those are looked at in this cell
	set      set        // to be looked up
	polled   uint64     // edges of the cell
	held     int        // nodes of the cell that the meter knows
	heldSeen int        // and observations
	at       edge[S]    // what the machine is asked about
	next     S          // where that leads
	short    S          // the canonical form of that
	sight    sighted[O] // what was seen there

	counts *store[Count]
	places [2]places[S] // of layers with even and odd numbers of events
}

// places is where nodes lie.
type places[S any] struct {
	states *store[S]
	counts *store[Count]
}

// newWorkers returns the workers of a run.
func (t *tallier[S, E, O]) newWorkers() []*worker[S, E, O] {
	workers := make([]*worker[S, E, O], t.opt.Workers)
	for i := range workers {
		workers[i] = &worker[S, E, O]{tallier: t, states: newIndex[S](), seen: newIndex[sighted[O]](), raw: newIndex[S]()}
	}
	return workers
}

// begin gives the worker a place for what it builds of layer k. The layer before
// the last is not needed any more, unless layers are kept.
func (w *worker[S, E, O]) begin(ctx context.Context, k int) {
	w.ctx = ctx
	place := &w.places[k%2]
	if w.keep || place.states == nil {
		*place = places[S]{new(store[S]), new(store[Count])}
	}
	place.states.reset()
	place.counts.reset()
	w.states.values = listIn(place.states)
	w.counts = place.counts
}

// build returns the cells of the given down-sets of size k, those without nodes
// left out. Of several faults it reports that of the first cell, whichever came
// first in time.
func (t *tallier[S, E, O]) build(ctx context.Context, k int) ([]*cell[S, O], error) {
	sets := t.sets.layers[k]
	cells := make([]cell[S, O], len(sets))
	faults := make([]error, len(sets))
	var started, taken, finished, firstFault atomic.Int64
	firstFault.Store(int64(len(sets)))
	err := run(ctx, t.workersFor(len(sets)), func(ctx context.Context) error {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		w := t.workers[started.Add(1)-1]
		w.begin(ctx, k)
		for {
			i := taken.Add(1) - 1
			if i >= firstFault.Load() {
				return nil
			}
			w.sampled = w.canonical != nil && isSampled(sets[i])
			err := w.cell(&cells[i], sets[i])
			if err != nil {
				fault := (*edgeFault[S])(nil)
				if !errors.As(err, &fault) {
					return err
				}
				faults[i] = fault
				lower(&firstFault, i)
			}
			finished.Add(1)
		}
	})
	switch first := firstFault.Load(); {
	case err != nil:
		return nil, err
	case first < int64(len(sets)):
		return nil, faults[first]
	case finished.Load() < first:
		return nil, errGoexit
	}
	layer := make([]*cell[S, O], 0, len(cells))
	for i := range cells {
		if c := &cells[i]; c.states.size > 0 {
			layer = append(layer, c)
			t.cells[c.id] = c
		}
	}
	return layer, nil
}

// nodesPerWorker is how many nodes a worker should have to start from: below
// that, starting it takes longer than what it does.
const nodesPerWorker = 256

// workersFor returns how many workers to start for a number of down-sets.
func (t *tallier[S, E, O]) workersFor(sets int) int {
	nodes := 0
	if n := len(t.layers); n > 0 {
		for _, c := range t.layers[n-1] {
			nodes += c.states.size
		}
	}
	return min(t.opt.Workers, sets, 1+nodes/nodesPerWorker)
}

// lower makes v no larger than n.
func lower(v *atomic.Int64, n int64) {
	for old := v.Load(); n < old; old = v.Load() {
		if v.CompareAndSwap(old, n) {
			return
		}
	}
}
