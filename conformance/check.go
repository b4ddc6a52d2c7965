package conformance

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"example.com/commitpoint/enumerate"
)

// Check drives systems, as newSystem opens them, through the schedules, and reports where
// they are wrong. The error is about the call: options or a list of events that make no
// sense, or, as an *enumerate.IncompleteError, a context that ended first. What is wrong
// with the system, or kept it from being judged, is in the report.
//
// For a system that answers alike whenever it is asked alike, the report depends on the
// system and the options only, and not on the number of workers. A call that does not
// return within its time limit is given up: it can go on for as long as the program does.
func Check(ctx context.Context, newSystem func() (System, error), opt Options) (Report, error) {
	opt, err := opt.complete()
	if err != nil {
		return Report{}, err
	}
	r := &runner{ctx: ctx, opt: opt, newSystem: newSystem, hung: make(chan *driver)}
	r.report.Sets, r.report.Failures = []SetReport{}, []Failure{} // none, not unknown
	defer r.end()
	if err := r.begin(); err != nil || r.report.Fault != nil {
		return r.report, err
	}
	for _, set := range opt.Sets {
		if err := r.set(set); err != nil {
			return r.report, err
		}
		if r.report.Fault != nil {
			r.report.Fault.Set = set.Name()
			return r.report, nil
		}
	}
	r.closeAll()
	return r.report, r.interrupted()
}

// A runner is a Check under way.
type runner struct {
	ctx       context.Context
	opt       Options
	newSystem func() (System, error)
	drivers   []*driver
	teller    *driver // that runs failing schedules again; nil if it can't be done
	hung      chan *driver
	begun     time.Time
	report    Report
}

// begin opens the first system and looks at what it says of itself.
func (r *runner) begin() error {
	r.begun = time.Now()
	d := r.open()
	if d == nil {
		return r.interrupted()
	}
	if err := r.interrupted(); err != nil {
		return err
	}
	r.report.System = d.about.Name
	return r.known(d.about)
}

// known reports events that no set has, and systems that none is for.
func (r *runner) known(about About) error {
	if about.Name == "" {
		about.Name = "the system"
		r.report.System = about.Name
	}
	scenarios, events := 0, make(map[string]bool)
	for _, set := range r.opt.Sets {
		p, err := set.plan(about)
		if err != nil {
			return err
		}
		scenarios += p.left().Scenarios
		for _, e := range p.declared() {
			events[e] = true
		}
	}
	for i, e := range about.Events {
		switch {
		case slices.Contains(about.Events[:i], e):
			return fmt.Errorf("%s lists event %q twice; list each once", about.Name, e)
		case !events[e] && !builtin()[e] && !ofContract(e): // systems can have more than is asked for
			return fmt.Errorf("%s lists event %q, which no scenario has; see EVENTS.md for those that there are", about.Name, e)
		}
	}
	if scenarios == 0 {
		return fmt.Errorf("%s has too few events for any scenario of %s: every system has a commit", about.Name, setNames(r.opt.Sets))
	}
	return nil
}

// builtin returns the events of the sets that come with the module.
var builtin = sync.OnceValue(func() map[string]bool {
	events := make(map[string]bool)
	for _, set := range append([]Set{Study()}, Contract()...) {
		p, err := set.plan(About{})
		if err != nil {
			panic(err) // they are declared wrongly
		}
		for _, e := range p.declared() {
			events[e] = true
		}
	}
	return events
})

func setNames(sets []Set) string {
	var names []string
	for _, s := range sets {
		names = append(names, s.Name())
	}
	return strings.Join(names, ", ")
}

// set drives the systems through one set.
func (r *runner) set(set Set) error {
	p, err := set.plan(r.drivers[0].about)
	if err != nil {
		return err
	}
	left := p.left()
	result := SetReport{
		Name: set.Name(), Mode: r.opt.Mode, Scenarios: left.Scenarios, Of: left.Of, LeftOut: left.LeftOut,
		Unexercised: []string{}, Unasked: []string{}, Exercised: []Exercise{}, Wrong: []Wrong{},
	}
	missing, here, err := p.unexercised(r.ctx)
	for _, o := range missing {
		result.Unexercised = append(result.Unexercised, o.String())
	}
	if err == nil {
		result.Schedules, err = p.schedules(r.ctx)
	}
	if err != nil {
		err = fmt.Errorf("scenarios of %s: %w", set.Name(), err)
	}
	if err != nil || result.Scenarios == 0 {
		r.report.Sets = append(r.report.Sets, result)
		return err
	}
	t := newTotals()
	chosen, err := p.choose(r.ctx, r.opt)
	if err == nil {
		t, err = r.drive(p, set.Name(), chosen)
	}
	result.Ran, result.Requests, result.Exercised = t.ran, t.requests, t.exercised()
	for _, o := range here {
		if !slices.ContainsFunc(result.Exercised, func(x Exercise) bool { return x.Kind == o.kind && x.Reason == o.reason }) {
			result.Unasked = append(result.Unasked, o.String())
		}
	}
	for _, kind := range Kinds() {
		if n := t.wrong[kind]; n > 0 {
			result.Wrong = append(result.Wrong, Wrong{kind, n})
		}
	}
	r.report.Sets = append(r.report.Sets, result)
	if err == nil {
		err = r.interrupted()
	}
	if err == nil {
		r.explain(p, set.Name(), t)
		err = r.interrupted()
	}
	return err
}

// interrupted returns the error of a run whose context has ended.
func (r *runner) interrupted() error {
	if r.ctx.Err() == nil {
		return nil
	}
	ran := uint64(0)
	for _, s := range r.report.Sets {
		ran += s.Ran
	}
	return &enumerate.IncompleteError{Progress: enumerate.Progress{Schedules: ran}, Cause: context.Cause(r.ctx)}
}
