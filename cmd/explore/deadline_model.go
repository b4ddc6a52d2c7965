package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/olekukonko/tablewriter/tw"
	"github.com/spf13/cobra"

	"example.com/commitpoint/counterexamples"
	"example.com/commitpoint/enumerate"
	"example.com/commitpoint/results"
	"example.com/commitpoint/study/deadline"
)

// model decides the exhaustive model.
func (f *deadlineFlags) model(cmd *cobra.Command, out io.Writer) error {
	changed := cmd.Flags().Changed
	modes := 0
	for _, given := range []bool{f.json, f.check, f.write} {
		if given {
			modes++
		}
	}
	switch {
	case changed("deadlines") || changed("deadline") || changed("skip-bad"):
		return usage("--deadlines, --deadline and --skip-bad are about recorded trials: name them with --recordings PATH", "deadline")
	case modes > 1:
		return usage("--json, --check and --write can't be combined: choose one", "deadline")
	case f.workers < 1 && changed("workers"):
		return usage(fmt.Sprintf("--workers %d is too few: use 1 or more", f.workers), "deadline")
	case changed("results") && !f.check && !f.write:
		return usage("--results FILE needs --check or --write beside it", "deadline")
	case changed("results") && f.results == "":
		return usage("--results has an empty value: give it one or leave it out", "deadline")
	}
	family, err := familyNamed("deadline")
	if err != nil {
		return err
	}
	ctx := cmd.Context()
	switch {
	case f.check:
		return check(ctx, *family.published, f.results, f.workers, out, cmd.ErrOrStderr())
	case f.write:
		return write(ctx, *family.published, f.results, f.workers, out)
	}
	r, err := deadline.Compute(ctx, enumerate.Options{Workers: f.workers})
	if err != nil {
		return err
	}
	if !f.json {
		return printDeadline(out, r)
	}
	data, err := results.Encode(r)
	if err != nil {
		return err
	}
	_, err = out.Write(data)
	return err
}

// printDeadline prints what the exhaustive model comes to.
func printDeadline(w io.Writer, r deadline.Result) error {
	for _, g := range r.Grids {
		if err := printGrid(w, g); err != nil {
			return err
		}
	}
	fmt.Fprintf(w, "The gate, in %d schedules of three cycles each:\n\n", r.Gate[0].Schedules)
	table := newTable(w, tw.AlignLeft, tw.AlignRight, tw.AlignRight, tw.AlignRight, tw.AlignRight)
	table.Header("recovery", "fulfilled\nat first", "verified after\nrecovery", "terminated\nunverified", "invocations\nof the agent")
	for _, s := range r.Gate {
		if err := table.Append(s.Strategy, fmt.Sprint(s.AtFirst), fmt.Sprint(s.AfterRecovery), fmt.Sprint(s.Terminated), fmt.Sprint(s.Invocations)); err != nil {
			return fmt.Errorf("print the recoveries: %w", err)
		}
	}
	if err := table.Render(); err != nil {
		return fmt.Errorf("print the recoveries: %w", err)
	}
	fmt.Fprintln(w, "\nIn every schedule, with any of these recoveries (how many could have failed, routed):")
	for _, p := range r.Properties {
		fmt.Fprintf(w, "  %s (%d)\n", p.Property, p.Reached)
	}
	return nil
}

func printGrid(w io.Writer, g deadline.GridResult) error {
	fmt.Fprintf(w, "With the deadline %s: %d scenarios, %d schedules.\nThe predicate held in time in %d of them.\n", g.Deadline, g.Scenarios, g.Schedules, g.InTime)
	ref := g.Reference
	fmt.Fprintf(w, "The reference: fulfilled %d, violated %d (late %d), not determined %d.\n", ref.Fulfilled, ref.Violated, ref.Late, ref.NotDetermined)
	var missed []string
	for _, d := range ref.Differs {
		missed = append(missed, fmt.Sprintf("%s %d", d.Why, d.Schedules))
	}
	fmt.Fprintln(w, counterexamples.Wrap("What was true and it did not see: ", "  ", strings.Join(missed, ", ")+"."))
	table := newTable(w, tw.AlignLeft, tw.AlignRight, tw.AlignRight, tw.AlignRight, tw.AlignRight)
	table.Header("policy", "false pass", "false alarm", "false pass by\nthe reference", "false alarm by\nthe reference")
	for _, p := range g.Policies {
		if err := table.Append(p.Policy, fmt.Sprint(p.FalsePass), fmt.Sprint(p.FalseAlarm), fmt.Sprint(p.FalsePassByRef), fmt.Sprint(p.FalseAlarmByRef)); err != nil {
			return fmt.Errorf("print the policies: %w", err)
		}
	}
	if err := table.Render(); err != nil {
		return fmt.Errorf("print the policies: %w", err)
	}
	fmt.Fprintln(w)
	return nil
}
