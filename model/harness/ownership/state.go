package ownership

// A Request is what is remembered of one request for the cleanup of A.
type Request struct {
	Asked    Workload // for its removal
	Seen     Workload // in the slot, when it looked
	Decided  Decision // when it came to remove
	Removed  Workload // from the slot
	Answered bool     // the answer to its removal has arrived
	Listed   Listing  // of what it asked for, by its inventory
	Said     Decision // in its report
}

// A Lease is what is recorded of the retention of A's workload. Whether it counts is not
// said here.
type Lease struct {
	PriorOver bool     // the prior lease has run out
	For       Workload // the generation that was approved; Nothing before
	Late      bool     // it was approved after the prior lease had run out
	FinalOver bool     // the expiry that was approved has passed
	Renewed   Renewal
}

// A State is how things stand. Start from Initial.
type State struct {
	Slot     Workload // what is in A's slot
	Latest   Workload // of A's: the generation that started last, whether it still runs or not
	B        Workload // in B's own slot
	Lease    Lease
	Down     bool // inventories fail
	Requests [Requests]Request
}

// Initial returns the state before any event: A and B each have their first workload, each
// in its slot.
func Initial() State { return State{Slot: A1, Latest: A1, B: B1} }

// Of returns what is remembered of a request, from 1.
func (s *State) Of(request uint8) *Request { return &s.Requests[request-1] }

// Next returns the state after e, with what was decided. It is pure, and total: what is
// impossible, such as taking a slot that is not free, changes nothing.
func Next(s State, e Event, d Decision) State {
	s.Step(e, d)
	return s
}

// Step is Next in place. It does not look at d unless e is one that decides.
func (s *State) Step(e Event, d Decision) {
	if e.Kind.OfRequest() {
		s.request(e, d)
		return
	}
	switch e.Kind {
	case Advance:
		if s.Slot == Nothing || s.Slot.OfA() {
			s.Slot, s.Latest = A2, A2
		}
	case Exit:
		if s.Slot.OfA() {
			s.Slot = Nothing
		}
	case ReuseByB:
		s.reuse(B2)
	case ReuseByRun:
		s.reuse(Other1)
	case Approve:
		s.Lease.For, s.Lease.Late = s.Latest, s.Lease.PriorOver
	case PriorExpiry:
		s.Lease.PriorOver = true
	case FinalExpiry:
		s.Lease.FinalOver = true
	case Renew:
		if s.Lease.Renewed = InTime; s.Lease.FinalOver {
			s.Lease.Renewed = TooLate
		}
	case Down:
		s.Down = true
	case Up:
		s.Down = false
	}
}

// reuse lets a workload take the slot. A second bind of one that is not free is refused,
// and harms nobody.
func (s *State) reuse(w Workload) {
	if s.Slot == Nothing {
		s.Slot = w
	}
}

func (s *State) request(e Event, d Decision) {
	r := s.Of(e.Request)
	switch e.Kind {
	case Ask:
		r.Asked = s.Latest
	case Look:
		r.Seen = s.Slot
	case Take:
		r.Decided = d
		s.take(r, d)
	case Report:
		r.Said = d
	case Acked:
		r.Answered = true
	case List:
		r.Listed = s.list(r.Asked)
	}
}

// take removes what is in the slot now, whatever was there before.
func (s *State) take(r *Request, d Decision) {
	if d == Remove || d == RemoveRun && s.Slot.Identity().Run == A1.Identity().Run {
		r.Removed, s.Slot = s.Slot, Nothing
	}
	if d == RemoveRun {
		s.B = Nothing
	}
}

// list takes an inventory and looks for a workload of A's in it.
func (s *State) list(w Workload) Listing {
	switch {
	case s.Down:
		return Failed
	case s.Slot == w:
		return Present
	}
	return Absent
}
