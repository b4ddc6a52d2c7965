package contention

import (
	"math/bits"
	"slices"
	"testing"

	"example.com/commitpoint/enumerate"
	"example.com/commitpoint/mechanisms"
	"example.com/commitpoint/model"
)

// The ceiling: three submitters, hand-packed into one word a state, with none of
// the engine's generality. It counts the same graph and the same decisions.
//
// Fields of a packed state, from the lowest bit: input 1, owner 2, lease, grant
// and policy 1 each, the artifact's writer 3 and its input 2; then, for each
// submitter, the input read 2, the writer 3 and the input 2 of what its receipt
// observed, and 1 for its preflight.
const (
	inputBit     = 0
	ownerAt      = 1
	leaseBit     = 3
	grantBit     = 4
	policyBit    = 5
	artifactAt   = 6
	submittersAt = 11
	perSubmitter = 8
)

const packedStart = 1<<ownerAt | 1<<leaseBit | 1<<grantBit

// packedEvents are the chains, five events each, and then the environment.
const packedEvents = 22

func packedBefore(e int) (before uint32) {
	switch {
	case e < 15 && e%5 > 0:
		return 1 << (e - 1)
	case e > 19: // reassign after the one before, and the first after the expiry
		return 1 << (e - 1)
	}
	return 0
}

func readOf(s uint64, w int) uint64     { return s >> (submittersAt + perSubmitter*w) & 3 }
func observedOf(s uint64, w int) uint64 { return s >> (submittersAt + perSubmitter*w + 2) & 31 }
func artifactOf(s uint64) uint64        { return s >> artifactAt & 31 }
func candidateOf(s uint64, w int) uint64 {
	return uint64(w+1) | readOf(s, w)<<3
}

func packedNext(s uint64, e int) uint64 {
	if e < 15 {
		w := e / 5
		at := submittersAt + perSubmitter*w
		switch e % 5 {
		case 0:
			return s&^(3<<at) | (s>>inputBit&1+1)<<at
		case 1:
			return s&^(31<<artifactAt) | candidateOf(s, w)<<artifactAt
		case 2:
			return s&^(31<<(at+2)) | artifactOf(s)<<(at+2)
		case 3:
			if packedHolds(s, w) {
				s |= 1 << (at + 7)
			}
		}
		return s
	}
	switch e {
	case 15:
		return s | 1<<inputBit
	case 16:
		return s&^(31<<artifactAt) | 4<<artifactAt
	case 17:
		return s &^ (1 << grantBit)
	case 18:
		return s | 1<<policyBit
	case 19:
		return s &^ (1 << leaseBit)
	}
	return s + 1<<ownerAt | 1<<leaseBit
}

// packedHolds reports whether all eight checks hold for submitter w.
func packedHolds(s uint64, w int) bool {
	return packedEligible(s, w) && s>>leaseBit&1 == 1 && observedOf(s, w) == candidateOf(s, w)
}

// packedEligible is the oracle, as a function of the state: without a lease at
// the first owner only.
func packedEligible(s uint64, w int) bool {
	return int(s>>ownerAt&3) == w+1 && s>>grantBit&1 == 1 && !(w == 0 && s>>leaseBit&1 == 0) &&
		readOf(s, w) == s>>inputBit&1+1 && artifactOf(s) == candidateOf(s, w)
}

// A packedCell has the nodes of one down-set: an open-addressing table from
// states to counts, of which those in use are listed.
type packedCell struct {
	states []uint64
	counts []enumerate.Count
}

// A packedDecision is a submitter, whether its commit is eligible, which of the
// nine checks fail, and the answer of preflight, in 13 bits.
type packedDecision int

type packedResult struct {
	nodes, edges uint64
	schedules    enumerate.Count
	decisions    [1 << 13]enumerate.Count

	seen [1 << 13]enumerate.Count // of the down-set at hand
}

func packedDecide(s uint64, w int) packedDecision {
	bit := func(holds bool) packedDecision {
		if holds {
			return 1
		}
		return 0
	}
	other := bit(int(s>>ownerAt&3) != w+1)
	candidate := candidateOf(s, w)
	failed := other | other<<1 | bit(s>>leaseBit&1 == 0)<<2 | bit(s>>grantBit&1 == 0)<<3 |
		bit(readOf(s, w) != s>>inputBit&1+1)<<4 | bit(artifactOf(s) != candidate)<<5 |
		bit(observedOf(s, w) != candidate)<<6 | bit(s>>policyBit&1 == 1)<<8
	early := packedDecision(s >> (submittersAt + perSubmitter*w + 7) & 1)
	return packedDecision(w)<<11 | bit(packedEligible(s, w))<<10 | failed<<1 | early
}

// plus and times are exact here: nothing of three submitters overflows.
func plus(a, b enumerate.Count) enumerate.Count {
	sum, err := a.Plus(b)
	if err != nil {
		panic(err)
	}
	return sum
}

func times(a, b enumerate.Count) enumerate.Count {
	product, err := a.Times(b)
	if err != nil {
		panic(err)
	}
	return product
}

func packedTally() *packedResult {
	r := new(packedResult)
	ways := map[uint32]enumerate.Count{1<<packedEvents - 1: enumerate.NewCount(1)}
	layers := [][]uint32{{0}}
	for range packedEvents {
		seen := map[uint32]bool{}
		var next []uint32
		for _, d := range layers[len(layers)-1] {
			for e := range packedEvents {
				if d>>e&1 == 0 && packedBefore(e)&^d == 0 && !seen[d|1<<e] {
					seen[d|1<<e] = true
					next = append(next, d|1<<e)
				}
			}
		}
		layers = append(layers, next)
	}
	for k := packedEvents - 1; k >= 0; k-- {
		for _, d := range layers[k] {
			for e := range packedEvents {
				if d>>e&1 == 0 && packedBefore(e)&^d == 0 {
					ways[d] = plus(ways[d], ways[d|1<<e])
				}
			}
		}
	}
	slots := make([]int32, 1<<16)
	below := map[uint32]*packedCell{0: {[]uint64{packedStart}, []enumerate.Count{enumerate.NewCount(1)}}}
	r.nodes, r.schedules = 1, ways[0]
	for k := 1; k <= packedEvents; k++ {
		layer := make(map[uint32]*packedCell, len(layers[k]))
		for _, d := range layers[k] {
			layer[d] = packedPull(d, below, slots, ways[d], r)
			r.nodes += uint64(len(layer[d].states))
		}
		below = layer
	}
	return r
}

func packedPull(d uint32, below map[uint32]*packedCell, slots []int32, ways enumerate.Count, r *packedResult) *packedCell {
	c := new(packedCell)
	seen := &r.seen
	var decisions []packedDecision
	size := 64
	clear(slots[:size])
	for rest := d; rest != 0; rest &= rest - 1 {
		e := bits.TrailingZeros32(rest)
		from := below[d&^(1<<e)]
		if from == nil {
			continue
		}
		r.edges += uint64(len(from.states))
		for i, s := range from.states {
			if e < 15 && e%5 == 4 {
				made := packedDecide(s, e/5)
				if seen[made] == (enumerate.Count{}) {
					decisions = append(decisions, made)
				}
				seen[made] = plus(seen[made], from.counts[i])
			}
			next := packedNext(s, e)
			at := int(next*0x9e3779b97f4a7c15>>40) & (size - 1)
			for slots[at] != 0 && c.states[slots[at]-1] != next {
				at = (at + 1) & (size - 1)
			}
			if slots[at] != 0 {
				c.counts[slots[at]-1] = plus(c.counts[slots[at]-1], from.counts[i])
				continue
			}
			c.states, c.counts = append(c.states, next), append(c.counts, from.counts[i])
			slots[at] = int32(len(c.states))
			if 2*len(c.states) > size {
				size *= 4
				clear(slots[:size])
				for id, s := range c.states {
					at := int(s*0x9e3779b97f4a7c15>>40) & (size - 1)
					for slots[at] != 0 {
						at = (at + 1) & (size - 1)
					}
					slots[at] = int32(id + 1)
				}
			}
		}
	}
	for _, made := range decisions {
		r.decisions[made] = plus(r.decisions[made], times(seen[made], ways))
		seen[made] = enumerate.Count{}
	}
	return c
}

// The packed program counts the same graph and the same decisions as the engine.
func TestPackedAgrees(t *testing.T) {
	p := packedTally()
	r, err := Compute(t.Context(), 3, enumerate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if enumerate.NewCount(p.nodes) != r.Nodes || enumerate.NewCount(p.edges) != r.Edges || p.schedules != r.Schedules {
		t.Errorf("packed: %+v, want %v nodes, %v edges, %v schedules", p, r.Nodes, r.Edges, r.Schedules)
	}
	for i, d := range r.Decisions {
		var eligible enumerate.Count
		scores := make([]Score, len(d.Mechanisms))
		for made, n := range p.decisions {
			if made>>11 != i {
				continue
			}
			if made>>10&1 == 1 {
				eligible = plus(eligible, n)
			}
			for j, m := range mechanisms.All() {
				accepts := model.Checks(made>>1&511)&m.Requires == 0
				if m.At == mechanisms.Preflight {
					accepts = made&1 == 1
				}
				scores[j].Name = m.Name
				switch s := &scores[j]; {
				case accepts && made>>10&1 == 1:
					s.SafeAccept = plus(s.SafeAccept, n)
				case accepts:
					s.UnsafeAccept = plus(s.UnsafeAccept, n)
				case made>>10&1 == 1:
					s.EligibleReject = plus(s.EligibleReject, n)
				default:
					s.UnsafeReject = plus(s.UnsafeReject, n)
				}
			}
		}
		if eligible != d.Eligible || !slices.Equal(scores, d.Mechanisms) {
			t.Errorf("submitter %d: packed %v eligible, %v\nwant %v, %v", i+1, eligible, scores, d.Eligible, d.Mechanisms)
		}
	}
}
