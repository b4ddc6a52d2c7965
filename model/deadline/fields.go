package deadline

import (
	"fmt"
	"iter"
	"strings"
)

func (s Sample) String() string {
	return [...]string{"none", "unreadable", "does not hold", "holds"}[s]
}

func (c Claim) String() string { return [...]string{"no claim", "done", "refused"}[c] }

// Fields yields the names and values of what events change, in a fixed order, for people:
// two states that differ in more than the order of what was recorded differ in a field.
func (s State) Fields() iter.Seq2[string, string] {
	return func(yield func(name, value string) bool) {
		for _, f := range [...][2]string{
			{"operation", s.operation()},
			{"predicate", s.predicate()},
			{"samples", s.samples()},
			{"deadline", either(s.Closed, fmt.Sprintf("passed after %d probes", s.InTime), "ahead")},
			{"report", either(s.Reported, s.Claim.String(), "none")},
			{"agent saw", either(s.Looked == NoSample, "nothing", "it "+s.Looked.String())},
			{"job", either(s.Ended, "ended", "no signal")},
			{"health", either(s.Bad, "bad in time", "good")},
		} {
			if !yield(f[0], f[1]) {
				return
			}
		}
	}
}

func (s State) operation() string {
	switch s.Operation {
	case Operate:
		return "accepted"
	case OperateElsewhere:
		return "accepted, for another target"
	case OperateMalformed:
		return "refused"
	}
	return "none"
}

func (s State) predicate() string {
	switch {
	case s.Holds:
		return "holds"
	case s.Undone:
		return "undone"
	}
	return "does not hold"
}

func (s State) samples() string {
	var list []string
	for _, sample := range s.Samples[:s.Probes] {
		list = append(list, sample.String())
	}
	if list == nil {
		return "none"
	}
	return strings.Join(list, ", ")
}

func either(holds bool, yes, no string) string {
	if holds {
		return yes
	}
	return no
}
