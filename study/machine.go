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

// each calls do with every position in s.
func (s mechanismSet) each(do func(i int)) {
	for rest := s; rest != 0; rest &= rest - 1 {
		do(bits.TrailingZeros64(uint64(rest)))
	}
}

func (s mechanismSet) has(i int) bool { return s>>i&1 != 0 }
func (s mechanismSet) size() uint64   { return uint64(bits.OnesCount64(uint64(s))) }

// A state is what the engine walks: the model's state, the oracle's history,
// and what the mechanisms answered.
type state struct {
	model   model.State
	history oracle.History
	early   mechanismSet // those whose answer at preflight was to accept

	decided  bool
	accepted mechanismSet
	verdict  oracle.Verdict
	receipt  model.Completion // what the accepted request got
}

// A machine decides for all mechanisms in one walk.
//
// They share one model state because they differ in nothing but the decision,
// and the state after the commit depends on nothing but that: the ledger in it
// is the ledger of each mechanism that accepted, and means nothing for those
// that refused. A test runs every mechanism on its own and compares.
type machine struct {
	mechanisms  []mechanisms.Mechanism
	atPreflight mechanismSet
	atCommit    mechanismSet
}

func newMachine(list []mechanisms.Mechanism) machine {
	m := machine{mechanisms: list}
	for i, mechanism := range list {
		if mechanism.At == mechanisms.Preflight {
			m.atPreflight |= 1 << i
		} else {
			m.atCommit |= 1 << i
		}
	}
	return m
}

func (m machine) Init() state {
	return state{model: model.Initial(), history: oracle.Begin()}
}

func (m machine) Next(s state, e model.Event) state {
	switch e.Kind {
	case model.Preflight:
		s.early = m.accepting(m.atPreflight, s.model)
	case model.Commit:
		r := s.model.Request()
		s.decided = true
		s.accepted = s.early | m.accepting(m.atCommit, s.model)
		s.verdict = s.history.Judge(r)
		s.model, s.receipt, _ = model.Complete(s.model, r, s.accepted != 0)
	}
	s.model = model.Next(s.model, e)
	s.history = s.history.Observe(e)
	if e.Kind == model.TrustedVerify {
		s.history = s.history.Record(s.model.Evidence)
	}
	return s
}

// accepting returns those of the mechanisms in who that accept the request in
// s. What the checks say is computed once for all of them.
func (m machine) accepting(who mechanismSet, s model.State) mechanismSet {
	r := s.Request()
	failed := mechanisms.Failed(s, r)
	var accepted mechanismSet
	for i := range m.mechanisms {
		mechanism := &m.mechanisms[i]
		if !who.has(i) {
			continue
		}
		if mechanism.Rule == nil && failed&mechanism.Requires == 0 ||
			mechanism.Rule != nil && mechanism.Rule(s, r).Accepted {
			accepted |= 1 << i
		}
	}
	return accepted
}
