package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"example.com/commitpoint/counterexamples"
	"example.com/commitpoint/enumerate"
	"example.com/commitpoint/study/contract"
)

const casesLong = `Cases are incidents as scenarios, one text file each: who does what, in which orders,
and what the mechanism that lacks an obligation does wrong then.

Without arguments it lists those that come with the command; with the name of one it
shows its shortest history; with files it runs your own. A case holds if the mechanism
that lacks the obligation does wrong what the file expects and the complete mechanism
does nothing wrong. The format is described in study/contract/cases/README.md.`

const casesExamples = `  explore cases
  explore cases response-lost
  explore cases incidents/*.txt`

func newCases(out io.Writer) *cobra.Command {
	var names []string
	if all, err := contract.Cases(); err == nil {
		for _, c := range all {
			names = append(names, c.Name)
		}
	}
	return &cobra.Command{
		Use:               "cases [NAME | FILE…]",
		Short:             "List, show or run incidents as scenarios",
		Long:              casesLong,
		Example:           casesExamples,
		ValidArgsFunction: cobra.FixedCompletions(names, cobra.ShellCompDirectiveDefault),
		RunE: func(cmd *cobra.Command, args []string) error {
			all, err := contract.Cases()
			if err != nil {
				return err
			}
			if len(args) == 0 {
				return listCases(cmd.Context(), all, out)
			}
			if len(args) == 1 {
				for _, c := range all {
					if c.Name == args[0] {
						return showCase(cmd.Context(), c, out)
					}
				}
			}
			cases, err := readCases(args, all)
			if err != nil {
				return err
			}
			return runCases(cmd.Context(), cases, out, cmd.ErrOrStderr())
		},
	}
}

func listCases(ctx context.Context, all []contract.Case, out io.Writer) error {
	for _, c := range all {
		if _, err := runCase(ctx, c); err != nil {
			return err
		}
		fmt.Fprintf(out, "%-30s %s\n  %s\n  shown by: %s\n", c.Name, c.Report, c.About, c.Mechanism.Name)
	}
	fmt.Fprintf(out, "%d cases, each shown by the mechanism that lacks its obligation and not by the complete one.\n", len(all))
	return nil
}

// maxCaseBytes is the memory that a case's nodes may take.
const maxCaseBytes = 1 << 30

// runCase runs a case that comes with the command. That it fails is its own fault, and
// that of one which is cut short is not.
func runCase(ctx context.Context, c contract.Case) (counterexamples.Trace, error) {
	t, err := limited(ctx, c)
	var incomplete *enumerate.IncompleteError
	if err != nil && !errors.As(err, &incomplete) {
		err = &noLonger{err.Error()}
	}
	return t, err
}

// limited runs a case within bounds of memory, and says what to do when they are reached.
func limited(ctx context.Context, c contract.Case) (counterexamples.Trace, error) {
	t, err := c.Run(ctx, enumerate.Options{MaxBytes: maxCaseBytes})
	var incomplete *enumerate.IncompleteError
	if errors.As(err, &incomplete) && errors.Is(err, enumerate.ErrLimit) {
		err = &enumerate.IncompleteError{Progress: incomplete.Progress,
			Cause: fmt.Errorf("case %s has too many orders: give it fewer events that are free, or shorter chains", c.Name)}
	}
	return t, err
}

func showCase(ctx context.Context, c contract.Case, out io.Writer) error {
	t, err := runCase(ctx, c)
	if err != nil {
		return err
	}
	return printCase(out, c, t)
}

func printCase(out io.Writer, c contract.Case, t counterexamples.Trace) error {
	title := c.Name
	if c.Report != "" {
		title += " (" + c.Report + ")"
	}
	fmt.Fprintf(out, "%s\n%s\n\n", title, c.About)
	if t.Kind != "" {
		t.Replay = fmt.Sprintf("echo '%s' | explore replay --mechanism '%s' -", strings.Join(t.Schedule, " "), t.Mechanism)
	}
	return counterexamples.WriteText(out, t)
}

// readCases reads all files before any is run, so that nothing is half done. The known
// cases are those that come with the command.
func readCases(files []string, known []contract.Case) ([]contract.Case, error) {
	var cases []contract.Case
	for _, file := range files {
		text, err := readCase(file)
		switch {
		case errors.Is(err, fs.ErrNotExist) && slices.ContainsFunc(known, func(c contract.Case) bool { return c.Name == file }):
			return nil, fmt.Errorf("%s is a case that comes with the command: show it alone, or give files only", file)
		case errors.Is(err, fs.ErrNotExist):
			return nil, fmt.Errorf("%q is neither a case that comes with the command nor a file: see 'explore cases'", file)
		case err != nil:
			return nil, fmt.Errorf("can't read %s: %w; choose another file", file, cause(err))
		}
		c, err := contract.ParseCase(file, string(text))
		if err != nil {
			return nil, err
		}
		cases = append(cases, c)
	}
	return cases, contract.Distinct(cases)
}

// maxCaseFile is how much of a file is read: more than any case has, and little of a
// device or a disk image that is named by mistake.
const maxCaseFile = 1 << 20

func readCase(file string) ([]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxCaseFile))
}

func runCases(ctx context.Context, cases []contract.Case, out, stderr io.Writer) error {
	failed := 0
	for _, c := range cases {
		t, err := limited(ctx, c)
		var incomplete *enumerate.IncompleteError
		switch {
		case errors.As(err, &incomplete):
			return err
		case err != nil:
			failed++
			fmt.Fprintf(out, "%s fails: %v\n", c.Name, err)
		case len(cases) == 1:
			fmt.Fprintf(out, "%s holds: %s\n\n", c.Name, t.Summary)
			if err := printCase(out, c, t); err != nil {
				return err
			}
		default:
			fmt.Fprintf(out, "%s holds: %s after %s\n", c.Name, t.Summary, strings.Join(t.Schedule, " → "))
		}
	}
	if failed > 0 {
		fmt.Fprintf(stderr, "explore: of %d %s %d %s\n", len(cases), plural(len(cases), "case"), failed,
			map[bool]string{true: "does not hold", false: "do not hold"}[failed == 1])
		return errDifferent
	}
	return nil
}
