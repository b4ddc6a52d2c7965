// Package ownership has ways to clean up after a session, as data: each is the set of
// rules that it does not keep. The first, exact, keeps all.
//
// They see what a program could see: what is in the slot when they remove, what a request
// saw and asked for, the records of the lease, the answers and inventories that have
// arrived. None sees the oracle's judgement.
package ownership

import (
	"fmt"
	"strings"

	"example.com/commitpoint/model/harness/ownership"
)

// A Mechanism decides what a request removes and what it reports.
type Mechanism struct {
	Name    string
	Meaning string // in a clause: what it goes by
	Lacks   Rules
}

// All returns the mechanisms, the reference first.
func All() []Mechanism {
	return []Mechanism{
		{"exact", "compares the whole identity as it removes, and reports only what it has evidence of: the reference", 0},
		{"by-port", "removes whatever is in the slot", ComparesRun | ComparesOwner | ComparesGeneration},
		{"any-run", "compares session and generation, not the run", ComparesRun},
		{"any-owner", "compares run and generation, not the session", ComparesOwner},
		{"any-generation", "compares run and session, not the generation", ComparesGeneration},
		{"checked-early", "compares what it saw when it looked, and removes what is there later", ComparesInTime},
		{"blind-retry", "does not compare again once another request has passed", ComparesEachTime},
		{"whole-run", "compares its target, and removes all that the run has with it", RemovesOnlyTarget},
		{"ignores-lease", "removes its target whether it is retained or not", KeepsRetained},
		{"misses-renewal", "takes a lease to end when it would have without its renewal", RenewalExtends},
		{"late-approval", "keeps what was approved after the prior lease had run out", LeaseApprovedTimely},
		{"sticky-lease", "keeps what was retained once, for ever", LeaseAhead},
		{"stale-lease", "keeps every generation of a session that was retained once", LeaseOfGeneration},
		{"late-renewal", "keeps what was renewed after the lease had run out", RenewalTimely},
		{"silence-is-removed", "takes no answer for a removal", SilenceIsUnknown},
		{"any-answer", "takes any answer for a removal, a refusal too", AnswerOfRemoval},
		{"outage-is-absence", "takes an inventory that failed for one that shows nothing", OutageIsUnknown},
		{"never-removes", "refuses every removal", Removes},
		{"never-sure", "reports every cleanup as unknown", Reports},
	}
}

// Exact returns the reference, which keeps every rule.
func Exact() Mechanism { return All()[0] }

// Named returns the mechanism with that name. The error lists what there is.
func Named(name string) (Mechanism, error) {
	var names []string
	for _, m := range All() {
		if m.Name == name {
			return m, nil
		}
		names = append(names, m.Name)
	}
	return Mechanism{}, fmt.Errorf("unknown mechanism %q: the mechanisms are %s", name, strings.Join(names, ", "))
}

// Decide returns the decision that comes with an event, NoDecision with one that decides
// nothing. It is to be asked about s as it is just before the event.
func (m Mechanism) Decide(s *ownership.State, e ownership.Event) ownership.Decision {
	switch e.Kind {
	case ownership.Take:
		switch {
		case m.Failed(s, e) != 0 || m.lacks(Removes):
			return ownership.Refuse
		case m.lacks(RemovesOnlyTarget):
			return ownership.RemoveRun
		}
		return ownership.Remove
	case ownership.Report:
		if m.Failed(s, e) != 0 || m.lacks(Reports) {
			return ownership.SayUnknown
		}
		return ownership.SayRemoved
	}
	return ownership.NoDecision
}

// Failed returns the checks, of those that m makes and as m makes them, that the request
// does not pass: none if it decides nothing.
func (m Mechanism) Failed(s *ownership.State, e ownership.Event) Checks {
	switch e.Kind {
	case ownership.Take:
		return m.identity(s, e.Request) | m.retained(s.Lease, s.Slot)
	case ownership.Report:
		if !m.evidenced(s.Of(e.Request)) {
			return Evidence
		}
	}
	return 0
}

// identity compares what a request asked for with what is in the slot.
func (m Mechanism) identity(s *ownership.State, request uint8) (failed Checks) {
	if m.lacks(ComparesEachTime) && passedBefore(s, request) {
		return 0
	}
	r, found := s.Of(request), s.Slot
	if m.lacks(ComparesInTime) {
		found = r.Seen
	}
	if found == ownership.Nothing {
		return Present
	}
	asked, is := r.Asked.Identity(), found.Identity()
	for _, part := range [...]struct {
		rule   Rules
		check  Checks
		differ bool
	}{
		{ComparesRun, Run, asked.Run != is.Run},
		{ComparesOwner, Owner, asked.Owner != is.Owner},
		{ComparesGeneration, Generation, asked.Generation != is.Generation},
	} {
		if part.differ && !m.lacks(part.rule) {
			failed |= part.check
		}
	}
	return failed
}

// passedBefore reports whether another request has removed what it found.
func passedBefore(s *ownership.State, request uint8) bool {
	for i, r := range s.Requests {
		if i != int(request)-1 && r.Decided.Accepts() {
			return true
		}
	}
	return false
}

// retained looks at the lease of what would be removed.
func (m Mechanism) retained(l ownership.Lease, w ownership.Workload) Checks {
	if m.lacks(KeepsRetained) || l.For == ownership.Nothing || !w.OfA() {
		return 0
	}
	if l.For != w && !m.lacks(LeaseOfGeneration) ||
		l.Late && !m.lacks(LeaseApprovedTimely) ||
		m.over(l) && !m.lacks(LeaseAhead) {
		return 0
	}
	return Unretained
}

// over reports whether a lease has run out, its renewal considered.
func (m Mechanism) over(l ownership.Lease) bool {
	switch l.Renewed {
	case ownership.InTime:
		return l.FinalOver && m.lacks(RenewalExtends)
	case ownership.TooLate:
		return !m.lacks(RenewalTimely)
	}
	return l.FinalOver
}

// evidenced reports whether a request's workload is shown to be removed: by the answer to
// its removal, or by an inventory after it.
func (m Mechanism) evidenced(r *ownership.Request) bool {
	removed := r.Removed == r.Asked || m.lacks(AnswerOfRemoval)
	return r.Answered && removed ||
		!r.Answered && m.lacks(SilenceIsUnknown) ||
		r.Listed == ownership.Absent ||
		r.Listed == ownership.Failed && m.lacks(OutageIsUnknown)
}
