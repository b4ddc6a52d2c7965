package ownership

import "example.com/commitpoint/model/harness/ownership"

// Due reports whether the decision that comes with e next ought to be to accept: what the
// request asked for is in the slot, and no lease that counts is on it; or, of a report,
// there is evidence that it is removed, from the answer to this very request or from an
// inventory after it. An identity that is gone never comes back, so that evidence lasts.
//
// Where a removal is neither due nor wrong, since the slot is empty, either decision is
// right: nothing happens.
func (h *History) Due(e ownership.Event) bool {
	r := h.of(e)
	switch e.Kind {
	case ownership.Take:
		return h.slot == r.target && h.slot != h.retained
	case ownership.Report:
		return r.evidenced()
	}
	return false
}

func (r *request) evidenced() bool { return r.known&absent != 0 || r.known&shown == shown }

// Against returns every fact that makes d the wrong decision to come with e next: none if
// d does not accept.
func (h *History) Against(e ownership.Event, d ownership.Decision) Reasons {
	switch {
	case !d.Accepts():
		return 0
	case e.Kind == ownership.Take:
		return h.againstRemoval(h.of(e), d)
	case e.Kind == ownership.Report && !h.Due(e):
		return h.againstReport(h.of(e))
	}
	return 0
}

func (h *History) againstRemoval(r *request, d ownership.Decision) Reasons {
	var reasons Reasons
	if removes(d, h.slot) {
		reasons = h.losing(r.target)
	}
	if d == ownership.RemoveRun && h.b {
		reasons |= Bystander
	}
	return reasons
}

// losing returns why what is in the slot ought to stay, if it is not the target or is
// retained.
func (h *History) losing(target ownership.Workload) (reasons Reasons) {
	switch h.slot {
	case target, ownership.Nothing:
	case ownership.B2:
		reasons |= Owner
	case ownership.Other1:
		reasons |= Run
	default:
		reasons |= Generation
	}
	if h.slot != ownership.Nothing && h.slot == h.retained {
		reasons |= Retained
	}
	return reasons
}

// againstReport returns what is missing of both kinds of evidence, and whether the report
// would even be untrue.
func (h *History) againstReport(r *request) Reasons {
	reasons := Listed
	switch {
	case r.known&inventory == 0:
		reasons = NoInventory
	case r.known&outage != 0:
		reasons = Outage
	}
	if r.known&answered == 0 {
		reasons |= Unanswered
	} else {
		reasons |= NotByThis
	}
	if h.slot == r.target {
		reasons |= Running
	}
	return reasons
}

// breaks says which property a decision breaks that is wrong for a reason of a removal.
var breaks = [...]struct {
	reason     Reasons
	properties Properties
}{
	{Generation, OtherGenerationsStay},
	{Owner, OtherOwnersStay | BSurvives},
	{Run, OtherRunsStay},
	{Retained, RetainedStays},
	{Bystander, BSurvives},
}

func broken(reasons Reasons) (p Properties) {
	for _, b := range breaks {
		if reasons&b.reason != 0 {
			p |= b.properties
		}
	}
	return p
}

// judge records what a decision breaks, and what another one would have broken.
func (h *History) judge(e ownership.Event, d ownership.Decision) {
	if !e.Kind.Decides() {
		return
	}
	due, against := h.Due(e), h.Against(e, d)
	if e.Kind == ownership.Report {
		h.record(due, KnownIsReported, !d.Accepts())
		h.record(!due, UnknownIsNotRemoved, d.Accepts())
		return
	}
	h.Broken |= broken(against)
	for _, other := range [...]ownership.Decision{ownership.Remove, ownership.RemoveRun} {
		h.Arose |= broken(h.againstRemoval(h.of(e), other))
	}
	h.record(due, DueIsRemoved, !d.Accepts())
}

// record notes a property that can be broken where arises holds, and is if wrong does too.
func (h *History) record(arises bool, p Properties, wrong bool) {
	if arises {
		h.Arose |= p
		if wrong {
			h.Broken |= p
		}
	}
}
