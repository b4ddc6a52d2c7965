package enumerate

import "context"

// marks says, for each cell, which of its states are marked.
type marks map[set][]bool

// path returns the lexicographically least history that leads to one of the
// given states of c, as event indices. It needs the edges, and goes over them
// once.
func (t *tallier[S, E, O]) path(ctx context.Context, c *cell[S, O], wanted []bool) ([]int, error) {
	depth := c.done.size()
	onWay := make([]marks, depth+1) // states from which it can be reached, by layer
	onWay[depth] = marks{c.done: wanted}
	for k := depth; k > 0; k-- {
		onWay[k-1] = make(marks)
		for _, above := range t.layers[k] {
			if err := context.Cause(ctx); err != nil {
				return nil, err
			}
			if on := onWay[k][above.done]; on != nil {
				above.mark(on, onWay[k-1])
			}
		}
	}
	return t.along(onWay), nil
}

// mark marks, in the cells below c, the states from which a marked one of c is
// reached.
func (c *cell[S, O]) mark(on []bool, below marks) {
	for _, in := range c.in {
		from := c.done &^ only(in.last)
		for source, target := range in.targets {
			if target == blocked || !on[target] {
				continue
			}
			if below[from] == nil {
				below[from] = make([]bool, len(in.targets))
			}
			below[from][source] = true
		}
	}
}

// along goes from the start through marked states only, by the least event each
// time.
func (t *tallier[S, E, O]) along(onWay []marks) []int {
	path := make([]int, 0, len(onWay)-1)
	done, at := set(0), int32(0)
	for k := 1; k < len(onWay); k++ {
		cells := byDownSet(t.layers[k])
		for rest := t.order.above(done); rest != 0; rest &= rest - 1 {
			i := rest.least()
			to, ok := target(cells[done|only(i)], i, at)
			if on := onWay[k][done|only(i)]; ok && on != nil && on[to] {
				path = append(path, i)
				done, at = done|only(i), to
				break
			}
		}
	}
	return path
}

// target returns where event i leads from state id of the cell below c.
func target[S, O comparable](c *cell[S, O], i int, id int32) (to int32, ok bool) {
	if c == nil {
		return 0, false
	}
	for _, in := range c.in {
		if in.last == i && in.targets[id] != blocked {
			return in.targets[id], true
		}
	}
	return 0, false
}
