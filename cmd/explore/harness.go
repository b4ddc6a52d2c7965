package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"example.com/commitpoint/counterexamples"
	"example.com/commitpoint/results"
	"example.com/commitpoint/study/harness/checks"
	"example.com/commitpoint/study/harness/lifecycle"
)

const harnessLong = `Harness makes the forty checks of the harness operations lab, and says of each what was
observed: receipts that are classified (RC), adapters that are normalized (AD), retries
(RT), a budget that is reserved and settled (BU), and workloads in namespaces of their own
that are told apart and removed (LC).

The first 32 are made on the library's own packages; --contracts-only stops after them.
The eight of LC start real processes: sessions, each in a network, PID and mount
namespace, which serve on the same loopback port. They need Linux and namespaces that may
be made; elsewhere they are NOT RUN, with the reason, and that is not a pass. A
session ends with the command, however that ends, and after some 90 seconds otherwise.

Each contract is checked once here. 'explore harness budget' and 'explore harness
ownership' count what ledgers and cleanups do under every order of events, and what is
broken in those that lack a rule; 'explore trace budget/check-then-act' shows the
shortest history. --check and --write are about those counts and the contract checks:
what was observed on one machine is no result.

Exit codes: 0 every check passed, or the results are equal; 1 a check failed, or they
differ; 2 usage; 3 a check was not run.`

const harnessExamples = `  explore harness
  explore harness --contracts-only
  explore harness --json | jq '.cases[] | select(.result != "PASS")'
  explore harness --check                       reproduce the published results, byte for byte
  explore harness budget                        every order of a budget's events
  explore harness ownership                     every order of two cleanups
  explore trace budget/release-on-timeout       the shortest history that goes wrong`

// harnessFlags are the flags of explore harness. Those of published results are about what
// is published; --json is about the checks.
type harnessFlags struct {
	publishedFlags
	contractsOnly bool
}

func newHarness(out io.Writer) *cobra.Command {
	var f harnessFlags
	cmd := &cobra.Command{
		Use:     "harness",
		Short:   "Check receipts, retries, budgets and workload ownership",
		Long:    harnessLong,
		Example: harnessExamples,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usage(fmt.Sprintf("unexpected argument %q: explore harness takes flags, and the commands budget and ownership", args[0]), "harness")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := f.validate(cmd); err != nil {
				return err
			}
			if f.check || f.write {
				return f.publishedFlags.run(cmd, out, nil)
			}
			return f.makeChecks(cmd.Context(), out, cmd.ErrOrStderr())
		},
	}
	fs := cmd.Flags()
	fs.SortFlags = false
	fs.BoolVar(&f.contractsOnly, "contracts-only", false, "make the 32 contract checks only, which start no process")
	f.declare(cmd, "results/harness.json")
	fs.Lookup("json").Usage = "print the checks as JSON"
	cmd.AddCommand(newBudget(out), newOwnership(out))
	return cmd
}

func (f *harnessFlags) validate(cmd *cobra.Command) error {
	changed := cmd.Flags().Changed
	switch {
	case f.contractsOnly && (f.check || f.write):
		return usage("--contracts-only is about the checks, and --check and --write about the published results: leave one out", "harness")
	case changed("workers") && !f.check && !f.write:
		return usage("--workers is about the published results: it needs --check or --write beside it", "harness")
	}
	return f.publishedFlags.validate(cmd)
}

// makeChecks makes the checks and prints them, as they are, whatever they come to.
func (f *harnessFlags) makeChecks(ctx context.Context, out, stderr io.Writer) error {
	line := newProgressLine(stderr)
	line.say("making the contract checks")
	mode, cases := checks.ContractsOnly, checks.Contracts(ctx)
	if !f.contractsOnly {
		line.say("starting sessions")
		mode, cases = checks.Full, append(cases, lifecycle.Run(ctx, lifecycle.Options{})...)
	}
	line.clear()
	s := checks.Summarize(mode, cases)
	if err := printChecks(out, s, f.json); err != nil {
		return err
	}
	return outcomeOf(s)
}

// outcomeOf returns the error for what the checks came to. One that failed weighs more
// than one that was not run, and the latter is never a pass.
func outcomeOf(s checks.Summary) error {
	switch {
	case s.Failed > 0:
		return errDifferent
	case s.NotRun > 0:
		return notJudged{fmt.Errorf("%d of %d checks not run: what they would have shown is not known", s.NotRun, len(s.Cases))}
	}
	return nil
}

func printChecks(w io.Writer, s checks.Summary, json bool) error {
	if json {
		data, err := results.Encode(s)
		if err != nil {
			return err
		}
		_, err = w.Write(data)
		return err
	}
	for _, c := range s.Cases {
		first := fmt.Sprintf("%s  %-7s  ", c.ID, c.Result)
		fmt.Fprint(w, counterexamples.Wrap(first, strings.Repeat(" ", len(first)), checks.Situation(c.ID)+" → "+c.Observation))
	}
	_, err := fmt.Fprintf(w, "\n%d %s (%s): %d passed, %d failed, %d not run.\n", len(s.Cases), plural(len(s.Cases), "check"), s.Mode, s.Passed, s.Failed, s.NotRun)
	return err
}
