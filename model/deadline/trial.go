package deadline

import "time"

// Trial returns what is known of a history whose deadline has passed, as a policy may read
// it. The times are invented, in the order in which things happened: a probe every ten
// seconds, and the deadline at one or between two.
func (s *State) Trial() Trial {
	t := Trial{Task: Placement, Deadline: at(s.InTime, 5), Judge: s.judge()}
	if s.OnProbe {
		t.Deadline = at(s.InTime, 0)
	}
	for i, sample := range s.Samples[:s.Probes] {
		o := Observation{At: at(uint8(i)+1, 0), Readable: sample != Unreadable, Holds: sample == Satisfied}
		o.Short = o.Readable && !o.Holds
		t.Observations = append(t.Observations, o)
	}
	if s.Operation != 0 {
		order := 2
		if s.AfterReport {
			order = 4
		}
		c := Call{At: s.Operated.time(order), Required: true, Accepted: true, Target: Contracted, Path: Exact}
		switch s.Operation {
		case OperateElsewhere:
			c.Target = OtherTarget
		case OperateMalformed:
			c.Accepted, c.Path = false, OtherPath
		}
		t.Calls = append(t.Calls, c)
	}
	if s.Reported {
		t.Report = Report{Made: true, At: s.ReportedAt.time(3), Claim: s.Claim}
	}
	if s.Bad {
		t.Unhealthy = append(t.Unhealthy, s.BadAt.time(1))
	}
	if s.Ended {
		t.Statuses = append(t.Statuses, Status{At: t.Deadline + time.Second, Signal: Terminal})
	}
	return t
}

// at returns the time so many seconds after a probe, the first of which is number 1.
func at(probe uint8, seconds int) time.Duration {
	return time.Duration(10*int(probe)+seconds) * time.Second
}

// time returns when a moment was; order, from 1 to 4, tells those between the same probes
// apart.
func (m moment) time(order int) time.Duration {
	if m.Late { // the deadline is five seconds after a probe, or at one
		return at(m.Probes, order+5)
	}
	return at(m.Probes, order)
}

// judge returns what a judge of the transcript makes of it: what the agent saw after its
// operation, if it looked, and else whether an operation was accepted and reported.
func (s *State) judge() Judgement {
	j := Judgement{Made: true}
	switch {
	case s.Looked == Satisfied:
		j.Verdict = Fulfilled
	case s.Looked == Fails, s.Operation == 0, s.Operation == OperateMalformed:
		j.Verdict = Violated
	case s.Reported:
		j.Verdict = Fulfilled
	}
	return j
}
