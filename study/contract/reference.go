package contract

import (
	"example.com/commitpoint/mechanisms/contract"
	model "example.com/commitpoint/model/contract"
	oracle "example.com/commitpoint/oracle/contract"
)

// A Reference is the machine of the complete mechanism: how things stand after events
// when every request is decided as it ought to be. Services are measured against it.
type Reference struct{}

// A Point is where events have led, with what preflights have shown of requests, so that
// whatever a service can have seen on the way is the same in equal points.
type Point struct{ state state }

var complete = machine{mechanism: contract.Complete}

// Init returns the point before any event.
func (Reference) Init() Point { return Point{complete.Init()} }

// Next returns the point after e.
func (Reference) Next(p Point, e model.Event) Point {
	complete.Step(&p.state, e)
	return p
}

// Step is Next in place.
func (Reference) Step(p *Point, e model.Event) { complete.Step(&p.state, e) }

// Model returns the state that the events have led to.
func (p *Point) Model() *model.State { return &p.state.model }

// Judge returns what the oracle says of the request that a deciding event would submit
// now, and the predicates that it fails.
func (p *Point) Judge(e model.Event) (oracle.Verdict, model.Checks) {
	r := p.state.model.Request(e)
	return p.state.history.Judge(e, r), contract.Failed(&p.state.model, &r)
}
