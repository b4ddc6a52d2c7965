package episode

import (
	"slices"

	"example.com/commitpoint/enumerate"
	model "example.com/commitpoint/model/episode"
)

// An event is the model's.
type event = model.Event

// life returns the events of one episode.
func life() []event {
	return slices.Concat(
		of(model.First, model.Observe, model.Admit),
		again(of(model.First, model.Observe, model.Admit)),
		of(model.First, model.Reserve, model.Dispatch),
		of(model.Second, model.Reserve),
		of(model.Nobody, model.Approve, model.Evidence, model.Expire, model.Revoke, model.Replace, model.Authorize),
		of(model.Successor, model.Observe, model.Admit, model.Reserve, model.Dispatch),
		of(model.Nobody, model.Effect, model.Ack, model.Repeat, model.Confirm, model.Contradict, model.Review,
			model.Discharge, model.Accept, model.Close, model.Transfer),
		again(of(model.Nobody, model.Close)),
	)
}

// of returns the events of an agent, or of nobody.
func of(a model.Agent, kinds ...model.Kind) []event {
	events := make([]event, len(kinds))
	for i, k := range kinds {
		events[i] = event{Agent: a, Kind: k}
	}
	return events
}

// again returns events as they happen a second time.
func again(events []event) []event {
	for i := range events {
		events[i].N = 2
	}
	return events
}

// precedence is what comes first in every schedule. Without the end it is a forest: each
// event waits for one other, or for none.
//
// The first observes and is admitted twice before it reserves, so that there is a fresh
// admission for what had to wait. What the principal and the world do comes at any time, and
// so does the second. What comes of a dispatch is heard after the first has tried one,
// whether that was dispatched or not, and before or after its successor tries. What is still
// owed after a closure was tried is taken over, so that the second attempt has nothing open.
var precedence = [...][2]string{
	{"first:observe", "first:admit"}, {"first:admit", "first:observe#2"}, {"first:observe#2", "first:admit#2"},
	{"first:admit#2", "first:reserve"}, {"first:reserve", "first:dispatch"},
	{"replace", "authorize"}, {"replace", "successor:observe"},
	{"successor:observe", "successor:admit"}, {"successor:admit", "successor:reserve"}, {"successor:reserve", "successor:dispatch"},
	{"first:dispatch", "ack"}, {"first:dispatch", "contradict"}, {"contradict", "review"},
	{"first:dispatch", "effect"}, {"effect", "repeat"}, {"repeat", "confirm"}, {"effect", "discharge"},
	{"effect", "accept"}, {"accept", "close"}, {"close", "transfer"}, {"transfer", "close#2"},
}

// order returns the order of the episode, with the end after all of its events.
func order() enumerate.Order[event] {
	end := event{Kind: model.End}
	b := enumerate.NewOrder[event]().Free("", life()...).Free("", end)
	for _, e := range life() {
		b.Before(e, end)
	}
	for _, p := range precedence {
		b.Before(declared(p[0]), declared(p[1]))
	}
	o, err := b.Build()
	if err != nil {
		panic(err) // the events are declared wrongly
	}
	return o
}

func declared(text string) event {
	e, err := model.ParseEvent(text)
	if err != nil {
		panic(err)
	}
	return e
}

// told returns the order of which histories can be told: without the end.
func told() enumerate.Order[event] {
	return order().Restrict(func(e event) bool { return !isEnd(e) })
}

// traced returns the orders in which Traces looks for the shortest histories: what leads to
// the dispatch, with everybody, and what comes of it, with the first alone. Together they
// have a tenth of the nodes. That the whole has no other histories is tested.
func traced() []enumerate.Order[event] {
	heard := func(e event) bool { return e.Agent == model.Nobody && e.Kind >= model.Effect }
	rest := func(e event) bool {
		return e.Agent == model.First || e.Kind == model.Approve || e.Kind == model.Evidence || e.Kind == model.Revoke
	}
	return []enumerate.Order[event]{
		told().Restrict(func(e event) bool { return !heard(e) }),
		told().Restrict(func(e event) bool { return heard(e) || rest(e) }),
	}
}
