package conformance

import (
	"cmp"
	"fmt"
	"slices"

	"example.com/commitpoint/counterexamples"
	"example.com/commitpoint/enumerate"
	"example.com/commitpoint/study"
)

// maxRefusals is how many refusals of eligible requests are told apart: a system may put
// anything there.
const maxRefusals = 16

// A failing is an obligation that was failed.
type failing struct {
	obligation
	found
}

// failings returns what was failed, by kind, and the shortest history first.
func (t *totals) failings() []failing {
	var list []failing
	for o, f := range t.failed {
		list = append(list, failing{o, f})
	}
	kinds := Kinds()
	slices.SortFunc(list, func(a, b failing) int {
		return cmp.Or(
			cmp.Compare(slices.Index(kinds, a.kind), slices.Index(kinds, b.kind)),
			enumerate.CompareHistories(a.least, b.least),
			cmp.Compare(a.reason, b.reason),
		)
	})
	refusals := 0
	return slices.DeleteFunc(list, func(f failing) bool {
		if f.kind == study.EligibleReject {
			refusals++
		}
		return f.kind == study.EligibleReject && refusals > maxRefusals
	})
}

// explain finds the shortest history of everything that was failed, by running schedules
// again, and tells it. After a fault that is done by a system opened anew, as far as it
// can be.
func (r *runner) explain(p plan, set string, t *totals) {
	fault := r.report.Fault
	list := t.failings()
	if r.teller = r.drivers[0]; fault != nil && len(list) > 0 {
		r.teller = r.open()
	}
	for _, f := range list {
		shortest, again := r.shortest(p, f)
		if again != nil {
			fault = cmp.Or(fault, again)
			r.teller = r.open()
			shortest = r.once(p, f.least)
		}
		trace, again := r.trace(p, f, shortest)
		fault = cmp.Or(fault, again)
		trace.Summary = fmt.Sprintf("%q %s (%d of the %d schedules of %s)", r.report.System, trace.Summary, f.schedules, t.ran, set)
		r.report.Failures = append(r.report.Failures, Failure{
			Set: set, Kind: f.kind, Reason: f.reason, Schedules: f.schedules,
			Schedule: p.names(shortest.history), Trace: trace,
		})
	}
	r.report.Fault = fault
}

// A shown is a history that was run, and what it came to.
type shown struct {
	history
	ran
}

// shortest returns the shortest history with the failing, unless there is a fault on the
// way.
func (r *runner) shortest(p plan, f failing) (shown, *Fault) {
	d := r.teller
	if d == nil {
		return shown{history: f.least}, nil
	}
	best, fault := await(r, d, func() (best shown, fault *Fault) {
		fails := func(h history) bool {
			if fault != nil {
				return false
			}
			again := d.run(p.start(), p.steps(h), true)
			fault = again.fault
			if fault != nil || again.at != len(h) || !slices.Contains(again.fails, f.obligation) {
				return false
			}
			best.ran = again
			return true
		}
		var err error
		if best.history, err = p.shrink(f.least, fails); err != nil && fault == nil {
			fault = &Fault{
				Call: "run again", Schedule: p.names(f.least),
				Err: fmt.Errorf("the system answers differently when a schedule is run again (the first time it failed with %v); it has to be a function of the schedule, after Reset", f.obligation),
			}
		}
		return best, fault
	})
	return best, fault
}

// once runs a history, as it is, and has no decisions of it if there is a fault.
func (r *runner) once(p plan, h history) shown {
	if r.teller == nil {
		return shown{history: h}
	}
	again, fault := await(r, r.teller, func() (ran, *Fault) {
		again := r.teller.run(p.start(), p.steps(h), true)
		return again, again.fault
	})
	if fault != nil {
		r.teller = nil
		return shown{history: h}
	}
	return shown{h, again}
}

// trace tells a history that ends with a failing. Its summary lacks the system's name.
func (r *runner) trace(p plan, f failing, shortest shown) (t counterexamples.Trace, fault *Fault) {
	t = p.tell(shortest)
	t.Mechanism, t.Kind, t.Reason = r.report.System, string(f.kind), f.reason
	switch {
	case f.kind == study.UnsafeAccept:
		t.Summary = "accepted a completion that was not eligible"
	case f.kind == study.EligibleReject && f.reason == retryRefused:
		t.Summary = "refused an identical request that it had recorded before"
	case f.kind == study.EligibleReject:
		t.Summary = "refused a completion that was eligible"
	default:
		t.Summary = meanings[f.reason]
		t.Notes = []string{"wrong record: " + f.reason}
	}
	if f.kind != WrongRecord && len(shortest.decisions) > 0 && r.teller != nil {
		if t.Nearest, fault = r.nearest(p, shortest.history); fault != nil {
			r.teller = nil
		}
	}
	return t, fault
}

// nearest returns the nearest history in which the same request has the other outcome, or
// nil.
func (r *runner) nearest(p plan, h history) (*counterexamples.Nearest, *Fault) {
	d, request := r.teller, h[len(h)-1]
	return await(r, d, func() (*counterexamples.Nearest, *Fault) {
		return p.nearest(h, func(h history) (counterexamples.Outcome, bool) {
			steps, at := p.steps(h), slices.Index(h, request)
			decision, decided := d.run(p.start(), steps, true).decisions[at]
			if !decided {
				return counterexamples.Outcome{}, false
			}
			eligible := steps[at].expect.Eligible()
			return counterexamples.Outcome{Decision: said(decision), Eligible: eligible, Wrong: decision.Accepted != eligible}, true
		}), nil
	})
}

func said(d Decision) string {
	if d.Accepted {
		return "accepted"
	}
	return "refused"
}
