package wire

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"time"
)

// defaultTimeout is the time limit of a Command that sets none.
const defaultTimeout = 10 * time.Second

// A Command says how to start an adapter.
type Command struct {
	// Path is the program's: a name without a separator is looked up as a shell does.
	Path string
	Args []string // without the program's name

	// Env is the adapter's environment, as NAME=VALUE; nil is that of this process.
	Env []string

	// Timeout is how long the adapter may take for each answer, and in the end for its
	// exit. Zero is 10 seconds.
	Timeout time.Duration
}

// Start starts the adapter and says hello to it. When ctx ends, now or at any later time,
// the adapter is killed. An error of a program that was started is an *Error.
//
// The caller has to Close the process.
func (c Command) Start(ctx context.Context) (*Process, error) {
	if c.Path == "" || c.Timeout < 0 {
		return nil, fmt.Errorf("start the adapter %q with a time limit of %v: give a program, and a limit above 0 or none", c.Path, c.Timeout)
	}
	if c.Timeout == 0 {
		c.Timeout = defaultTimeout
	}
	if ctx.Err() != nil {
		return nil, fmt.Errorf("start the adapter %q: %w", c.Path, context.Cause(ctx))
	}
	cmd := exec.Command(c.Path, c.Args...)
	cmd.Env = c.Env
	child, err := startChild(cmd)
	if err != nil {
		return nil, fmt.Errorf("start the adapter %q: %w: give a program that can be executed", c.Path, plain(err))
	}
	p := newProcess(ctx, child, c.Timeout)
	a, err := p.ask(ctx, request{Do: doHello, Protocol: protocol})
	if err != nil {
		return nil, err
	}
	p.about = *a.About
	return p, nil
}

// plain returns the part of an error that does not repeat the program's name.
func plain(err error) error {
	var notFound *exec.Error
	if errors.As(err, &notFound) {
		return notFound.Err
	}
	return err
}
