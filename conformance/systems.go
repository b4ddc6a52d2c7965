package conformance

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// open opens a system and asks it what it is. It returns nil, and the report has the
// fault, if that fails.
func (r *runner) open() *driver {
	d := newDriver(r.ctx)
	about, fault := await(r, d, func() (About, *Fault) { return d.open(r.newSystem) })
	d.about = about
	if fault == nil && len(r.drivers) > 0 && !d.about.equal(r.drivers[0].about) {
		fault = d.fault(fmt.Errorf("a second system says that it is another: %+v, and the first %+v", d.about, r.drivers[0].about))
	}
	if d.system != nil && !d.lost {
		r.drivers = append(r.drivers, d) // to be closed, whatever it is
	}
	if fault != nil {
		r.report.Fault = fault
		return nil
	}
	return d
}

// open opens the driver's system and asks what it is.
func (d *driver) open(newSystem func() (System, error)) (about About, fault *Fault) {
	err := d.ask(func(context.Context) (err error) {
		d.system, err = newSystem()
		if err == nil && d.system == nil {
			err = errors.New("there is no system: it is nil")
		}
		return err
	})
	if err == nil {
		err = d.ask(func(context.Context) error { about = d.system.About(); return nil })
	}
	if err != nil {
		return about, d.fault(err)
	}
	return about, nil
}

func (a About) equal(b About) bool {
	return a.Name == b.Name && a.Parallel == b.Parallel && slices.Equal(a.Events, b.Events)
}

// await returns what a function returns that asks a driver's system, or the fault if that
// hangs.
func await[T any](r *runner, d *driver, what func() (T, *Fault)) (T, *Fault) {
	type answer struct {
		value T
		fault *Fault
	}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	go watch(ctx, []*driver{d}, r.opt.StepTimeout, r.hung)
	done := make(chan answer, 1)
	go func() {
		a := answer{fault: &Fault{}}
		defer func() {
			if a.fault != nil && a.fault.Err == nil { // a call ended this goroutine
				a.fault = d.fault(errGone)
			}
			done <- a
		}()
		a.value, a.fault = what()
	}()
	select {
	case a := <-done:
		return a.value, a.fault
	case <-r.hung:
		d.lost = true
		var none T
		return none, d.fault(errHung(r.opt.StepTimeout))
	}
}

// errGone is the error of a call that ends the goroutine it is made on.
var errGone = errors.New("ends its goroutine, as t.Fatal does; an adapter has to return an error")

// workers returns the drivers, of which there can be several if the systems can.
func (r *runner) workers() []*driver {
	for r.drivers[0].about.Parallel && len(r.drivers) < r.opt.Workers && r.report.Fault == nil {
		r.open()
	}
	return r.drivers
}

// closeAll closes every system that has not been given up. One that can't be closed is a
// fault.
func (r *runner) closeAll() {
	for _, d := range r.drivers {
		if d.lost {
			continue
		}
		d.current.Store(nil)
		_, fault := await(r, d, func() (struct{}, *Fault) {
			if err := d.close(); err != nil {
				return struct{}{}, d.fault(err)
			}
			return struct{}{}, nil
		})
		if fault != nil && r.report.Fault == nil {
			fault.Call = calls.close
			r.report.Fault = fault
		}
	}
	r.drivers = nil
}

// end ends what is still under way, when a run was cut short.
func (r *runner) end() {
	kept := r.report.Fault
	r.closeAll()
	if kept != nil {
		r.report.Fault = kept
	}
}
