package enumerate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
)

// A Verdict is what a run says about its properties.
type Verdict uint8

// The verdicts. The zero value is Incomplete: nothing holds until a run has said
// so.
const (
	Incomplete Verdict = iota // the run was cut short, and says nothing
	Holds                     // in every schedule
	Violated                  // there is a schedule that shows it
)

// String returns "incomplete", "holds" or "violated".
func (v Verdict) String() string {
	switch v {
	case Holds:
		return "holds"
	case Violated:
		return "violated"
	}
	return "incomplete"
}

// A Property is something that is expected of the states that schedules go
// through. Make one with Always or Reachable.
type Property[S any] struct {
	name   string
	always bool
	test   func(S) bool
}

// Properties is a list of them, at most 64.
type Properties[S any] []Property[S]

// Always expects holds of every state, the initial one included.
func Always[S any](name string, holds func(S) bool) Property[S] {
	return Property[S]{name: name, always: true, test: holds}
}

// Reachable expects holds of at least one state of at least one schedule, so
// that a check in which nothing happens does not pass.
func Reachable[S any](name string, holds func(S) bool) Property[S] {
	return Property[S]{name: name, test: holds}
}

// Name returns the property's name.
func (p Property[S]) Name() string { return p.name }

// Broken returns the positions in p of the Always properties that do not hold of s, one
// bit each.
func (p Properties[S]) Broken(s S) (positions uint64) {
	for i := range p {
		if p[i].always && !p[i].test(s) {
			positions |= 1 << i
		}
	}
	return positions
}

// A Checked is what a check of properties comes to.
type Checked struct {
	Verdict    Verdict
	Schedules  Count
	Nodes      uint64 // states, with the events done and the properties shown so far
	Violations []Violation
	Reached    []Reached
}

// A Violation is a property that does not hold.
type Violation struct {
	Property  string
	Schedules Count    // in how many it fails, histories that deadlock left out; all, if something is not reached
	Schedule  []string // the shortest history that shows it; none, if something is not reached
}

// A Reached is a Reachable property and the number of schedules that reach it.
type Reached struct {
	Property  string
	Schedules Count
}

// Check looks at every state of every schedule of o, and counts exactly in how
// many schedules each property fails or is reached. The shortest history is the
// one with the fewest events, then with the least list of declaration indices,
// then the lexicographically least.
//
// It is a Tally of the machine together with the properties shown so far, which
// keeps all nodes and edges, and has its limits and errors; with an *IncompleteError the verdict is Incomplete.
// A Guarded machine that deadlocks is Violated, and the error is the *Deadlock.
func Check[S, E comparable](ctx context.Context, o Order[E], m Machine[S, E], properties Properties[S], opt Options) (Checked, error) {
	if len(properties) == 0 || len(properties) > 64 {
		return Checked{}, fmt.Errorf("check: %d properties; use 1 to 64", len(properties))
	}
	t, err := newTallier([]Order[E]{o}, watcher[S, E]{m, properties}, Observer[watched[S], E, bool]{}, opt)
	if err != nil {
		return Checked{}, err
	}
	watch(t, m)
	shown := make([]Count, len(properties))
	t.final = func(s watched[S], histories Count) error {
		for i := range properties {
			if s.shown.has(i) {
				if err := addTo(&shown[i], histories); err != nil {
					return err
				}
			}
		}
		return nil
	}
	var c Checked
	err = t.all(ctx, func(ctx context.Context) error {
		stuck := t.backward(ctx)
		if deadlock := (*Deadlock)(nil); stuck != nil && !errors.As(stuck, &deadlock) {
			return stuck
		}
		c = Checked{Verdict: Holds, Schedules: t.shares[0].result.Schedules, Nodes: t.shares[0].result.Nodes}
		return cmp.Or(judge(ctx, t, &c, properties, shown), stuck)
	})
	var deadlock *Deadlock
	if err != nil && !errors.As(err, &deadlock) {
		return Checked{}, err
	}
	if deadlock != nil || len(c.Violations) > 0 {
		c.Verdict = Violated
	}
	return c, err
}

// judge adds to c what the properties come to, of which each was shown in a
// number of schedules.
func judge[S, E comparable](ctx context.Context, t *tallier[watched[S], E, bool], c *Checked, properties Properties[S], shown []Count) error {
	for i, p := range properties {
		if !p.always {
			if shown[i] == (Count{}) {
				c.Violations = append(c.Violations, Violation{p.name, c.Schedules, nil})
			} else {
				c.Reached = append(c.Reached, Reached{p.name, shown[i]})
			}
			continue
		}
		history, found, err := t.shortest(ctx, func(s watched[S]) bool { return s.shown.has(i) })
		if err != nil {
			return err
		}
		if found {
			c.Violations = append(c.Violations, Violation{p.name, shown[i], history})
		}
	}
	return nil
}

// A watched state goes with what the properties have shown on the way to it:
// those that always hold that they did not, and those to be reached that they
// were.
type watched[S comparable] struct {
	state S
	shown set
}

// A watcher is the machine of watched states.
type watcher[S, E comparable] struct {
	machine    Machine[S, E]
	properties Properties[S]
}

func (w watcher[S, E]) Init() watched[S] {
	return w.look(watched[S]{state: w.machine.Init()})
}

func (w watcher[S, E]) Next(s watched[S], e E) watched[S] {
	s.state = w.machine.Next(s.state, e)
	return w.look(s)
}

func (w watcher[S, E]) look(s watched[S]) watched[S] {
	for i, p := range w.properties {
		if p.test(s.state) != p.always {
			s.shown |= only(i)
		}
	}
	return s
}

// watch makes t keep its edges and treat watched states as m treats its own.
func watch[S, E, O comparable](t *tallier[watched[S], E, O], m Machine[S, E]) {
	t.keep = true
	if g, ok := m.(Guarded[S, E]); ok {
		t.guard = func(s watched[S], e E) bool { return g.Enabled(s.state, e) }
	}
	if g, ok := m.(Ending[S, E]); ok {
		t.ends = func(s watched[S]) bool { return g.Done(s.state) }
	}
	if c, ok := m.(Canonical[S, E]); ok {
		order := t.order
		t.canonical = func(done set, s watched[S]) watched[S] {
			s.state = c.Canonical(Events[E]{&order, done}, s.state)
			return s
		}
		t.same = func(a, b watched[S]) bool { return a.shown == b.shown }
	}
}

// shortest returns the shortest history to a state for which wanted holds.
func (t *tallier[S, E, O]) shortest(ctx context.Context, wanted func(S) bool) (names []string, found bool, err error) {
	for _, layer := range t.layers {
		for _, c := range layer {
			if err := context.Cause(ctx); err != nil {
				return nil, false, err
			}
			marks, any := make([]bool, c.states.size), false
			for id := range marks {
				marks[id] = wanted(*c.states.at(int32(id)))
				any = any || marks[id]
			}
			if any {
				path, err := t.path(ctx, c, marks)
				return t.order.namesOf(path), true, err
			}
		}
	}
	return nil, false, nil
}
