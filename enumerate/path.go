package enumerate

// path returns the lexicographically least history that leads to one of the
// given states of c, as event indices. It needs the edges, and goes over them
// once.
func (t *tallier[S, E, O]) path(c *cell[S, O], ids map[int32]bool) []int {
	depth := c.done.size()
	onWay := make([]map[set]map[int32]bool, depth+1) // nodes from which it can be reached, by layer
	onWay[depth] = map[set]map[int32]bool{c.done: ids}
	for k := depth; k > 0; k-- {
		onWay[k-1] = make(map[set]map[int32]bool)
		for _, above := range t.layers[k] {
			wanted := onWay[k][above.done]
			if wanted == nil {
				continue
			}
			for _, in := range above.in {
				from := above.done &^ only(in.last)
				for source, target := range in.targets {
					if target != blocked && wanted[target] {
						if onWay[k-1][from] == nil {
							onWay[k-1][from] = make(map[int32]bool)
						}
						onWay[k-1][from][int32(source)] = true
					}
				}
			}
		}
	}
	return t.along(onWay)
}

// along goes from the start through marked nodes only, by the least event each
// time.
func (t *tallier[S, E, O]) along(onWay []map[set]map[int32]bool) []int {
	var path []int
	done, at := set(0), int32(0)
	for k := 1; k < len(onWay); k++ {
		cells := byDownSet(t.layers[k])
		for rest := t.order.above(done); rest != 0; rest &= rest - 1 {
			i := rest.least()
			to, ok := target(cells[done|only(i)], i, at)
			if ok && onWay[k][done|only(i)][to] {
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
