// Package counts adds up, exactly and with names, what is observed of mechanisms that
// answer questions.
package counts

import (
	"slices"

	"example.com/commitpoint/enumerate"
	"example.com/commitpoint/study"
)

// A Tally is a count with what it counts.
type Tally struct {
	What  string          `json:"what"`
	Count enumerate.Count `json:"count"`
}

// An Error is a kind of wrong answer, of which one schedule can have several.
type Error struct {
	Kind   study.Kind      `json:"kind"`
	Reason string          `json:"reason"`
	Count  enumerate.Count `json:"count"`
}

// A Sum adds counts up. The zero Sum has added nothing.
type Sum struct {
	errors []Error // in no order
	err    error
}

// Err returns the first error of any addition: a count that does not fit.
func (s *Sum) Err() error { return s.err }

// Note keeps an error, if there was none before.
func (s *Sum) Note(err error) {
	if s.err == nil {
		s.err = err
	}
}

// Plus adds n to a count.
func (s *Sum) Plus(count *enumerate.Count, n enumerate.Count) {
	sum, err := count.Plus(n)
	s.Note(err)
	*count = sum
}

// Bits adds n to the count of each bit that is set.
func (s *Sum) Bits(counts []enumerate.Count, bits uint64, n enumerate.Count) {
	for i := range counts {
		if bits>>i&1 != 0 {
			s.Plus(&counts[i], n)
		}
	}
}

// Wrong adds n wrong answers of a kind, for a reason.
func (s *Sum) Wrong(kind study.Kind, reason string, n enumerate.Count) {
	i := slices.IndexFunc(s.errors, func(e Error) bool { return e.Kind == kind && e.Reason == reason })
	if i < 0 {
		i = len(s.errors)
		s.errors = append(s.errors, Error{Kind: kind, Reason: reason})
	}
	s.Plus(&s.errors[i].Count, n)
}

// Errors returns the wrong answers, by kind and then in the order of their reasons, which
// have to be all there are.
func (s *Sum) Errors(reasons []string) []Error {
	errors := slices.Clone(s.errors)
	rank := func(e Error) int {
		return slices.Index(study.Kinds(), e.Kind)*len(reasons) + slices.Index(reasons, e.Reason)
	}
	slices.SortFunc(errors, func(a, b Error) int { return rank(a) - rank(b) })
	return append([]Error{}, errors...)
}

// List returns the counts that are not zero, with their names.
func List(counts []enumerate.Count, names []string) []Tally {
	list := []Tally{}
	for i, n := range counts {
		if n != (enumerate.Count{}) {
			list = append(list, Tally{names[i], n})
		}
	}
	return list
}

// Whats returns what the tallies count.
func Whats(list []Tally) []string {
	var names []string
	for _, t := range list {
		names = append(names, t.What)
	}
	return names
}
