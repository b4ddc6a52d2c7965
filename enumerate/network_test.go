package enumerate

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// A drawn network has arcs from lower to higher nodes, all of which can be reached, and
// every node without one out is an end.
func drawNetwork(random *rand.Rand) *network {
	size := 2 + random.Int32N(13)
	n := newNetwork(size)
	dense := 2 + random.IntN(4)
	var arcs []arc
	for to := int32(1); to < size; to++ {
		arcs = append(arcs, arc{from: random.Int32N(to), to: to})
		for from := range to {
			if from != arcs[len(arcs)-1].from && random.IntN(dense) == 0 {
				arcs = append(arcs, arc{from: from, to: to})
			}
		}
	}
	for i, name := range random.Perm(len(arcs)) {
		n.add(arcs[i].from, arcs[i].to, int32(name), 1)
	}
	for node := range size {
		out := slices.ContainsFunc(arcs, func(a arc) bool { return a.from == node })
		if !out || random.IntN(4) == 0 {
			n.end(node)
		}
	}
	n.index()
	return n
}

// unrelated returns the largest number of arcs of which no path takes two, by the theorems
// of Dilworth and König.
func (n *network) unrelated() int {
	var arcs []arc
	for _, a := range n.arcs {
		if a.event != toEnd {
			arcs = append(arcs, a)
		}
	}
	reach := make([][]bool, len(n.ends))
	for node := len(reach) - 1; node >= 0; node-- {
		reach[node] = make([]bool, len(reach))
		reach[node][node] = true
		for _, a := range arcs {
			if int(a.from) == node {
				for to, yes := range reach[a.to] {
					reach[node][to] = reach[node][to] || yes
				}
			}
		}
	}
	matched := make([]int, len(arcs))
	for i := range matched {
		matched[i] = -1
	}
	matches := 0
	for i := range arcs {
		tried := make([]bool, len(arcs))
		var match func(i int) bool
		match = func(i int) bool {
			for j := range arcs {
				if i == j || tried[j] || !reach[arcs[i].to][arcs[j].from] {
					continue
				}
				tried[j] = true
				if matched[j] < 0 || match(matched[j]) {
					matched[j] = i
					return true
				}
			}
			return false
		}
		if match(i) {
			matches++
		}
	}
	return len(arcs) - matches
}

// Every arc is taken, by the fewest paths that can, each of which ends at an end.
func TestNetworkTakesEveryArcWithTheFewestPaths(t *testing.T) {
	most, saved := 0, int32(0)
	for seed := range uint64(3000) {
		n := drawNetwork(rand.New(rand.NewPCG(seed, 0)))
		n.fill()
		first := n.value()
		if err := n.minimize(t.Context()); err != nil {
			t.Fatal(err)
		}
		saved = max(saved, first-n.value())
		for node := range n.last() {
			var in, out int32
			for _, i := range n.in[node] {
				in += n.arcs[i].flow
			}
			for _, i := range n.out[node] {
				out += n.arcs[i].flow
				if n.arcs[i].flow < n.arcs[i].lower {
					t.Fatalf("arc %+v has less than its lower bound", n.arcs[i])
				}
			}
			if node > 0 && in != out {
				t.Fatalf("%d flow into node %d, and %d out", in, node, out)
			}
		}
		want := n.unrelated()
		from := make(map[int]arc)
		for _, a := range n.arcs {
			from[int(a.event)] = a
		}
		paths := n.paths()
		taken := make(map[int]bool)
		for _, path := range paths {
			node := int32(0)
			for _, event := range path {
				if from[event].from != node {
					t.Fatalf("%v is no path", path)
				}
				node = from[event].to
				taken[event] = true
			}
			if !n.ends[node] {
				t.Fatalf("%v does not end at an end", path)
			}
		}
		if len(paths) != want || want > 0 && len(taken) != len(from)-1 {
			t.Fatalf("%d paths %v, and %d are needed; %d of %d arcs are taken", len(paths), paths, want, len(taken), len(from)-1)
		}
		if !slices.IsSortedFunc(paths, slices.Compare[[]int]) {
			t.Fatalf("%v are not in lexicographical order", paths)
		}
		most = max(most, want)
	}
	if most < 6 || saved < 2 {
		t.Errorf("no network needs more than %d paths, and no first flow has more than %d too many", most, saved)
	}
}

// value returns how many paths a flow is.
func (n *network) value() (v int32) {
	for _, i := range n.out[0] {
		v += n.arcs[i].flow
	}
	return v
}
