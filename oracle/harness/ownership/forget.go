package ownership

import "example.com/commitpoint/model/harness/ownership"

// Forget erases what can't matter any more, so that a walk of many histories merges more.
// It changes no judgement from here on, nor what Broken and Arose come to.
func (h *History) Forget() {
	allTaken, awaited := true, false
	for i := range h.requests {
		r := &h.requests[i]
		r.forget()
		allTaken = allTaken && r.known&taken != 0
		awaited = awaited || r.open() && h.slot == r.target
	}
	if h.retained != h.slot {
		h.retained = ownership.Nothing // it is gone, and does not come back
	}
	if !allTaken {
		return
	}
	h.retained, h.tooLate, h.renewed, h.b = ownership.Nothing, false, false, false
	if !awaited { // what is asked for and gone does not come back
		h.slot, h.latest = ownership.Nothing, ownership.A1
	}
}

// forget keeps one form of a request that is reported, and one of evidence, of whatever
// kind it is.
func (r *request) forget() {
	switch {
	case r.known&reported != 0:
		*r = request{known: taken | reported}
	case r.evidenced():
		*r = request{known: taken | shown}
	}
}

// open reports whether it is still to be shown that what a request asked for is removed.
func (r *request) open() bool { return r.known&reported == 0 && !r.evidenced() }
