// Package episode counts, exactly, how often a service goes wrong in one episode under every
// order of what its agents, their principal, the provider and those who look at the outcome
// can do; with one reference, and with services that each have one flaw.
package episode

import (
	"context"
	"fmt"
	"slices"

	"example.com/commitpoint/enumerate"
	mechanisms "example.com/commitpoint/mechanisms/episode"
	oracle "example.com/commitpoint/oracle/episode"
	"example.com/commitpoint/study"
	"example.com/commitpoint/study/counts"
)

// Schema is the schema of a Result in JSON.
const Schema = "commitpoint/episode/v1"

// ErrUnsound is the error of a result that shows the reference to be wrong, or never to
// have been put to the test. It is the study's, so that callers treat both alike.
var ErrUnsound = study.ErrUnsound

// A Result is what the schedules of the episode come to. In JSON counts are decimal
// strings.
type Result struct {
	Schema    string          `json:"schema"`
	Events    int             `json:"events"` // the end left out
	DownSets  enumerate.Count `json:"down_sets"`
	Schedules enumerate.Count `json:"schedules"`

	// Faced has what stood against a yes of the reference, and against how many of its answers
	// in all schedules: not in how many schedules, of which each has several answers.
	Faced    []counts.Tally `json:"faced"`
	Services []Service      `json:"services"`
}

// A Service is what one mechanism does in the schedules.
type Service struct {
	Mechanism string          `json:"mechanism"`
	Nodes     enumerate.Count `json:"nodes"` // distinct pairs of the events done and the state
	Edges     enumerate.Count `json:"edges"`
	Closures  []counts.Tally  `json:"closures"` // schedules, by whether the episode is fulfilled
	Broken    []counts.Tally  `json:"broken"`   // schedules, by property

	// Errors has the wrong answers in all schedules, by each reason that stood against them. A
	// schedule has several answers, and an answer can have several reasons: no sum of these
	// counts is a number of schedules.
	Errors []counts.Error `json:"errors"`
}

// Compute counts all schedules for every mechanism. The result does not depend on the
// options, but for a limit that is reached: then the error is an
// *enumerate.IncompleteError. If the result does not show what it is for, the error is
// ErrUnsound.
func Compute(ctx context.Context, opt enumerate.Options) (Result, error) {
	return sound(ctx, order(), opt)
}

// sound computes the result of an order, and checks that it shows what it is for.
func sound(ctx context.Context, o enumerate.Order[event], opt enumerate.Options) (Result, error) {
	r, err := compute(ctx, o, opt)
	if err != nil {
		return Result{}, fmt.Errorf("count the schedules of the episode: %w", err)
	}
	return r, r.validate()
}

func compute(ctx context.Context, o enumerate.Order[event], opt enumerate.Options) (Result, error) {
	r := Result{Schema: Schema, Events: o.Len() - 1}
	for _, m := range mechanisms.All() {
		s, t, err := serve(ctx, o, m, opt)
		if err != nil {
			return Result{}, err
		}
		r.Services = append(r.Services, s)
		if m.Flaws == 0 {
			r.DownSets, r.Schedules, r.Faced = enumerate.NewCount(t.downSets), t.schedules, t.faced
		}
	}
	return r, nil
}

// serve counts the schedules for one mechanism.
func serve(ctx context.Context, o enumerate.Order[event], m mechanisms.Mechanism, opt enumerate.Options) (Service, totals, error) {
	t, err := enumerate.Tally(ctx, o, machine{m}, machine{m}.observer(), opt)
	if err != nil {
		return Service{}, totals{}, err
	}
	var c counter
	for _, o := range t.Observed {
		c.add(o.Value, o.Count)
	}
	return c.service(m, t), totals{t.DownSets, t.Schedules, counts.List(c.faced[:], reasons)}, c.Err()
}

// totals are what is said of the order and the reference only.
type totals struct {
	downSets  uint64
	schedules enumerate.Count
	faced     []counts.Tally
}

// validate returns an error if the reference is wrong, or if it was not put to the test: if
// there is a reason that it never met, a property that nothing breaks, or if it is safe
// because it never closes an episode as fulfilled.
func (r Result) validate() error {
	var broken []string
	for _, s := range r.Services {
		broken = append(broken, counts.Whats(s.Broken)...)
		if s.Mechanism != mechanisms.Complete.Name {
			continue
		}
		if len(s.Broken)+len(s.Errors) > 0 {
			return fmt.Errorf("%w: the episode's %s is wrong", ErrUnsound, s.Mechanism)
		}
		if !slices.Contains(counts.Whats(s.Closures), fulfilled) {
			return fmt.Errorf("%w: the episode's %s never closes it as fulfilled", ErrUnsound, s.Mechanism)
		}
	}
	for _, reason := range reasons[:oracle.NumReasons] {
		if !slices.Contains(counts.Whats(r.Faced), reason) {
			return fmt.Errorf("%w: the episode's reference never meets %s", ErrUnsound, reason)
		}
	}
	for _, p := range oracle.PropertyNames {
		if !slices.Contains(broken, p) {
			return fmt.Errorf("%w: no service breaks %q", ErrUnsound, p)
		}
	}
	return nil
}
