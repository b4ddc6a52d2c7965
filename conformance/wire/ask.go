package wire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"
)

// An output is a line that the adapter wrote, or how its output ended.
type output struct {
	line   []byte
	behind []byte // what it wrote in one go with the line, after it
	asked  bool   // it was the adapter's turn
	err    error  // the output ended within or after the line
}

// end reports whether there is no output any more. A process that holds the pipe open
// after the adapter's end makes no difference.
func (o output) end() bool {
	return len(o.line) == 0 && (o.err == io.EOF || errors.Is(o.err, os.ErrDeadlineExceeded))
}

// unfinished says what was written of a line that has no end.
func (o output) unfinished() string {
	if len(o.line) == 0 || o.err == nil {
		return ""
	}
	return ", having written " + shown(o.line) + " without a line feed"
}

// read passes on what the adapter writes. It is the only one that waits for it.
func (p *Process) read() {
	defer p.child.stdout.Close()
	in := newLines(p.child.stdout)
	for {
		line, err := in.next()
		o := output{line: line, err: err, asked: p.turn.Swap(false)}
		if err == nil {
			o.behind = in.behind()
		}
		select {
		case p.output <- o:
		case <-p.quit:
			return
		}
		if err != nil {
			return
		}
	}
}

// ask sends a request and returns the answer. Whatever goes wrong, it is an error that
// ends the adapter.
func (p *Process) ask(ctx context.Context, r request) (answer, error) {
	if p.err != nil {
		return answer{}, p.err
	}
	p.asked++
	r.ID = p.asked
	ctx, cancel := context.WithTimeoutCause(ctx, p.timeout, errSilent)
	defer cancel()
	unwatch := context.AfterFunc(ctx, p.child.kill) // nothing below waits for longer
	o, err := p.exchange(ctx, r)
	if !unwatch() {
		return answer{}, p.fail(p.late(ctx, r, o))
	}
	var a answer
	if err == nil {
		a, err = decodeAnswer(o.line, r)
	}
	if err != nil {
		return answer{}, p.fail(err)
	}
	return a, nil
}

// exchange sends a request and returns what the adapter wrote in return, which is a line
// written in time and in turn if there is no error.
func (p *Process) exchange(ctx context.Context, r request) (output, error) {
	line, err := encode(r)
	if err != nil {
		return output{}, fmt.Errorf("ask the adapter to %v: %w", r, err)
	}
	p.turn.Store(true)
	if _, err := p.child.stdin.Write(line); err != nil {
		return output{}, p.gone("closed its standard input", r, output{})
	}
	select {
	case o := <-p.output:
		return o, p.check(o, r)
	case <-ctx.Done():
	}
	select { // it is being killed, and what it had begun to write comes with its end
	case o := <-p.output:
		return o, ctx.Err()
	case <-time.After(2 * grace):
		return output{}, ctx.Err()
	}
}

// check returns what is wrong with an output other than what the line says.
func (p *Process) check(o output, r request) error {
	switch {
	case errors.Is(o.err, errTooLong):
		return fmt.Errorf("the adapter answered %q with %s: %w, expected that at most", r, shown(o.line), o.err)
	case o.err != nil:
		return p.gone("closed its standard output", r, o)
	case !o.asked:
		return fmt.Errorf("the adapter wrote %s before it was asked for %q, expected nothing between an answer and the next request", shown(o.line), r)
	case len(o.behind) > 0:
		return fmt.Errorf("the adapter answered %q with more than one line: %s comes behind %s, expected nothing before the next request",
			r, shown(o.behind), shown(o.line))
	}
	return nil
}

// gone returns the error of an adapter that can't be talked to any more, most likely
// because it has ended.
func (p *Process) gone(how string, r request, o output) error {
	if p.child.ended(grace) {
		how = p.child.ending()
	}
	return fmt.Errorf("the adapter %s before it answered %q%s", how, r, o.unfinished())
}

// late returns the error of an adapter that did not answer before ctx ended.
func (p *Process) late(ctx context.Context, r request, o output) error {
	if cause := context.Cause(ctx); cause != errSilent {
		return fmt.Errorf("the adapter was stopped before it answered %q: %w", r, cause)
	}
	return fmt.Errorf("the adapter did not answer %q within %v%s: answer sooner, or raise the time limit", r, p.timeout, o.unfinished())
}
