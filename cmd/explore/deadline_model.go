package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/olekukonko/tablewriter/tw"
	"github.com/spf13/cobra"

	"example.com/commitpoint/counterexamples"
	"example.com/commitpoint/study/deadline"
)

// model decides the exhaustive model.
func (f *deadlineFlags) model(cmd *cobra.Command, out io.Writer) error {
	changed := cmd.Flags().Changed
	if changed("deadlines") || changed("deadline") || changed("skip-bad") {
		return usage("--deadlines, --deadline and --skip-bad are about recorded trials: name them with --recordings PATH", "deadline")
	}
	if err := f.validate(cmd); err != nil {
		return err
	}
	return f.publishedFlags.run(cmd, out, func(w io.Writer, r any) error { return printDeadline(w, r.(deadline.Result)) })
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
