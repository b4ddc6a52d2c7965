package conformance

import "example.com/commitpoint/enumerate"

// implying returns m with those of the implied events that a system lacks happening by
// themselves.
func implying[S, E comparable](m enumerate.Machine[S, E], implied []E, has map[E]bool) enumerate.Machine[S, E] {
	q := quiet[S, E]{Machine: m, after: make(map[E][]E)}
	for i, e := range implied {
		switch last := lastOf(implied[:i], has); {
		case has[e]:
		case last < 0:
			q.first = append(q.first, e)
		default:
			q.after[implied[last]] = append(q.after[implied[last]], e)
		}
	}
	if q.first == nil && len(q.after) == 0 {
		return m
	}
	return q
}

// lastOf returns the position of the last event of a list that the system has, or -1.
func lastOf[E comparable](list []E, has map[E]bool) int {
	for i := len(list) - 1; i >= 0; i-- {
		if has[list[i]] {
			return i
		}
	}
	return -1
}

// A quiet machine does more in an event than the event, and some things at once.
type quiet[S, E comparable] struct {
	enumerate.Machine[S, E]
	first []E
	after map[E][]E
}

func (q quiet[S, E]) Init() S {
	s := q.Machine.Init()
	for _, e := range q.first {
		s = q.Machine.Next(s, e)
	}
	return s
}

func (q quiet[S, E]) Next(s S, e E) S {
	s = q.Machine.Next(s, e)
	for _, f := range q.after[e] {
		s = q.Machine.Next(s, f)
	}
	return s
}
