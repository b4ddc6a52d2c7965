package enumerate

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// An Observer says what is to be counted on an edge, the step of an event from
// one state to the next. Make one with Observe or ObserveOn; the zero Observer
// observes nothing.
type Observer[S, E, O comparable] struct {
	on  func(E) bool
	see func(before S, e E, after S) (o O, seen bool)
}

// Observe observes whatever see reports, on every edge. Like a Machine, see must
// be pure.
func Observe[S, E, O comparable](see func(before S, e E, after S) (o O, seen bool)) Observer[S, E, O] {
	return Observer[S, E, O]{see: see}
}

// ObserveOn observes what see reports on the edges of those events that on
// accepts, which saves asking about the others.
func ObserveOn[S, E, O comparable](on func(E) bool, see func(before S, e E, after S) (o O, seen bool)) Observer[S, E, O] {
	return Observer[S, E, O]{on, see}
}

// of returns what to ask on the edges of e, nil if nothing is observed there.
func (o Observer[S, E, O]) of(e E) func(before S, e E, after S) (O, bool) {
	if o.on != nil && !o.on(e) {
		return nil
	}
	return o.see
}

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
// are kept to the end, with 4 bytes an edge and about 40 an observed edge.
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
	if err := t.run(ctx); err != nil {
		return Tallied[O]{}, t.explain(ctx, err)
	}
	if t.guard != nil {
		return t.result, t.backward()
	}
	return t.result, t.verify()
}

// A tallier is a Tally under way.
type tallier[S, E, O comparable] struct {
	order     Order[E]
	machine   Machine[S, E]
	step      func(*S, E)     // nil if the machine has Next only
	guard     func(S, E) bool // nil if nothing is blocked
	ends      func(S) bool    // nil if schedules end with the last event only
	canonical func(set, S) S  // nil if states are kept as they are
	observe   Observer[S, E, O]
	opt       Options
	keep      bool                 // edges and layers, for a pass backwards
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
		observe: observe,
		opt:     opt,
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
	if t.sets, err = o.downSets(opt.MaxNodes); errors.Is(err, ErrLimit) {
		return nil, &IncompleteError{Progress: Progress{Layers: o.Len()}, Cause: err}
	} else if err != nil {
		return nil, err
	}
	t.result.Schedules = t.sets.ways[0] // the empty set is the first
	return t, nil
}

// run builds layer after layer.
func (t *tallier[S, E, O]) run(ctx context.Context) error {
	if t.opt.MaxTime > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, t.opt.MaxTime, errTime(t.opt.MaxTime))
		defer cancel()
	}
	t.workers = t.newWorkers()
	t.cells = make([]*cell[S, O], len(t.sets.ways))
	for k, sets := range t.sets.layers {
		t.result.DownSets += uint64(len(sets))
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
	}
	return nil
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
