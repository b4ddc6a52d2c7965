package ownership

import "iter"

// Fields yields the names and values of what events change, in a fixed order, for people:
// different states that histories lead to differ in a field.
func (s State) Fields() iter.Seq2[string, string] {
	return func(yield func(name, value string) bool) {
		fields := [][2]string{
			{"slot", s.Slot.String()},
			{"A's latest", s.Latest.String()},
			{"B's slot", s.B.String()},
			{"prior lease", over(s.Lease.PriorOver)},
			{"lease", s.Lease.String()},
			{"inventory", either(s.Down, "down", "up")},
		}
		for i, r := range s.Requests {
			name := requests[i+1]
			fields = append(fields,
				[2]string{name + " asked for", r.Asked.String()},
				[2]string{name + " saw", r.Seen.String()},
				[2]string{name + " cleanup", r.outcome()},
				[2]string{name + " answer", either(r.Answered, "arrived", "none")},
				[2]string{name + " inventory", r.Listed.String()},
				[2]string{name + " report", either(r.Said == NoDecision, "none", r.Said.String())})
		}
		for _, f := range fields {
			if !yield(f[0], f[1]) {
				return
			}
		}
	}
}

// String says what is recorded of the lease as approved, for people.
func (l Lease) String() string {
	text := "not approved"
	if l.For != Nothing {
		text = "for " + l.For.String() + either(l.Late, ", approved late", "")
	}
	if l.Renewed != NotRenewed {
		text += ", renewed " + l.Renewed.String()
	}
	return text + either(l.FinalOver, ", past its expiry", "")
}

// outcome says what became of a removal.
func (r Request) outcome() string {
	switch r.Decided {
	case NoDecision:
		return "pending"
	case Refuse:
		return "refused"
	case RemoveRun:
		return "removed " + r.Removed.String() + " and all else of the run"
	}
	return "removed " + r.Removed.String()
}

func over(is bool) string { return either(is, "over", "running") }

func either(holds bool, yes, no string) string {
	if holds {
		return yes
	}
	return no
}
