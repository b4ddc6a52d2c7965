// Package oracle judges completion requests from the history of events and the
// protected verification records alone. It consults no mechanism, takes no
// transition of the model and looks at no state of it: it keeps facts of its
// own, so that a mistake in a mechanism or in the model's steps shows up as a
// disagreement.
//
// What it can't remove is the bias that both share: the same people chose what
// counts as an event.
package oracle

import (
	"strconv"

	"example.com/commitpoint/model"
)

// A History is what the oracle remembers of the events so far: a small
// comparable value, folded over them, so that states which carry it can be
// compared and merged. Judging a whole history is the fold. Start from Begin.
type History struct {
	facts     Reasons        // what has happened that rules out a commit from now on
	input     model.Revision // the oracle's own count of input revisions
	read      model.Revision // the one that the worker read, 0 before that
	candidate bool           // whether a candidate has been prepared

	// Of the protected record: its ID, the bytes it is about, and whether it is
	// a pass for the task, contract and attempt that were assigned.
	evidence model.ID
	pass     bool
	observed model.Digest
}

// Begin returns the history of no events.
func Begin() History { return History{input: 1} }

// Observe returns the history with one more event. The worker's verification
// leaves a record, which the protected store has to pass on through Record.
func (h History) Observe(e model.Event) History {
	h.Step(e)
	return h
}

// Step is Observe in place, for walks through many states.
func (h *History) Step(e model.Event) {
	switch e.Kind {
	case model.Read:
		h.read = h.input
	case model.Snapshot:
		h.candidate = true
	case model.InputEdit:
		h.input++
		if h.read != 0 {
			h.facts |= InputChanged
		}
	case model.ArtifactEdit:
		if h.candidate {
			h.facts |= ArtifactChanged
		}
	case model.LeaseExpire:
		h.facts |= LeaseExpired
	case model.Reassign:
		h.facts |= Reassigned
	case model.Revoke:
		h.facts |= Revoked
	}
}

// Record returns the history with r as the record that the protected store
// holds now.
func (h History) Record(r model.Receipt) History {
	task := model.Assigned()
	h.evidence, h.observed = r.ID, r.Digest
	h.pass = r.Pass && r.Task == task.ID && r.Contract == task.Contract && r.Attempt == model.Owner().Attempt
	return h
}

// A Verdict is the oracle's judgement of a request at one moment.
type Verdict struct {
	// Reasons are the facts that make the request ineligible; none means that
	// it is eligible.
	Reasons Reasons
	// Correct says whether the candidate is the right answer for the input that
	// was read. It has no part in eligibility: a service can't know it beyond
	// what its checkers test.
	Correct bool
}

// Eligible reports whether the request ought to be accepted.
func (v Verdict) Eligible() bool { return v.Reasons == 0 }

// Judge says whether r may be recorded as complete after the events observed,
// and if not, every reason.
func (h History) Judge(r model.Request) Verdict {
	task, owner := model.Assigned(), model.Owner()
	reasons := h.facts
	if r.Attempt != owner.Attempt || r.Principal != owner.Principal || r.Fence != owner.Fence {
		reasons |= Reassigned
	}
	if r.Task != task.ID {
		reasons |= OtherTask
	}
	if r.Contract != task.Contract {
		reasons |= OtherContract
	}
	if r.Evidence == 0 || r.Evidence != h.evidence || !h.pass || r.Candidate != h.observed {
		reasons |= Unsupported
	}
	return Verdict{Reasons: reasons, Correct: h.read != 0 && r.Candidate == h.expected().Digest()}
}

// expected returns the right answer for the input that was read.
func (h History) expected() model.Blob {
	if int(h.read) < len(doubled) {
		return doubled[h.read]
	}
	return double(h.read)
}

// doubled saves hashing the same few answers for every schedule.
var doubled = func() (t [66]model.Blob) {
	for r := range t {
		t[r] = double(model.Revision(r))
	}
	return t
}()

func double(r model.Revision) model.Blob {
	return model.NewBlob(strconv.Itoa(r.Value() + r.Value()))
}
