package deadline

import "example.com/commitpoint/model/deadline"

// A History is what the oracle remembers of the events so far: a small comparable value,
// which knows what no probe shows. Start from the zero History.
type History struct {
	underWay bool // a right operation was accepted
	holds    bool
	closed   bool

	InTime  bool // the predicate held at some moment no later than the deadline
	AtProbe bool // it held at an attempt to sample it, no later than the deadline
	AtClose bool // it held at the deadline
	Ever    bool // it held at some moment
	Undone  bool // it held, and was undone
}

// Step adds an event to the history.
func (h *History) Step(e deadline.Event) {
	switch e.Kind {
	case deadline.Operate:
		h.underWay = true
	case deadline.OperateElsewhere, deadline.OperateMalformed:
		h.underWay = false
	case deadline.Converge:
		h.holds = h.holds || h.underWay
	case deadline.Undo:
		h.Undone = h.Undone || h.holds
		h.holds = false
	}
	h.Ever = h.Ever || h.holds
	if h.closed {
		return
	}
	h.InTime = h.InTime || h.holds
	h.AtProbe = h.AtProbe || h.holds && e.Kind.Samples()
	if e.Kind.Closes() {
		h.closed, h.AtClose = true, h.holds
	}
}

// Holds reports whether the predicate holds now.
func (h *History) Holds() bool { return h.holds }
