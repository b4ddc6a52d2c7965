package wire

import (
	"io"
	"os"
	"os/exec"
	"sync"
	"time"
)

// grace is how long the pipes of an ended adapter are read on, in case that a process
// which it started holds them open, and how long the end of a killed one is awaited.
const grace = time.Second

// A child is a running adapter with its pipes.
type child struct {
	cmd    *exec.Cmd
	stdin  *os.File
	stdout *os.File // closed by whoever reads it
	stderr *tail
	exited chan struct{} // closed when the process has ended and its group is killed
	quiet  chan struct{} // closed when its standard error has been read to the end

	mu     sync.Mutex
	reaped bool // the process id may belong to another one now
}

// startChild starts cmd. The pipes are our own, not those of package exec, which would
// wait for everybody who holds their other ends.
func startChild(cmd *exec.Cmd) (*child, error) {
	var open []*os.File
	closeAll := func() {
		for _, f := range open {
			f.Close()
		}
	}
	pipe := func() (r, w *os.File, err error) {
		if r, w, err = os.Pipe(); err == nil {
			open = append(open, r, w)
		}
		return r, w, err
	}
	inR, inW, err1 := pipe()
	outR, outW, err2 := pipe()
	errR, errW, err3 := pipe()
	for _, err := range []error{err1, err2, err3} {
		if err != nil {
			closeAll()
			return nil, err
		}
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = inR, outW, errW
	ownGroup(cmd)
	if err := cmd.Start(); err != nil {
		closeAll()
		return nil, err
	}
	open = []*os.File{inR, outW, errW} // the child has them now
	closeAll()
	c := &child{cmd: cmd, stdin: inW, stdout: outR, stderr: new(tail), exited: make(chan struct{}), quiet: make(chan struct{})}
	go c.collect(errR)
	go c.wait(errR)
	return c, nil
}

// collect keeps the end of what the adapter writes to its standard error. It always
// reads on, so that the adapter is never held up there.
func (c *child) collect(stderr *os.File) {
	defer close(c.quiet)
	defer stderr.Close()
	_, _ = io.Copy(c.stderr, stderr) // ends with the pipe or at the deadline that wait sets
}

// wait waits for the adapter's end, and ends what it leaves behind.
func (c *child) wait(stderr *os.File) {
	defer close(c.exited)
	_ = c.cmd.Wait() // how it ended is in the ProcessState
	c.kill()         // at once: the number of a group without members is free from now on
	c.mu.Lock()
	c.reaped = true
	c.mu.Unlock()
	deadline := time.Now().Add(grace)
	_ = c.stdout.SetReadDeadline(deadline) // an error says that it is closed already,
	_ = stderr.SetReadDeadline(deadline)   // or that the system has no such deadlines
}

// kill kills the adapter and, where there are process groups, all of its group. Nobody
// who writes to its standard input waits any longer.
func (c *child) kill() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.reaped {
		killGroup(c.cmd.Process)
	}
	c.stdin.Close() // not before, or it might end as if all was done
}

// ended reports whether the adapter ends within a while.
func (c *child) ended(within time.Duration) bool {
	return happens(c.exited, within)
}

// happens reports whether a channel is closed within a while.
func happens(event <-chan struct{}, within time.Duration) bool {
	late := time.NewTimer(within)
	defer late.Stop()
	select {
	case <-event:
		return true
	case <-late.C:
	}
	select { // both may have been there
	case <-event:
		return true
	default:
		return false
	}
}

// ending says how the adapter ended, as what follows "the adapter". It must have.
func (c *child) ending() string { return ending(c.cmd.ProcessState) }
