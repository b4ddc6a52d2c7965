package enumerate

import (
	"context"
	"errors"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

// An Outcome is a state in which schedules end.
type Outcome[S, E comparable] struct {
	Final     S
	Schedules uint64 // how many end in it
	First     []E    // the first of them, lexicographically
}

// Outcomes walks every schedule of every order and returns, for each order,
// the states in which its schedules end, in the order of their First.
//
// It walks in parallel, but the result depends on the orders and the machine
// only. Orders that are restrictions of one order share their transitions. An
// order of a Guarded machine is walked by a single worker.
//
// When ctx ends before the walk does, the error is an *IncompleteError. A machine
// that panics or is not pure is a *Fault. If a Guarded machine deadlocks, it is a
// *Deadlock, the only error that a result comes with.
func Outcomes[S, E comparable](ctx context.Context, orders []Order[E], m Machine[S, E], opt Options) ([][]Outcome[S, E], error) {
	workers, err := opt.workers()
	if err != nil {
		return nil, err
	}
	_, guarded := m.(Guarded[S, E])
	parts := split(orders, workers, !guarded)
	results := make([][]Outcome[S, E], len(parts))
	stuck := make([]deadlocks, len(parts))
	faults := make([]error, len(parts))
	var taken, finished, firstFault atomic.Int64
	firstFault.Store(int64(len(parts)))
	var walked atomic.Uint64
	work := func(ctx context.Context) error {
		c := counter[S, E]{machine: m}
		for {
			i := taken.Add(1) - 1
			if i >= firstFault.Load() {
				return nil
			}
			var n uint64
			var err error
			o := orders[parts[i].order]
			results[i], n, err = c.count(ctx, o, parts[i].node)
			stuck[i] = c.stuck
			walked.Add(n)
			if fault := (*Fault)(nil); errors.As(err, &fault) {
				faults[i] = fault
				lower(&firstFault, i)
			} else if err != nil {
				return err
			}
			finished.Add(1)
		}
	}
	err = run(ctx, min(workers, len(parts)), work)
	if first := firstFault.Load(); err == nil && first < int64(len(parts)) {
		return nil, faults[first]
	} else if err == nil && finished.Load() < first {
		err = errGoexit
	}
	if err != nil {
		return nil, &IncompleteError{Progress: Progress{Schedules: walked.Load()}, Cause: err}
	}
	return join(parts, results, len(orders)), joinDeadlocks(stuck)
}

// errGoexit is what remains to be said when a worker is gone without a word:
// that is what t.FailNow does when Next calls it.
var errGoexit = errors.New("the machine ended its goroutine (runtime.Goexit); return a state that says what is wrong instead")

// run calls work in n goroutines and returns the first error; for a single one
// it needs none.
func run(ctx context.Context, n int, work func(context.Context) error) error {
	if n <= 1 {
		return work(ctx)
	}
	g, ctx := errgroup.WithContext(ctx)
	for range n {
		g.Go(func() error { return work(ctx) })
	}
	return g.Wait()
}

// A counter counts outcomes for one goroutine, part after part.
type counter[S, E comparable] struct {
	machine Machine[S, E]
	table   *table[S, E]
	place   []int   // place[id] is 1 + the position of state id among the outcomes of this part
	finals  []int32 // the states with a place
	stuck   deadlocks
}

// pollEvery is how many schedules of a walk, or edges of a tally, pass between two
// looks at the context: some tens of microseconds, unless the machine is slow.
const pollEvery = 1024

// count returns the outcomes of the schedules that extend n, and how many
// schedules it walked. Once ctx is done it returns early with its error; a fault of
// the machine is one, too.
func (c *counter[S, E]) count(ctx context.Context, o Order[E], n node) ([]Outcome[S, E], uint64, error) {
	if t := tableFor(c.table, c.machine, o); t != c.table {
		*c = counter[S, E]{machine: c.machine, table: t}
	}
	var counts []uint64
	var firsts []E // one schedule after the other
	var ends []int // where each of them ends
	var walked uint64
	s := newSearch(ctx, o, c.table)
	c.stuck = deadlocks{}
	s.complete = func(history []E, id int32) {
		walked++
		if len(history) < len(s.path) && !c.table.ended(id) {
			c.stuck.add(o.indices(history), o.names)
			return
		}
		if c.placeOf(id) == 0 {
			firsts = append(firsts, history...)
			counts, ends = append(counts, 0), append(ends, len(firsts))
			c.finals = append(c.finals, id)
			c.place[id] = len(counts)
		}
		counts[c.place[id]-1]++
	}
	s.from(n)
	if f := c.table.fault; f != nil {
		return nil, walked, f.after(o.namesOf(o.indices(s.path[:s.asked])))
	}
	outcomes := make([]Outcome[S, E], len(counts))
	start := 0
	for i, id := range c.finals {
		outcomes[i] = Outcome[S, E]{Final: *c.table.state(id), Schedules: counts[i], First: firsts[start:ends[i]:ends[i]]}
		start = ends[i]
		c.place[id] = 0
	}
	c.finals = c.finals[:0]
	return outcomes, walked, s.err
}

// placeOf returns place[id], which need not exist for a new state.
func (c *counter[S, E]) placeOf(id int32) int {
	if missing := c.table.states.values.size - len(c.place); missing > 0 {
		c.place = append(c.place, make([]int, missing)...)
	}
	return c.place[id]
}
