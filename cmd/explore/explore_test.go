package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"example.com/commitpoint/enumerate"
	"example.com/commitpoint/harness/session"
	"example.com/commitpoint/study"
)

func TestMain(m *testing.M) {
	session.Enter() // if explore harness started this
	testscript.Main(m, map[string]func(){"explore": main, "adapter": adapter})
}

// The command is specified by the scripts in testdata/script.
func TestScripts(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("ROOT", root)
			for _, name := range []string{"GOMODCACHE", "GOCACHE", "GOPROXY", "GOSUMDB", "GOFLAGS"} {
				value, err := exec.Command("go", "env", name).Output()
				if err != nil {
					return err
				}
				env.Setenv(name, strings.TrimSpace(string(value)))
			}
			env.Setenv("GOWORK", "off")
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":   exits,
			"garbage": garbage,
			"replace": replaceText,
		},
		Condition: func(condition string) (bool, error) {
			switch condition {
			case "root": // who can read everything
				return os.Geteuid() == 0, nil
			case "sessions": // and namespaces for them, which CI must have
				return os.Getenv("COMMITPOINT_CI") == "1" || sessionsHere(), nil
			}
			return false, fmt.Errorf("unknown condition %q", condition)
		},
	})
}

// sessionsHere reports whether the system lets sessions be started.
var sessionsHere = sync.OnceValue(func() bool {
	s, err := session.Start(context.Background(), session.Options{Lifetime: 10 * time.Second})
	if err != nil {
		return false
	}
	return s.Remove(context.Background(), s.Identity()) == nil
})

// exits CODE COMMAND… runs a command and fails unless it exits with CODE.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND ARGS…")
	}
	err := ts.Exec(args[1], args[2:]...)
	code := "0"
	if exit, ok := err.(*exec.ExitError); ok {
		code = exit.ProcessState.String()[len("exit status "):]
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if code != args[0] {
		ts.Fatalf("exit code %s, want %s", code, args[0])
	}
}

// garbage FILE SIZE [START] makes a file of so many bytes, the same every time, of
// which START are the first.
func garbage(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 || len(args) > 3 {
		ts.Fatalf("usage: garbage FILE SIZE [START]")
	}
	size, err := strconv.Atoi(args[1])
	ts.Check(err)
	data := make([]byte, size)
	rand.NewChaCha8([32]byte{1}).Read(data) // never fails
	copy(data, strings.Join(args[2:], ""))
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), data, 0o666))
}

// replace FILE OLD NEW replaces the first OLD in a file.
func replaceText(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: replace FILE OLD NEW")
	}
	text := ts.ReadFile(args[0])
	if !strings.Contains(text, args[1]) {
		ts.Fatalf("%s does not contain %q", args[0], args[1])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.Replace(text, args[1], args[2], 1)), 0o666))
}

func TestInterruptedIsIncomplete(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, args := range [][]string{{}, {"--check"}, {"--json"}, {"--write", "--results", filepath.Join(t.TempDir(), "r.json")}} {
		var stdout, stderr bytes.Buffer
		code := run(ctx, args, &stdout, &stderr)
		if want := "explore: incomplete after 0 schedules: interrupted, nothing is said of the rest; run it again\n"; code != exitIncomplete || stderr.String() != want || stdout.Len() > 0 {
			t.Errorf("explore %q, interrupted: exit code %d, standard error %q, %d bytes of output; want 3, %q and none",
				args, code, &stderr, stdout.Len(), want)
		}
		if len(args) == 3 {
			if _, err := os.Stat(args[2]); !os.IsNotExist(err) {
				t.Errorf("an interrupted --write left %s: %v", args[2], err)
			}
		}
	}
}

// What --workers says is what the results are computed with, and what comes out
// is compared and written as it is.
func TestWorkersReachTheComputation(t *testing.T) {
	var asked []int
	f := published{
		command: "explore",
		schema:  "s/v1",
		file:    "s.json",
		data:    func() []byte { return []byte("{\n  \"schema\": \"s/v1\"\n}\n") },
		document: func(_ context.Context, workers int) (any, error) {
			asked = append(asked, workers)
			return map[string]string{"schema": "s/v1"}, nil
		},
	}
	var out, stderr bytes.Buffer
	file := filepath.Join(t.TempDir(), "s.json")
	if err := check(t.Context(), f, "", 3, &out, &stderr); err != nil {
		t.Error(err)
	}
	if err := write(t.Context(), f, file, 5, &out); err != nil {
		t.Error(err)
	}
	if err := check(t.Context(), f, file, 7, &out, &stderr); err != nil {
		t.Error(err)
	}
	if !slices.Equal(asked, []int{3, 5, 7}) || stderr.Len() > 0 {
		t.Errorf("computed with %v workers, want 3, 5 and 7; standard error %q", asked, &stderr)
	}
}

func TestExitCodes(t *testing.T) {
	for err, want := range map[error]int{
		nil:                                   exitHolds,
		errDifferent:                          exitDifferent,
		fmt.Errorf("a: %w", study.ErrUnsound): exitDifferent,
		&noLonger{"the decision changed"}:     exitDifferent,
		&unreached{[]string{"a"}}:             exitDifferent,
		errors.New("usage"):                   exitUsage,
		&enumerate.IncompleteError{}:          exitIncomplete,
		fmt.Errorf("a: %w", syscall.EPIPE):    exitUsage,
	} {
		if got := exitCode(err, io.Discard); got != want {
			t.Errorf("exit code of %v = %d, want %d", err, got, want)
		}
	}
}

// A writer that fails the way a full disk and a closed pipe do.
type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

func TestOutputThatFails(t *testing.T) {
	var stderr bytes.Buffer
	if code := run(context.Background(), nil, failing{syscall.ENOSPC}, &stderr); code != exitUsage ||
		stderr.String() != "explore: can't write to standard output: no space left on device\n" {
		t.Errorf("full: exit code %d, standard error %q", code, &stderr)
	}
	stderr.Reset()
	if run(context.Background(), nil, failing{syscall.EPIPE}, &stderr); stderr.Len() > 0 {
		t.Errorf("closed: standard error %q, want silence", &stderr)
	}
}

// BenchmarkCheck runs explore --check as a process, built.
func BenchmarkCheck(b *testing.B) {
	binary := filepath.Join(b.TempDir(), "explore")
	if out, err := exec.Command("go", "build", "-o", binary, ".").CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	var peak int64
	var wall time.Duration
	for b.Loop() {
		cmd := exec.Command(binary, "--check")
		start := time.Now()
		if out, err := cmd.CombinedOutput(); err != nil {
			b.Fatalf("%v\n%s", err, out)
		}
		wall += time.Since(start)
		peak = max(peak, peakKiB(cmd.ProcessState))
	}
	b.ReportMetric(float64(wall.Milliseconds())/float64(b.N), "wall-ms/op")
	if peak > 0 {
		b.ReportMetric(float64(peak)/1024, "peak-MiB")
	}
}
