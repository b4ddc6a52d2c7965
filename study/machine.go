package study

import (
	"math/bits"

	"example.com/commitpoint/mechanisms"
	"example.com/commitpoint/model"
	"example.com/commitpoint/oracle"
)

// maxMechanisms is how many mechanisms one walk can decide for.
const maxMechanisms = 64

// mechanismSet holds positions in a list of mechanisms, one bit each.
type mechanismSet uint64

func (s mechanismSet) has(i int) bool { return s>>i&1 != 0 }
func (s mechanismSet) size() uint64   { return uint64(bits.OnesCount64(uint64(s))) }

// A state is what the engine walks: the model's state, the oracle's history,
// and what the mechanisms answered.
type state struct {
	model   model.State
	history oracle.History
	early   mechanismSet // those whose answer at preflight was to accept

	// Set by the commit:
	accepted mechanismSet
	receipt  model.Completion // what the accepted request got
	verdict  oracle.Verdict
}

// An outcome is what is decided at a commit.
type outcome struct {
	accepted mechanismSet
	eligible bool
}

func (s state) outcome() (outcome, bool) { return outcome{s.accepted, s.verdict.Eligible()}, true }

// A machine decides for all mechanisms in one walk.
//
// They share one model state because they differ in nothing but the decision,
// and the state after the commit depends on nothing but that: the ledger in it
// is the ledger of each mechanism that accepted, and means nothing for those
// that refused. A test runs every mechanism on its own and compares.
type machine struct {
	early machineRules // the mechanisms that decide at preflight
	late  machineRules // those that decide at commit
}

// machineRules are the mechanisms that decide at one point, turned inside out:
// for each check those that require it, so that deciding for all of them takes
// one step a failed check.
type machineRules struct {
	all      mechanismSet
	requires [model.NumChecks]mechanismSet
	own      []ownRule
}

// An ownRule is a mechanism that decides by a function instead.
type ownRule struct {
	position int
	decide   func(model.State, model.Request) mechanisms.Decision
}

func newMachine(list []mechanisms.Mechanism) *machine {
	m := new(machine)
	for i, mechanism := range list {
		rules := &m.late
		if mechanism.At == mechanisms.Preflight {
			rules = &m.early
		}
		rules.add(i, mechanism)
	}
	return m
}

func (p *machineRules) add(i int, m mechanisms.Mechanism) {
	if m.Rule != nil {
		p.own = append(p.own, ownRule{i, m.Rule})
		return
	}
	p.all |= 1 << i
	for c := range p.requires {
		if m.Requires>>c&1 != 0 {
			p.requires[c] |= 1 << i
		}
	}
}

// accepting returns the mechanisms that accept r in s.
func (p *machineRules) accepting(s model.State, r model.Request) mechanismSet {
	if p.all == 0 && p.own == nil {
		return 0
	}
	accepted := p.all
	for failed := mechanisms.Failed(s, r); failed != 0; failed &= failed - 1 {
		accepted &^= p.requires[bits.TrailingZeros16(uint16(failed))]
	}
	for _, rule := range p.own {
		if rule.decide(s, r).Accepted {
			accepted |= 1 << rule.position
		}
	}
	return accepted
}

func (m *machine) Init() state {
	return state{model: model.Initial(), history: oracle.Begin()}
}

func (m *machine) Next(s state, e model.Event) state {
	m.Step(&s, e)
	return s
}

func (m *machine) Step(s *state, e model.Event) {
	switch e.Kind {
	case model.Preflight:
		s.early = m.early.accepting(s.model, s.model.Request())
	case model.Commit:
		r := s.model.Request()
		s.accepted = s.early | m.late.accepting(s.model, r)
		s.verdict = s.history.Judge(r)
		s.model.Ledger, s.receipt, _ = s.model.Ledger.Complete(r, s.accepted != 0)
	}
	s.model.Step(e)
	s.history.Step(e)
	if e.Kind == model.TrustedVerify {
		s.history = s.history.Record(s.model.Evidence)
	}
}
