package contract

import (
	"example.com/commitpoint/mechanisms/contract"
	model "example.com/commitpoint/model/contract"
	oracle "example.com/commitpoint/oracle/contract"
)

// A state is what the engine walks for one mechanism: the model's state, the oracle's
// history, and what failed at each worker's preflight. What a mechanism accepts changes
// what comes after, so that every mechanism is walked on its own.
type state struct {
	model   model.State
	history oracle.History
	early   [2]looked
	broken  broken // invariants
}

// A looked is what preflight remembers: which request it looked at, and what failed of it.
type looked struct {
	request model.Request
	failed  model.Checks
}

// of returns what failed of r at preflight: all, if it looked at another request or at none.
func (l *looked) of(r *model.Request) model.Checks {
	if l.request != *r {
		return model.All
	}
	return l.failed
}

// A machine is one mechanism in one setup.
type machine struct {
	mechanism contract.Mechanism
	setup     model.Setup
}

func (m machine) Init() state {
	return state{model: model.Initial(m.setup), history: oracle.Begin(m.setup)}
}

func (m machine) Next(s state, e model.Event) state {
	m.Step(&s, e)
	return s
}

func (m machine) Step(s *state, e model.Event) {
	before, owner, known := terminal(&s.model), s.model.Owner, s.history.Standing()
	switch {
	case e.Kind == model.Preflight:
		r := s.model.Request(model.Event{Worker: e.Worker, Kind: model.Commit})
		s.early[e.Worker-1] = looked{r, m.mechanism.Look(&s.model, &r)}
	case e.Kind.Decides():
		m.decide(s, e)
	}
	switch {
	case e.Kind == model.SweepWrite:
		s.model.Sweep(!m.mechanism.Has(contract.UnguardedSweep))
	case e.Kind == model.Report:
		s.model.Report(e.Worker, !m.mechanism.Has(contract.UnguardedFail))
	default:
		s.model.Step(e)
	}
	s.history.Step(e)
	s.broken |= before.against(&s.model)
	changed := s.model.Owner != owner || s.model.Status != before.status
	if (e.Kind == model.SweepWrite || e.Kind == model.Report) && changed && s.history.Standing() == known {
		s.broken |= intruded
	}
}

// decide lets the mechanism decide and records what it accepts.
func (m machine) decide(s *state, e model.Event) {
	d := m.at(s, e)
	before := s.model
	if d.decision.Accepted && !d.decision.Replayed {
		s.model.Complete(d.request, m.mechanism.Has(contract.TornPublish))
		s.history.Record(d.request)
		s.broken |= published(&before, &s.model, d.request)
	}
	if d.decision.Accepted {
		return
	}
	if d.verdict.Replay {
		s.broken |= retryRefused
	}
	if m.mechanism.Has(contract.FailOnRefusal) {
		s.model.Report(e.Worker, false)
	}
	if shared(s.model) != shared(before) {
		s.broken |= refusalWrote
	}
}

// A decided is a request that was decided, and what the oracle says.
type decided struct {
	request  model.Request
	decision contract.Decision
	early    model.Checks // that failed at preflight
	failed   model.Checks // of the whole contract, as the complete mechanism looks
	verdict  oracle.Verdict
}

// at returns what is decided on the request of event e in s.
func (m machine) at(s *state, e model.Event) decided {
	r := s.model.Request(e)
	early := s.early[e.Worker-1].of(&r)
	return decided{
		request:  r,
		early:    early,
		decision: m.mechanism.Decide(&s.model, &r, early),
		failed:   contract.Failed(&s.model, &r),
		verdict:  s.history.Judge(e, r),
	}
}

// wrong reports whether the decision is not what the oracle says.
func (d decided) wrong() bool { return d.decision.Accepted != d.verdict.Eligible() }
