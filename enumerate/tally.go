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
	t, err := newTallier([]Order[E]{o}, m, observe, opt)
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
	return t.shares[0].result, err
}

// TallyAll returns what Tally does for each of several orders, which must be
// restrictions of one order, and visits the nodes that they have in common once:
// the 64 subsets of the study's environment events have 14,292 nodes, and 2,480
// different ones. Limits and progress are about these.
//
// A machine that is Guarded has completions that depend on the order as well as on
// the state, and is an error: use Tally for each.
func TallyAll[S, E, O comparable](ctx context.Context, orders []Order[E], m Machine[S, E], observe Observer[S, E, O], opt Options) ([]Tallied[O], error) {
	if len(orders) == 0 {
		return nil, nil
	}
	t, err := newTallier(orders, m, observe, opt)
	if err != nil {
		return nil, err
	}
	if t.keep {
		return nil, errors.New("tally all: the machine blocks events, so that the orders do not share completions; use Tally for each")
	}
	if err := t.all(ctx, func(context.Context) error { return t.verify() }); err != nil {
		return nil, err
	}
	results := make([]Tallied[O], len(orders))
	for i := range t.shares {
		results[i] = t.shares[i].result
	}
	return results, nil
}

// A tallier is a Tally under way.
type tallier[S, E, O comparable] struct {
	order     Order[E]      // of all events that there are
	shares    []share[E, O] // of each order
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
	ranked  []ranking // the layers' least histories, as far as they were asked for
	workers []*worker[S, E, O]
	meter   *meter
}

func newTallier[S, E, O comparable](orders []Order[E], m Machine[S, E], observe Observer[S, E, O], opt Options) (*tallier[S, E, O], error) {
	opt, err := opt.complete()
	if err != nil {
		return nil, err
	}
	o, err := union(orders)
	if err != nil {
		return nil, err
	}
	t := &tallier[S, E, O]{order: o, machine: m, opt: opt, meter: newMeter[S](opt)}
	for _, o := range orders {
		t.shares = append(t.shares, newShare[E, O](o))
		t.depth = max(t.depth, o.Len())
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

// prepare finds the down-sets, if the orders alone decide which of them there
// are; otherwise run does, on the way.
func (t *tallier[S, E, O]) prepare(ctx context.Context) error {
	if t.keep {
		t.sets = newDownSets()
		return nil
	}
	sets := uint64(0)
	for i := range t.shares {
		err := t.shares[i].prepare(func(n uint64) error {
			if sets += n; sets > t.opt.MaxNodes {
				return errNodes(t.opt.MaxNodes)
			}
			return t.meter.hold(ctx, 0, n*downSetBytes)
		})
		if err != nil {
			return err
		}
	}
	t.sets = allDownSets(t.shares)
	return nil
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
	return t.sets.grow(done, t.above, func(n uint64) error { return t.meter.hold(ctx, 0, n*downSetBytes) })
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
	p := &t.meter.progress
	p.Layer, p.Layers, p.Histories, p.Elapsed = k, t.depth, Count{}, time.Since(t.meter.start)
	for _, c := range layer {
		p.Nodes += uint64(c.states.size)
		p.Edges += c.edges
		if err := addTo(&p.Histories, c.histories); err != nil {
			return fmt.Errorf("count the histories of %d events: %w", k, err)
		}
		if t.keep { // by a single order; weighted in the pass backwards
			t.shares[0].add(c.size())
		}
	}
	if !t.keep {
		if err := t.distribute(k); err != nil {
			return err
		}
	}
	if t.opt.Progress != nil {
		t.opt.Progress(*p)
	}
	return nil
}

// distribute gives every order its share of the layer of k events.
func (t *tallier[S, E, O]) distribute(k int) error {
	for i := range t.shares {
		share := &t.shares[i]
		if k > share.order.Len() {
			continue
		}
		share.histories = Count{}
		for j := range share.sets.layers[k] {
			d := &share.sets.layers[k][j]
			c := t.cells[t.sets.id(d)]
			share.add(c.size())
			if err := addTo(&share.histories, c.histories); err != nil {
				return fmt.Errorf("count the histories of %d events: %w", k, err)
			}
			if len(c.seen) == 0 {
				continue
			}
			ways := share.sets.ways[share.sets.id(d)]
			for i := range c.seen {
				if err := share.observe(&c.seen[i], ways); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// verify compares the two ways to the number of schedules: the completions of
// the empty history and the histories of all events.
func (t *tallier[S, E, O]) verify() error {
	for _, s := range t.shares {
		if s.histories != s.result.Schedules {
			return fmt.Errorf("tally: %v histories of all events, and %v schedules by the order alone", s.histories, s.result.Schedules)
		}
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
