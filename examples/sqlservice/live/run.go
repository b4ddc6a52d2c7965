package live

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"example.com/commitpoint/model/contract"
	service "sqlservice.example"
)

// A run is one in progress.
type run struct {
	options Options
	name    string
	start   time.Time
	steady  *service.DB   // whose connections are left alone
	shaken  []*service.DB // the others
	auditor *auditor
	cutter  *cutter
	stop    context.CancelCauseFunc
	turns   chan *worker  // that wait for one
	deadly  chan struct{} // has one when a connection is to be killed

	mu     sync.Mutex
	begun  int // tasks
	places int // for tasks at a time, that are not given up
	active []*task
	done   []*task
	counts Counts
	faults []string
}

// Run has clients use the service, and reports what they were told. The error is of the
// run, or of a service that failed for no reason that the run has given it.
func Run(ctx context.Context, o Options) (report Report, err error) {
	if err := o.validate(); err != nil {
		return Report{}, err
	}
	if o.Operations == 0 {
		o.Operations = 1000
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	r, err := newRun(ctx, o, stop)
	defer func() { err = errors.Join(err, r.close()) }()
	if err != nil {
		return Report{}, err
	}
	r.clients(ctx)
	for _, t := range r.done {
		r.audit(ctx, t) // once more, when nothing can come late
	}
	if r.cutter != nil {
		r.counts.Cut = r.cutter.cuts()
	}
	report = Report{Counts: r.counts, Faults: r.faults, Took: time.Since(r.start)}
	for _, t := range r.done {
		report.Histories = append(report.Histories, t.history())
	}
	return report, context.Cause(ctx)
}

// clients has all of them do what they do, until there are enough operations.
func (r *run) clients(ctx context.Context) {
	background, end := context.WithCancel(ctx)
	var front, back sync.WaitGroup
	for range tasks {
		r.next(ctx)
	}
	for n := range uint64(workers) {
		front.Go(func() { r.work(ctx, rand.New(rand.NewPCG(r.options.Seed, n))) })
	}
	for n, act := range []func(*task, context.Context, *rand.Rand){(*task).sweep, (*task).edit, (*task).administer} {
		back.Go(func() { r.disturb(background, rand.New(rand.NewPCG(r.options.Seed, uint64(workers+n))), act) })
	}
	if r.options.Kill > 0 {
		back.Go(func() { r.kill(background) })
	}
	front.Wait()
	end()
	back.Wait()
}

// work gives one worker after the other a turn.
func (r *run) work(ctx context.Context, random *rand.Rand) {
	for w := range r.turns {
		if ctx.Err() != nil || w.task.over() {
			r.leave(ctx, w.task)
			continue
		}
		w.turn(ctx, random)
		time.Sleep(time.Duration(random.Int64N(int64(rest))))
		r.turns <- w
	}
}

// rest is how long a worker rests after each turn, at most. Others have more than one
// thing to do in a turn, and rest twice as long.
const rest = 2 * time.Millisecond

// disturb acts on one task after the other.
func (r *run) disturb(ctx context.Context, random *rand.Rand, act func(*task, context.Context, *rand.Rand)) {
	for ctx.Err() == nil {
		if t := r.enter(random); t != nil {
			act(t, ctx, random)
			r.leave(ctx, t)
		}
		time.Sleep(time.Duration(random.Int64N(int64(2 * rest))))
	}
}

// enter returns a task to act on, if there is one. It is to be left.
func (r *run) enter(random *rand.Rand) *task {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.active) == 0 {
		return nil
	}
	t := r.active[random.IntN(len(r.active))]
	if t.over() {
		return nil
	}
	t.users++
	return t
}

// leave takes a client off a task. When the last one leaves, another task comes next.
func (r *run) leave(ctx context.Context, t *task) {
	r.mu.Lock()
	t.users--
	last := t.users == 0
	if last {
		r.active = slices.DeleteFunc(r.active, func(a *task) bool { return a == t })
		r.done = append(r.done, t)
	}
	r.mu.Unlock()
	if last {
		r.audit(ctx, t)
		r.next(ctx)
	}
}

// next begins another task, or gives its place up if there are enough operations.
func (r *run) next(ctx context.Context) {
	r.mu.Lock()
	more := ctx.Err() == nil && r.counts.Operations < r.options.Operations
	r.begun++
	number := r.begun
	r.mu.Unlock()
	var t *task
	if more {
		var err error
		if t, err = r.newTask(ctx, number); err != nil {
			r.stop(fmt.Errorf("begin task: %w", err))
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if t == nil {
		if r.places--; r.places == 0 {
			close(r.turns)
		}
		return
	}
	r.counts.Tasks++
	t.users = len(t.workers)
	r.active = append(r.active, t)
	for _, w := range t.workers {
		r.turns <- w // there is room for all
	}
}

// audit compares what the tables have about a task.
func (r *run) audit(ctx context.Context, t *task) {
	given := t.receipts() // first, since what is recorded can only grow
	s, err := r.auditor.read(ctx, t.id)
	if err != nil {
		r.stop(err)
		return
	}
	faults := s.faults(given)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.counts.Audits++
	for _, f := range faults {
		r.faults = append(r.faults, fmt.Sprintf("task %q: %s", t.id, f))
	}
}

// recorded counts an operation, and has a connection killed if it is time for that.
func (r *run) recorded(in Input, out Output) {
	r.tally(func(c *Counts) {
		c.Operations++
		if k := in.Event.Kind; k == contract.Commit || k == contract.Retry {
			c.Answers[out.decision()]++
		}
		if n := r.options.Kill; n > 0 && c.Operations%n == 0 {
			select {
			case r.deadly <- struct{}{}:
			default: // the last one is still to come
			}
		}
	})
}

// tally has something counted.
func (r *run) tally(add func(*Counts)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	add(&r.counts)
}
