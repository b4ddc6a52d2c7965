package contract

import (
	model "example.com/commitpoint/model/contract"
)

// broken is a set of invariants that did not hold on the way to a state: what has to be
// so beyond single decisions, of the sweeper, the refusal path and retries as writers.
type broken uint8

const (
	overwritten  broken = 1 << iota // a terminal status became another
	writtenTwice                    // a second terminal write
	tornApart                       // a publication changed some of its targets only
	retryRefused                    // an identical retry of a recorded request was refused
	intruded                        // who had lost the task changed it
	refusalWrote                    // a refused request changed something
)

// invariants are their names, as properties, each with a mechanism that breaks it.
var invariants = [...]struct{ property, brokenBy string }{
	{"a terminal status is never overwritten", "unguarded-sweeper"},
	{"a task has one terminal write", "preflight"},
	{"a publication changes all of its targets or none", "torn-publication"},
	{"an identical retry is never refused", "without-identity"},
	{"whoever has lost the task changes nothing", "unguarded-failure"},
	{"a refused request changes nothing", "fail-on-refusal"},
}

// An ending is what is terminal in a state.
type ending struct {
	status model.Status
	writes uint8
}

func terminal(s *model.State) ending { return ending{s.Status, s.Ledger.Writes} }

// against returns what is broken by a step from e to s.
func (e ending) against(s *model.State) (b broken) {
	if e.status != model.Running && s.Status != e.status {
		b |= overwritten
	}
	if s.Ledger.Writes > max(1, e.writes) {
		b |= writtenTwice
	}
	return b
}

// published returns what is broken by recording r.
func published(before, after *model.State, r model.Request) broken {
	for _, t := range before.Writes(r.Content).Each() {
		if after.Revisions[t] == before.Revisions[t] {
			return tornApart
		}
	}
	return 0
}

// shared leaves out of a state what a worker remembers by itself: that it has sent a
// request.
func shared(s model.State) model.State {
	for w := range s.Slots {
		s.Slots[w].Sent = model.Request{}
	}
	return s
}
