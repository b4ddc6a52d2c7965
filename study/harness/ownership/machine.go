package ownership

import (
	"example.com/commitpoint/enumerate"
	mechanisms "example.com/commitpoint/mechanisms/harness/ownership"
	model "example.com/commitpoint/model/harness/ownership"
	oracle "example.com/commitpoint/oracle/harness/ownership"
)

// Order returns the events of the model. A request asks, looks, removes and reports, in
// that order; the answer to its removal and its inventory come at any time after that,
// before the report or not. The retry asks later than the first request, and may come to
// remove before it does. All else happens at any time.
//
// A request that is late is one of the orders, not an event: its removal may come after the
// other's report, or the lease's end. So is an answer that is lost, which comes after the
// report that needed it.
func Order() enumerate.Order[model.Event] {
	b := enumerate.NewOrder[model.Event]()
	end := model.Event{Kind: model.End}
	for _, e := range model.All() {
		b.Free("", e)
		if e != end {
			b.Before(e, end)
		}
	}
	for r := uint8(1); r <= model.Requests; r++ {
		for _, p := range [...][2]model.Kind{{model.Ask, model.Look}, {model.Look, model.Take},
			{model.Take, model.Report}, {model.Take, model.Acked}, {model.Take, model.List}} {
			b.Before(model.Event{Request: r, Kind: p[0]}, model.Event{Request: r, Kind: p[1]})
		}
	}
	b.Before(model.Event{Request: 1, Kind: model.Ask}, model.Event{Request: 2, Kind: model.Ask})
	for _, p := range [...][2]model.Kind{{model.PriorExpiry, model.FinalExpiry}, {model.Approve, model.Renew}, {model.Down, model.Up}} {
		b.Before(model.Event{Kind: p[0]}, model.Event{Kind: p[1]})
	}
	o, err := b.Build()
	if err != nil {
		panic(err) // the events are declared wrongly
	}
	return o
}

// A state is what the engine walks.
type state struct {
	model   model.State
	history oracle.History
}

// A machine is the model with a mechanism that decides, and the oracle, which hears of it.
type machine struct {
	mechanism mechanisms.Mechanism
}

func (machine) Init() state { return state{model.Initial(), oracle.Begin()} }

func (m machine) Next(s state, e model.Event) state {
	m.Step(&s, e)
	return s
}

// Step lets the mechanism decide before anything changes. The oracle hears of the decision
// only, and folds the world for itself.
func (m machine) Step(s *state, e model.Event) {
	d := m.mechanism.Decide(&s.model, e)
	s.model.Step(e, d)
	s.history.Step(e, d)
}
