package conformance

import (
	"context"
	"fmt"
	"time"

	"example.com/commitpoint/enumerate"
)

// A job is one schedule to be run.
type job struct {
	number uint64 // from 1
	steps  []step
}

// A result is what a job came to.
type result struct {
	job
	ran
	by *driver
}

// ahead is how many schedules can be run before one that is under way.
const ahead = 4096

// A run drives systems through the schedules of a plan. Results are added up in the order
// of the schedules, whoever has them first, so that a fault ends the run at the same one
// every time.
type run struct {
	*runner
	plan    plan
	set     string
	of      enumerate.Count
	drivers []*driver

	jobs    chan job
	window  chan struct{} // a place for each schedule that is not added yet
	results chan result
	ended   chan *driver
	handed  chan uint64 // how many schedules there were

	waiting map[uint64]result
	totals  *totals
	fault   *Fault
}

// drive drives the systems through the schedules of a plan.
func (r *runner) drive(p plan, set string, of enumerate.Count) (*totals, error) {
	u := &run{
		runner: r, plan: p, set: set, of: of, drivers: r.workers(),
		jobs: make(chan job), window: make(chan struct{}, ahead), results: make(chan result),
		ended: make(chan *driver, r.opt.Workers), handed: make(chan uint64, 1),
		waiting: make(map[uint64]result), totals: newTotals(),
	}
	if r.report.Fault != nil {
		return u.totals, nil
	}
	ctx, stop := context.WithCancel(r.ctx)
	defer stop()
	var produced error
	go func() { u.handed <- u.hand(ctx, &produced) }()
	watching, unwatch := context.WithCancel(context.Background())
	defer unwatch()
	go watch(watching, u.drivers, r.opt.StepTimeout, r.hung)
	start := p.start()
	for _, d := range u.drivers {
		go u.work(ctx, d, start)
	}
	all := u.collect(ctx)
	stop()
	u.wait(all)
	r.report.Fault = u.fault
	if u.fault != nil || r.ctx.Err() != nil {
		return u.totals, nil // the production was stopped
	}
	return u.totals, produced
}

// hand hands out the schedules, and returns how many.
func (u *run) hand(ctx context.Context, err *error) (number uint64) {
	defer close(u.jobs)
	defer func() { // of a function of the protocol, somebody else's code
		if p := recover(); p != nil {
			*err = fmt.Errorf("scenarios of %s: a function of the protocol panics: %v", u.set, p)
		}
	}()
	*err = u.plan.each(ctx, func(steps []step) bool {
		select {
		case u.window <- struct{}{}:
		case <-ctx.Done():
			return false
		}
		select {
		case u.jobs <- job{number + 1, steps}:
			number++
			return true
		case <-ctx.Done():
			return false
		}
	})
	return number
}

// work runs jobs until there are none, or one has a fault.
func (u *run) work(ctx context.Context, d *driver, start *World) {
	var r result
	answered := true
	defer func() {
		if !answered { // a call ended this goroutine, as t.Fatal does
			r.fault, r.by = d.fault(errGone), d
			select {
			case u.results <- r:
			case <-ctx.Done():
			}
		}
		u.ended <- d
	}()
	for j := range u.jobs {
		d.number.Store(j.number)
		r, answered = result{job: j, by: d}, false
		r.ran = d.run(start, j.steps, false)
		answered = true
		select {
		case u.results <- r:
		case <-ctx.Done():
			return
		}
		if r.fault != nil {
			return
		}
	}
}

// collect adds results until there are no more, or one is a fault. It returns whether all
// schedules were handed out.
func (u *run) collect(ctx context.Context) (all bool) {
	ticker := time.NewTicker(200 * time.Millisecond)
	defer ticker.Stop()
	defer u.tell()
	total := ^uint64(0)
	for u.fault == nil && u.totals.ran < total {
		select {
		case r := <-u.results:
			if !r.by.lost { // what comes after it was given up does not count
				u.waiting[r.number] = r
				u.advance()
			}
		case d := <-u.hung:
			d.lost = true
			number := d.number.Load()
			u.waiting[number] = result{job: job{number: number}, ran: ran{fault: d.fault(errHung(u.opt.StepTimeout))}, by: d}
			u.advance()
		case total = <-u.handed:
			all = true
		case <-ticker.C:
			u.tell()
		case <-ctx.Done():
			return all
		}
	}
	return all
}

// advance adds what has come in order.
func (u *run) advance() {
	for u.fault == nil {
		r, here := u.waiting[u.totals.ran+1]
		switch {
		case !here:
			return
		case r.fault != nil:
			u.fault = r.fault
			return
		}
		delete(u.waiting, r.number)
		u.totals.add(r.steps, r.ran)
		<-u.window
	}
}

// wait waits until no worker uses its system any more, but for those that hang.
func (u *run) wait(handed bool) {
	left := 0
	for _, d := range u.drivers {
		if !d.lost {
			left++
		}
	}
	for left > 0 || !handed {
		select {
		case d := <-u.ended:
			if !d.lost {
				left--
			}
		case d := <-u.hung:
			d.lost = true
			left--
		case <-u.handed:
			handed = true
		}
	}
}

// tell reports progress.
func (u *run) tell() {
	if u.opt.Progress == nil {
		return
	}
	u.opt.Progress(Progress{Set: u.set, Ran: u.totals.ran, Of: u.of, Elapsed: time.Since(u.begun)})
}
