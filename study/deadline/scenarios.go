package deadline

import (
	"slices"

	"example.com/commitpoint/enumerate"
	model "example.com/commitpoint/model/deadline"
)

// The dimensions of the scenarios.
var (
	// operations are what the agent does, at most one.
	operations = []model.Kind{model.Operate, model.OperateElsewhere, model.OperateMalformed}

	// free are the events that each happen once or not, at any time.
	free = []model.Event{
		{Kind: model.Observe}, {Kind: model.ReportDone}, {Kind: model.Converge},
		{Kind: model.SignalEnded}, {Kind: model.GoBad}, {Kind: model.Undo},
	}

	// clocks are the ways in which the verifier's time goes by: two probes, the deadline,
	// and a third; or the second of them exactly at the deadline.
	between    = [][]model.Event{{probe(1), miss(1)}, {probe(2), miss(2)}, {{Kind: model.Close}}, {probe(3), miss(3)}}
	atDeadline = [][]model.Event{{probe(1), miss(1)}, {{Kind: model.ProbeAtDeadline}, {Kind: model.MissAtDeadline}}, {probe(3), miss(3)}}
)

func probe(n uint8) model.Event { return numbered(model.Probe, n) }
func miss(n uint8) model.Event  { return numbered(model.Miss, n) }

func numbered(k model.Kind, n uint8) model.Event {
	if n == 1 {
		n = 0
	}
	return model.Event{Kind: k, N: n}
}

// A Grid says where the deadline is among the probes.
type Grid uint8

// The grids.
const (
	Between Grid = iota // the second and the third probe
	AtProbe             // at the second
)

func (g Grid) String() string { return [...]string{"between two probes", "at a probe"}[g] }

// clock returns the steps of the verifier's time on a grid: of each one event happens.
func (g Grid) clock() [][]model.Event {
	if g == AtProbe {
		return atDeadline
	}
	return between
}

// universe returns the order of all events there are, of which a scenario has some.
func universe() enumerate.Order[model.Event] {
	b := enumerate.NewOrder[model.Event]()
	b.Free("", free[0]) // what the agent does first is declared first
	for _, k := range operations {
		b.Free("", model.Event{Kind: k})
	}
	b.Free("", free[1:]...)
	end := model.Event{Kind: model.End}
	declared := []model.Event{end}
	declare := func(e model.Event) {
		if !slices.Contains(declared, e) {
			declared = append(declared, e)
			b.Free("", e)
		}
	}
	for _, g := range []Grid{Between, AtProbe} {
		for _, step := range g.clock() {
			for _, e := range step {
				declare(e)
			}
		}
	}
	b.Free("", end)
	for _, g := range []Grid{Between, AtProbe} {
		steps := g.clock()
		for i, step := range steps[1:] {
			for _, before := range steps[i] {
				for _, e := range step {
					b.Before(before, e)
				}
			}
		}
		for _, e := range steps[len(steps)-1] {
			b.Before(e, end)
		}
	}
	for _, e := range free {
		b.Before(e, end)
	}
	for _, k := range operations {
		b.Before(model.Event{Kind: k}, end)
	}
	o, err := b.Build()
	if err != nil {
		panic(err) // the events are declared wrongly
	}
	return o
}

// Scenarios returns the scenarios of a grid: with each operation or none, each probe
// successful or failed, and each of the free events or not.
func Scenarios(g Grid) []enumerate.Order[model.Event] {
	all := universe()
	var orders []enumerate.Order[model.Event]
	for _, clock := range choices(g.clock()) {
		for op := range len(operations) + 1 {
			for chosen := range 1 << len(free) {
				orders = append(orders, all.Restrict(func(e model.Event) bool {
					if i := slices.Index(free, e); i >= 0 {
						return chosen>>i&1 != 0
					}
					if i := slices.Index(operations, e.Kind); i >= 0 {
						return i == op-1
					}
					return e.Kind == model.End || slices.Contains(clock, e)
				}))
			}
		}
	}
	return orders
}

// choices returns every way to pick one event of each step.
func choices(steps [][]model.Event) [][]model.Event {
	all := [][]model.Event{nil}
	for _, step := range steps {
		var longer [][]model.Event
		for _, chosen := range all {
			for _, e := range step {
				longer = append(longer, append(slices.Clone(chosen), e))
			}
		}
		all = longer
	}
	return all
}
