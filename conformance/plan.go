package conformance

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"example.com/commitpoint/counterexamples"
	"example.com/commitpoint/enumerate"
)

// A step is an event that a system is told of.
type step struct {
	index  int          // in the declaration
	event  string       // its text form
	expect *expectation // nil if it submits nothing
	world  *World       // after it, if all is decided rightly
}

// An expectation is an Expected with what it exercises.
type expectation struct {
	Expected
	exercises []obligation
}

// A planned is a Protocol, shrunk to what one system has.
type planned[S, E comparable] struct {
	Protocol[S, E]
	machine enumerate.Machine[S, E] // in which the implied events happen by themselves
	orders  []enumerate.Order[E]
	least   []enumerate.Order[E] // the same, and without the probes: what shrinking tries
	known   map[string]E
	events  map[int]E // by declaration index
	places  map[E]int
	text    map[int]string
	summary shrunk

	begin  *World
	chosen [][]E // schedules, if the mode does not run all

	// What is expected where, asked once each, by one goroutine at a time.
	expects map[situation[S, E]]*expectation
	worlds  map[S]*World
}

type situation[S, E comparable] struct {
	state S
	event E
}

// plan shrinks the protocol to the events of a system.
func (p protocol[S, E]) plan(about About) (plan, error) {
	t := &planned[S, E]{
		Protocol: p.Protocol,
		known:    make(map[string]E),
		events:   make(map[int]E),
		places:   make(map[E]int),
		text:     make(map[int]string),
		expects:  make(map[situation[S, E]]*expectation),
		worlds:   make(map[S]*World),
	}
	for _, o := range p.Orders {
		for _, e := range o.Events() {
			i, name := o.Index(e), o.Name(e)
			if other, declared := t.events[i]; declared && other != e {
				return nil, fmt.Errorf("scenarios of %s: they are not restrictions of one order; use Restrict", p.Name())
			}
			t.known[name], t.events[i], t.places[e], t.text[i] = e, e, i, name
		}
	}
	has := t.has(about.Events)
	t.machine = implying(p.Machine, p.Implied, has)
	t.shrinkTo(has)
	t.begin = t.world(t.machine.Init())
	return t, nil
}

// has says which events a system has that has the named ones, and what they need.
func (t *planned[S, E]) has(names []string) map[E]bool {
	has := make(map[E]bool)
	for _, name := range names {
		if e, known := t.known[name]; known {
			has[e] = true
		}
	}
	for again := true; again; {
		again = false
		for e, needs := range t.Needs {
			if has[e] && slices.ContainsFunc(needs, func(n E) bool { return !has[n] }) {
				delete(has, e)
				again = true
			}
		}
	}
	return has
}

// shrinkTo restricts the scenarios to what the system has.
func (t *planned[S, E]) shrinkTo(has map[E]bool) {
	seen := make(map[string]bool)
	for _, o := range t.Orders {
		if slices.ContainsFunc(o.Events(), func(e E) bool { return !has[e] && t.Essential != nil && t.Essential(e) }) {
			continue
		}
		shrunk := o.Restrict(func(e E) bool { return has[e] })
		if !seen[shrunk.String()] {
			seen[shrunk.String()] = true
			t.orders = append(t.orders, shrunk)
			t.least = append(t.least, shrunk)
		}
	}
	for _, probe := range t.Probes {
		for _, o := range t.least {
			t.least = append(t.least, o.Restrict(func(e E) bool { return e != probe }))
		}
	}
	t.summary = shrunk{Scenarios: len(t.orders), Of: len(t.Orders), LeftOut: []string{}}
	for i := range enumerate.MaxEvents {
		if e, declared := t.events[i]; declared && !has[e] {
			t.summary.LeftOut = append(t.summary.LeftOut, t.text[i])
		}
	}
}

// unexercised returns the obligations that occur in the whole protocol and not in what
// the system is driven through, and those that occur there.
func (t *planned[S, E]) unexercised(ctx context.Context) (missing, here []obligation, err error) {
	if len(t.orders) > 0 {
		if here, err = t.occurring(ctx, t.orders, t.machine); err != nil || len(t.summary.LeftOut) == 0 {
			return nil, here, err
		}
	}
	whole, err := t.occurring(ctx, t.Orders, t.Machine)
	return slices.DeleteFunc(whole, func(o obligation) bool { return slices.Contains(here, o) }), here, err
}

// occurring returns the obligations that occur in the orders, by kind.
func (t *planned[S, E]) occurring(ctx context.Context, orders []enumerate.Order[E], m enumerate.Machine[S, E]) ([]obligation, error) {
	type asked struct { // comparable, unlike an Expected
		reasons string
		replay  bool
	}
	const between = "\x00"
	observer := enumerate.Observe(func(s S, e E, _ S) (asked, bool) {
		x, submits := t.Expect(s, e)
		return asked{strings.Join(x.Reasons, between), x.Replay}, submits
	})
	found, err := enumerate.Witnesses(ctx, orders, m, observer, enumerate.Options{})
	var list []obligation
	for _, w := range found {
		x := Expected{Replay: w.Value.replay}
		if w.Value.reasons != "" {
			x.Reasons = strings.Split(w.Value.reasons, between)
		}
		for _, o := range x.obligations() {
			if !slices.Contains(list, o) {
				list = append(list, o)
			}
		}
	}
	slices.SortStableFunc(list, func(a, b obligation) int {
		return slices.Index(Kinds(), a.kind) - slices.Index(Kinds(), b.kind)
	})
	return list, err
}

func (t *planned[S, E]) left() shrunk { return t.summary }

// declared returns the text forms of all events of the protocol.
func (t *planned[S, E]) declared() []string {
	var names []string
	for i := range enumerate.MaxEvents {
		if name, declared := t.text[i]; declared {
			names = append(names, name)
		}
	}
	return names
}

// start returns what is right before any event.
func (t *planned[S, E]) start() *World { return t.begin }

func (t *planned[S, E]) world(s S) *World {
	w, known := t.worlds[s]
	if !known {
		world := t.World(s)
		w = &world
		t.worlds[s] = w
	}
	return w
}

// step returns the step of e from one state to the next.
func (t *planned[S, E]) step(before S, e E, index int, after S) step {
	at := situation[S, E]{before, e}
	x, known := t.expects[at]
	if !known {
		if expected, submits := t.Expect(before, e); submits {
			x = &expectation{expected, expected.obligations()}
		}
		t.expects[at] = x
	}
	return step{index, t.text[index], x, t.world(after)}
}

// steps returns the steps of a history.
func (t *planned[S, E]) steps(h history) []step {
	states := counterexamples.Replay(t.machine, t.eventsOf(h))
	list := make([]step, len(h))
	for i, index := range h {
		list[i] = t.step(states[i], t.events[index], index, states[i+1])
	}
	return list
}

func (t *planned[S, E]) eventsOf(h history) []E {
	events := make([]E, len(h))
	for i, index := range h {
		events[i] = t.events[index]
	}
	return events
}

func (t *planned[S, E]) indicesOf(events []E) history {
	h := make(history, len(events))
	for i, e := range events {
		h[i] = t.places[e]
	}
	return h
}

// names returns the text forms of a history's events.
func (t *planned[S, E]) names(h history) []string {
	names := make([]string, len(h))
	for i, index := range h {
		names[i] = t.text[index]
	}
	return names
}

// parse reads the names of a history's events.
func (t *planned[S, E]) parse(names []string) (history, error) {
	events := make([]E, len(names))
	for i, name := range names {
		e, known := t.known[name]
		if !known {
			return nil, fmt.Errorf("unknown event %q: the events of %s are %s", name, t.Name, strings.Join(t.declared(), ", "))
		}
		events[i] = e
	}
	var err error = fmt.Errorf("the system is driven through no scenario of %s", t.Name)
	for _, o := range t.least {
		if err = o.Validate(events); err == nil {
			return t.indicesOf(events), nil
		}
	}
	return nil, err
}

// shrink returns a least history that fails, starting from one that does.
func (t *planned[S, E]) shrink(h history, fails func(history) bool) (history, error) {
	least, err := counterexamples.Shrink(t.least, t.eventsOf(h), func(events []E) bool { return fails(t.indicesOf(events)) })
	return t.indicesOf(least), err
}
