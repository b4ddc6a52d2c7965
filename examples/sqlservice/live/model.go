package live

import (
	"github.com/anishathalye/porcupine"

	mechanisms "example.com/commitpoint/mechanisms/contract"
	"example.com/commitpoint/model/contract"
)

// An Input is an operation as it was asked for: an event of the model, and what whoever
// causes it goes by. That is no part of the state here, as it is in the model alone: a
// worker that was not answered does not know what it has caused.
type Input struct {
	Event    contract.Event  // the zero Event is a look at what is recorded
	Own      contract.Slot   // what the worker holds, without the receipts that the store has
	Seen     contract.Sweep  // what the sweeper saw
	By       contract.Worker // who renews, with the attempt in Own
	Contract uint8           // the version that the task is to be pinned to
}

// An Answer is what was said in return, as far as it was asked for.
type Answer struct {
	Refusal   string            // ended, lost, a predicate or identity
	Told      contract.Identity // whom the task was assigned to is told that
	Inputs    uint8             // as read, like the next two
	Members   uint8
	Contract  uint8
	Bases     [3]uint8 // of a candidate
	Seen      contract.Sweep
	Principal contract.Worker // who has the task that was seen
	Swept     bool
	Accepted  bool
	Replayed  bool
	Receipt   string
	Status    contract.Status // as recorded, like the next two
	Writes    uint8
	Revisions [3]uint8
}

// The refusals that are not a decision's.
const (
	ended = "ended"
	lost  = "lost"
)

// An Output is an answer, unless none came and the operation may have happened or not.
type Output struct {
	Answer
	Unknown bool
}

// A state is the model's, in which the workers hold nothing.
type state struct {
	contract.State
	receipt string // of the completion; empty if there is none, or nobody was told yet
}

// machine is the sequential machine that histories are compared with.
var machine = porcupine.Model{
	Init: func() any { return initial() },
	Step: func(s, in, out any) (bool, any) {
		next, same := s.(state).step(in.(Input), out.(Output))
		return same, next
	},
	DescribeOperation: func(in, out any) string { return describe(in.(Input), out.(Output)) },
	DescribeState:     func(s any) string { return s.(state).describe() },
}

func initial() state {
	s := state{State: contract.Initial(contract.Setup{})}
	s.unload()
	return s
}

// step performs an operation, and reports whether what was answered could have been. An
// operation that was not answered can always have been: whether it was before or after the
// rest is what the search finds out.
func (s state) step(in Input, out Output) (next state, same bool) {
	s.load(in)
	want, receipt := s.perform(in)
	s.unload()
	if out.Unknown {
		return s, true
	}
	if receipt {
		if s.receipt == "" {
			s.receipt = out.Receipt // the first to be told says what it is
		}
		want.Receipt = s.receipt
	}
	return s, out.Answer == want && receipt == (out.Receipt != "")
}

// load lends the model what is held outside of the state. Receipts stay: they are the
// store's, and a request is decided by the last ones that it has.
func (s *state) load(in Input) {
	if w := in.Event.Worker; w != 0 {
		own := s.Of(w)
		receipts := own.Receipts
		*own = in.Own
		own.Receipts = receipts
	}
	s.Swept = in.Seen
}

func (s *state) unload() {
	for i := range s.Slots {
		s.Slots[i] = contract.Slot{Receipts: s.Slots[i].Receipts}
	}
	s.Swept = contract.Sweep{}
}

// perform changes the state by an operation, and returns what is to be answered, and
// whether the completion's receipt is part of it.
func (s *state) perform(in Input) (want Answer, receipt bool) {
	switch e := in.Event; {
	case e == contract.Event{}:
		return Answer{Status: s.Status, Writes: s.Ledger.Writes, Revisions: s.Revisions}, s.Ledger.Writes > 0
	case e.Kind == contract.Preflight:
		want = s.decide(contract.Event{Worker: e.Worker, Kind: contract.Commit}, false)
		return want, want.Replayed
	case e.Kind.Decides():
		want = s.decide(e, true)
		return want, want.Accepted
	case e.Kind == contract.Migrate:
		return s.migrate(in.Contract), false
	case e.Kind == contract.Renew && !s.renewable(in):
		return Answer{Refusal: lost}, false
	}
	was := *s
	s.Step(in.Event)
	return s.since(&was, in.Event), false
}

// decide decides the request of an event and, unless it only looks, records it.
func (s *state) decide(e contract.Event, record bool) Answer {
	r := s.Request(e)
	d := mechanisms.Complete.Decide(&s.State, &r, 0)
	switch {
	case d.Mismatch:
		return Answer{Refusal: "identity"}
	case !d.Accepted:
		return Answer{Refusal: d.Failed.Names()[0]}
	case record && !d.Replayed:
		s.Complete(r, false)
	}
	return Answer{Accepted: true, Replayed: d.Replayed}
}

// migrate pins the task to the version that was asked for. That is not always the next
// one, as it is in the model: an earlier migration may have failed.
func (s *state) migrate(version uint8) Answer {
	if s.Status != contract.Running {
		return Answer{Refusal: ended}
	}
	s.Contract = version - 1
	s.Step(contract.Event{Kind: contract.Migrate})
	return Answer{}
}

// renewable reports whether a lease can be renewed by who claims to have the task. In the
// model it is always the owner who does.
func (s *state) renewable(in Input) bool {
	return s.Status == contract.Running && s.Owner.Lease > 0 &&
		s.Owner.Principal == in.By && s.Owner.Identity == in.Own.Told
}

// since returns what is to be answered after an event that was not decided.
func (s *state) since(was *state, e contract.Event) Answer {
	switch e.Kind {
	case contract.Claim, contract.Reclaim, contract.Restage:
		switch {
		case was.Status != contract.Running:
			return Answer{Refusal: ended}
		case s.LastFence == was.LastFence:
			return Answer{Refusal: lost} // there is nobody to assign it to again
		}
		return Answer{Told: s.Owner.Identity}
	case contract.Read:
		own := s.Of(e.Worker)
		return Answer{Inputs: own.Inputs, Members: own.Members, Contract: own.Contract}
	case contract.Refresh:
		return Answer{Contract: s.Of(e.Worker).Contract}
	case contract.Prepare, contract.PreparePair, contract.PrepareAlias, contract.PrepareUnclean, contract.PrepareCase:
		return Answer{Bases: s.Of(e.Worker).Candidate.Bases}
	case contract.Cancel:
		return Answer{Refusal: unless(s.Status != was.Status, ended)}
	case contract.Report:
		return Answer{Refusal: unless(s.Status != was.Status, lost)}
	case contract.SweepRead:
		return Answer{Seen: s.Swept, Principal: s.Owner.Principal}
	case contract.SweepWrite:
		return Answer{Swept: s.LastFence != was.LastFence}
	}
	return Answer{}
}

func unless(done bool, refusal string) string {
	if done {
		return ""
	}
	return refusal
}
