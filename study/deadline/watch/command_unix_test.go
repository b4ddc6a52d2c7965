//go:build unix

package watch

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"
)

// childUnix does what only a Unix system has.
func childUnix(what string, args []string) bool {
	switch what {
	case "kills itself":
		_ = syscall.Kill(os.Getpid(), syscall.SIGTERM)
		time.Sleep(time.Hour)
	case "leaves", "waits", "frees": // ADDRESS: with a process of its own
		startGrandchild(args[0], what == "frees")
		if what == "waits" {
			time.Sleep(time.Hour)
		}
		os.Exit(0)
	}
	return false
}

// startGrandchild starts a process, in the child's group or not, that holds the child's
// standard error open, and waits until it is connected.
func startGrandchild(address string, free bool) {
	cmd := exec.Command(os.Args[0], "child", "lingers", address)
	cmd.Stderr = os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: free}
	said, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err == nil {
		_, err = said.Read(make([]byte, 1))
	}
	if err != nil {
		os.Exit(9)
	}
}

func TestCommandThatIsKilled(t *testing.T) {
	t.Parallel()
	checkProbe(t, "a signal is no status", running(t, "kills itself"), "signal: terminated")
}

// A group that is stopped closes what it held open: nobody has to wait for that. One try of
// several is enough, since a busy system is slow at times.
func TestStoppedGroupHoldsNobodyUp(t *testing.T) {
	t.Parallel()
	address, accept := listen(t)
	probe := running(t, "waits", address)
	var took []time.Duration
	for range 20 {
		ctx, cancel := context.WithCancel(t.Context())
		stopped := make(chan time.Time, 1)
		go func() {
			accept()
			stopped <- time.Now()
			cancel()
		}()
		_, _ = probe(ctx)
		if took = append(took, time.Since(<-stopped)); took[len(took)-1] < grace/2 {
			return
		}
	}
	t.Errorf("after the stop it took %v", took)
}

// gone reports whether the process at the other end of a connection ends within a while.
func gone(c net.Conn, within time.Duration) bool {
	_ = c.SetReadDeadline(time.Now().Add(within))
	_, err := c.Read(make([]byte, 1))
	return err == io.EOF || errors.Is(err, syscall.ECONNRESET)
}

// What a program starts is in its group and ends with the probe, however that ends. Known
// limit: a process that leaves the group is not found; but it holds nobody up.
func TestNoProcessIsLeftBehind(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, what string
		stop       bool // as soon as the process is there
		found      bool
	}{
		{"stopped", "waits", true, true},
		{"exited", "leaves", false, true},
		{"has left the group", "frees", false, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			address, accept := listen(t)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			there := make(chan net.Conn, 1)
			go func() {
				there <- accept()
				if tt.stop {
					cancel()
				}
			}()
			begin := time.Now()
			holds, err := running(t, tt.what, address)(ctx)
			if tt.stop && !errors.Is(err, context.Canceled) || !tt.stop && (err != nil || !holds) {
				t.Errorf("holds %v, error %v", holds, err)
			}
			if took := time.Since(begin); took > 20*s {
				t.Errorf("it took %v", took)
			}
			within := 10 * s
			if !tt.found {
				within = 50 * ms
			}
			if gone := gone(<-there, within); gone != tt.found {
				t.Errorf("the process is gone: %v, want %v", gone, tt.found)
			}
		})
	}
}
