package enumerate

import (
	"cmp"
	"context"
	"math"
	"slices"
)

// A network is a graph without cycles in which every arc has to be taken a number of
// times, by paths from the first node to those that are ends. The fewest paths that do it
// are a flow of minimum value with lower bounds: one that meets the bounds is found
// first, and then what flows too much is sent back, as a maximum flow from the end to the
// start among what can be taken away and added (the method of Dinitz).
//
// Nodes are numbered so that arcs lead to higher numbers; the last is the one where all
// paths end.
type network struct {
	arcs []arc
	ends []bool

	out, in         [][]int32 // positions of arcs, by node, those out in the order of their events
	level           []int32   // distance from the end, in a phase
	nextOut, nextIn []int32   // arcs that are still to be tried in a phase
}

// An arc is an edge of the merged graph, or leads to the end.
type arc struct {
	from, to int32
	event    int32 // or toEnd
	lower    int32
	flow     int32
}

const (
	toEnd    = -1
	arcBytes = 60 // with its share of the lists
)

func newNetwork(nodes int32) *network {
	return &network{ends: make([]bool, nodes+1)}
}

func (n *network) add(from, to, event, lower int32) {
	n.arcs = append(n.arcs, arc{from: from, to: to, event: event, lower: lower})
}

// end lets paths end at a node.
func (n *network) end(node int32) {
	n.ends[node] = true
	n.add(node, n.last(), toEnd, 0)
}

// last returns the node where all paths end.
func (n *network) last() int32 { return int32(len(n.ends) - 1) }

// index fills in the lists of arcs.
func (n *network) index() {
	n.out, n.in = make([][]int32, len(n.ends)), make([][]int32, len(n.ends))
	for i, a := range n.arcs {
		n.out[a.from] = append(n.out[a.from], int32(i))
		n.in[a.to] = append(n.in[a.to], int32(i))
	}
	for _, list := range n.out {
		slices.SortFunc(list, func(a, b int32) int { return cmp.Compare(n.arcs[a].event, n.arcs[b].event) })
	}
}

// minimize finds the smallest flow that meets the lower bounds.
func (n *network) minimize(ctx context.Context) error {
	n.fill()
	n.level = make([]int32, len(n.ends))
	n.nextOut, n.nextIn = make([]int32, len(n.ends)), make([]int32, len(n.ends))
	for n.levels() {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		clear(n.nextOut)
		clear(n.nextIn)
		n.send(n.last(), math.MaxInt32)
	}
	return nil
}

// fill finds a flow that meets the lower bounds: what flows into a node goes on by its
// arcs, and where that is too little for them, more is sent there all the way from the
// first node.
func (n *network) fill() {
	for node := range n.last() {
		var into, needed int32
		for _, i := range n.in[node] {
			into += n.arcs[i].flow
		}
		for _, i := range n.out[node] {
			needed += n.arcs[i].lower
			n.arcs[i].flow = n.arcs[i].lower
		}
		switch {
		case into > needed:
			n.arcs[n.out[node][0]].flow += into - needed
		case into < needed:
			for at := node; at != 0; at = n.arcs[n.in[at][0]].from {
				n.arcs[n.in[at][0]].flow += needed - into
			}
		}
	}
}

// levels finds how far every node is from the end in what is left to be sent back, and
// reports whether the first node can be reached.
func (n *network) levels() bool {
	for i := range n.level {
		n.level[i] = -1
	}
	n.level[n.last()] = 0
	queue := []int32{n.last()}
	for len(queue) > 0 && n.level[0] < 0 {
		var next []int32
		for _, node := range queue {
			reach := func(to int32) {
				if n.level[to] < 0 {
					n.level[to] = n.level[node] + 1
					next = append(next, to)
				}
			}
			for _, i := range n.in[node] {
				if n.arcs[i].flow > n.arcs[i].lower {
					reach(n.arcs[i].from)
				}
			}
			for _, i := range n.out[node] {
				if n.arcs[i].event != toEnd { // it leads back to where this starts
					reach(n.arcs[i].to)
				}
			}
		}
		queue = next
	}
	return n.level[0] >= 0
}

// send sends at most limit from a node on to the first, away from the end, and returns
// how much it was.
func (n *network) send(node, limit int32) (sent int32) {
	if node == 0 {
		return limit
	}
	for ; n.nextIn[node] < int32(len(n.in[node])) && sent < limit; n.nextIn[node]++ {
		a := &n.arcs[n.in[node][n.nextIn[node]]]
		if spare := a.flow - a.lower; spare > 0 && n.level[a.from] == n.level[node]+1 {
			part := n.send(a.from, min(limit-sent, spare))
			a.flow -= part
			sent += part
		}
		if sent == limit {
			return sent // this arc may have more to give
		}
	}
	for ; n.nextOut[node] < int32(len(n.out[node])) && sent < limit; n.nextOut[node]++ {
		a := &n.arcs[n.out[node][n.nextOut[node]]]
		if a.event != toEnd && n.level[a.to] == n.level[node]+1 {
			part := n.send(a.to, limit-sent)
			a.flow += part
			sent += part
		}
		if sent == limit {
			return sent
		}
	}
	return sent
}

// paths takes the flow apart into paths, each a list of events, in lexicographical order.
func (n *network) paths() [][]int {
	var all [][]int
	var extend func(node int32, path []int, times int32)
	extend = func(node int32, path []int, times int32) {
		for _, i := range n.out[node] {
			a := &n.arcs[i]
			part := min(a.flow, times)
			if part == 0 {
				continue
			}
			a.flow -= part
			times -= part
			if a.event == toEnd {
				for range part {
					all = append(all, slices.Clone(path))
				}
				continue
			}
			extend(a.to, append(path, int(a.event)), part)
		}
	}
	extend(0, nil, math.MaxInt32)
	return all
}
