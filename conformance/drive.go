package conformance

import (
	"context"
	"fmt"
	"io"
	"sync/atomic"
)

// A driver drives one system. It is used by one goroutine, but for what is atomic, which
// the watch looks at.
type driver struct {
	system System
	ctx    context.Context // ends when the system hangs
	cancel context.CancelCauseFunc

	about About
	lost  bool // whether it hung, and was given up

	calls   atomic.Uint64        // begun and ended: odd while one is under way
	number  atomic.Uint64        // of the schedule that is run
	current atomic.Pointer[call] // what is run
}

// A call says where a driver is.
type call struct {
	steps []step
	done  atomic.Int32 // steps that were begun
	doing atomic.Pointer[string]
}

// newDriver returns a driver with no system yet. Its context is that of every call.
func newDriver(ctx context.Context) *driver {
	d := new(driver)
	d.ctx, d.cancel = context.WithCancelCause(ctx)
	return d
}

// calls are what a system can be asked to do, beside an event.
var calls = struct{ open, about, reset, recorded, close string }{"open", "about", "reset", "recorded", "close"}

// ask makes one call. A panic is an error.
func (d *driver) ask(what func(context.Context) error) (err error) {
	if d.ctx.Err() != nil { // the system was given up, or everything was
		return context.Cause(d.ctx)
	}
	return d.call(what)
}

// call is ask, whatever has become of the driver.
func (d *driver) call(what func(context.Context) error) (err error) {
	d.calls.Add(1)
	defer d.calls.Add(1)
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panics: %v", p)
		}
	}()
	return what(d.ctx)
}

// A ran is what a run of a schedule came to.
type ran struct {
	fails     []obligation     // nothing if all is right
	at        int              // steps that were done when it failed, or all
	decisions map[int]Decision // by step, if they were asked for
	fault     *Fault
}

// A pass is a run under way.
type pass struct {
	*driver
	*call
	last    Record // that was read
	fresh   bool   // whether nothing has happened since
	world   *World // what is right now
	receipt string // of the completion, when it is accepted
}

// run drives the system through the steps, from the start, until something is wrong. It
// keeps the decisions if it is told to.
func (d *driver) run(start *World, steps []step, keep bool) (r ran) {
	p := pass{driver: d, call: &call{steps: steps}, world: start}
	d.current.Store(p.call)
	if keep {
		r.decisions = make(map[int]Decision)
	}
	err := p.reset()
	for i := range steps {
		if err != nil || r.fails != nil {
			break
		}
		s := &steps[i]
		if r.at = i; s.expect != nil {
			if r.fails, err = p.look(); err != nil || r.fails != nil {
				break
			}
		}
		p.done.Store(int32(i + 1))
		if r.at = i + 1; s.expect == nil {
			err = p.apply(s)
			continue
		}
		var decision Decision
		if decision, r.fails, err = p.submit(s); keep && err == nil {
			r.decisions[i] = decision
		}
	}
	if err == nil && r.fails == nil {
		r.fails, err = p.look()
	}
	if err != nil {
		r.fault = p.fault(err)
	}
	return r
}

// reset takes the system to the start, where nothing may be recorded.
func (p *pass) reset() error {
	p.doing.Store(&calls.reset)
	if err := p.ask(p.system.Reset); err != nil {
		return err
	}
	wrong, err := p.look()
	if err == nil && wrong != nil {
		p.doing.Store(&calls.reset)
		err = fmt.Errorf("it is not the start of a scenario that it leads to (%s): what is recorded is %+v", wrong[0].reason, p.last)
	}
	return err
}

// look reads what is recorded, unless that is known, and returns what is wrong with it.
func (p *pass) look() ([]obligation, error) {
	if p.fresh {
		return nil, nil
	}
	if err := p.recorded(); err != nil {
		return nil, err
	}
	return judgeRecord(p.world, p.receipt, p.last), nil
}

// recorded reads what is recorded, which has to make sense.
func (p *pass) recorded() error {
	p.doing.Store(&calls.recorded)
	err := p.ask(func(ctx context.Context) (err error) {
		p.last, err = p.system.Recorded(ctx)
		return err
	})
	if err == nil {
		err = p.last.validate()
	}
	p.fresh = true
	return err
}

func (p *pass) apply(s *step) error {
	p.doing.Store(&s.event)
	p.world, p.fresh = s.world, false
	return p.ask(func(ctx context.Context) error { return p.system.Apply(ctx, s.event) })
}

// submit asks for a decision and looks at what came of it.
func (p *pass) submit(s *step) (d Decision, wrong []obligation, err error) {
	p.doing.Store(&s.event)
	err = p.ask(func(ctx context.Context) (err error) {
		d, err = p.system.Submit(ctx, s.event)
		return err
	})
	if err == nil {
		err = d.validate()
	}
	if err != nil {
		return d, nil, err
	}
	before := p.last
	p.world = s.world
	if err := p.recorded(); err != nil {
		return d, nil, err
	}
	return d, p.judge(s.expect.Expected, d, before), nil
}

// judge returns what is wrong with a decision and what came of it.
func (p *pass) judge(x Expected, d Decision, before Record) []obligation {
	if wrong := judgeDecision(x, d); wrong != nil {
		return wrong
	}
	if x.Replay && d.Receipt != p.receipt {
		return []obligation{{WrongRecord, otherReceipt}}
	}
	if !d.Accepted || x.Replay {
		if wrong := judgeChange(x, before, p.last); wrong != nil {
			return wrong
		}
	}
	if d.Accepted {
		p.receipt = d.Receipt
	}
	return judgeRecord(p.world, p.receipt, p.last)
}

// fault returns the fault of a call that did not go well or, if the driver's context
// ended, that did not return in time.
func (d *driver) fault(err error) *Fault {
	f := &Fault{Call: calls.open, Err: err}
	if cause := context.Cause(d.ctx); cause != nil {
		f.Err = cause
	}
	if c := d.current.Load(); c != nil {
		f.Schedule = c.schedule()
		if what := c.doing.Load(); what != nil {
			f.Call = *what
		}
	}
	return f
}

// schedule returns the events that were begun.
func (c *call) schedule() []string {
	names := []string{}
	for _, s := range c.steps[:c.done.Load()] {
		names = append(names, s.event)
	}
	return names
}

// close closes the system, if it can be.
func (d *driver) close() error {
	closer, ok := d.system.(io.Closer)
	if !ok {
		return nil
	}
	return d.call(func(context.Context) error { return closer.Close() })
}
