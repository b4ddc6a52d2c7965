package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"example.com/commitpoint/results"
)

// publishedFlags are the flags of a command that computes published results.
type publishedFlags struct {
	json, check, write bool
	results            string
	workers            int
}

// declare declares the flags of the command whose results are in a file.
func (f *publishedFlags) declare(cmd *cobra.Command, file string) {
	fs := cmd.Flags()
	fs.BoolVar(&f.json, "json", false, "print the results as canonical JSON")
	fs.BoolVar(&f.check, "check", false, "recompute everything and compare it, byte for byte, with the published results")
	fs.BoolVar(&f.write, "write", false, "recompute everything and write "+file+", in the module's root")
	fs.StringVar(&f.results, "results", "", "with --check or --write: compare with, or write, this `FILE`")
	fs.IntVar(&f.workers, "workers", 0, "work with `N` goroutines (default one a processor); the results are the same for any number")
}

// validate reports flags that make no sense together.
func (f *publishedFlags) validate(cmd *cobra.Command) error {
	changed, name := cmd.Flags().Changed, cmd.Name()
	modes := 0
	for _, given := range []bool{f.json, f.check, f.write} {
		if given {
			modes++
		}
	}
	switch {
	case modes > 1:
		return usage("--json, --check and --write can't be combined: choose one", name)
	case f.workers < 1 && changed("workers"):
		return usage(fmt.Sprintf("--workers %d is too few: use 1 or more", f.workers), name)
	case changed("results") && !f.check && !f.write:
		return usage("--results FILE needs --check or --write beside it", name)
	case changed("results") && f.results == "":
		return usage("--results has an empty value: give it one or leave it out", name)
	}
	return nil
}

// run does what the flags ask for with the results that the command publishes; print prints
// them for people.
func (f *publishedFlags) run(cmd *cobra.Command, out io.Writer, print func(io.Writer, any) error) error {
	document, ctx := documentOf(cmd.CommandPath()), cmd.Context()
	switch {
	case f.check:
		return check(ctx, document, f.results, f.workers, out, cmd.ErrOrStderr())
	case f.write:
		return write(ctx, document, f.results, f.workers, out)
	}
	computed, err := document.document(ctx, f.workers)
	if err != nil {
		return err
	}
	if !f.json {
		return print(out, computed)
	}
	data, err := results.Encode(computed)
	if err != nil {
		return err
	}
	_, err = out.Write(data)
	return err
}
