package study

import (
	"fmt"
	"slices"

	"example.com/commitpoint/enumerate"
	"example.com/commitpoint/model"
)

// MaxEnvironment is the largest number of environment events in one of the
// study's scenarios.
const MaxEnvironment = 3

// Precedence returns the pairs of environment events that are ordered: if a
// scenario has both, the first happens first.
func Precedence() [][2]model.Event {
	return [][2]model.Event{
		{{Kind: model.LeaseExpire}, {Kind: model.Reassign}},
	}
}

// Order returns the order of the main chain and the given environment events,
// which may be repetitions, as in input-edit#2. Precedence holds between the
// first event of each kind. It is an error to give events of the chain, an event
// twice, or more than an order can have.
func Order(environment ...model.Event) (enumerate.Order[model.Event], error) {
	for i, e := range environment {
		switch {
		case e.Kind > model.PublishV2 || e.N == 1 || e.Kind == 0:
			return enumerate.Order[model.Event]{}, fmt.Errorf("%v is no event: the environment's are %v", e, model.Environment())
		case e.Kind <= model.Commit:
			return enumerate.Order[model.Event]{}, fmt.Errorf("%v is an event of the chain, which every scenario has: give environment events", e)
		case slices.Contains(environment[:i], e):
			return enumerate.Order[model.Event]{}, fmt.Errorf("%v is given twice: number repeated events, as in %v#2", e, e)
		}
	}
	b := enumerate.NewOrder[model.Event]().
		Chain("", model.Chain()...).
		Free("", environment...)
	for _, p := range Precedence() {
		if slices.Contains(environment, p[0]) && slices.Contains(environment, p[1]) {
			b.Before(p[0], p[1])
		}
	}
	return b.Build()
}

// Universe returns the order of the main chain and all six environment events.
// The study's scenarios are restrictions of it that keep the chain.
func Universe() enumerate.Order[model.Event] {
	o, err := Order(model.Environment()...)
	if err != nil {
		panic(err) // the model's events are declared wrongly
	}
	return o
}

// Scenarios returns the restrictions of the Universe that keep the chain and at
// most limit environment events: fewest events first, then in the order of the
// lists of their declaration indices. Scenarios(MaxEnvironment) are the
// study's 42.
func Scenarios(limit int) []enumerate.Order[model.Event] {
	if limit < 0 {
		panic(fmt.Sprintf("study.Scenarios: a limit of %d events; use 0 or more", limit))
	}
	universe := Universe()
	var orders []enumerate.Order[model.Event]
	for _, chosen := range subsets(model.Environment(), limit) {
		orders = append(orders, universe.Restrict(func(e model.Event) bool {
			return e.Kind <= model.Commit || slices.Contains(chosen, e)
		}))
	}
	return orders
}

// subsets returns the subsets of list with at most limit elements, smallest
// first, those of one size lexicographically by position.
func subsets[T any](list []T, limit int) [][]T {
	var all [][]T
	for size := 0; size <= min(limit, len(list)); size++ {
		all = append(all, choose(list, size)...)
	}
	return all
}

// choose returns the subsets of list of one size, lexicographically.
func choose[T any](list []T, size int) [][]T {
	if size == 0 {
		return [][]T{nil}
	}
	var all [][]T
	for i := range list {
		for _, rest := range choose(list[i+1:], size-1) {
			all = append(all, append([]T{list[i]}, rest...))
		}
	}
	return all
}

// environmentOf returns the environment events of a scenario.
func environmentOf(o enumerate.Order[model.Event]) []model.Event {
	return slices.DeleteFunc(o.Events(), func(e model.Event) bool { return e.Kind <= model.Commit })
}
