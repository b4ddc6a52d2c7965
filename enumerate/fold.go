package enumerate

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

// Options says how to run, never what comes out.
type Options struct {
	// Workers is the number of goroutines that walk at the same time; 0 means
	// GOMAXPROCS. A negative number is an error.
	Workers int
}

func (o Options) workers() (int, error) {
	if o.Workers < 0 {
		return 0, fmt.Errorf("%d workers: use 1 or more, or 0 for one a processor", o.Workers)
	}
	if o.Workers == 0 {
		return runtime.GOMAXPROCS(0), nil
	}
	return o.Workers, nil
}

// A Folder says how complete schedules are summed up in an A. Each A is used
// by one goroutine at a time, but several are in use at once.
type Folder[S, E comparable, A any] struct {
	// New returns the sum of no schedule.
	New func() A
	// Add returns sum with one more schedule, given with its final state. The
	// schedule is reused: Add must copy what it keeps.
	Add func(sum A, schedule []E, final S) A
	// Merge returns the sum of two, all schedules of earlier preceding all of
	// later.
	Merge func(earlier, later A) A
}

// Incomplete is the error of a run that was cut short. It is never a result.
type Incomplete struct {
	Schedules uint64 // complete schedules walked until then
	Cause     error  // what ended it, for instance context.Canceled
}

func (e *Incomplete) Error() string {
	return fmt.Sprintf("incomplete after %d schedules: %v", e.Schedules, e.Cause)
}

func (e *Incomplete) Unwrap() error { return e.Cause }

// Fold sums up every schedule of every order, in parallel, one A an order. The
// result depends on the arguments only: parts are merged in lexicographic
// order, whichever worker finished first.
//
// A cancelled context ends it early with an *Incomplete error and no result.
func Fold[S, E comparable, A any](ctx context.Context, orders []Order[E], m Machine[S, E],
	f Folder[S, E, A], opt Options) ([]A, error) {
	workers, err := opt.workers()
	if err != nil {
		return nil, err
	}
	parts := split(orders, m, workers)
	sums := make([]A, len(parts))
	var walked atomic.Uint64
	err = each(ctx, len(parts), workers, func(ctx context.Context, i int) error {
		p := parts[i]
		sum, n, err := foldPart(ctx, orders[p.order], m, f, p.node)
		sums[i] = sum
		walked.Add(n)
		return err
	})
	if err != nil {
		return nil, &Incomplete{Schedules: walked.Load(), Cause: err}
	}
	merged := make([]A, len(orders))
	for i := range orders {
		merged[i] = f.New()
	}
	for i, p := range parts {
		merged[p.order] = f.Merge(merged[p.order], sums[i])
	}
	return merged, nil
}

// pollEvery is how many prefixes pass between two looks at the context: some
// tens of microseconds for a machine whose Next takes tens of nanoseconds.
const pollEvery = 1024

// foldPart sums up the schedules that extend n, and says how many it walked.
// Once ctx is done it returns early, with less and the context's error.
func foldPart[S, E comparable, A any](ctx context.Context, o Order[E], m Machine[S, E],
	f Folder[S, E, A], n node[S, E]) (sum A, walked uint64, err error) {
	sum = f.New()
	length, prefixes := o.Len(), 0
	w := newWalker(o, m, func(prefix []E, s S) bool {
		if prefixes++; prefixes%pollEvery == 0 && err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return false
		}
		if len(prefix) == length {
			sum = f.Add(sum, prefix, s)
			walked++
		}
		return true
	})
	w.from(n)
	return sum, walked, err
}

// A part is a subtree of one order's search, the unit of parallel work.
type part[S, E comparable] struct {
	order int
	node  node[S, E]
}

// partsPerWorker keeps workers busy to the end although parts differ in size.
const partsPerWorker = 8

// split cuts the orders into parts in lexicographic order, at least
// partsPerWorker for each of several workers if the orders are large enough.
func split[S, E comparable](orders []Order[E], m Machine[S, E], workers int) []part[S, E] {
	var parts []part[S, E]
	for i, o := range orders {
		nodes := []node[S, E]{start(o, m)}
		for depth := 0; workers > 1 && depth < o.Len() && len(nodes)*len(orders) < workers*partsPerWorker; depth++ {
			nodes = extensions(o, m, nodes)
		}
		for _, n := range nodes {
			parts = append(parts, part[S, E]{i, n})
		}
	}
	return parts
}

// extensions returns, in order, all nodes that are one event further.
func extensions[S, E comparable](o Order[E], m Machine[S, E], nodes []node[S, E]) []node[S, E] {
	var further []node[S, E]
	for _, n := range nodes {
		for rest := n.enabled; rest != 0; rest &= rest - 1 {
			i := rest.least()
			e := o.events[i]
			further = append(further, node[S, E]{
				path:    append(slices.Clone(n.path), e),
				done:    n.done | only(i),
				enabled: o.enable(i, n.done, n.enabled),
				state:   m.Next(n.state, e),
			})
		}
	}
	return further
}

// each runs do for 0 to n-1 on up to workers goroutines and returns the
// context's error if it ended before all were done. A single worker runs in
// the caller's goroutine.
func each(ctx context.Context, n, workers int, do func(ctx context.Context, i int) error) error {
	if workers == 1 {
		for i := range n {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := do(ctx, i); err != nil {
				return err
			}
		}
		return nil
	}
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(workers)
	for i := range n {
		g.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			return do(ctx, i)
		})
	}
	return g.Wait()
}
