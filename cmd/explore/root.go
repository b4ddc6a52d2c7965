package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"example.com/commitpoint"
	"example.com/commitpoint/mechanisms"
	"example.com/commitpoint/model"
	"example.com/commitpoint/results"
	"example.com/commitpoint/study"
)

const long = `Explore decides a completion request under every order of events within the
bounds of the completion study, by thirteen acceptance mechanisms, and scores
each decision against an independent oracle.

Without flags it prints the bounds, the scores, the directed controls and, for
each mechanism that errs, its shortest history.

Counts are of schedules in a finite enumeration, never rates.

Exit codes: 0 it holds, or what was asked is shown; 1 different; 2 usage, or a
file that can't be read or written; 3 incomplete. (Started with 'go run', every
failure exits with 1: build the command where the code matters.)`

const examples = `  explore                                  print everything
  explore --mechanism preflight-cached     one mechanism and its shortest history
  explore --scenario lease-expire,reassign the scores within one scenario
  explore --check                          reproduce the published results, byte for byte
  explore --check --all                    those of every family, which takes half a minute
  explore --check --results FILE           compare with a file of one's own
  explore --write --results FILE           write the results to a file
  explore --json | jq .totals              the results for a program
  explore trace preflight-cached           the shortest history, step by step
  explore hoist                            which checks may be made before the commit
  explore coverage                         what was exercised, so that silence means something
  explore contention --submitters 3        several submitters race for one task
  explore contract                         the whole contract: every predicate is necessary
  explore cases                            public incidents as scenarios
  explore conform -- ./adapter             your own service, in every schedule
  explore harness                          receipts, retries, budgets and workloads: forty checks
  explore episode                          authorized, fulfilled, and known to be so`

// flags are the command's flags.
type flags struct {
	check, all, write, json, quiet bool
	results                        string
	workers                        int
	mechanisms, scenario           []string
}

func newRoot(out io.Writer) *cobra.Command {
	var f flags
	cmd := &cobra.Command{
		Use:           "explore",
		Short:         "Model-check completion protocols under every order of events",
		Long:          long,
		Example:       examples,
		Version:       commitpoint.Version,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := f.validate(cmd); err != nil {
				return err
			}
			return f.run(cmd, out)
		},
	}
	cmd.SetVersionTemplate("explore {{.Version}}, results schema " + results.Schema + "\n")
	cmd.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		problem, _, _ := strings.Cut(err.Error(), ": strconv.") // what the parser calls itself says nothing
		return usage(problem, strings.Fields(c.CommandPath())[1:]...)
	})
	fs := cmd.Flags()
	fs.SortFlags = false
	fs.BoolVar(&f.check, "check", false, "recompute everything and compare it, byte for byte, with the published results")
	fs.BoolVar(&f.all, "all", false, "with --check: compare the published results of every family, not the study's alone")
	fs.BoolVar(&f.write, "write", false, "recompute everything and write results/results.json, in the module's root")
	fs.BoolVar(&f.json, "json", false, "print the results as canonical JSON")
	fs.StringVar(&f.results, "results", "", "with --check or --write: compare with, or write, this `FILE` and not the published results")
	fs.StringSliceVar(&f.mechanisms, "mechanism", nil, "print only this mechanism's rows; `NAME` can be several, separated by commas")
	fs.StringSliceVar(&f.scenario, "scenario", nil, "print the scores in the scenario with these environment `EVENTS`, separated by commas, or none")
	fs.IntVar(&f.workers, "workers", 0, "walk with `N` goroutines (default one a processor); the results are the same for any number")
	fs.BoolVar(&f.quiet, "quiet", false, "print nothing on standard output; the exit code tells")
	complete(cmd)
	addCompletion(cmd)
	cmd.AddCommand(newTrace(out), newReplay(out), newHoist(out), newCoverage(out), newContention(out), newContract(out), newCases(out), newConform(out), newDeadline(out), newHarness(out), newEpisode(out))
	return cmd
}

// complete registers what the shell offers for the values of flags.
func complete(cmd *cobra.Command) {
	var names []string
	for _, m := range mechanisms.All() {
		names = append(names, m.Name)
	}
	offer(cmd, "mechanism", names)
	events := []string{"none"}
	for _, e := range model.Environment() {
		events = append(events, e.String())
	}
	offer(cmd, "scenario", events)
}

// offer registers the values of a flag.
func offer(cmd *cobra.Command, flag string, values []string) {
	err := cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
	if err != nil {
		panic(err) // there is no such flag
	}
}

// addCompletion adds the command that prints completion scripts, and lets it
// refuse shells that it does not know.
func addCompletion(cmd *cobra.Command) {
	cmd.InitDefaultCompletionCmd("completion")
	for _, c := range cmd.Commands() {
		c.Args = nil
		c.RunE = func(_ *cobra.Command, args []string) error {
			return usage(fmt.Sprintf("no completion for %q: the shells are bash, zsh, fish and powershell", strings.Join(args, " ")))
		}
	}
}

// usage returns the error of a misuse of the command, or of the given
// subcommand.
func usage(problem string, subcommand ...string) error {
	return fmt.Errorf("%s; see '%s --help'", problem, strings.Join(append([]string{"explore"}, subcommand...), " "))
}

func noArgs(_ *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return usage(fmt.Sprintf("unexpected argument %q: explore takes flags, and the commands trace, replay, hoist, coverage, contention, contract, cases, conform, deadline, harness, episode and completion", args[0]))
}

// validate reports flags that make no sense, alone or together.
func (f *flags) validate(cmd *cobra.Command) error {
	given := func(names ...string) (found []string) {
		for _, name := range names {
			if cmd.Flags().Changed(name) {
				found = append(found, "--"+name)
			}
		}
		return found
	}
	if modes := given("check", "write", "json"); len(modes) > 1 {
		return usage(fmt.Sprintf("%s can't be combined: choose one", strings.Join(modes, " and ")))
	}
	if f.workers < 1 && len(given("workers")) > 0 {
		return usage(fmt.Sprintf("--workers %d is too few: use 1 or more", f.workers))
	}
	if f.all && (!f.check || len(given("results")) > 0) {
		return usage("--all needs --check beside it, and no --results: it compares what is published")
	}
	if len(given("results")) > 0 && !f.check && !f.write {
		return usage("--results FILE needs --check or --write beside it")
	}
	for _, name := range given("results", "mechanism", "scenario") {
		if value := cmd.Flag(name[2:]).Value.String(); value == "" || value == "[]" {
			return usage(name + " has an empty value: give it one or leave it out")
		}
	}
	if whole, part := given("check", "write", "json"), given("mechanism", "scenario"); len(whole) > 0 && len(part) > 0 {
		return usage(fmt.Sprintf("%s is about the whole results and can't be combined with %s", whole[0], part[0]))
	}
	return nil
}

// run does what the flags ask for.
func (f *flags) run(cmd *cobra.Command, out io.Writer) error {
	if f.quiet {
		out = io.Discard
	}
	ctx := cmd.Context()
	switch {
	case f.all:
		return checkAll(ctx, f.workers, out, cmd.ErrOrStderr())
	case f.check:
		return check(ctx, documents[0], f.results, f.workers, out, cmd.ErrOrStderr())
	case f.write:
		return write(ctx, documents[0], f.results, f.workers, out)
	case f.json:
		data, err := documents[0].canonical(ctx, f.workers)
		if err != nil {
			return err
		}
		_, err = out.Write(data)
		return err
	}
	v, err := newView(f.mechanisms, f.scenario)
	if err != nil {
		return err
	}
	r, err := study.Compute(ctx, f.workers)
	if err != nil {
		return err
	}
	return v.print(out, r)
}
