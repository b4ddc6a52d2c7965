package ownership

import (
	"context"
	"fmt"

	"example.com/commitpoint/enumerate"
	mechanisms "example.com/commitpoint/mechanisms/harness/ownership"
	model "example.com/commitpoint/model/harness/ownership"
	oracle "example.com/commitpoint/oracle/harness/ownership"
	"example.com/commitpoint/study"
)

// A Result is what all schedules of the model come to. In JSON every count is a decimal
// string, since they exceed what readers of numbers can hold.
type Result struct {
	Events     int             `json:"events"`    // the end left out
	DownSets   enumerate.Count `json:"down_sets"` // sets of events that can be done at one time
	Schedules  enumerate.Count `json:"schedules"`
	Situations []Property      `json:"situations"` // of the reference: where the property could have been broken
	Mechanisms []Score         `json:"mechanisms"` // the reference first
}

// A Property is in how many schedules something is so of a property, at least once.
type Property struct {
	Property  string          `json:"property"`
	Schedules enumerate.Count `json:"schedules"`
}

// A Score is what one mechanism comes to.
type Score struct {
	Name    string          `json:"name"`
	Meaning string          `json:"meaning"`
	Nodes   enumerate.Count `json:"nodes"` // distinct pairs of the events done and the state
	Edges   enumerate.Count `json:"edges"`

	Decisions []Decisions `json:"decisions"` // each is made once in every schedule
	Unsafe    []Reason    `json:"unsafe"`    // unsafe accepts, by each of their reasons
	Broken    []Property  `json:"broken"`    // every property, by the schedules in which it is broken
}

// Decisions counts what comes with one event, such as first:remove.
type Decisions struct {
	Event          string          `json:"event"`
	SafeAccept     enumerate.Count `json:"safe_accept"`
	UnsafeAccept   enumerate.Count `json:"unsafe_accept"`
	UnsafeReject   enumerate.Count `json:"unsafe_reject"` // rightly refused
	EligibleReject enumerate.Count `json:"eligible_reject"`
	Idle           enumerate.Count `json:"idle"` // the slot was empty: either decision is right
}

// A Reason counts the unsafe accepts for which an oracle's reason holds. A decision can
// have several.
type Reason struct {
	Reason    string          `json:"reason"`
	Decisions enumerate.Count `json:"decisions"`
}

// Compute counts the schedules of every mechanism. The error is a study.ErrUnsound if the
// reference is ever wrong, or never comes to where it could be, and an
// *enumerate.IncompleteError if a limit of the options is reached; nothing else depends on
// the options.
func Compute(ctx context.Context, opt enumerate.Options) (Result, error) {
	r, err := compute(ctx, Order(), opt)
	if err != nil {
		return Result{}, err
	}
	return r, r.check()
}

// compute counts the schedules of an order, the model's or a restriction of it.
func compute(ctx context.Context, order enumerate.Order[model.Event], opt enumerate.Options) (Result, error) {
	r := Result{Events: order.Len() - 1}
	for i, m := range mechanisms.All() {
		walked := tallied{machine{m}, i == 0}
		t, err := enumerate.Tally(ctx, order, walked, observe(walked), opt)
		if err != nil {
			return Result{}, fmt.Errorf("count the schedules of %s: %w", m.Name, err)
		}
		s, err := score(m, t)
		if err != nil {
			return Result{}, fmt.Errorf("count the decisions of %s: %w", m.Name, err)
		}
		if i == 0 {
			r.DownSets, r.Schedules = enumerate.NewCount(t.DownSets), t.Schedules
			if r.Situations, err = properties(t, func(s sight) oracle.Properties { return s.arose }); err != nil {
				return Result{}, fmt.Errorf("count the situations: %w", err)
			}
		}
		r.Mechanisms = append(r.Mechanisms, s)
	}
	return r, nil
}

// check returns an error if the reference is wrong, or if it never comes to where it could
// be: a property that can't fail is not worth its name.
func (r Result) check() error {
	none, ref := enumerate.Count{}, r.Mechanisms[0]
	for _, d := range ref.Decisions {
		if d.UnsafeAccept != none || d.EligibleReject != none {
			return fmt.Errorf("%w: %s is wrong at %s", study.ErrUnsound, ref.Name, d.Event)
		}
	}
	for i, p := range ref.Broken {
		switch {
		case p.Schedules != none:
			return fmt.Errorf("%w: with %s it is not so that %s", study.ErrUnsound, ref.Name, p.Property)
		case r.Situations[i].Schedules == none:
			return fmt.Errorf("%w: no schedule shows whether %s", study.ErrUnsound, p.Property)
		}
	}
	return nil
}

// score adds up what was observed of a mechanism.
func score(m mechanisms.Mechanism, t enumerate.Tallied[sight]) (Score, error) {
	s := Score{
		Name: m.Name, Meaning: m.Meaning, Nodes: enumerate.NewCount(t.Nodes), Edges: enumerate.NewCount(t.Edges),
		Decisions: []Decisions{}, Unsafe: []Reason{},
	}
	for _, e := range model.All() {
		if !e.Kind.Decides() {
			continue
		}
		d := Decisions{Event: e.String()}
		for _, o := range t.Observed {
			if o.Value.event == e {
				if err := add(o.Value.column(&d), o.Count); err != nil {
					return s, err
				}
			}
		}
		s.Decisions = append(s.Decisions, d)
	}
	for i, name := range oracle.AllReasons().Names() {
		reason := Reason{Reason: name}
		for _, o := range t.Observed {
			if o.Value.against>>i&1 != 0 {
				if err := add(&reason.Decisions, o.Count); err != nil {
					return s, err
				}
			}
		}
		if reason.Decisions != (enumerate.Count{}) {
			s.Unsafe = append(s.Unsafe, reason)
		}
	}
	var err error
	s.Broken, err = properties(t, func(s sight) oracle.Properties { return s.broken })
	return s, err
}

// properties counts the schedules that end with each property in a set.
func properties(t enumerate.Tallied[sight], in func(sight) oracle.Properties) (list []Property, err error) {
	for i, name := range oracle.PropertyNames() {
		p := Property{Property: name}
		for _, o := range t.Observed {
			if in(o.Value).Has(i) {
				if err := add(&p.Schedules, o.Count); err != nil {
					return nil, err
				}
			}
		}
		list = append(list, p)
	}
	return list, nil
}

func add(sum *enumerate.Count, n enumerate.Count) (err error) {
	*sum, err = sum.Plus(n)
	return err
}
