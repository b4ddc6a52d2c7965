package conformance

import (
	"context"
	"fmt"
	"strings"

	"example.com/commitpoint/counterexamples"
	"example.com/commitpoint/enumerate"
)

// A Mode says which of the schedules a system is driven through.
type Mode uint8

// The modes.
const (
	// All is every schedule of every scenario.
	All Mode = iota

	// Covering is the fewest schedules that take every edge of the merged graph: that do
	// every event in every situation that the reference tells apart. If the answers of a
	// system are a function of that situation, it finds whatever All finds, but for what
	// comes after something else that is wrong: a schedule ends there. In a system that
	// remembers more of the past, it can miss what All shows.
	Covering

	// Sample is schedules drawn at random, each as likely as any other.
	Sample
)

var modeNames = [...]string{All: "all", Covering: "covering", Sample: "sample"}

func (m Mode) String() string { return modeNames[m] }

// MarshalText returns the text form.
func (m Mode) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// ParseMode reads the text form of a mode.
func ParseMode(text string) (Mode, error) {
	for m, name := range modeNames {
		if name == text {
			return Mode(m), nil
		}
	}
	return 0, fmt.Errorf("unknown mode %q: the modes are %s", text, strings.Join(modeNames[:], ", "))
}

// A still machine has one state: its tally counts schedules.
type still[E comparable] struct{}

func (still[E]) Init() bool        { return false }
func (still[E]) Next(bool, E) bool { return false }

func (t *planned[S, E]) schedules(ctx context.Context) (all enumerate.Count, err error) {
	tallied, err := enumerate.TallyAll(ctx, t.orders, still[E]{}, enumerate.Observer[bool, E, bool]{}, enumerate.Options{Workers: 1})
	for _, scenario := range tallied {
		if err == nil {
			all, err = all.Plus(scenario.Schedules)
		}
	}
	return all, err
}

// choose returns how many schedules a mode runs.
func (t *planned[S, E]) choose(ctx context.Context, opt Options) (n enumerate.Count, err error) {
	switch opt.Mode {
	case Covering:
		t.chosen, err = enumerate.Cover(ctx, t.orders, t.machine, enumerate.Options{})
	case Sample:
		t.chosen, err = enumerate.Draw(ctx, t.orders, opt.Samples, opt.Seed, enumerate.Options{})
	default:
		return t.schedules(ctx)
	}
	return enumerate.NewCount(uint64(len(t.chosen))), err
}

func (t *planned[S, E]) each(ctx context.Context, yield func([]step) bool) error {
	if t.chosen == nil {
		return t.walk(ctx, yield)
	}
	for _, events := range t.chosen {
		if !yield(t.steps(t.indicesOf(events))) {
			return nil
		}
	}
	return nil
}

// walk hands out every schedule, and works out what is right once for each prefix.
func (t *planned[S, E]) walk(ctx context.Context, yield func([]step) bool) error {
	states := make([]S, 1, enumerate.MaxEvents+1)
	var steps []step
	goOn := true
	return enumerate.Walk(ctx, t.orders, t.machine, func(order int, prefix []E, s *S) bool {
		if !goOn {
			return false
		}
		n := len(prefix)
		states = append(states[:n], *s)
		if n > 0 {
			e := prefix[n-1]
			steps = append(steps[:n-1], t.step(states[n-1], e, t.places[e], *s))
		}
		if n == t.orders[order].Len() {
			goOn = yield(append([]step(nil), steps...))
		}
		return goOn
	})
}

// nearest returns the nearest history with the other outcome. It is nil if the outcome of
// some neighbor can't be known.
func (t *planned[S, E]) nearest(h history, outcome func(history) (counterexamples.Outcome, bool)) *counterexamples.Nearest {
	events, known := t.eventsOf(h), true
	for _, o := range t.least {
		if o.Validate(events) != nil {
			continue
		}
		found := counterexamples.FindNearest(o, events, func(events []E) counterexamples.Outcome {
			result, ok := outcome(t.indicesOf(events))
			known = known && ok
			return result
		})
		if !known {
			return nil
		}
		return found
	}
	return nil
}
