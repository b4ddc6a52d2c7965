package study

import (
	"fmt"

	"example.com/commitpoint/mechanisms"
	"example.com/commitpoint/model"
	"example.com/commitpoint/oracle"
)

// A solo is the machine of a single mechanism, with everything in its state
// that an explanation needs. It is the plain counterpart of machine, which
// decides for many at once in its own way: tests hold the two against each other.
type solo struct {
	mechanism mechanisms.Mechanism
	control   Control // the zero Control alters nothing
}

type soloState struct {
	model   model.State
	history oracle.History
	early   mechanisms.Decision // what the mechanism says at preflight, trusted or not
	fault   string              // what is wrong with the rule itself, if something is

	// Set by the commit:
	request  model.Request
	decision mechanisms.Decision
	failed   model.Checks // of the contract, whatever the mechanism requires
	verdict  oracle.Verdict
	receipt  model.Completion
	recorded bool
}

func (m solo) Init() soloState {
	return soloState{model: model.Initial(), history: oracle.Begin()}
}

func (m solo) Next(s soloState, e model.Event) soloState {
	switch e.Kind {
	case model.Preflight:
		if m.control.state != nil {
			s.model = m.control.AlterState(s.model)
			s.history = s.history.Record(s.model.Evidence)
		}
		s.early = m.ask(&s, m.requestIn(s.model))
	case model.Commit:
		s = m.commit(s)
	}
	s.model = model.Next(s.model, e)
	s.history = s.history.Observe(e)
	if e.Kind == model.TrustedVerify {
		s.history = s.history.Record(s.model.Evidence)
	}
	return s
}

func (m solo) commit(s soloState) soloState {
	r := m.requestIn(s.model)
	s.request = r
	s.decision = m.ask(&s, r)
	if m.mechanism.At == mechanisms.Preflight {
		s.decision = s.early
	}
	s.failed = mechanisms.Failed(s.model, r) & model.All
	s.verdict = s.history.Judge(r)
	s.model.Ledger, s.receipt, s.recorded = s.model.Ledger.Complete(r, s.decision.Accepted)
	return s
}

// ask returns the mechanism's decision on r. A rule that is somebody's function
// is asked twice, and one that panics or contradicts itself is at fault.
func (m solo) ask(s *soloState, r model.Request) (d mechanisms.Decision) {
	if m.mechanism.Rule == nil {
		return m.mechanism.Decide(s.model, r)
	}
	defer func() {
		if p := recover(); p != nil {
			d, s.fault = mechanisms.Decision{}, fmt.Sprintf("panicked: %v", p)
		}
	}()
	d = m.mechanism.Rule(s.model, r)
	if m.mechanism.Rule(s.model, r) != d {
		s.fault = impure
	}
	return d
}

const impure = "is not pure: it gave two answers to the same state and request"

// requestIn returns the request that is submitted in s.
func (m solo) requestIn(s model.State) model.Request {
	return m.control.AlterRequest(s.Request())
}

// A Kind is a kind of error that a mechanism makes.
type Kind string

// The two kinds of error.
const (
	UnsafeAccept   Kind = "unsafe-accept"   // it accepted an ineligible request
	EligibleReject Kind = "eligible-reject" // it refused an eligible one
)

// Kinds returns both, in that order.
func Kinds() []Kind { return []Kind{UnsafeAccept, EligibleReject} }

// wrong returns the kind of error that a decision is, if it is one.
func wrong(accepted, eligible bool) (k Kind, isWrong bool) {
	switch {
	case accepted && !eligible:
		return UnsafeAccept, true
	case !accepted && eligible:
		return EligibleReject, true
	}
	return "", false
}

func (s soloState) wrong() (k Kind, isWrong bool) { return wrong(s.recorded, s.verdict.Eligible()) }
