package session

import (
	"crypto/rand"
	"strings"
	"syscall"
	"testing"
	"time"
)

// soon is enough for a session that ends at once, and far from every lifetime that is not
// to be reached.
const soon = 10 * time.Second

const all = "a/init a/sleep b/init b/sleep"

// Whatever becomes of the program that started them, its sessions end.
func TestStarterEnds(t *testing.T) {
	t.Parallel()
	requireSessions(t)
	for _, tt := range []struct {
		name, why string
		lifetime  string
		does      string
		end       func(*testing.T, helper)
		within    time.Duration
	}{
		{"killed", "the kernel closes its channels", "5m", "lives",
			func(t *testing.T, h helper) { _ = h.Process.Kill() }, soon},
		{"panics", "nothing of it is run any more", "5m", "panics", func(t *testing.T, h helper) { h.say(t) }, soon},
		{"exits", "deferred calls are not made", "5m", "exits", func(t *testing.T, h helper) { h.say(t) }, soon},
		{"stopped", "only the sessions' own timers run", "2s", "lives",
			func(t *testing.T, h helper) { _ = h.Process.Signal(syscall.SIGSTOP) }, soon},
		{"lives on", "it never removes them", "2s", "lives", func(t *testing.T, h helper) { h.say(t) }, soon},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			run := rand.Text()
			h := startHelper(t, nil, "parent", run, tt.lifetime, tt.does)
			if got := h.line(t); got != "started" {
				t.Fatal(got)
			}
			if got := roles(t, run); got != all {
				t.Fatalf("before: %s", got)
			}
			tt.end(t, h)
			eventually(t, tt.within, "nothing is left", func() bool { return roles(t, run) == "" })
		})
	}
}

// The end of the starting thread is enough, without that of the channel.
func TestStarterEndsChannelOpen(t *testing.T) {
	t.Parallel()
	requireSessions(t)
	run := rand.Text()
	h := startHelper(t, nil, "leaker", run)
	if got := h.line(t); got != "holding" {
		t.Fatal(got)
	}
	if got := roles(t, run); got != "a/init a/sleep" {
		t.Fatalf("before: %s", got)
	}
	_ = h.Process.Kill()
	eventually(t, soon, "nothing is left", func() bool { return roles(t, run) == "" })
	h.say(t)
	if got := h.line(t); got != "still holding" {
		t.Errorf("the channel is held no more: %s", got)
	}
}

// The end of the channel is enough, without that of the thread.
func TestChannelEnds(t *testing.T) {
	t.Parallel()
	requireSessions(t)
	s := start(t, Options{})
	_ = s.control.conn.Close()
	done(t, s)
	if s.cmd.ProcessState.ExitCode() != 0 {
		t.Errorf("%v: it did not end by itself", s.cmd.ProcessState)
	}
}

// A stopped PID 1 sees neither its timer nor its channel: it is ended from outside.
func TestStoppedInit(t *testing.T) {
	t.Parallel()
	requireSessions(t)
	s := start(t, Options{Lifetime: time.Second})
	begun := time.Now()
	_ = syscall.Kill(s.creation.pid, syscall.SIGSTOP)
	done(t, s)
	if took := time.Since(begun); took < time.Second || s.cmd.ProcessState.ExitCode() != -1 {
		t.Errorf("%v after %v: it was not killed after its time", s.cmd.ProcessState, took)
	}
}

// The detached child has a timer of its own.
func TestStoppedInitsChild(t *testing.T) {
	t.Parallel()
	requireSessions(t)
	s := start(t, Options{Session: "a", Lifetime: time.Second})
	s.watchdog.Stop()
	_ = syscall.Kill(s.creation.pid, syscall.SIGSTOP)
	eventually(t, soon, "the child ended by itself", func() bool { return roles(t, s.Identity().Run) == "a/init" })
}

// A session that has ended by itself is gone, which Remove verifies.
func TestLifetimeIsOver(t *testing.T) {
	t.Parallel()
	requireSessions(t)
	s := start(t, Options{Lifetime: time.Second})
	if _, err := s.Query(t.Context()); err != nil {
		t.Fatal(err)
	}
	done(t, s)
	if s.cmd.ProcessState.ExitCode() != 0 {
		t.Errorf("%v: it did not end by itself", s.cmd.ProcessState)
	}
	if _, err := s.Query(t.Context()); err == nil || !strings.Contains(err.Error(), "no answer: the other process has ended") {
		t.Errorf("after that: %v", err)
	}
	if err := s.Remove(t.Context(), s.Identity()); err != nil {
		t.Error(err)
	}
}

// done waits for the end of a session.
func done(t *testing.T, s *Session) {
	t.Helper()
	select {
	case <-s.Done():
	case <-time.After(soon):
		t.Fatal("it lives on")
	}
}

// The kernel takes the detached child along.
func TestInitKilled(t *testing.T) {
	t.Parallel()
	requireSessions(t)
	s := start(t, Options{Session: "a"})
	if got := roles(t, s.Identity().Run); got != "a/init a/sleep" {
		t.Fatalf("before: %s", got)
	}
	_ = syscall.Kill(s.creation.pid, syscall.SIGKILL)
	done(t, s)
	if got := roles(t, s.Identity().Run); got != "" {
		t.Errorf("after: %s", got)
	}
}

// What it has written at its end is in the errors that follow.
func TestLastWords(t *testing.T) {
	requireSessions(t)
	s := start(t, Options{})
	_ = syscall.Kill(s.creation.pid, syscall.SIGQUIT) // which makes it write where it is
	done(t, s)
	said := s.said.String()
	if _, err := s.Query(t.Context()); err == nil || said == "" || len(said) > tailSize || !strings.HasSuffix(err.Error(), ": "+said) {
		t.Errorf("it said %q, and the error is %v", said, err)
	}
}
