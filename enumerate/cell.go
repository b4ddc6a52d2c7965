package enumerate

import "fmt"

// A cell has the nodes of one down-set. It is built by one worker, from the
// cells below it: no two workers ever write to the same.
type cell[S, O comparable] struct {
	done      set
	id        int32 // of the down-set
	states    list[S]
	counts    list[Count] // histories that lead to each state
	edges     uint64
	merged    Merged
	histories Count // all counts together
	seen      []sighting[O]
	in        []incoming // kept for a pass backwards: one an event that can be the last
}

// size returns the numbers of nodes and edges, and what merged.
func (c *cell[S, O]) size() (nodes, edges uint64, merged Merged) {
	return uint64(c.states.size), c.edges, c.merged
}

// A sighting is an observation made by count histories, on edges to one state.
type sighting[O comparable] struct {
	value O
	count Count
	to    int32 // the state, if edges are kept; 0 otherwise
}

// An incoming has, for each state of the cell without the last event, the number
// of the state that the event leads to, or blocked.
type incoming struct {
	last    int
	targets []int32
}

// An edge is a step of an event from a node.
type edge[S any] struct {
	done  set
	state *S // nil before the initial state
	event int
}

// sighted is what sightings are added up by.
type sighted[O comparable] struct {
	value O
	to    int32
}

// cell builds the cell of d. A panic of the machine or the observer is an error.
func (w *worker[S, E, O]) cell(c *cell[S, O], d set) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &edgeFault[S]{w.at, fmt.Sprintf("panics: %v", p)}
		}
	}()
	w.set, w.polled, w.held, w.heldSeen = d, 0, 0, 0
	*c = cell[S, O]{done: d, id: w.sets.id(&w.set), counts: listIn(w.counts)}
	if d == 0 {
		w.at = edge[S]{}
		w.next = w.machine.Init()
		w.states.number(&w.next)
		c.counts.add(NewCount(1))
	}
	for rest := w.order.below(d); rest != 0; rest &= rest - 1 {
		i := rest.least()
		w.set = d &^ only(i)
		id := w.sets.id(&w.set)
		if id < 0 || w.cells[id] == nil {
			continue // no history does just these events
		}
		if err := w.pull(c, w.cells[id], i); err != nil {
			return err
		}
	}
	if w.sampled {
		c.merged = Merged{uint64(w.raw.values.size), uint64(w.states.values.size)}
		w.raw.drop()
	}
	if err := w.hold(c); err != nil {
		return err
	}
	c.states = w.states.take()
	for i := range int32(c.counts.size) {
		if err := addTo(&c.histories, *c.counts.at(i)); err != nil {
			return fmt.Errorf("count the histories of %d events: %w", d.size(), err)
		}
	}
	return nil
}

// pull adds to c the edges of event i from the nodes of from.
func (w *worker[S, E, O]) pull(c *cell[S, O], from *cell[S, O], i int) error {
	e, see := w.order.events[i], w.see[i]
	w.at = edge[S]{done: from.done, event: i}
	var targets []int32
	if w.keep {
		targets = make([]int32, from.states.size)
		c.in = append(c.in, incoming{i, targets})
		if err := w.meter.hold(w.ctx, 0, 4*uint64(len(targets))); err != nil {
			return err
		}
	}
	for k := range int32(from.states.size) {
		before := from.states.at(k)
		w.at.state = before
		if w.guard != nil && !w.guard(*before, e) {
			targets[k] = blocked
			continue
		}
		if w.step != nil {
			w.next = *before
			w.step(&w.next, e)
		} else {
			w.next = w.machine.Next(*before, e)
		}
		if w.polled++; w.polled == 1 || w.polled%pollEvery == 0 || w.polled >= 16 && w.polled&(w.polled-1) == 0 {
			if err := w.poll(c, e); err != nil {
				return err
			}
		}
		to, isNew := w.number(c)
		count := *from.counts.at(k)
		if isNew {
			c.counts.add(count)
		} else if err := addTo(c.counts.at(to), count); err != nil {
			return fmt.Errorf("count the histories of %d events: %w", c.done.size(), err)
		}
		c.edges++
		if w.keep {
			targets[k] = to
		}
		if see != nil {
			if value, seen := see(*before, e, w.next); seen {
				w.sight = sighted[O]{value, to}
				if err := w.addSight(c, count); err != nil {
					return err
				}
			}
		}
	}
	w.seen.drop()
	return nil
}

// number returns the number in c of the next state, and whether it is new there.
func (w *worker[S, E, O]) number(c *cell[S, O]) (to int32, isNew bool) {
	if w.canonical == nil {
		return w.states.number(&w.next)
	}
	if w.sampled {
		w.raw.number(&w.next)
	}
	w.short = w.canonical(c.done, w.next)
	return w.states.number(&w.short)
}

// poll looks, now and then, at the limits and at whether the machine is what it
// has to be. When it does depends on the cell alone.
func (w *worker[S, E, O]) poll(c *cell[S, O], e E) error {
	if w.trusted {
		return w.hold(c)
	}
	if again := w.machine.Next(*w.at.state, e); again != w.next {
		return &edgeFault[S]{w.at, fmt.Sprintf("is not pure: it led to %v, and then to %v", w.next, again)}
	}
	if w.canonical != nil {
		if err := w.checkCanonical(w.next); err != nil {
			return err
		}
	}
	return w.hold(c)
}

// hold takes account of what c has grown by since the last time.
func (w *worker[S, E, O]) hold(c *cell[S, O]) error {
	grown, seen := w.states.values.size-w.held, 0
	w.held += grown
	if w.keep {
		seen, w.heldSeen = len(c.seen)-w.heldSeen, len(c.seen)
	}
	return w.meter.hold(w.ctx, uint64(grown), uint64(seen)*sightingBytes)
}

// sightingBytes is about what an observed edge takes.
const sightingBytes = 40

// fewSights is how many of the last observations are looked through before they
// are looked up, which takes longer.
const fewSights = 8

// addSight adds an observation to those of c.
func (w *worker[S, E, O]) addSight(c *cell[S, O], count Count) error {
	s := &w.sight
	if !w.keep {
		s.to = 0 // every state of c is completed in as many ways
	}
	first := len(c.seen) - w.seen.values.size
	for i := len(c.seen) - 1; i >= max(first, len(c.seen)-fewSights); i-- { // as often
		if known := &c.seen[i]; known.value == s.value && known.to == s.to {
			return addTo(&known.count, count)
		}
	}
	at, isNew := w.seen.number(s)
	if isNew {
		c.seen = append(c.seen, sighting[O]{s.value, count, s.to})
		return nil
	}
	return addTo(&c.seen[first+int(at)].count, count)
}

func addTo(sum *Count, n Count) (err error) {
	*sum, err = sum.Plus(n)
	return err
}
