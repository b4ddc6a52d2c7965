package session

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// askLimit bounds a request. It leaves a task its own limit, and some time to be started.
const askLimit = 2 * taskLimit

// A Session is one that this program has started. Its methods may be called at the same
// time; requests to it are made one after the other.
type Session struct {
	spec    spec
	control *channel

	cmd         *exec.Cmd // its process is a handle, not a number
	creation    creation
	creationErr error
	watchdog    *time.Timer
	said        tail
	heard       chan struct{} // closed after its first message, or the lack of one
	ended       chan struct{} // closed after PID 1 was waited for
}

// Identity returns the one that it was started with.
func (s *Session) Identity() Identity { return s.spec.Identity }

// Done returns a channel that is closed when the session has ended, for whatever reason.
func (s *Session) Done() <-chan struct{} { return s.ended }

// Query asks the service inside, by HTTP, from a fresh process inside. It returns what was
// answered, whatever it is: to compare it is the caller's. An error says that there was no
// answer, which comes in bounded time. If nothing came back at all, also because the context
// ended, the session can only be removed: this, Bind and Processes share one channel.
func (s *Session) Query(ctx context.Context) (Answer, error) {
	r, err := s.ask(ctx, "query")
	if err == nil && r.Answer == nil {
		err = errors.New("query: there is no answer in it")
	}
	if err != nil {
		return Answer{}, s.failing(err)
	}
	return *r.Answer, nil
}

// Bind tries to bind the address of the service from a fresh process inside, and lets it go
// again. It returns nil if that was possible; an error that matches syscall.EADDRINUSE is
// the kernel's answer that it is taken. Every other error says that it could not be tried; if
// nothing came back at all the session can only be removed, as with Query.
func (s *Session) Bind(ctx context.Context) error {
	if _, err := s.ask(ctx, "bind"); err != nil {
		return s.failing(err)
	}
	return nil
}

// Processes returns the processes of the session as a fresh process inside sees them, which
// is among them, by their numbers. If nothing came back at all, which is an error, the session
// can only be removed, as with Query.
func (s *Session) Processes(ctx context.Context) ([]Process, error) {
	r, err := s.ask(ctx, "processes")
	if err != nil {
		return nil, s.failing(err)
	}
	return r.Processes, nil
}

func (s *Session) ask(ctx context.Context, role string) (response, error) {
	return s.control.ask(ctx, request{Role: role}, askLimit)
}

func (s *Session) failing(err error) error {
	return fmt.Errorf("session %s: %w", s.spec.Session, s.explain(err))
}

// kill ends the session, if it is there. It goes by the handle: no other process can be hit.
func (s *Session) kill() { _ = s.cmd.Process.Kill() }

// tailSize is how much is kept of what a session writes to its standard error, in bytes.
const tailSize = 1 << 10

// A tail keeps the end of what is written to it.
type tail struct {
	mu   sync.Mutex
	kept []byte
}

func (t *tail) Write(text []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = append(t.kept, text...)
	t.kept = t.kept[max(0, len(t.kept)-tailSize):]
	return len(text), nil
}

// String returns what is kept.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.TrimSpace(string(bytes.ToValidUTF8(t.kept, nil)))
}
