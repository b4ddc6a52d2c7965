package budget

import "fmt"

// A refusal is an error that reads as one sentence, with the figures and the remedy, and
// matches what callers branch on.
type refusal struct {
	err  error
	text string
}

func (r refusal) Error() string { return r.text }

func (r refusal) Unwrap() error { return r.err }

// refuse returns the error of a call.
func refuse(verb, op string, err error, format string, args ...any) error {
	return refusal{err, fmt.Sprintf("%s %q: ", verb, op) + fmt.Sprintf(format, args...)}
}

func unavailable(verb, op string) error {
	return refuse(verb, op, ErrUnavailable, "accounting is unavailable: say it again when it is back")
}

// over says by how much a bound is over the cap.
func over(b Balance, route string, bound Units) string {
	// Each is at most the largest Units, so that the sum fits here.
	sum := uint64(b.Settled+b.Pending) + uint64(bound)
	text := fmt.Sprintf("%d of route %s would make %d of %d (%d settled, %d pending)",
		bound, route, sum, b.Cap, b.Settled, b.Pending)
	switch left := b.Left(); {
	case b.Pending > 0 && left > 0:
		return fmt.Sprintf("%s: settle or cancel something, or ask for at most %d", text, left)
	case b.Pending > 0:
		return text + ": settle or cancel something"
	case left > 0:
		return fmt.Sprintf("%s: ask for at most %d", text, left)
	}
	return text + ": the budget is spent"
}

// String says what the operation is, with its figures: "reserved (6 by route a)".
func (s Status) String() string {
	switch s.State {
	case Absent:
		return s.State.String()
	case Settled:
		return fmt.Sprintf("%v at %d (of %d by route %s)", s.State, s.Charge, s.Bound, s.Route)
	}
	return fmt.Sprintf("%v (%d by route %s)", s.State, s.Bound, s.Route)
}
