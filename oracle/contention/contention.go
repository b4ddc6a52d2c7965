// Package contention judges the submitters of the contention model from the
// history of events alone.
package contention

import (
	"example.com/commitpoint/model"
	"example.com/commitpoint/model/contention"
	"example.com/commitpoint/oracle"
)

// submitters is a set of them.
type submitters uint8

func only(w uint8) submitters { return 1 << w }

// A History is what the oracle remembers of the events so far: a small comparable
// value. Start from Begin.
type History struct {
	read        submitters // have read the input
	prepared    submitters // have prepared a candidate
	stale       submitters // have read an input that was edited since
	overwritten submitters // have prepared a candidate that was overwritten since
	owner       uint8
	expired     bool // the first owner's lease ran out
	revoked     bool
}

// Begin returns the history of no events.
func Begin() History { return History{owner: 1} }

// Observe returns the history with one more event.
func (h History) Observe(e contention.Event) History {
	h.Step(e)
	return h
}

// Step is Observe in place, for walks through many states.
func (h *History) Step(e contention.Event) {
	switch e.Kind {
	case model.Read:
		h.read |= only(e.Submitter)
	case model.Snapshot:
		h.overwritten |= h.prepared
		h.prepared |= only(e.Submitter)
	case model.InputEdit:
		h.stale |= h.read
	case model.ArtifactEdit:
		h.overwritten |= h.prepared
	case model.LeaseExpire:
		h.expired = true
	case model.Reassign:
		h.owner++
	case model.Revoke:
		h.revoked = true
	}
}

// Eligible reports whether a commit of submitter w ought to be accepted now: w
// is the owner; nothing was revoked; the input was not edited since w read it;
// the artifact was written by nobody else since w's candidate; and, for the
// first owner, the lease did not expire. Later owners keep theirs.
func (h History) Eligible(w uint8) bool {
	return h.owner == w && !h.revoked && !(w == 1 && h.expired) &&
		(h.stale|h.overwritten)&only(w) == 0
}

// Reasons returns every fact that makes a commit of submitter w ineligible now: none
// just if Eligible(w).
func (h History) Reasons(w uint8) oracle.Reasons {
	var reasons oracle.Reasons
	for _, fact := range [...]struct {
		holds  bool
		reason oracle.Reasons
	}{
		{h.owner != w, oracle.Reassigned}, // also before w has become the owner
		{w == 1 && h.expired, oracle.LeaseExpired},
		{h.revoked, oracle.Revoked},
		{h.stale&only(w) != 0, oracle.InputChanged},
		{h.overwritten&only(w) != 0, oracle.ArtifactChanged},
	} {
		if fact.holds {
			reasons |= fact.reason
		}
	}
	return reasons
}
