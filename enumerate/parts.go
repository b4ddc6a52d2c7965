package enumerate

import "slices"

// A part is a subtree of one order's search, the unit of parallel work.
type part struct {
	order int
	node  node
}

// partsPerWorker keeps workers busy to the end although parts differ in size.
const partsPerWorker = 8

// split cuts the orders into parts, in lexicographic order: one an order, or
// more if that is too few for several workers and orders may be cut. Those of a
// Guarded machine may not, because histories can end above the cut.
func split[E comparable](orders []Order[E], workers int, cut bool) []part {
	var parts []part
	for i, o := range orders {
		nodes := []node{o.root()}
		for depth := 0; depth < o.Len() && cut && workers > 1 && len(nodes)*len(orders) < workers*partsPerWorker; depth++ {
			nodes = o.extensions(nodes)
		}
		for _, n := range nodes {
			parts = append(parts, part{i, n})
		}
	}
	return parts
}

// extensions returns, in order, all nodes that are one event further.
func (o Order[E]) extensions(nodes []node) []node {
	var further []node
	for _, n := range nodes {
		for rest := n.enabled; rest != 0; rest &= rest - 1 {
			i := rest.least()
			done := n.done | only(i)
			next := node{path: append(slices.Clone(n.path), i), done: done}
			for rest := o.live &^ done; rest != 0; rest &= rest - 1 {
				if j := rest.least(); o.before[j]&^done == 0 {
					next.enabled |= only(j)
				}
			}
			further = append(further, next)
		}
	}
	return further
}

// join adds up the outcomes of the parts of each order. Parts are in
// lexicographic order, so the first to meet a state has its first schedule.
func join[S, E comparable](parts []part, results [][]Outcome[S, E], orders int) [][]Outcome[S, E] {
	joined := make([][]Outcome[S, E], orders)
	var finals index[S]
	for i, p := range parts {
		first := i == 0 || parts[i-1].order != p.order
		if last := i+1 == len(parts) || parts[i+1].order != p.order; first && last {
			joined[p.order] = results[i] // nothing to add up
			continue
		}
		if first {
			finals = newIndex[S]()
		}
		for j := range results[i] {
			o := &results[i][j]
			at, isNew := finals.number(&o.Final)
			if isNew {
				joined[p.order] = append(joined[p.order], *o)
			} else {
				joined[p.order][at].Schedules += o.Schedules
			}
		}
	}
	return joined
}
