// Package ownership knows what no cleanup does: whether what is about to be removed may
// be, and whether a report of a removal is true and shown to be. It judges from the
// events and the decisions alone, by a fold of its own.
package ownership

import "example.com/commitpoint/model/harness/ownership"

// What is known of one request.
const (
	taken     = 1 << iota // it has come to remove
	removed               // and removed what it asked for
	answered              // the answer to its removal has arrived
	inventory             // one was taken
	outage                // it failed
	absent                // it did not, and does not show what was asked for
	reported              // its report is made

	shown = answered | removed // which together are evidence
)

// A request is what the oracle remembers of one.
type request struct {
	target ownership.Workload // what was asked for
	known  uint8              // a set of the above
}

// A History is what the oracle remembers of the events and decisions so far: a small
// comparable value. Start from Begin.
type History struct {
	slot   ownership.Workload
	latest ownership.Workload // of A's
	b      bool               // B's first workload is there

	retained ownership.Workload // the one whose lease counts now
	tooLate  bool               // for an approval
	renewed  bool               // beyond all that happens, if it is still retained
	down     bool               // inventories fail

	requests [ownership.Requests]request

	Broken Properties // at some decision so far
	Arose  Properties // a situation did in which a wrong decision would have broken it
}

// Begin returns the history of no events.
func Begin() History {
	return History{slot: ownership.A1, latest: ownership.A1, b: true}
}

// Observe returns the history with one more event, and what was decided with it.
func (h History) Observe(e ownership.Event, d ownership.Decision) History {
	h.Step(e, d)
	return h
}

// Step is Observe in place, for walks through many states.
func (h *History) Step(e ownership.Event, d ownership.Decision) {
	if e.Kind.OfRequest() {
		h.judge(e, d)
		h.request(e, d)
		return
	}
	switch e.Kind {
	case ownership.Advance:
		if h.slot == ownership.Nothing || h.slot == h.latest {
			h.slot, h.latest = ownership.A2, ownership.A2
		}
	case ownership.Exit:
		if h.slot == h.latest {
			h.slot = ownership.Nothing
		}
	case ownership.ReuseByB:
		h.reuse(ownership.B2)
	case ownership.ReuseByRun:
		h.reuse(ownership.Other1)
	case ownership.Approve:
		if !h.tooLate {
			h.retained = h.latest
		}
	case ownership.PriorExpiry:
		h.tooLate = true
	case ownership.FinalExpiry:
		if !h.renewed {
			h.retained = ownership.Nothing
		}
	case ownership.Renew: // what is not retained by now will not be again
		h.renewed = true
	case ownership.Down, ownership.Up:
		h.down = e.Kind == ownership.Down
	}
}

func (h *History) reuse(w ownership.Workload) {
	if h.slot == ownership.Nothing {
		h.slot = w
	}
}

func (h *History) request(e ownership.Event, d ownership.Decision) {
	r := h.of(e)
	switch e.Kind {
	case ownership.Ask:
		r.target = h.latest
	case ownership.Take:
		r.known |= taken
		if removes(d, h.slot) {
			if h.slot == r.target {
				r.known |= removed
			}
			h.slot = ownership.Nothing
		}
		h.b = h.b && d != ownership.RemoveRun
	case ownership.Report:
		r.known |= reported
	case ownership.Acked:
		r.known |= answered
	case ownership.List:
		r.known |= inventory
		switch {
		case h.down:
			r.known |= outage
		case h.slot != r.target:
			r.known |= absent
		}
	}
}

// removes reports whether a decision removes the workload in the slot.
func removes(d ownership.Decision, slot ownership.Workload) bool {
	return d == ownership.Remove || d == ownership.RemoveRun && slot.Identity().Run == ownership.A1.Identity().Run
}

func (h *History) of(e ownership.Event) *request { return &h.requests[e.Request-1] }
