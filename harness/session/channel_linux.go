package session

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// maxLine bounds a message, in bytes.
const maxLine = 1 << 16

// A request is what is asked over a channel: the role of the process that has to answer it.
type request struct {
	Role string `json:"role"`
}

// A response is what is answered. Exactly one of its parts is meant, by what was asked.
type response struct {
	Answer    *Answer   `json:"answer,omitempty"`
	Processes []Process `json:"processes,omitempty"`
	Failure   *failure  `json:"failure,omitempty"`
}

// A failure is an error that came from another process. Of an error only the text and the
// number of the system call can be sent: by these, and no others, callers can tell it.
type failure struct {
	Step    string     `json:"step"`
	Text    string     `json:"text"`
	Errno   unix.Errno `json:"errno,omitempty"`   // of the system call, or 0
	Refused bool       `json:"refused,omitempty"` // the system doesn't let it be set up
}

func failed(step string, err error) *failure {
	f := &failure{Step: step, Text: err.Error()}
	errors.As(err, &f.Errno)
	return f
}

func (f *failure) Error() string {
	if f.Refused {
		return fmt.Sprintf("%v: %s: %s", ErrUnsupported, f.Step, f.Text)
	}
	return f.Step + ": " + f.Text
}

// Unwrap makes errors.Is find the number that the system call returned, and that this is
// a refusal.
func (f *failure) Unwrap() (all []error) {
	if f.Errno != 0 {
		all = append(all, f.Errno)
	}
	if f.Refused {
		all = append(all, ErrUnsupported)
	}
	return all
}

// A channel carries JSON lines between two processes, one request and one answer at a time.
type channel struct {
	conn  net.Conn
	lines *bufio.Reader

	mu     sync.Mutex // held from a request to its answer
	broken error
}

// pair returns the two ends of a new channel, of which the second is for a process that is
// to be started. No process gets the first one: its end has to be seen by the other side.
func pair() (*channel, *os.File, error) {
	fds, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, nil, os.NewSyscallError("socketpair", err)
	}
	theirs := os.NewFile(uintptr(fds[1]), "control")
	ours, err := newChannel(os.NewFile(uintptr(fds[0]), "control"))
	if err != nil {
		_ = theirs.Close()
		return nil, nil, err
	}
	return ours, theirs, nil
}

// newChannel takes over an open socket. It closes the file, and has a copy that is closed in
// every program which this process executes: who holds a channel's end keeps the other side
// from seeing that it is over.
func newChannel(file *os.File) (*channel, error) {
	conn, err := net.FileConn(file)
	_ = file.Close()
	if err != nil {
		return nil, err
	}
	return &channel{conn: conn, lines: bufio.NewReaderSize(conn, maxLine)}, nil
}

func (c *channel) close() { _ = c.conn.Close() }

// ask sends a request and waits for its answer, at most for the time given. After a request
// without an answer nothing more is asked: an answer that comes late would be taken for
// the next one's.
func (c *channel) ask(ctx context.Context, q request, limit time.Duration) (response, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.broken != nil {
		return response{}, fmt.Errorf("the control channel is not used any more: %w", c.broken)
	}
	r, err := c.exchange(ctx, limit, func() error { return c.send(q) })
	if err != nil {
		c.broken = err
		return response{}, err
	}
	if r.Failure != nil {
		return response{}, r.Failure
	}
	return r, nil
}

// exchange sends and receives with a limit, which the end of the context shortens. Its errors
// say what the caller can know: that there was no answer, and for how long or why. What the
// socket says of it is of no use to anybody.
func (c *channel) exchange(ctx context.Context, limit time.Duration, send func() error) (r response, err error) {
	err = c.conn.SetDeadline(time.Now().Add(limit))
	passed := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		_ = c.conn.SetDeadline(time.Unix(1, 0))
		close(passed)
	})
	defer func() {
		if !stop() {
			<-passed // or it would set the next exchange's deadline
		}
	}()
	if err == nil {
		err = send()
	}
	if err == nil {
		r, err = receive[response](c)
	}
	switch {
	case err == nil:
		return r, nil
	case ctx.Err() != nil:
		return r, context.Cause(ctx)
	case errors.Is(err, os.ErrDeadlineExceeded):
		return r, fmt.Errorf("no answer within %v", limit)
	case errors.Is(err, io.EOF), errors.Is(err, net.ErrClosed), errors.Is(err, unix.ECONNRESET), errors.Is(err, unix.EPIPE):
		return r, errors.New("no answer: the other process has ended")
	}
	return r, err
}

// send writes a message as one line, in one piece: it is far below what a socket holds, so
// that it never waits for a reader that is stopped.
func (c *channel) send(message any) error {
	line, err := json.Marshal(message)
	if err != nil {
		return err
	}
	_, err = c.conn.Write(append(line, '\n'))
	return err
}

// receive reads the next line.
func receive[M any](c *channel) (m M, err error) {
	line, err := c.lines.ReadSlice('\n')
	if err != nil {
		return m, err // half a line is none
	}
	if err := json.Unmarshal(line, &m); err != nil {
		return m, fmt.Errorf("read a message: %w", err)
	}
	return m, nil
}
