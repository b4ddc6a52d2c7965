package counterexamples

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"example.com/commitpoint/enumerate"
)

// Shrink makes a failing history smaller that was not found by searching all of
// them: one that was drawn at random, recorded or handed in.
//
// The orders are restrictions of one order, as for Find, and say which events
// may be left out: a history is valid if one of them admits it, as every order admits
// the empty one. Accept says
// whether a valid history fails, and for the same reason as the one given. It
// must be pure. It is asked once about each history, and once more about the
// result; the slices that it gets are copies, which it may keep or change.
//
// The result is valid and accepted, never greater than history in the order of
// enumerate.CompareHistories, and the same for the same arguments. It is a local
// minimum: no history is less, valid and accepted that comes from it
//   - by leaving out one event, any two, or a run of adjacent ones,
//   - by putting one event of the orders that it lacks in place of one event or of
//     a run of them, or
//   - by moving one event, which includes swapping two adjacent ones.
//
// It need not be the least of all, not even the shortest: getting there can take
// several changes of which none is accepted alone. Find returns the least, where
// the search can be afforded. To know that n events of m can't be improved on takes
// some n²·m histories; accept is asked about the valid ones among them.
//
// It is an error if no order admits the history, if accept does not accept it, and
// if accept no longer accepts the result when it is asked again.
func Shrink[E comparable](orders []enumerate.Order[E], history []E, accept func(history []E) bool) ([]E, error) {
	if accept == nil {
		panic("counterexamples.Shrink: accept is nil; pass a function that says whether a history fails")
	}
	if err := admitted(orders, history); err != nil {
		return nil, fmt.Errorf("shrink history: %w", err)
	}
	s := shrinker[E]{
		orders:  orders,
		accept:  accept,
		index:   make(map[E]int),
		best:    slices.Clone(history),
		answers: make(map[string]bool),
	}
	if err := s.declare(); err != nil {
		return nil, fmt.Errorf("shrink history: %w", err)
	}
	if !s.fails(history) {
		return nil, errors.New("shrink history: the history does not fail, so there is nothing to shrink")
	}
	s.toFixpoint()
	if admitted(orders, s.best) != nil || !accept(slices.Clone(s.best)) {
		return nil, fmt.Errorf("shrink history: accept changed its mind about %v: it must be pure", s.best)
	}
	return s.best, nil
}

// admitted returns nil if one of the orders admits history, and otherwise what
// is wrong with it in the order that admits most of it.
func admitted[E comparable](orders []enumerate.Order[E], history []E) error {
	most, closest := -1, errors.New("there is no order that could admit it")
	for _, o := range orders {
		err := o.Validate(history)
		if err == nil {
			return nil
		}
		n := 0
		for o.Validate(history[:n+1]) == nil {
			n++
		}
		if n > most {
			most, closest = n, fmt.Errorf("no order admits it, because of event %d, %v: %w", n+1, history[n], err)
		}
	}
	return closest
}

// A shrinker holds the least failing history so far.
type shrinker[E comparable] struct {
	orders  []enumerate.Order[E]
	accept  func([]E) bool
	events  []E             // of all orders, in declaration order
	index   map[E]int       // of events, in the declaration
	best    []E             // never changed in place
	answers map[string]bool // of fails
}

// declare finds the declaration indices of all events. It is an error if an event
// has two, or two events have the same: histories could not be compared.
func (s *shrinker[E]) declare() error {
	events := make(map[int]E)
	for _, o := range s.orders {
		for _, e := range o.Events() {
			i := o.Index(e)
			other, taken := events[i]
			if was, known := s.index[e]; known && was != i || taken && other != e {
				return errors.New("the orders are not restrictions of one order; use Restrict")
			}
			events[i], s.index[e] = e, i
		}
	}
	for _, i := range slices.Sorted(maps.Keys(events)) {
		s.events = append(s.events, events[i])
	}
	return nil
}

// toFixpoint runs the passes until none makes progress. It comes to an end because
// every step is to a lesser history, of which there are finitely many.
func (s *shrinker[E]) toFixpoint() {
	for progress := true; progress; {
		progress = false
		for _, pass := range []func() bool{s.dropRun, s.dropTwo, s.replaceRun, s.moveOne} {
			for pass() {
				progress = true
			}
		}
	}
}

// try makes candidate the best history if it is less than that and fails. All
// passes go through it, so that one order decides what is smaller.
func (s *shrinker[E]) try(candidate []E) bool {
	if enumerate.CompareHistories(s.indices(candidate), s.indices(s.best)) >= 0 || !s.fails(candidate) {
		return false
	}
	s.best = candidate
	return true
}

func (s *shrinker[E]) indices(history []E) []int {
	list := make([]int, len(history))
	for i, e := range history {
		list[i] = s.index[e]
	}
	return list
}

// fails reports whether a history is valid and accepted.
func (s *shrinker[E]) fails(history []E) bool {
	key := fmt.Sprint(s.indices(history))
	answer, known := s.answers[key]
	if !known {
		valid := slices.ContainsFunc(s.orders, func(o enumerate.Order[E]) bool { return o.Validate(history) == nil })
		answer = valid && s.accept(slices.Clone(history))
		s.answers[key] = answer
	}
	return answer
}

// The passes. Each tries the changes of one sort to the best history, what is
// likely to save most first, and reports whether one of them was an improvement.

// dropRun leaves out adjacent events: the longest runs first, and of those the
// last first, since nothing that follows the deciding event is needed.
func (s *shrinker[E]) dropRun() bool {
	h := s.best
	for length := len(h); length > 0; length-- {
		for i := len(h) - length; i >= 0; i-- {
			if s.try(slices.Concat(h[:i], h[i+length:])) {
				return true
			}
		}
	}
	return false
}

// dropTwo leaves out two events that need not be adjacent: one may undo what the
// other does, so that neither can go alone.
func (s *shrinker[E]) dropTwo() bool {
	h := s.best
	for j := len(h) - 1; j > 0; j-- {
		for i := j - 1; i >= 0; i-- {
			if s.try(slices.Concat(h[:i], h[i+1:j], h[j+1:])) {
				return true
			}
		}
	}
	return false
}

// replaceRun puts one event that the history lacks in place of adjacent ones.
// In place of one event that is an improvement if it is declared earlier.
func (s *shrinker[E]) replaceRun() bool {
	h := s.best
	for length := len(h); length > 0; length-- {
		for i := len(h) - length; i >= 0; i-- {
			for _, e := range s.events {
				if !slices.Contains(h, e) && s.try(slices.Concat(h[:i], []E{e}, h[i+length:])) {
					return true
				}
			}
		}
	}
	return false
}

// moveOne moves one event, the first that can be and as far ahead as it can be
// first, so that the sequence gets less as early as possible.
func (s *shrinker[E]) moveOne() bool {
	h := s.best
	for to := range h {
		for from := range h {
			rest := slices.Concat(h[:from], h[from+1:])
			if s.try(slices.Insert(rest, to, h[from])) {
				return true
			}
		}
	}
	return false
}
