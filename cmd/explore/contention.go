package main

import (
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"example.com/commitpoint/enumerate"
	"example.com/commitpoint/mechanisms"
	checks "example.com/commitpoint/model/contention"
	"example.com/commitpoint/results"
	"example.com/commitpoint/study/contention"
)

const contentionLong = `Several submitters race for one task, each with its own chain, read → candidate →
trusted-verify → preflight → commit, at any time and whether it owns the task or
not. The input and the artifact are edited once, the grant is revoked, a newer
policy is published, the lease expires, and then the task is reassigned to one
submitter after the other.

Every order of all these events is counted, exactly, by how each of the thirteen
mechanisms decides each submitter's commit. Up to four submitters fit in the
default limit of ` + "%d" + ` nodes; what does not is incomplete, with exit code 3.`

const contentionExamples = `  explore contention                    two submitters
  explore contention --submitters 3
  explore contention --submitters 4     some 2 GB of memory, well under a minute on two cores
  explore contention --json | jq .schedules`

// contentionFlags are the flags of explore contention.
type contentionFlags struct {
	submitters, workers int
	maxNodes            uint64
	maxTime             time.Duration
	json                bool
}

func newContention(out io.Writer) *cobra.Command {
	var f contentionFlags
	cmd := &cobra.Command{
		Use:     "contention",
		Short:   "Count how commits are decided when several submitters race for one task",
		Long:    fmt.Sprintf(contentionLong, enumerate.DefaultMaxNodes),
		Example: contentionExamples,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usage(fmt.Sprintf("unexpected argument %q: explore contention takes flags only", args[0]), "contention")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := f.validate(cmd); err != nil {
				return err
			}
			return f.run(cmd, out)
		},
	}
	fs := cmd.Flags()
	fs.SortFlags = false
	fs.IntVar(&f.submitters, "submitters", 2, fmt.Sprintf("the number of submitters, `W` from 1 to %d", checks.MaxSubmitters))
	fs.BoolVar(&f.json, "json", false, "print the result as canonical JSON")
	fs.IntVar(&f.workers, "workers", 0, "work with `N` goroutines (default one a processor); the result is the same for any number")
	fs.Uint64Var(&f.maxNodes, "max-nodes", enumerate.DefaultMaxNodes, "stop, incomplete, at more than `N` nodes")
	fs.DurationVar(&f.maxTime, "max-time", 0, "stop, incomplete, after this `TIME`, as in 90s (default no limit)")
	return cmd
}

func (f *contentionFlags) validate(cmd *cobra.Command) error {
	changed := cmd.Flags().Changed
	switch {
	case f.submitters < 1 || f.submitters > checks.MaxSubmitters:
		return usage(fmt.Sprintf("--submitters %d is out of range: use 1 to %d", f.submitters, checks.MaxSubmitters), "contention")
	case f.workers < 1 && changed("workers"):
		return usage(fmt.Sprintf("--workers %d is too few: use 1 or more", f.workers), "contention")
	case f.maxNodes < 1:
		return usage("--max-nodes 0 leaves nothing to count: use 1 or more", "contention")
	case f.maxTime <= 0 && changed("max-time"):
		return usage(fmt.Sprintf("--max-time %v leaves no time: use a positive duration, as in 90s", f.maxTime), "contention")
	}
	return nil
}

func (f *contentionFlags) run(cmd *cobra.Command, out io.Writer) error {
	line := newProgressLine(cmd.ErrOrStderr())
	r, err := contention.Compute(cmd.Context(), f.submitters, enumerate.Options{
		Workers:  f.workers,
		MaxNodes: f.maxNodes,
		MaxTime:  f.maxTime,
		Progress: line.show,
	})
	line.clear()
	if err != nil {
		return err
	}
	if !f.json {
		return printContention(out, r)
	}
	data, err := results.Encode(r)
	if err != nil {
		return err
	}
	_, err = out.Write(data)
	return err
}

func printContention(w io.Writer, r contention.Result) error {
	fmt.Fprintf(w, "%d %s, %d events: %v schedules.\nCounted on %v nodes and %v edges over %v down-sets.\n",
		r.Submitters, plural(r.Submitters, "submitter"), r.Events, r.Schedules, r.Nodes, r.Edges, r.DownSets)
	list := mechanisms.All()
	for _, d := range r.Decisions {
		fmt.Fprintf(w, "\nThe commit of submitter %d is eligible in %v schedules.\n\n", d.Submitter, d.Eligible)
		var rows []scoreRow
		for i, s := range d.Mechanisms {
			rows = append(rows, scoreRow{list[i], s.SafeAccept, s.UnsafeAccept, s.UnsafeReject, s.EligibleReject})
		}
		if err := printTable(w, rows); err != nil {
			return err
		}
	}
	return nil
}
