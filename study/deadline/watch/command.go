package watch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"strings"
	"time"
)

// grace is how long the standard error of a program is read on after its end, in case that
// a process which it started holds it open.
const grace = 100 * time.Millisecond

// Command returns a probe that runs a program; a name without a separator is looked up as
// a shell does. It refuses one that is not there or can't be executed.
//
//   - Exit status 0: the predicate holds.
//   - Exit status 1: it does not.
//   - Another status, a signal, no end before the context's, or a program that can't be
//     started: the probe failed. The error has the last line that it wrote to its standard
//     error.
//
// The program reads nothing, and what it writes to its standard output is dropped. It
// leads a process group, where there are such, and nothing of that group is left once the
// probe has returned; a process that leaves the group is not found.
func Command(path string, args ...string) (Probe, error) {
	file, err := exec.LookPath(path)
	if err != nil {
		return nil, fmt.Errorf("probe with %q: %w", path, reason(err))
	}
	return func(ctx context.Context) (bool, error) {
		said := new(tail)
		cmd := exec.CommandContext(ctx, file, args...)
		cmd.Stderr, cmd.WaitDelay = said, grace
		ownGroup(cmd)
		cmd.Cancel = func() error { killGroup(cmd.Process); return nil }
		err := cmd.Run()
		if cmd.ProcessState == nil {
			return false, fmt.Errorf("it can't be started: %w", reason(err))
		}
		killGroup(cmd.Process) // what it left behind
		if ctx.Err() != nil {  // the status may be that of a kill
			return false, context.Cause(ctx)
		}
		switch code := cmd.ProcessState.ExitCode(); code {
		case 0, 1:
			return code == 0, nil
		}
		return false, said.after(cmd.ProcessState.String())
	}, nil
}

// reason returns the part of an error that does not repeat the program's name.
func reason(err error) error {
	if notFound := (*exec.Error)(nil); errors.As(err, &notFound) {
		err = notFound.Err
	}
	if of := (*fs.PathError)(nil); errors.As(err, &of) {
		err = of.Err
	}
	return err
}

// A tail keeps the end of what is written to it.
type tail struct{ kept []byte }

// maxTail is how much of it, in bytes.
const maxTail = 1 << 10

func (t *tail) Write(text []byte) (int, error) {
	t.kept = append(t.kept, text...)
	t.kept = t.kept[max(0, len(t.kept)-maxTail):]
	return len(text), nil
}

// after returns the error of an ending, with the last line if there is one.
func (t *tail) after(ending string) error {
	text := bytes.TrimSpace(t.kept)
	line := strings.ToValidUTF8(string(text[bytes.LastIndexByte(text, '\n')+1:]), "\uFFFD")
	if line == "" {
		return errors.New(ending)
	}
	return fmt.Errorf("%s: %s", ending, line)
}
