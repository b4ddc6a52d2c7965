package enumerate

import (
	"context"
	"fmt"
	"slices"
)

// A Guarded machine blocks events: in state s event e can't happen unless
// Enabled(s, e). Events that block each other are alternatives. A schedule ends
// when all events are done or none of the rest is enabled.
type Guarded[S, E comparable] interface {
	Machine[S, E]
	Enabled(S, E) bool
}

// An Ending machine says where a schedule of a Guarded machine may end with
// events left over: where nothing is enabled and Done(s) is false, the history
// is a deadlock. Done does not end a schedule while something is enabled.
type Ending[S, E comparable] interface {
	Guarded[S, E]
	Done(S) bool
}

// A Deadlock is the error of a run in which some histories can't go on and are
// not done. The result that comes with it counts them.
type Deadlock struct {
	Histories Count
	Shortest  []string // events of the shortest history, the least of those
}

func (d *Deadlock) Error() string {
	return fmt.Sprintf("deadlock in %v histories, the shortest being %v", d.Histories, d.Shortest)
}

// backward counts completions on the kept graph, from the last layer to the
// first, and weighs the observations by them.
func (t *tallier[S, E, O]) backward(ctx context.Context) error {
	result := &t.shares[0].result
	t.numberObservations()
	var dead *cell[S, O]
	var stuck []bool
	var above map[set]*cell[S, O]
	var ways map[set][]Count
	held := uint64(0) // in ways
	for k := len(t.layers) - 1; k >= 0; k-- {
		own := make(map[set][]Count, len(t.layers[k]))
		found, bytes := false, uint64(0)
		for _, c := range t.layers[k] {
			size := uint64(c.states.size) * waysBytes
			if err := t.meter.hold(ctx, 0, size); err != nil {
				return err
			}
			bytes += size
			counts, ends, err := t.completionsOf(ctx, c, above, ways)
			if err != nil {
				return err
			}
			own[c.done] = counts
			if ends != nil && !found {
				dead, stuck, found = c, ends, true // the least of the smallest so far
			}
			for i := range c.seen {
				if err := t.shares[0].observe(&c.seen[i], counts[c.seen[i].to]); err != nil {
					return err
				}
			}
		}
		above, ways = byDownSet(t.layers[k]), own
		t.meter.free(held)
		held = bytes
	}
	result.Schedules = ways[0][0]
	result.Observed = slices.DeleteFunc(result.Observed, func(o Observed[O]) bool { return o.Count == Count{} })
	if dead == nil {
		return nil
	}
	path, err := t.path(ctx, dead, stuck)
	if err != nil {
		return err
	}
	return &Deadlock{Histories: result.Deadlocks, Shortest: t.order.namesOf(path)}
}

// waysBytes is what the completions of a node take, while its layer and the one
// before are looked at.
const waysBytes = 16 + 1

// deadlocks are those of one walk.
type deadlocks struct {
	histories uint64
	shortest  []int // event indices
	names     []string
}

func (d *deadlocks) add(history []int, names []string) {
	if d.histories++; d.histories == 1 || CompareHistories(history, d.shortest) < 0 {
		d.shortest, d.names = history, names
	}
}

// joinDeadlocks returns the *Deadlock of several walks, nil if there is none.
func joinDeadlocks(all []deadlocks) error {
	var joined deadlocks
	for _, d := range all {
		switch {
		case d.histories == 0:
			continue
		case joined.histories == 0 || CompareHistories(d.shortest, joined.shortest) < 0:
			joined.shortest, joined.names = d.shortest, d.names
		}
		joined.histories += d.histories
	}
	if joined.histories == 0 {
		return nil
	}
	err := &Deadlock{Histories: NewCount(joined.histories)}
	for _, i := range joined.shortest {
		err.Shortest = append(err.Shortest, joined.names[i])
	}
	return err
}

// numberObservations numbers the observations in the order in which they were made.
func (t *tallier[S, E, O]) numberObservations() {
	for _, layer := range t.layers {
		for _, c := range layer {
			for i := range c.seen {
				if share, value := &t.shares[0], &c.seen[i].value; share.index.isNew(value) {
					share.result.Observed = append(share.result.Observed, Observed[O]{Value: *value})
				}
			}
		}
	}
}

// completionsOf returns in how many ways each state of c can be completed, given
// the same of the cells above, and which states are stuck, nil if none is.
func (t *tallier[S, E, O]) completionsOf(ctx context.Context, c *cell[S, O], above map[set]*cell[S, O], ways map[set][]Count) (counts []Count, stuck []bool, err error) {
	counts = make([]Count, c.states.size)
	goesOn := make([]bool, c.states.size)
	for rest := t.order.above(c.done); rest != 0; rest &= rest - 1 {
		i := rest.least()
		up := above[c.done|only(i)]
		if up == nil {
			continue
		}
		for id := range counts {
			to, ok := target(up, i, int32(id))
			if !ok {
				continue
			}
			goesOn[id] = true
			if err := addTo(&counts[id], ways[up.done][to]); err != nil {
				return nil, nil, fmt.Errorf("count the schedules: %w", err)
			}
		}
	}
	for id := range counts {
		if goesOn[id] {
			continue
		}
		histories := *c.counts.at(int32(id))
		ended, err := t.ended(ctx, c, id)
		switch {
		case err != nil:
			return nil, nil, err
		case !ended:
			if stuck == nil {
				stuck = make([]bool, len(counts))
			}
			stuck[id] = true
			err = addTo(&t.shares[0].result.Deadlocks, histories)
		default:
			counts[id] = NewCount(1)
			if t.final != nil {
				err = t.final(*c.states.at(int32(id)), histories)
			}
		}
		if err != nil {
			return nil, nil, fmt.Errorf("count the schedules: %w", err)
		}
	}
	return counts, stuck, nil
}

// ended reports whether a schedule may end in a state of c from which it does not
// go on. A panic of Done is a Fault.
func (t *tallier[S, E, O]) ended(ctx context.Context, c *cell[S, O], id int) (ended bool, err error) {
	if c.done == t.order.live || t.ends == nil {
		return c.done == t.order.live, nil
	}
	state := c.states.at(int32(id))
	defer func() {
		if p := recover(); p != nil {
			f := &Fault{What: fmt.Sprintf("panics: %v in state %v", p, *state)}
			marked := make([]bool, c.states.size)
			marked[id] = true
			if path, failed := t.path(ctx, c, marked); failed == nil {
				f.History, f.Known = t.order.namesOf(path), true
			}
			err = f
		}
	}()
	return t.ends(*state), nil
}
