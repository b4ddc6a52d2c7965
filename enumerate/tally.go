package enumerate

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// A Tallied is what all schedules of an order come to.
type Tallied[O comparable] struct {
	DownSets  uint64 // sets of events that can be done at one time
	Nodes     uint64 // distinct pairs of the events done and a state
	Edges     uint64 // steps from node to node
	Schedules Count
	Observed  []Observed[O] // in the order in which they were met
	Deadlocks Count         // histories that can't go on and are not done, for a Guarded machine
	Canonical Merged        // what the canonical form saves, for a Canonical machine
}

// An Observed is a value and the number of times that it was observed: once for
// each schedule and each edge of it on which the Observer reported it.
type Observed[O comparable] struct {
	Value O
	Count Count
}

// Count returns how often o was observed.
func (t Tallied[O]) Count(o O) Count {
	for _, seen := range t.Observed {
		if seen.Value == o {
			return seen.Count
		}
	}
	return Count{}
}

// Tally counts what is observed in all schedules of o, exactly, without walking
// them: layer by layer, nodes that are equal in the events done and the state
// merge and carry the number of histories that lead there, and an observation is
// weighted by the number of ways to complete the rest.
//
// Time grows with the number of edges, whatever the number of schedules. Memory
// is two adjacent layers of nodes, each a state and 16 bytes, and about 50 bytes a
// down-set. If m is Guarded, completions depend on the state, so that all nodes
// are kept to the end, with 4 bytes for each event tried in a node, and about 40
// for each observed edge.
//
// The result depends on the order, the machine and the observer only. A run that
// reaches a limit, or whose context ends, is an *IncompleteError; counts that leave
// 128 bits are ErrOverflow; a machine or observer that panics, and a machine that
// is not pure, are a *Fault with a history that shows it. A Guarded machine that
// deadlocks is a *Deadlock, and the only error that a result comes with.
func Tally[S, E, O comparable](ctx context.Context, o Order[E], m Machine[S, E], observe Observer[S, E, O], opt Options) (Tallied[O], error) {
	t, err := newTallier(o, m, observe, opt)
	if err != nil {
		return Tallied[O]{}, err
	}
	err = t.all(ctx, func(ctx context.Context) error {
		if t.keep {
			return t.backward(ctx)
		}
		return t.verify()
	})
	if deadlock := (*Deadlock)(nil); err != nil && !errors.As(err, &deadlock) {
		return Tallied[O]{}, err
	}
	return t.result, err
}

// A tallier is a Tally under way.
type tallier[S, E, O comparable] struct {
	order     Order[E]
	machine   Machine[S, E]
	step      func(*S, E)                              // nil if the machine has Next only
	guard     func(S, E) bool                          // nil if nothing is blocked
	ends      func(S) bool                             // nil if schedules end with the last event only
	canonical func(set, S) S                           // nil if states are kept as they are
	see       []func(before S, e E, after S) (O, bool) // by event, nil where nothing is observed
	same      func(a, b S) bool                        // what a canonical form must leave as it is, beside what is observed
	opt       Options
	keep      bool                 // edges and layers, for a pass backwards
	trusted   bool                 // the machine was looked at before
	depth     int                  // of the last layer
	final     func(S, Count) error // called, if not nil, for each state in which schedules end

	sets    *downSets
	cells   []*cell[S, O] // of the last two layers, or all that are kept, by the number of their down-set
	layers  [][]*cell[S, O]
	workers []*worker[S, E, O]
	index   index[O] // numbers observations in result.Observed
	result  Tallied[O]
	meter   *meter
}

func newTallier[S, E, O comparable](o Order[E], m Machine[S, E], observe Observer[S, E, O], opt Options) (*tallier[S, E, O], error) {
	opt, err := opt.complete()
	if err != nil {
		return nil, err
	}
	t := &tallier[S, E, O]{
		order:   o,
		machine: m,
		opt:     opt,
		depth:   o.Len(),
		index:   newIndex[O](),
		meter:   newMeter[S](opt),
	}
	if s, ok := m.(Stepper[S, E]); ok {
		t.step = s.Step
	}
	if g, ok := m.(Guarded[S, E]); ok {
		t.guard, t.keep = g.Enabled, true
	}
	if g, ok := m.(Ending[S, E]); ok {
		t.ends = g.Done
	}
	if c, ok := m.(Canonical[S, E]); ok {
		t.canonical = func(done set, s S) S { return c.Canonical(Events[E]{&o, done}, s) }
	}
	t.see, err = observe.byEvent(o)
	return t, err
}

// all does the whole run: the down-sets, the layers, and then finish.
func (t *tallier[S, E, O]) all(ctx context.Context, finish func(context.Context) error) (err error) {
	if t.opt.MaxTime > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, t.opt.MaxTime, errTime(t.opt.MaxTime))
		defer cancel()
	}
	if err = t.prepare(ctx); err == nil {
		err = t.run(ctx)
	}
	if err == nil {
		err = finish(ctx)
	}
	return t.explain(ctx, err)
}

// prepare finds the down-sets, if the order alone decides which of them there
// are; otherwise run does, on the way.
func (t *tallier[S, E, O]) prepare(ctx context.Context) (err error) {
	if t.keep {
		t.sets = newDownSets()
		return nil
	}
	sets := uint64(0)
	t.sets, err = t.order.downSets(func(n uint64) error {
		if sets += n; sets > t.opt.MaxNodes {
			return errNodes(t.opt.MaxNodes)
		}
		return t.meter.hold(ctx, 0, n*downSetBytes)
	})
	if err == nil {
		t.result.Schedules = t.sets.ways[0] // the empty set is the first
	}
	return err
}

// downSetBytes is about what a down-set takes.
const downSetBytes = 50

// run builds layer after layer.
func (t *tallier[S, E, O]) run(ctx context.Context) error {
	t.workers = t.newWorkers()
	for k := range t.depth + 1 {
		t.cells = append(t.cells, make([]*cell[S, O], t.sets.size()-len(t.cells))...)
		layer, err := t.build(ctx, k)
		if err != nil {
			return err
		}
		if !t.keep {
			t.forget()
		}
		t.layers = append(t.layers, layer)
		if err := t.account(k, layer); err != nil {
			return err
		}
		if t.keep && k < t.depth {
			if err := t.growFrom(ctx, layer); err != nil {
				return err
			}
		}
	}
	return nil
}

// growFrom finds the down-sets above those that have nodes.
func (t *tallier[S, E, O]) growFrom(ctx context.Context, layer []*cell[S, O]) error {
	done := make([]set, len(layer))
	for i, c := range layer {
		done[i] = c.done
	}
	return t.sets.grow(done, t.order.above, func(n uint64) error { return t.meter.hold(ctx, 0, n*downSetBytes) })
}

// forget gives up the layers but for the one that is built from now on.
func (t *tallier[S, E, O]) forget() {
	for _, layer := range t.layers {
		for _, c := range layer {
			t.meter.release(c.states.size)
			t.cells[c.id] = nil
		}
	}
	t.layers = nil
}

// account adds a finished layer to the result.
func (t *tallier[S, E, O]) account(k int, layer []*cell[S, O]) error {
	var histories Count
	t.result.DownSets += uint64(len(layer))
	for _, c := range layer {
		t.result.Nodes += uint64(c.states.size)
		t.result.Edges += c.edges
		t.result.Canonical.Raw += c.merged.Raw
		t.result.Canonical.Kept += c.merged.Kept
		if err := addTo(&histories, c.histories); err != nil {
			return fmt.Errorf("count the histories of %d events: %w", k, err)
		}
		if t.keep {
			continue // weighted in the pass backwards
		}
		for _, s := range c.seen {
			if err := t.add(s.value, s.count, t.sets.ways[c.id]); err != nil {
				return err
			}
		}
	}
	t.meter.progress = Progress{
		Layer: k, Layers: t.order.Len(), Nodes: t.result.Nodes, Edges: t.result.Edges, Histories: histories,
		Elapsed: time.Since(t.meter.start),
	}
	if t.opt.Progress != nil {
		t.opt.Progress(t.meter.progress)
	}
	return nil
}

// add counts an observation that count histories make, each completed in ways.
func (t *tallier[S, E, O]) add(value O, count, ways Count) error {
	n, err := count.Times(ways)
	if err != nil {
		return fmt.Errorf("count an observation: %w", err)
	}
	id, isNew := t.index.number(&value)
	if isNew {
		t.result.Observed = append(t.result.Observed, Observed[O]{Value: value})
	}
	seen := &t.result.Observed[id]
	if seen.Count, err = seen.Count.Plus(n); err != nil {
		return fmt.Errorf("count an observation: %w", err)
	}
	return nil
}

// verify compares the two ways to the number of schedules: the completions of
// the empty history and the histories of all events.
func (t *tallier[S, E, O]) verify() error {
	if got := t.meter.progress.Histories; got != t.result.Schedules {
		return fmt.Errorf("tally: %v histories of all events, and %v schedules by the order alone", got, t.result.Schedules)
	}
	return nil
}

func byDownSet[S, O comparable](layer []*cell[S, O]) map[set]*cell[S, O] {
	m := make(map[set]*cell[S, O], len(layer))
	for _, c := range layer {
		m[c.done] = c
	}
	return m
}
