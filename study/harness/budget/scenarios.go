package budget

import (
	"slices"

	"example.com/commitpoint/enumerate"
	model "example.com/commitpoint/model/harness/budget"
)

// A scenario is a set of events, in any order that their precedence allows.
type scenario struct {
	name, why string
	order     enumerate.Order[model.Event]
	alike     uint64 // how many schedules each of the order's stands for
}

// scenarios are those that are counted. Racers are numbered in the order in which they
// read: they are alike, so that each schedule of the race stands for 8! of them.
func scenarios() []scenario {
	return []scenario{
		{"race", "eight requests of 3 units each, each in three steps (BU-01)",
			order(racers(model.Racers), numbered), factorial(model.Racers)},
		{"life", "what is heard of the original is lost, late or repeated, a retry and a fallback ask meanwhile, a route has no price, " +
			"and accounting goes away and comes back (BU-02 to BU-06)", order(life(), precedes), 1},
	}
}

// tracedRacers is how many operations race in the histories that are told: enough for one
// too many.
const tracedRacers = 4

// told returns the orders of which a history can be told: the race of a few, and a life,
// neither with its end. They are restrictions of one order, so that histories compare.
func told() (race, whole enumerate.Order[model.Event]) {
	all := order(slices.Concat(life(), racers(tracedRacers)), precedes)
	races := func(e model.Event) bool { return e.Op >= model.Racer }
	race = all.Restrict(races)
	return race, all.Restrict(func(e model.Event) bool { return !races(e) && !isEnd(e) })
}

// traced returns the orders in which Traces looks for the shortest histories. Of a life
// there are parts, which is a fraction of the nodes: what goes wrong with outages and prices
// does without a retry, and a charge above the bound is no part of most lives. That the whole
// has no other histories is tested.
func traced() []enumerate.Order[model.Event] {
	race, whole := told()
	apart := func(e model.Event) bool { return e.Op == model.Unpriced || e.Op == model.Accounting }
	return []enumerate.Order[model.Event]{
		race,
		whole.Restrict(func(e model.Event) bool { return !apart(e) }),
		whole.Restrict(func(e model.Event) bool { return !apart(e) && !isBreach(e) }),
		whole.Restrict(func(e model.Event) bool { return e.Op != model.Retry && !isBreach(e) }),
	}
}

func isBreach(e model.Event) bool { return e.Kind == model.Overcharge }

// racers returns the events of a number of operations that are alike.
func racers(n int) []model.Event {
	var events []model.Event
	for i := range model.Op(n) {
		events = append(events, of(model.Racer+i, model.Read, model.Decide, model.Write)...)
	}
	return events
}

// life returns the events of one task: its first operation, and the others that are tried
// for its sake.
func life() []model.Event {
	return slices.Concat(
		of(model.Original, model.Read, model.Decide, model.Write, model.Dispatch, model.Run, model.Ack, model.Timeout,
			model.Cancel, model.Confirm, model.Overcharge, model.Charge, model.Reconcile),
		again(model.Original, model.Write, model.Charge),
		of(model.Retry, model.Read, model.Decide, model.Write, model.Dispatch, model.Run, model.Charge),
		of(model.Fallback, model.Read, model.Decide, model.Write, model.Dispatch, model.Run, model.Charge),
		of(model.Unpriced, model.Write, model.Dispatch),
		of(model.Accounting, model.Down, model.Up),
	)
}

// of returns the events of an operation.
func of(op model.Op, kinds ...model.Kind) []model.Event {
	events := make([]model.Event, len(kinds))
	for i, k := range kinds {
		events[i] = model.Event{Op: op, Kind: k}
	}
	return events
}

// again returns the events that happen to an operation a second time.
func again(op model.Op, kinds ...model.Kind) []model.Event {
	events := of(op, kinds...)
	for i := range events {
		events[i].N = 2
	}
	return events
}

// order returns the order of some events, with the end after all of them.
func order(events []model.Event, before func(x, y model.Event) bool) enumerate.Order[model.Event] {
	end := model.Event{Kind: model.End}
	b := enumerate.NewOrder[model.Event]().Free("", events...).Free("", end)
	for _, x := range events {
		b.Before(x, end)
		for _, y := range events {
			if before(x, y) {
				b.Before(x, y)
			}
		}
	}
	o, err := b.Build()
	if err != nil {
		panic(err) // the events are declared wrongly
	}
	return o
}

// precedence is what comes first in the life of one operation. A charge above the bound is
// corrected later; what became of an operation is looked up when nobody waits any more.
var precedence = [...][2]model.Kind{
	{model.Read, model.Decide}, {model.Decide, model.Write},
	{model.Write, model.Dispatch}, {model.Dispatch, model.Run},
	{model.Dispatch, model.Ack}, {model.Dispatch, model.Timeout},
	{model.Write, model.Cancel}, {model.Cancel, model.Confirm},
	{model.Run, model.Overcharge}, {model.Run, model.Charge}, {model.Overcharge, model.Charge},
	{model.Timeout, model.Reconcile},
	{model.Down, model.Up},
}

// precedes reports whether x comes before y in every schedule. A retry is sent when the
// scheduler has stopped waiting for the original; nothing else relates operations. What
// happens a second time comes after the first, and before nothing.
func precedes(x, y model.Event) bool {
	switch {
	case x.Op != y.Op:
		return x.Op == model.Original && x.Kind == model.Timeout && y.Op == model.Retry
	case x.Kind == y.Kind:
		return x.N < y.N
	}
	return x.N == 0 && slices.Contains(precedence[:], [2]model.Kind{x.Kind, y.Kind})
}

// numbered is precedes with the racers reading one after the other.
func numbered(x, y model.Event) bool {
	return precedes(x, y) || x.Kind == model.Read && y.Kind == model.Read && x.Op < y.Op
}

func factorial(n int) uint64 {
	f := uint64(1)
	for i := range uint64(n) {
		f *= i + 1
	}
	return f
}
