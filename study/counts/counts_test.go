package counts

import (
	"errors"
	"fmt"
	"testing"

	"example.com/commitpoint/enumerate"
	"example.com/commitpoint/study"
)

func TestErrors(t *testing.T) {
	var s Sum
	if got := s.Errors(nil); got == nil || len(got) != 0 {
		t.Errorf("no errors are %#v, want an empty list", got)
	}
	for _, e := range []struct {
		kind   study.Kind
		reason string
		n      uint64
	}{{study.EligibleReject, "a", 1}, {study.UnsafeAccept, "b", 2}, {study.UnsafeAccept, "a", 3}, {study.EligibleReject, "a", 4}} {
		s.Wrong(e.kind, e.reason, enumerate.NewCount(e.n))
	}
	if got, want := fmt.Sprint(s.Errors([]string{"b", "a"})), "[{unsafe-accept b 2} {unsafe-accept a 3} {eligible-reject a 5}]"; got != want {
		t.Errorf("errors are %s, want %s", got, want)
	}
}

func TestBits(t *testing.T) {
	var s Sum
	counts := make([]enumerate.Count, 3)
	s.Bits(counts, 0b101, enumerate.NewCount(2))
	s.Bits(counts, 0b1100, enumerate.NewCount(3)) // a bit without a count is left out
	list := List(counts, []string{"a", "b", "c"})
	if got, want := fmt.Sprint(list, Whats(list)), "[{a 2} {c 5}] [a c]"; got != want || s.Err() != nil {
		t.Errorf("counted %s (%v), want %s", got, s.Err(), want)
	}
	if got := List(nil, nil); got == nil || len(got) != 0 {
		t.Errorf("no counts are %#v, want an empty list", got)
	}
}

// A count that does not fit is an error that stays.
func TestOverflow(t *testing.T) {
	var s Sum
	largest := enumerate.Count{}
	if err := largest.UnmarshalText([]byte("340282366920938463463374607431768211455")); err != nil {
		t.Fatal(err)
	}
	s.Plus(&largest, enumerate.NewCount(1))
	s.Note(errors.New("another"))
	if !errors.Is(s.Err(), enumerate.ErrOverflow) {
		t.Errorf("the error is %v", s.Err())
	}
}
