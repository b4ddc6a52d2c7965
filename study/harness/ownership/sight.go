package ownership

import (
	"example.com/commitpoint/enumerate"
	mechanisms "example.com/commitpoint/mechanisms/harness/ownership"
	model "example.com/commitpoint/model/harness/ownership"
	oracle "example.com/commitpoint/oracle/harness/ownership"
	"example.com/commitpoint/study"
)

// A sight is what is observed: at an event that decides, and of the whole schedule at its
// end.
type sight struct {
	event    model.Event
	accepted bool
	due      bool           // accepting would be right
	harmful  bool           // it would be wrong
	against  oracle.Reasons // why it was wrong, if it was accepted

	broken, arose oracle.Properties // at the end
}

// observe observes what a mechanism decides, and at the end which properties were broken,
// and could have been, if the states remember that.
func observe(m tallied) enumerate.Observer[state, model.Event, sight] {
	decides := func(e model.Event) bool { return e.Kind.Decides() || e.Kind == model.End }
	return enumerate.ObserveOn(decides, func(before state, e model.Event, after state) (sight, bool) {
		if e.Kind.Decides() {
			return decide(m.mechanism, &before, e), true
		}
		s := sight{event: e, broken: after.history.Broken}
		if m.situations {
			s.arose = after.history.Arose
		}
		return s, true
	})
}

// decide returns what is observed at an event that decides.
func decide(m mechanisms.Mechanism, before *state, e model.Event) sight {
	d, accepting := m.Decide(&before.model, e), model.Remove
	if e.Kind == model.Report {
		accepting = model.SayRemoved
	}
	return sight{
		event:    e,
		accepted: d.Accepts(),
		due:      before.history.Due(e),
		harmful:  before.history.Against(e, accepting) != 0,
		against:  before.history.Against(e, d),
	}
}

// kind returns how the decision is wrong; nothing if it is right.
func (s sight) kind() study.Kind {
	switch {
	case s.against != 0:
		return study.UnsafeAccept
	case s.due && !s.accepted:
		return study.EligibleReject
	}
	return ""
}

// column returns where the decision is counted.
func (s sight) column(d *Decisions) *enumerate.Count {
	switch kind := s.kind(); {
	case kind == study.UnsafeAccept:
		return &d.UnsafeAccept
	case kind == study.EligibleReject:
		return &d.EligibleReject
	case s.due:
		return &d.SafeAccept
	case s.harmful:
		return &d.UnsafeReject
	}
	return &d.Idle
}
