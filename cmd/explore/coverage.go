package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"example.com/commitpoint/model"
	"example.com/commitpoint/results"
	"example.com/commitpoint/study"
)

const coverageLong = `Coverage says what the study exercises, so that what it does not find means something:
for each check of the contract the shortest history in which it alone stands between
the service and a wrong completion, or that no schedule within these bounds needs it
and why; in how many schedules each event happens and each fact occurs; and how often
each mechanism accepts and refuses.

Whatever never happens and ought to is named, and is exit code 1.`

const coverageExamples = `  explore coverage
  explore coverage --json | jq '.checks[] | select(.schedules == 0)'`

// coverageSchema is the schema of the command's JSON.
const coverageSchema = "commitpoint/coverage/v1"

// coverageFlags are the flags of explore coverage.
type coverageFlags struct {
	json    bool
	workers int
}

func newCoverage(out io.Writer) *cobra.Command {
	var f coverageFlags
	cmd := &cobra.Command{
		Use:               "coverage",
		Short:             "Say what the study exercises, and which checks it needs",
		Long:              coverageLong,
		Example:           coverageExamples,
		ValidArgsFunction: cobra.NoFileCompletions,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usage(fmt.Sprintf("unexpected argument %q: explore coverage takes flags only", args[0]), "coverage")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			if f.workers < 1 && cmd.Flags().Changed("workers") {
				return usage(fmt.Sprintf("--workers %d is too few: use 1 or more", f.workers), "coverage")
			}
			return f.run(cmd.Context(), out)
		},
	}
	cmd.Flags().BoolVar(&f.json, "json", false, "print the result as canonical JSON")
	cmd.Flags().IntVar(&f.workers, "workers", 0, "work with `N` goroutines (default one a processor); the result is the same for any number")
	return cmd
}

// An unreached is the error of a run in which something did not happen that ought to.
type unreached struct{ what []string }

func (e *unreached) Error() string { return "not exercised: " + strings.Join(e.what, "; ") }

func (f *coverageFlags) run(ctx context.Context, out io.Writer) error {
	c, err := study.ComputeCoverage(ctx, study.Options{Workers: f.workers})
	if err != nil {
		return err
	}
	if f.json {
		data, err := results.Encode(newCoverageDocument(c))
		if err != nil {
			return err
		}
		if _, err := out.Write(data); err != nil {
			return err
		}
	} else {
		printCoverage(out, c)
	}
	if len(c.Unreached) > 0 {
		return &unreached{c.Unreached}
	}
	return nil
}

type coverageDocument struct {
	Schema     string              `json:"schema"`
	Verdict    string              `json:"verdict"` // holds, or violated if something is unreached
	Schedules  uint64              `json:"schedules"`
	Checks     []coveredCheck      `json:"checks"`
	Events     []reached           `json:"events"`
	Reachable  []reached           `json:"reachable"`
	Mechanisms []coveredMechanisms `json:"mechanisms"`
	Unreached  []string            `json:"unreached"`
}

type coveredCheck struct {
	Check     string   `json:"check"`
	Schedules uint64   `json:"schedules"`
	Witness   []string `json:"witness"` // empty if there is none
	Controls  []string `json:"controls"`
	Why       string   `json:"why,omitempty"`
}

type reached struct {
	Name      string `json:"name"`
	Schedules uint64 `json:"schedules"`
}

type coveredMechanisms struct {
	Name    string `json:"name"`
	Accepts uint64 `json:"accepts"`
	Refuses uint64 `json:"refuses"`
}

func newCoverageDocument(c study.Coverage) coverageDocument {
	d := coverageDocument{Schema: coverageSchema, Verdict: "holds", Schedules: c.Schedules, Unreached: c.Unreached}
	if len(c.Unreached) > 0 {
		d.Verdict = "violated"
	}
	for _, x := range c.Checks {
		d.Checks = append(d.Checks, coveredCheck{x.Check, x.Schedules, model.Names(x.Witness), x.Controls, x.Why})
	}
	for _, x := range c.Events {
		d.Events = append(d.Events, reached(x))
	}
	for _, x := range c.Reachable {
		d.Reachable = append(d.Reachable, reached(x))
	}
	for _, x := range c.Mechanisms {
		d.Mechanisms = append(d.Mechanisms, coveredMechanisms{x.Name, x.Accepts, x.Refuses})
	}
	return d
}

func printCoverage(w io.Writer, c study.Coverage) {
	fmt.Fprintln(w, "Each check of the contract, and the shortest history in which it alone stands between the\nservice and a wrong completion:")
	for _, x := range c.Checks {
		if x.Witness != nil {
			fmt.Fprintf(w, "  %-9s %5d schedules   %s\n", x.Check, x.Schedules, arrows(x.Witness))
			continue
		}
		fmt.Fprintf(w, "  %-9s %15s   no schedule within these bounds needs it: %s\n", x.Check, "", x.Why)
		if len(x.Controls) > 0 {
			fmt.Fprintf(w, "  %9s %15s   it is needed in the directed controls %s\n", "", "", strings.Join(x.Controls, ", "))
		}
	}
	fmt.Fprintf(w, "\nWhat happens, in how many of %d schedules:\n", c.Schedules)
	for _, x := range append(c.Events, c.Reachable...) {
		fmt.Fprintf(w, "  %5d  %s\n", x.Schedules, x.Name)
	}
	fmt.Fprintln(w, "\nDecisions:")
	for _, x := range c.Mechanisms {
		note := ""
		if x.Undiscerning {
			note = "   (it requires nothing, so that it need not refuse)"
		}
		fmt.Fprintf(w, "  %-17s accepts %5d, refuses %5d%s\n", x.Name, x.Accepts, x.Refuses, note)
	}
	if len(c.Unreached) == 0 {
		fmt.Fprintln(w, "\nNothing is left out: every event happens, and every mechanism that requires anything both accepts\nand refuses.")
	}
}
