package enumerate

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// A Fault is the error of a machine, an observer or a property that panics or is
// not pure.
type Fault struct {
	What    string   // what it did
	History []string // events after which it did, the last being the one that it was asked about
	Known   bool     // whether History is; finding it can be too expensive
}

func (f *Fault) Error() string {
	switch {
	case !f.Known:
		return "the machine " + f.What
	case len(f.History) == 0:
		return "the machine " + f.What + ", before any event"
	}
	return "the machine " + f.What + ", after " + strings.Join(f.History, ", ")
}

// after returns f with the history that shows it.
func (f Fault) after(history []string) *Fault {
	f.History, f.Known = history, true
	return &f
}

// An edgeFault is a Fault whose history is not known yet.
type edgeFault[S any] struct {
	edge edge[S]
	what string
}

func (f *edgeFault[S]) Error() string {
	if f.edge.state == nil {
		return f.what
	}
	return fmt.Sprintf("%s in state %v", f.what, *f.edge.state)
}

// maxRetrace is how many nodes are built again to find the history of a fault.
const maxRetrace = 1_000_000

// explain turns what ended a run into the error to return.
func (t *tallier[S, E, O]) explain(ctx context.Context, err error) error {
	var edge *edgeFault[S]
	var known *Fault
	var deadlock *Deadlock
	switch {
	case err == nil, errors.As(err, &known), errors.As(err, &deadlock), errors.Is(err, ErrOverflow):
		return err
	case errors.As(err, &edge):
		f := &Fault{What: edge.Error()}
		f.History, f.Known = t.retrace(ctx, edge.edge)
		return f
	}
	return t.meter.incomplete(err, t.depth)
}

// retrace returns a shortest history that ends with the given edge.
func (t *tallier[S, E, O]) retrace(ctx context.Context, at edge[S]) (names []string, known bool) {
	if at.state == nil {
		return nil, true
	}
	if t.meter.progress.Nodes > maxRetrace {
		return nil, false
	}
	again := *t
	again.see = make([]func(S, E, S) (O, bool), len(t.see))
	again.keep, again.trusted, again.depth = true, true, at.done.size()
	again.opt.Progress, again.opt.MaxBytes = nil, 0
	again.sets, again.cells, again.layers, again.ranked = newDownSets(), nil, nil, nil
	again.meter = newMeter[S](again.opt)
	again.shares = slices.Clone(t.shares) // their results are not looked at
	if again.run(ctx) != nil || len(again.layers) <= at.done.size() {
		return nil, false
	}
	for _, c := range again.layers[at.done.size()] {
		for i := range c.states.size {
			if c.done != at.done || *c.states.at(int32(i)) != *at.state {
				continue
			}
			marked := make([]bool, c.states.size)
			marked[i] = true
			path, err := again.path(ctx, c, marked)
			return t.order.namesOf(append(path, at.event)), err == nil
		}
	}
	return nil, false
}
