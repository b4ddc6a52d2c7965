package enumerate

import "slices"

// The sets of events that can be done at one time are the order's down-sets:
// with an event, they have everything that precedes it. They form layers by
// size.

// below returns the events that can be the last of those of d: d without one of
// them is a down-set, too.
func (o Order[E]) below(d set) (maximal set) {
	for rest := d & o.live; rest != 0; rest &= rest - 1 {
		if i := rest.least(); o.after[i]&d == 0 {
			maximal |= only(i)
		}
	}
	return maximal
}

// above returns the events that are enabled when those of d are done.
func (o Order[E]) above(d set) (enabled set) {
	for rest := o.live &^ d; rest != 0; rest &= rest - 1 {
		if i := rest.least(); o.before[i]&o.live&^d == 0 {
			enabled |= only(i)
		}
	}
	return enabled
}

// nextLayer returns the down-sets that are one event larger than those given,
// sorted by the lists of their indices.
func (o Order[E]) nextLayer(layer []set) []set {
	var next []set
	for _, d := range layer {
		for rest := o.above(d); rest != 0; rest &= rest - 1 {
			next = append(next, d|only(rest.least()))
		}
	}
	slices.SortFunc(next, compareSets)
	return slices.Compact(next)
}

// compareSets orders sets of equal size by the lists of their indices.
func compareSets(a, b set) int {
	switch differ := a ^ b; {
	case differ == 0:
		return 0
	case a.has(differ.least()):
		return -1
	}
	return 1
}

// layers returns all down-sets, by size. It fails once there are more than
// limit.
func (o Order[E]) layers(limit uint64) ([][]set, error) {
	layer := []set{0}
	all := [][]set{layer}
	found := uint64(1)
	for range o.Len() {
		layer = o.nextLayer(layer)
		all = append(all, layer)
		if found += uint64(len(layer)); found > limit {
			return nil, errNodes(limit)
		}
	}
	return all, nil
}

// completions returns, for each down-set, in how many ways the rest of the
// events can follow.
func (o Order[E]) completions(layers [][]set) (map[set]Count, error) {
	ways := make(map[set]Count)
	ways[o.live] = NewCount(1)
	for k := len(layers) - 2; k >= 0; k-- {
		for _, d := range layers[k] {
			var sum Count
			for rest := o.above(d); rest != 0; rest &= rest - 1 {
				var err error
				if sum, err = sum.Plus(ways[d|only(rest.least())]); err != nil {
					return nil, err
				}
			}
			ways[d] = sum
		}
	}
	return ways, nil
}
