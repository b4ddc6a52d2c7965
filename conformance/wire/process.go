package wire

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"example.com/commitpoint/conformance"
)

// A Process is a running adapter. It is a conformance.System and an io.Closer, for one
// goroutine at a time; Stderr may be called from any.
//
// The first error is the last word: the adapter is killed, and every later call returns
// the same *Error.
type Process struct {
	child   *child
	timeout time.Duration
	about   conformance.About

	stopped func() error // why the context that it was started with has ended, or nil
	unwatch func() bool  // stops watching that context

	asked  uint64      // requests so far
	turn   atomic.Bool // it is the adapter's turn to write a line
	output chan output // what it writes
	quit   chan struct{}

	err    error // what every later call returns
	closed bool
}

// An Error says why an adapter was given up.
type Error struct {
	// Stderr is the end of what the adapter wrote to its standard error, as
	// Process.Stderr returns it. It is not part of the error's text.
	Stderr string

	Err error
}

func (e *Error) Error() string { return e.Err.Error() }

// Unwrap returns the cause, for errors.Is: context.Canceled, for instance.
func (e *Error) Unwrap() error { return e.Err }

var (
	_ conformance.System = (*Process)(nil)

	errClosed = errors.New("the adapter is closed: start another")
	errSilent = errors.New("time limit") // tells ours from that of the caller's context
)

func newProcess(ctx context.Context, c *child, timeout time.Duration) *Process {
	p := &Process{child: c, timeout: timeout, output: make(chan output), quit: make(chan struct{})}
	p.stopped = func() error { return context.Cause(ctx) }
	p.unwatch = context.AfterFunc(ctx, c.kill)
	go p.read()
	return p
}

// About returns what the adapter said of itself when it was started.
func (p *Process) About() conformance.About {
	about := p.about
	about.Events = slices.Clone(about.Events)
	return about
}

// Reset takes the service to the start of a scenario.
func (p *Process) Reset(ctx context.Context) error {
	_, err := p.ask(ctx, request{Do: doReset})
	return err
}

// Apply performs an event that submits no completion.
func (p *Process) Apply(ctx context.Context, event string) error {
	_, err := p.ask(ctx, request{Do: doApply, Event: event})
	return err
}

// Submit performs an event that submits a completion and returns the service's decision.
func (p *Process) Submit(ctx context.Context, event string) (conformance.Decision, error) {
	a, err := p.ask(ctx, request{Do: doSubmit, Event: event})
	if err != nil {
		return conformance.Decision{}, err
	}
	return *a.Decision, nil
}

// Recorded reads back what the service has recorded.
func (p *Process) Recorded(ctx context.Context) (conformance.Record, error) {
	a, err := p.ask(ctx, request{Do: doRecorded})
	if err != nil {
		return conformance.Record{}, err
	}
	return *a.Record, nil
}

// Stderr returns the end of what the adapter has written to its standard error: the last
// lines, about 8 KiB. It is complete once a call has returned an error.
func (p *Process) Stderr() string { return p.child.stderr.String() }

// Close ends the adapter: it closes its standard input and waits, up to the time limit,
// for an exit with status 0. Otherwise it kills the adapter and says what was wrong. In
// either case nothing of its process group is left. Further calls of Close return the
// same.
func (p *Process) Close() error {
	if p.closed {
		return nil
	}
	if p.err != nil {
		return p.err
	}
	p.child.stdin.Close()
	ctx, cancel := context.WithTimeout(context.Background(), p.timeout)
	defer cancel()
	select {
	case o := <-p.output:
		if !o.end() {
			return p.fail(fmt.Errorf("the adapter wrote %s after its last answer, expected that it exits when its standard input ends", shown(o.line)))
		}
	case <-ctx.Done():
	}
	select {
	case <-p.child.exited:
	case <-ctx.Done():
	}
	switch {
	case !p.child.ended(0):
		return p.fail(fmt.Errorf("the adapter did not exit within %v after its standard input was closed: exit when it ends", p.timeout))
	case !p.child.cmd.ProcessState.Success():
		return p.fail(fmt.Errorf("the adapter %s after its standard input was closed, expected status 0", p.child.ending()))
	}
	p.release()
	p.err, p.closed = errClosed, true
	return nil
}

// fail gives up the adapter for a reason, which stays.
func (p *Process) fail(why error) error {
	p.child.kill()
	p.release()
	if cause := p.stopped(); cause != nil {
		why = fmt.Errorf("the adapter was stopped: %w", cause)
	}
	p.err = &Error{Stderr: p.Stderr(), Err: why}
	return p.err
}

// release waits until the ended adapter's last output is there, and stops what goes on
// for its sake.
func (p *Process) release() {
	p.unwatch()
	if p.child.ended(grace) {
		happens(p.child.quiet, 2*grace) // beyond the deadline that the pipes have by now
	}
	close(p.quit)
}
