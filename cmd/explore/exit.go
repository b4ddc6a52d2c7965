package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"syscall"

	"example.com/commitpoint/enumerate"
	"example.com/commitpoint/study"
)

// The exit codes.
const (
	exitHolds      = 0
	exitDifferent  = 1 // violated, different, no longer reproduces
	exitUsage      = 2 // usage, unreadable or unwritable file
	exitIncomplete = 3 // not run to the end
)

// errDifferent is the error of a comparison that did not come out equal; what
// differs has been said by then.
var errDifferent = errors.New("different")

// errUnread is the error of files that can't be read; which ones has been said by then.
var errUnread = errors.New("unreadable")

// run runs the command with the given arguments and returns its exit code.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	out := bufio.NewWriter(stdout)
	cmd := newRoot(out)
	cmd.SetArgs(args)
	cmd.SetOut(out)
	cmd.SetErr(stderr)
	err := cmd.ExecuteContext(ctx)
	if failed := out.Flush(); failed != nil && (err == nil || errors.Is(err, failed)) {
		err = fmt.Errorf("can't write to standard output: %w", cause(failed))
	}
	return exitCode(err, stderr)
}

// withRemedy returns an incomplete run's error with what to do about it.
func withRemedy(err *enumerate.IncompleteError) error {
	said := *err
	switch {
	case errors.Is(err, context.Canceled):
		said.Cause = errors.New("interrupted, nothing is said of the rest; run it again")
	case errors.Is(err, enumerate.ErrLimit):
		said.Cause = fmt.Errorf("%w; raise the limit to go on", err.Cause)
	}
	return &said
}

// exitCode says on stderr what went wrong, in one sentence, and returns what to
// exit with.
func exitCode(err error, stderr io.Writer) int {
	var incomplete *enumerate.IncompleteError
	var different *noLonger
	var unreached *unreached
	switch {
	case err == nil:
		return exitHolds
	case errors.Is(err, syscall.EPIPE):
		return exitUsage // nobody reads any more, and nobody wants to hear that
	case errors.Is(err, errDifferent):
		return exitDifferent
	case errors.Is(err, errUnread):
		return exitUsage
	case errors.Is(err, study.ErrUnsound), errors.As(err, &different), errors.As(err, &unreached):
		fmt.Fprintf(stderr, "explore: %v\n", err)
		return exitDifferent
	case errors.As(err, new(notJudged)):
		fmt.Fprintf(stderr, "explore: %v\n", err)
		return exitIncomplete
	case errors.As(err, &incomplete):
		fmt.Fprintf(stderr, "explore: %v\n", withRemedy(incomplete))
		return exitIncomplete
	default:
		fmt.Fprintf(stderr, "explore: %v\n", err)
		return exitUsage
	}
}
