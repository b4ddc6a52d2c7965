package study

import (
	"example.com/commitpoint/counterexamples"
	"example.com/commitpoint/mechanisms"
	"example.com/commitpoint/model"
)

// A Control is a directed negative control: the bare chain, with the request or
// what the service holds altered from preflight on (the report's section 6.4).
// All but the last are ineligible.
type Control struct {
	Name    string
	Meaning string // what is altered, in a clause
	state   func(model.State) model.State
	request func(model.Request) model.Request
}

// AlterState returns s as the control has it: most leave it alone.
func (c Control) AlterState(s model.State) model.State {
	if c.state == nil {
		return s
	}
	return c.state(s)
}

// AlterRequest returns r as the control has it: most leave it alone.
func (c Control) AlterRequest(r model.Request) model.Request {
	if c.request == nil {
		return r
	}
	return c.request(r)
}

// Controls returns the seven directed controls, in the report's order.
func Controls() []Control {
	all := controls
	return all[:]
}

var controls = [...]Control{
	{
		Name:    "forged-receipt",
		Meaning: "the request cites a receipt that the store never admitted",
		request: func(r model.Request) model.Request { r.Evidence = 99; return r },
	},
	{
		Name:    "other-candidate",
		Meaning: "the request cites a genuine receipt that was issued for other bytes",
		state:   func(s model.State) model.State { return verifyInstead(s, sameAnswer) },
	},
	{
		Name:    "other-digest",
		Meaning: "the digest in this candidate's receipt is altered",
		state:   func(s model.State) model.State { s.Evidence.Digest = other.Digest(); return s },
	},
	{
		Name:    "other-task",
		Meaning: "the request names another task",
		request: func(r model.Request) model.Request { r.Task++; return r },
	},
	{
		Name:    "other-contract",
		Meaning: "the request names another contract",
		request: func(r model.Request) model.Request { r.Contract = other.Digest(); return r },
	},
	{
		Name:    "checker-rejected",
		Meaning: "the answer is 999 and the admitted checker refused it",
		state:   func(s model.State) model.State { return submitWrong(s, model.Doubles) },
	},
	{
		Name:    "inadequate-checker",
		Meaning: "the answer is 999 and an admitted but inadequate checker passed it",
		state:   func(s model.State) model.State { return submitWrong(s, model.IsInteger) },
	},
}

var (
	// sameAnswer is other bytes than the candidate's that also pass the checker.
	sameAnswer = model.NewBlob(model.Answer(1).Bytes() + "\n")
	// wrongAnswer is an integer, and not the double of any input there is.
	wrongAnswer = model.NewBlob("999")
)

// verifyInstead returns s with the receipt that a verification of b leaves.
func verifyInstead(s model.State, b model.Blob) model.State {
	elsewhere := s
	elsewhere.Artifact = b
	s.Evidence = model.Next(elsewhere, model.Event{Kind: model.TrustedVerify}).Evidence
	return s
}

// submitWrong returns s as if the worker had prepared the wrong answer and the
// checker c, admitted for the task, had looked at it.
func submitWrong(s model.State, c model.Checker) model.State {
	s.Candidate.Blob, s.Artifact, s.Task.Checker = wrongAnswer, wrongAnswer, c
	return model.Next(s, model.Event{Kind: model.TrustedVerify})
}

// runControl returns how m and the oracle answer a control.
func runControl(m mechanisms.Mechanism, c Control) soloState {
	states := counterexamples.Replay(solo{m, c}, model.Chain())
	return states[len(states)-1]
}
