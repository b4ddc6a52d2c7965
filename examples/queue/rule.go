// Package queue is a task queue that wants to know whether its completion rule is right.
// It is written as somebody outside of the commitpoint module writes it.
package queue

import (
	"example.com/commitpoint/mechanisms"
	"example.com/commitpoint/model"
)

// Complete is the queue's rule, in its own words: it is evaluated in the transaction
// that records the completion. The checks that it names make its explanations precise;
// a rule that returns no more than an Accepted is judged as well.
func Complete(s model.State, r model.Request) mechanisms.Decision {
	for _, check := range []struct {
		ok   bool
		name model.Checks
	}{
		{s.Owner.Attempt == r.Attempt && s.Owner.Principal == r.Principal, model.Attempt},
		{s.Owner.LeaseLive, model.Lease},
		{s.Grants.Holds(r.Principal), model.Grant},
		{s.Input == r.Inputs, model.Inputs},
		{s.Artifact.Digest() == r.Candidate, model.Artifact},
		{s.Evidence.Pass && s.Evidence.ID == r.Evidence && s.Evidence.Digest == r.Candidate, model.Evidence},
		{s.Task.ID == r.Task && s.Task.Contract == r.Contract, model.Contract},
	} {
		if !check.ok {
			return mechanisms.Decision{Failed: check.name}
		}
	}
	return mechanisms.Decision{Accepted: true}
}

// CompleteOnce is the rule that the queue had before: whoever holds a live lease is
// believed.
func CompleteOnce(s model.State, r model.Request) mechanisms.Decision {
	return mechanisms.Decision{Accepted: s.Owner.Attempt == r.Attempt && s.Owner.LeaseLive}
}
