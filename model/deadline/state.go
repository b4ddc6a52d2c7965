package deadline

// MaxProbes is the largest number of probes that a State remembers.
const MaxProbes = 3

// A Sample is what a probe showed.
type Sample uint8

// The samples.
const (
	NoSample   Sample = iota // there was no probe
	Unreadable               // it failed
	Fails                    // the predicate did not hold
	Satisfied                // it held
)

// A moment is when something happened: after how many probes, and whether the deadline had
// passed.
type moment struct {
	Probes uint8
	Late   bool
}

// A State is how things stand, and what was recorded on the way. Times are kept as far as
// anything can depend on them: relative to the probes, the deadline, and each other.
type State struct {
	// The service, as it is.
	Accepted bool // an operation that can take effect
	Holds    bool // the predicate
	Undone   bool // it held, and somebody undid it

	// The verifier.
	Probes  uint8
	Samples [MaxProbes]Sample
	InTime  uint8 // probes that were no later than the deadline
	OnProbe bool  // the deadline was exactly at the last of them
	Closed  bool  // the deadline is past

	// The agent.
	Operation   Kind // 0 before there is one
	Operated    moment
	AfterReport bool // whether that was after the report
	Reported    bool
	ReportedAt  moment
	Claim       Claim
	Looked      Sample // what the agent saw when it looked last, after its operation

	// What the service said.
	Ended bool // its job
	Bad   bool // its health, no later than the deadline
	BadAt moment
	Stop  bool // the verifier has stopped
}

// Next returns the state after e. It is pure and total.
func Next(s State, e Event) State {
	s.Step(e)
	return s
}

// Step is Next in place.
func (s *State) Step(e Event) {
	now := moment{s.Probes, s.Closed}
	switch e.Kind {
	case Observe:
		if s.Looked = Fails; s.Holds {
			s.Looked = Satisfied
		}
	case Operate, OperateElsewhere, OperateMalformed:
		s.Operation, s.Operated, s.AfterReport = e.Kind, now, s.Reported
		s.Accepted = e.Kind == Operate
		s.Looked = NoSample // what was seen before says nothing of it
	case ReportDone:
		s.Reported, s.ReportedAt, s.Claim = true, now, Done
		if s.Looked == Fails {
			s.Claim = Refused // an honest agent: it looked, and it was not there
		}
	case Converge:
		s.Holds = s.Holds || s.Accepted
	case SignalEnded:
		s.Ended = true
	case GoBad:
		if !s.Bad && !s.Closed {
			s.Bad, s.BadAt = true, now
		}
	case Undo:
		s.Undone = s.Undone || s.Holds
		s.Holds = false
	case Close:
		s.close(false)
	case End:
		s.Stop = true
	default:
		if e.Kind.Samples() {
			s.sample(e.Kind)
		}
	}
}

func (s *State) sample(k Kind) {
	if int(s.Probes) == len(s.Samples) {
		return
	}
	seen := Fails
	switch {
	case !k.Reads():
		seen = Unreadable
	case s.Holds:
		seen = Satisfied
	}
	s.Samples[s.Probes] = seen
	s.Probes++
	if k.Closes() {
		s.close(true)
	}
}

func (s *State) close(onProbe bool) {
	if !s.Closed {
		s.Closed, s.InTime, s.OnProbe = true, s.Probes, onProbe
	}
}
