package watch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"example.com/commitpoint/model/deadline"
)

// The test's program is what Command runs, too: with "child" as its first argument it does
// what the next ones say.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "child" {
		child(os.Args[2], os.Args[3:])
	}
	os.Exit(m.Run())
}

func child(what string, args []string) {
	switch what {
	case "exits": // STATUS [WHAT IT SAYS]
		fmt.Println("not to be seen")
		fmt.Fprint(os.Stderr, strings.Join(args[1:], " "))
		status, _ := strconv.Atoi(args[0])
		os.Exit(status)
	case "reads":
		text, err := io.ReadAll(os.Stdin)
		if err != nil || len(text) > 0 {
			os.Exit(2)
		}
		os.Exit(0)
	case "babbles":
		fmt.Fprint(os.Stderr, strings.Repeat("line\n", 100_000), strings.Repeat("x", maxTail), strings.Repeat("y", maxTail))
		os.Exit(9)
	case "lingers": // ADDRESS: says that it is connected, and stays until the connection ends
		c, err := net.Dial("tcp", args[0])
		if err != nil {
			os.Exit(9)
		}
		fmt.Println("connected")
		fmt.Fprint(c, "!") // not before the line is written: who stops the reader would end this, too
		_, _ = io.Copy(io.Discard, c)
		os.Exit(0)
	}
	if !childUnix(what, args) {
		os.Exit(99)
	}
}

// running returns a probe with the test's program.
func running(t *testing.T, args ...string) Probe {
	t.Helper()
	probe, err := Command(os.Args[0], append([]string{"child"}, args...)...)
	if err != nil {
		t.Fatal(err)
	}
	return probe
}

func TestCommand(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, reason string
		args         []string
		want         string
	}{
		{"status 0", "it holds", []string{"exits", "0"}, "holds"},
		{"status 0 with a complaint", "the status tells", []string{"exits", "0", "warning"}, "holds"},
		{"status 1", "it does not", []string{"exits", "1"}, "does not"},
		{"status 1 with a complaint", "the status tells", []string{"exits", "1", "no such file"}, "does not"},
		{"status 2", "the program failed, and says nothing", []string{"exits", "2"}, "exit status 2"},
		{"status 2 with a complaint", "its last line is told", []string{"exits", "2", "usage:\nno such flag\n"}, "exit status 2: no such flag"},
		{"status 127", "nor is it there", []string{"exits", "127"}, "exit status 127"},
		{"standard input", "it is empty", []string{"reads"}, "holds"},
		{"babbles", "it is not held up, and the end is kept", []string{"babbles"}, "exit status 9: " + strings.Repeat("y", maxTail)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			checkProbe(t, tt.reason, running(t, tt.args...), tt.want)
		})
	}
}

func TestCommandThatIsNotThere(t *testing.T) {
	t.Parallel()
	plain := filepath.Join(t.TempDir(), "plain.txt")
	if err := os.WriteFile(plain, []byte("no program"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"no-such-command", filepath.Join(t.TempDir(), "missing"), plain, ""} {
		probe, err := Command(path)
		if err == nil || probe != nil || strings.Count(err.Error(), path) != 1 && path != "" {
			t.Errorf("%q: error %v, want one that names it once", path, err)
		}
	}
}

// A program that goes away while it is watched with is a probe that fails.
func TestCommandThatVanishes(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "program.exe")
	program, err := os.ReadFile(os.Args[0])
	if err == nil {
		err = os.WriteFile(file, program, 0o777)
	}
	if err != nil {
		t.Fatal(err)
	}
	probe, err := Command(file, "child", "exits", "0")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	checkProbe(t, "nothing is known", probe, "it can't be started: ")
}

// A program that hangs is ended, at its time limit or when the watch is stopped.
func TestCommandThatHangs(t *testing.T) {
	t.Parallel()
	address, accept := listen(t)
	probe := running(t, "lingers", address)
	var samples []Sample
	r, err := Watch(t.Context(), Options{Probe: probe, Deadline: 400 * ms, Grid: 400 * ms, Until: 400 * ms, ProbeTimeout: 300 * ms,
		Observe: func(s Sample) { samples = append(samples, s) }})
	if err != nil || r.Verdict != deadline.NotDetermined || r.Unreadable != r.Observations || r.Observations == 0 {
		t.Errorf("%+v, error %v, want not determined", r, err)
	}
	for _, s := range samples {
		if s.Err == nil || s.Err.Error() != "no answer within 300ms" {
			t.Errorf("error %v, want the time limit's", s.Err)
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	go func() {
		for range r.Observations + 1 {
			accept()
		}
		stop() // the last one runs
	}()
	if _, err := Watch(ctx, Options{Probe: probe, Deadline: time.Minute, ProbeTimeout: time.Minute}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that it was stopped", err)
	}
}

// listen returns an address, and what waits for somebody who lingers there.
func listen(t *testing.T) (address string, accept func() net.Conn) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l.Addr().String(), func() net.Conn {
		c, err := l.Accept()
		if err != nil {
			return nil // the test has ended before
		}
		t.Cleanup(func() { c.Close() })
		_, _ = c.Read(make([]byte, 1))
		return c
	}
}
