package session

import (
	"bufio"
	"context"
	"errors"
	"net"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

// ends returns a channel with both its ends here.
func ends(t *testing.T) (ours, theirs *channel) {
	t.Helper()
	ours, file, err := pair()
	if err != nil {
		t.Fatal(err)
	}
	if theirs, err = newChannel(file); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ours.close(); theirs.close() })
	return ours, theirs
}

func TestChannelAnswers(t *testing.T) {
	ours, theirs := ends(t)
	want := Answer{Identity{"r", "a", 2}, "b"}
	go func() {
		for {
			q, err := receive[request](theirs)
			if err != nil {
				return
			}
			if q.Role == "fail" {
				_ = theirs.send(response{Failure: failed("bind", syscall.EADDRINUSE)})
			} else {
				_ = theirs.send(response{Answer: &want})
			}
		}
	}()
	for range 2 { // a failure that was answered is an answer
		if _, err := ours.ask(t.Context(), request{"fail"}, soon); !errors.Is(err, syscall.EADDRINUSE) || errors.Is(err, ErrUnsupported) {
			t.Errorf("failure: %v", err)
		}
		if r, err := ours.ask(t.Context(), request{"x"}, soon); err != nil || r.Answer == nil || *r.Answer != want {
			t.Errorf("got %+v, %v", r, err)
		}
	}
}

// An answer with nothing in it is none to a query; to an attempt to bind it says that it
// was possible.
func TestSessionEmptyAnswer(t *testing.T) {
	ours, theirs := ends(t)
	go func() {
		for {
			if _, err := receive[request](theirs); err != nil {
				return
			}
			_ = theirs.send(response{})
		}
	}()
	s := &Session{control: ours}
	if got, err := s.Query(t.Context()); err == nil || !strings.Contains(err.Error(), "there is no answer in it") {
		t.Errorf("query: %+v, %v", got, err)
	}
	if err := s.Bind(t.Context()); err != nil {
		t.Errorf("bind: %v", err)
	}
}

func TestChannelWithoutAnswer(t *testing.T) {
	for _, tt := range []struct {
		name, want string
		other      func(*channel, context.CancelCauseFunc)
		limit      time.Duration
	}{
		{"silence", "no answer within 10ms", func(*channel, context.CancelCauseFunc) {}, 10 * time.Millisecond},
		{"half a line", "no answer within 50ms", func(c *channel, _ context.CancelCauseFunc) { _, _ = c.conn.Write([]byte(`{"answer"`)) }, 50 * time.Millisecond},
		{"end", "the other process has ended", func(c *channel, _ context.CancelCauseFunc) { c.close() }, soon},
		{"end after half a line", "the other process has ended", func(c *channel, _ context.CancelCauseFunc) { _, _ = c.conn.Write([]byte(`{`)); c.close() }, soon},
		{"no JSON", "read a message: ", func(c *channel, _ context.CancelCauseFunc) { _, _ = c.conn.Write([]byte("hello\n")) }, soon},
		{"too long a line", "buffer full", func(c *channel, _ context.CancelCauseFunc) {
			_, _ = c.conn.Write([]byte(strings.Repeat("x", maxLine+1)))
		}, soon},
		{"ended context", "enough", func(_ *channel, end context.CancelCauseFunc) { end(errors.New("enough")) }, soon},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ours, theirs := ends(t)
			ctx, cancel := context.WithCancelCause(t.Context())
			defer cancel(nil)
			go tt.other(theirs, cancel)
			begun := time.Now()
			if _, err := ours.ask(ctx, request{"query"}, tt.limit); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
			if took := time.Since(begun); took >= soon {
				t.Errorf("it took %v", took)
			}
			_ = theirs.send(response{Answer: &Answer{Build: "late"}})
			if r, err := ours.ask(t.Context(), request{"query"}, soon); err == nil || !strings.Contains(err.Error(), "is not used any more") {
				t.Errorf("the next request got %+v, %v", r, err)
			}
		})
	}
}

// A slow conn takes its time to set a deadline that has passed.
type slow struct {
	net.Conn
	begun chan struct{}
	set   atomic.Bool
}

func (s *slow) SetDeadline(at time.Time) error {
	if at.After(time.Now()) {
		return s.Conn.SetDeadline(at)
	}
	close(s.begun)
	time.Sleep(time.Second)
	defer s.set.Store(true)
	return s.Conn.SetDeadline(at)
}

// A context that ends as the answer arrives does not shorten what is asked next.
func TestChannelContextEndsWithTheAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		here, there := net.Pipe()
		conn := &slow{Conn: here, begun: make(chan struct{})}
		c := &channel{conn: conn, lines: bufio.NewReader(conn)}
		defer c.close()
		defer there.Close()
		answer := func() { _, _ = there.Write([]byte("{}\n")) }
		ctx, cancel := context.WithCancel(t.Context())
		_, err := c.exchange(ctx, time.Minute, func() error {
			cancel()
			<-conn.begun
			go answer()
			return nil
		})
		if err != nil || !conn.set.Load() {
			t.Fatalf("%v, and the deadline of the end was set before the return: %v", err, conn.set.Load())
		}
		_, err = c.exchange(t.Context(), time.Minute, func() error {
			time.AfterFunc(2*time.Second, answer)
			return nil
		})
		if err != nil {
			t.Errorf("the next one: %v", err)
		}
	})
}

// Who is no session's process is not taken for one, and who claims to be goes no further.
func TestEnterForged(t *testing.T) {
	whole := spec{Answer: Answer{Identity{"r", "a", 1}, "none"}, Port: 3187}
	now, err := monotonic()
	if err != nil {
		t.Fatal(err)
	}
	whole.Ends = now + int64(time.Minute)
	env := whole.environment()
	const goesOn = "ok"
	for _, tt := range []struct {
		name, why string
		args      []string
		env       []string
		channel   bool
		want      string // of the error; or goesOn, if it runs on as the program itself
	}{
		{"nothing", "it is the program", []string{"session.test"}, nil, false, goesOn},
		{"variable only", "it was inherited", []string{"session.test"}, env, true, goesOn},
		{"name only", "it was called so", []string{marker}, nil, false, "has 0 arguments"},
		{"too many arguments", "nobody starts it so", []string{marker, roleInit, "x"}, env, true, "has 2 arguments"},
		{"no variable", "it does not know whose it is", []string{marker, roleSleep}, nil, true, "no session in " + variable},
		{"incomplete variable", "likewise", []string{marker, roleSleep}, []string{variable + "={}"}, true, "it is incomplete"},
		{"no channel", "nobody would hear it", []string{marker, roleSleep}, env, false, "file 3 is no control channel"},
		{"set-up outside", "the mounts are the machine's", []string{marker, roleSetup}, env, true, "setup is for PID 1"},
		{"init outside", "it would serve there", []string{marker, roleInit}, env, true, "init is for PID 1"},
		{"unknown role", "there is nothing to do", []string{marker, "dance"}, env, true, `there is no role "dance"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), soon)
			defer cancel()
			cmd := exec.CommandContext(ctx, "/proc/self/exe")
			cmd.Args, cmd.Env = tt.args, append([]string{quickExit}, tt.env...)
			other, err := os.Open("/dev/null")
			if err != nil {
				t.Fatal(err)
			}
			defer other.Close()
			cmd.ExtraFiles = []*os.File{other}
			if strings.Contains(tt.want, "for PID 1") {
				// Should it go on after all, it has not the machine before it.
				requireSessions(t)
				cmd.SysProcAttr = ownUser(syscall.CLONE_NEWNS | syscall.CLONE_NEWNET)
			}
			if tt.channel {
				ours, theirs, err := pair()
				if err != nil {
					t.Fatal(err)
				}
				defer ours.close()
				defer theirs.Close()
				cmd.ExtraFiles[0] = theirs
			}
			cmd.Args = append(cmd.Args, map[bool][]string{true: {"-test.run=^$"}}[tt.want == goesOn]...)
			out, err := cmd.CombinedOutput()
			if tt.want == goesOn {
				if err != nil || cmd.ProcessState.ExitCode() != 0 {
					t.Errorf("%v: %s", err, out)
				}
				return
			}
			if cmd.ProcessState.ExitCode() != 2 || !strings.Contains(string(out), marker+": ") || !strings.Contains(string(out), tt.want) {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
}

// A process whose time is over does nothing any more.
func TestEnterTooLate(t *testing.T) {
	ours, theirs, err := pair()
	if err != nil {
		t.Fatal(err)
	}
	defer ours.close()
	late := spec{Answer: Answer{Identity{"r", "a", 1}, "none"}, Port: 3187, Ends: 1}
	ctx, cancel := context.WithTimeout(t.Context(), soon)
	defer cancel()
	cmd := exec.CommandContext(ctx, "/proc/self/exe")
	cmd.Args, cmd.Env, cmd.ExtraFiles = []string{marker, roleSleep}, late.environment(), []*os.File{theirs}
	if err := launch(cmd); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
}
