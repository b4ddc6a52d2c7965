package conformance_test

import (
	"context"
	"fmt"
	"slices"

	"example.com/commitpoint/conformance"
	"example.com/commitpoint/mechanisms"
	"example.com/commitpoint/model"
	"example.com/commitpoint/study"
)

// A mechanical system is one of the thirteen mechanisms on the model's state, as somebody
// would wrap a service: it knows nothing of scenarios, oracles or what is right.
type mechanical struct {
	mechanism mechanisms.Mechanism
	events    []string // nil means all

	state model.State
	early mechanisms.Decision
	alter func(model.Request) model.Request
}

// studyEvents are all that the study has.
func studyEvents() []string {
	events := model.Names(append(model.Chain(), model.Environment()...))
	for _, c := range study.Controls() {
		events = append(events, c.Name)
	}
	return append(events, "retry", "retry-other")
}

func without(list []string, names ...string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return slices.Contains(names, s) })
}

func mechanicalSystems(m mechanisms.Mechanism, events ...string) func() (conformance.System, error) {
	return func() (conformance.System, error) { return &mechanical{mechanism: m, events: events}, nil }
}

func (m *mechanical) About() conformance.About {
	events := m.events
	if events == nil {
		events = studyEvents()
	}
	return conformance.About{Name: m.mechanism.Name, Events: events, Parallel: true}
}

func (m *mechanical) Reset(context.Context) error {
	m.state, m.early, m.alter = model.Initial(), mechanisms.Decision{}, func(r model.Request) model.Request { return r }
	// What a service that lacks these events starts from.
	for _, e := range []string{"read", "candidate", "trusted-verify"} {
		if !slices.Contains(m.About().Events, e) {
			m.step(e)
		}
	}
	return nil
}

func (m *mechanical) step(event string) error {
	e, err := model.ParseEvent(event)
	if err != nil {
		return err
	}
	m.state = model.Next(m.state, e)
	return nil
}

func (m *mechanical) Apply(_ context.Context, event string) error {
	for _, c := range study.Controls() {
		if c.Name == event {
			m.state, m.alter = c.AlterState(m.state), c.AlterRequest
			return nil
		}
	}
	if event == "preflight" {
		m.early = m.mechanism.Decide(m.state, m.alter(m.state.Request()))
	}
	return m.step(event)
}

func (m *mechanical) Submit(_ context.Context, event string) (conformance.Decision, error) {
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

func (m *mechanical) Recorded(context.Context) (conformance.Record, error) {
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
