// Package wrapped has the mechanisms as systems under test, for the tests of the
// conformance kit: as somebody would wrap a service, with no knowledge of scenarios,
// oracles or what is right.
package wrapped

import (
	"context"
	"fmt"
	"slices"

	"example.com/commitpoint/conformance"
	"example.com/commitpoint/mechanisms"
	"example.com/commitpoint/model"
	"example.com/commitpoint/study"
)

// A studied system is a mechanism of the study on the model's state.
type studied struct {
	mechanism mechanisms.Mechanism
	events    []string // nil means all

	state model.State
	early mechanisms.Decision
	alter func(model.Request) model.Request
}

// StudyEvents returns all events of the study.
func StudyEvents() []string {
	events := model.Names(append(model.Chain(), model.Environment()...))
	for _, c := range study.Controls() {
		events = append(events, c.Name)
	}
	return append(events, "retry", "retry-other")
}

// Study returns a function that opens systems of a mechanism of the study, which have the
// given events or, if there are none, all.
func Study(m mechanisms.Mechanism, events ...string) func() (conformance.System, error) {
	return func() (conformance.System, error) { return &studied{mechanism: m, events: events}, nil }
}

func (m *studied) About() conformance.About {
	events := m.events
	if events == nil {
		events = StudyEvents()
	}
	return conformance.About{Name: m.mechanism.Name, Events: events, Parallel: true}
}

func (m *studied) Reset(context.Context) error {
	m.state, m.early, m.alter = model.Initial(), mechanisms.Decision{}, func(r model.Request) model.Request { return r }
	return m.follow(chain)
}

// chain is what happens by itself, one after the other, if the service lacks it as events.
var chain = []string{"read", "candidate", "trusted-verify"}

// follow does what happens by itself, up to the first that is an event.
func (m *studied) follow(events []string) error {
	for _, e := range events {
		if slices.Contains(m.About().Events, e) {
			return nil
		}
		if err := m.step(e); err != nil {
			return err
		}
	}
	return nil
}

func (m *studied) step(event string) error {
	e, err := model.ParseEvent(event)
	if err != nil {
		return err
	}
	m.state = model.Next(m.state, e)
	return nil
}

func (m *studied) Apply(_ context.Context, event string) error {
	for _, c := range study.Controls() {
		if c.Name == event {
			m.state, m.alter = c.AlterState(m.state), c.AlterRequest
			return nil
		}
	}
	if event == "preflight" {
		m.early = m.mechanism.Decide(m.state, m.alter(m.state.Request()))
	}
	if err := m.step(event); err != nil {
		return err
	}
	if i := slices.Index(chain, event); i >= 0 {
		return m.follow(chain[i+1:])
	}
	return nil
}

func (m *studied) Submit(_ context.Context, event string) (conformance.Decision, error) {
	r := m.alter(m.state.Request())
	if event == "retry-other" {
		r.Candidate = model.NewBlob("other bytes").Digest()
	}
	d := m.mechanism.Decide(m.state, r)
	if m.mechanism.At == mechanisms.Preflight {
		d = m.early
	}
	var receipt model.Completion
	var accepted bool
	m.state.Ledger, receipt, accepted = m.state.Ledger.Complete(r, d.Accepted)
	if !accepted {
		return conformance.Decision{Refusal: d.Failed.String()}, nil
	}
	return conformance.Decision{Accepted: true, Receipt: fmt.Sprint(receipt.Version, receipt.Candidate.Short())}, nil
}

func (m *studied) Recorded(context.Context) (conformance.Record, error) {
	l := m.state.Ledger
	if l.Writes == 0 {
		return conformance.Record{Status: "running"}, nil
	}
	return conformance.Record{
		Receipts: []string{fmt.Sprint(l.Receipt.Version, l.Receipt.Candidate.Short())},
		Status:   "completed",
		State:    l.String(),
	}, nil
}
