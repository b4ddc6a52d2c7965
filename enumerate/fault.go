package enumerate

import (
	"context"
	"errors"
	"fmt"
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
	var fault *edgeFault[S]
	switch {
	case errors.As(err, &fault):
		f := &Fault{What: fault.Error()}
		f.History, f.Known = t.retrace(ctx, fault.edge)
		return f
	case errors.Is(err, ErrOverflow):
		return err
	}
	return t.meter.incomplete(err, t.order.Len())
}

// retrace returns a shortest history that ends with the given edge.
func (t *tallier[S, E, O]) retrace(ctx context.Context, at edge[S]) (names []string, known bool) {
	if at.state == nil {
		return nil, true
	}
	if t.meter.nodes.Load() > maxRetrace {
		return nil, false
	}
	again := *t
	again.observe, again.keep, again.layers = Observer[S, E, O]{}, true, nil
	again.opt.Progress = nil
	again.sets = &downSets{t.sets.layers[:at.done.size()+1], t.sets.ids, t.sets.ways}
	again.meter = newMeter[S](t.opt)
	again.result, again.index = Tallied[O]{}, newIndex[O]()
	if again.run(ctx) != nil {
		return nil, false
	}
	for _, c := range again.layers[len(again.layers)-1] {
		for i := range int32(c.states.size) {
			if c.done == at.done && *c.states.at(i) == *at.state {
				path := again.path(c, map[int32]bool{i: true})
				return t.names(append(path, at.event)), true
			}
		}
	}
	return nil, false
}
