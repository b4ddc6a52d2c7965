package conformance

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"example.com/commitpoint/counterexamples"
	"example.com/commitpoint/study"
)

// Explain drives a system through one history, given by the names of its events, and
// tells it step by step, up to where something is wrong, if anything is: then the trace
// has a Kind. The history is one of the scenarios of opt, or the beginning of one; if opt
// names no sets, those of the study and of the contract are tried.
//
// The error is about the arguments, or a *Fault.
func Explain(ctx context.Context, newSystem func() (System, error), opt Options, events ...string) (counterexamples.Trace, error) {
	if opt.Sets == nil {
		opt.Sets = append([]Set{Study()}, Contract()...)
	}
	opt, err := opt.complete()
	if err != nil {
		return counterexamples.Trace{}, err
	}
	r := &runner{ctx: ctx, opt: opt, newSystem: newSystem, hung: make(chan *driver)}
	defer r.closeAll()
	if err := r.begin(); err != nil {
		return counterexamples.Trace{}, err
	}
	if r.report.Fault != nil {
		return counterexamples.Trace{}, r.report.Fault
	}
	p, set, h, err := r.admitting(events)
	if err != nil {
		return counterexamples.Trace{}, err
	}
	r.teller = r.drivers[0]
	d := r.teller
	once, fault := await(r, d, func() (ran, *Fault) {
		once := d.run(p.start(), p.steps(h), true)
		return once, once.fault
	})
	if fault != nil {
		fault.Set = set
		return counterexamples.Trace{}, fault
	}
	result := shown{h[:once.at], once}
	if once.fails == nil {
		t := p.tell(result)
		t.Mechanism = r.report.System
		t.Summary = fmt.Sprintf("%q is right in this schedule", r.report.System)
		return t, nil
	}
	t, fault := r.trace(p, failing{obligation: once.fails[0]}, result)
	if fault != nil {
		fault.Set = set
		return counterexamples.Trace{}, fault
	}
	t.Summary = fmt.Sprintf("%q %s", r.report.System, t.Summary)
	return t, nil
}

// admitting returns the plan and the name of the first set that admits a history. If none
// does, the error is that of the set that knows most of its events.
func (r *runner) admitting(events []string) (plan, string, history, error) {
	var closest error
	most := -1
	for _, set := range r.opt.Sets {
		p, err := set.plan(r.drivers[0].about)
		if err != nil {
			return nil, "", nil, err
		}
		h, err := p.parse(events)
		if err == nil {
			return p, set.Name(), h, nil
		}
		known := 0
		declared := strings.Join(p.declared(), " ") + " "
		for _, e := range events {
			if strings.Contains(" "+declared, " "+e+" ") {
				known++
			}
		}
		if known > most {
			most, closest = known, err
		}
	}
	return nil, "", nil, closest
}

// RunHistory is a test of one history, given by the names of its events: it fails, with an
// explanation, if the system is wrong in it, or can't be judged.
func RunHistory(t *testing.T, newSystem func() (System, error), events ...string) {
	t.Helper()
	trace, err := Explain(t.Context(), newSystem, Options{}, events...)
	switch {
	case err != nil:
		t.Fatal(err)
	case trace.Kind != "":
		trace.Replay = study.ReplayLine(t)
		t.Error(text(trace))
	}
}
