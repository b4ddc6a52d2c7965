package contention

import (
	"fmt"

	"example.com/commitpoint/enumerate"
	"example.com/commitpoint/mechanisms"
	checks "example.com/commitpoint/mechanisms/contention"
	"example.com/commitpoint/model"
	"example.com/commitpoint/model/contention"
	oracle "example.com/commitpoint/oracle/contention"
)

// Order returns the events of a number of submitters: a chain each, and the
// environment, in which the task is reassigned once for each further submitter,
// one after the other, the first time after the lease expired.
func Order(submitters int) (enumerate.Order[contention.Event], error) {
	if submitters < 1 || submitters > contention.MaxSubmitters {
		return enumerate.Order[contention.Event]{}, fmt.Errorf("%d submitters: use 1 to %d", submitters, contention.MaxSubmitters)
	}
	b := enumerate.NewOrder[contention.Event]()
	for w := range uint8(submitters) {
		var chain []contention.Event
		for _, e := range model.Chain() {
			chain = append(chain, contention.Event{Submitter: w + 1, Kind: e.Kind})
		}
		b.Chain("", chain...)
	}
	expire := contention.Event{Kind: model.LeaseExpire}
	for _, k := range []model.Kind{model.InputEdit, model.ArtifactEdit, model.Revoke, model.PublishV2, model.LeaseExpire} {
		b.Free("", contention.Event{Kind: k})
	}
	last := expire
	for n := range uint8(submitters - 1) {
		reassign := contention.Event{Kind: model.Reassign}
		if n > 0 {
			reassign.N = n + 1
		}
		b.Free("", reassign).Before(last, reassign)
		last = reassign
	}
	return b.Build()
}

// A state is what the engine walks. The oracle's history adds no node: it is a
// function of the events done and the model's state.
type state struct {
	model   contention.State
	history oracle.History
}

// A machine is the contention model with its oracle.
type machine struct{}

func (machine) Init() state { return state{contention.Initial(), oracle.Begin()} }

func (m machine) Next(s state, e contention.Event) state {
	m.Step(&s, e)
	return s
}

func (machine) Step(s *state, e contention.Event) {
	if e.Kind == model.Preflight {
		s.model.Submitters[e.Submitter-1].Early = checks.Failed(s.model, e.Submitter)&model.All == 0
	}
	s.model.Step(e)
	s.history.Step(e)
}

// A decision is what is observed at a commit.
type decision struct {
	submitter uint8
	eligible  bool
	failed    model.Checks // at the commit
	early     bool         // the answer of preflight
}

// acceptedBy reports whether a mechanism accepts. The model remembers one answer
// of preflight, whether all eight checks held, which is what the one mechanism of
// the study that looks early asks for.
func (d decision) acceptedBy(m mechanisms.Mechanism) bool {
	if m.At == mechanisms.Preflight {
		return d.early
	}
	return d.failed&m.Requires == 0
}

func isCommit(e contention.Event) bool { return e.Kind == model.Commit }

// decide observes a commit.
func decide(before state, e contention.Event, _ state) (d decision, seen bool) {
	return decision{
		submitter: e.Submitter,
		eligible:  before.history.Eligible(e.Submitter),
		failed:    checks.Failed(before.model, e.Submitter),
		early:     before.model.Of(e.Submitter).Early,
	}, true
}
