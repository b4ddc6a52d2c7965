package sqlservice

import (
	"context"
	"slices"
	"sync"

	"example.com/commitpoint/conformance"
	"example.com/commitpoint/study/contract"
)

// ContractSystem returns the service as a system that has the events of the whole
// contract. Candidates are published by the commit, and both criteria are required. The
// system has connections of its own, and is closed by its Close method.
func ContractSystem(ctx context.Context, source string, v Variant) (conformance.System, error) {
	stage, err := newStage(ctx, source, v)
	if err != nil {
		return nil, err
	}
	s := &contractSystem{stage: stage}
	s.criteria = []string{"tests", "review"}
	s.start = func(first Attempt) {
		nothing := Attempt{Task: first.Task, Principal: workerB}
		s.whole = whole{a: worker{name: workerA, told: first}, b: worker{name: workerB, told: nothing}, owner: first, inputs: 1, pinned: 1}
	}
	s.start(Attempt{})
	s.events = slices.Concat(s.workers(&s.a, &s.b), s.workers(&s.b, &s.a), s.environment())
	return s, nil
}

type contractSystem struct {
	*stage
	whole
}

// A whole is what the workers and everybody else know within one schedule.
type whole struct {
	a, b   worker
	owner  Attempt // the current one, as whoever renews it and reclaims the task knows it
	inputs int64   // revisions of the input
	pinned int     // version of the contract
	files  int
	edits  int
	seen   Sighting
}

// A worker is what one remembers.
type worker struct {
	name     string
	told     Attempt
	contract string // that its request will name
	reading  Reading
	made     *made // its candidate, if it has prepared one
	sent     *sent // its first request
}

// A made is a candidate, and what it was made from.
type made struct {
	Candidate
	from Reading
}

// A sent is a request, and the candidate that it names, if there is one.
type sent struct {
	Request
	made *made
}

// About lists the events of the contract's scenarios, with their numbers where an event
// comes twice. The system has more: every event of the model.
func (s *contractSystem) About() conformance.About {
	return conformance.About{Name: s.name("contract"), Events: scenarioEvents(), Parallel: true}
}

// scenarioEvents are the names of the events of all families.
var scenarioEvents = sync.OnceValue(func() []string {
	var names []string
	for _, family := range contract.Families() {
		order, err := family.Order()
		if err != nil {
			panic(err) // the families are declared wrongly
		}
		for _, e := range order.Events() {
			if !slices.Contains(names, e.String()) {
				names = append(names, e.String())
			}
		}
	}
	return names
})
