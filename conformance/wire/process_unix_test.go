//go:build unix

package wire

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

func init() {
	behaviors["kills itself"] = func(p peer) { p.hello(); _ = syscall.Kill(os.Getpid(), syscall.SIGTERM); sleep() }
}

func leaveGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

func TestAdapterThatIsKilledBySomebody(t *testing.T) {
	t.Parallel()
	p := start(t, "kills itself", "")
	checkLastWord(t, p, p.Reset(t.Context()), `the adapter was ended by a signal (terminated) before it answered "reset"`)
}

// A grandchild is a process that an adapter started. Its connection ends when it does,
// whoever has to reap it.
type grandchild struct{ net.Conn }

// startWithChild starts an adapter that starts a process, and returns both. The process
// is in the adapter's group unless it goes away.
func startWithChild(t *testing.T, ctx context.Context, behavior, away string) (*Process, grandchild) {
	t.Helper()
	address, accept := lingerers(t)
	p, err := command(t, behavior, away+address).Start(ctx)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p, grandchild{accept()}
}

// ends reports whether the process ends within a while.
func (g grandchild) ends(within time.Duration) bool {
	_ = g.SetReadDeadline(time.Now().Add(within))
	_, err := g.Read(make([]byte, 1))
	return err == io.EOF || errors.Is(err, syscall.ECONNRESET)
}

func TestNoProcessIsLeftBehind(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, behavior string
		end            func(*Process, context.CancelFunc) error
		want           string
	}{
		{"closed", "has a child", func(p *Process, _ context.CancelFunc) error { return p.Close() }, ""},
		{"crashed", "dies with a child", func(p *Process, _ context.CancelFunc) error { return p.Reset(context.Background()) },
			`the adapter exited with status 3 before it answered "reset"`},
		{"silent", "has a child", func(p *Process, _ context.CancelFunc) error {
			p.timeout = 50 * time.Millisecond
			return p.Reset(context.Background())
		}, `the adapter did not answer "reset" within 50ms: answer sooner, or raise the time limit`},
		{"interrupted", "has a child", func(p *Process, cancel context.CancelFunc) error { cancel(); <-p.child.exited; return p.Close() },
			"the adapter was stopped: context canceled"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			p, child := startWithChild(t, ctx, tt.behavior, "")
			said := ""
			if err := tt.end(p, cancel); err != nil {
				said = err.Error()
			}
			if said != tt.want {
				t.Errorf("error %q, want %q", said, tt.want)
			}
			if !child.ends(10 * time.Second) {
				t.Error("what the adapter started still runs")
			}
		})
	}
}

// Known limit: a process that leaves the group is not found. Although it holds all pipes
// open, nothing waits for it.
func TestProcessThatLeftTheGroupHoldsNobodyUp(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, behavior, want string }{
		{"closed", "has a child", ""},
		{"crashed", "dies with a child", `the adapter exited with status 3 before it answered "reset"`},
		{"crashed, logging", "dies with a child that logs", `the adapter exited with status 3 before it answered "reset"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p, child := startWithChild(t, t.Context(), tt.behavior, "away ")
			begin := time.Now()
			var err error
			if tt.want == "" {
				err = p.Close()
			} else {
				err = p.Reset(t.Context())
			}
			if err != nil && err.Error() != tt.want || err == nil && tt.want != "" {
				t.Errorf("error %v, want %q", err, tt.want)
			}
			if waited := time.Since(begin); waited > p.timeout/2 {
				t.Errorf("it took %v", waited)
			}
			if !happens(p.child.quiet, 0) {
				t.Error("its standard error is still read")
			}
			if child.ends(50 * time.Millisecond) {
				t.Error("it was found: the package's documentation says that it isn't")
			}
		})
	}
}

// An adapter that reads nothing lets the pipe fill up, and then a request can't be
// written; nor is that an error when another process holds the pipe.
func TestUnreadRequestEndsInTime(t *testing.T) {
	t.Parallel()
	p, _ := startWithChild(t, t.Context(), "reads nothing and has a child", "away ")
	p.timeout = 50 * time.Millisecond
	event := strings.Repeat("x", maxLine/2)
	if err := p.Apply(t.Context(), event); err == nil || !strings.Contains(err.Error(), "within 50ms") {
		t.Errorf("error %.200v, want the time limit's", err)
	}
}
