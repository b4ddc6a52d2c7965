package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"example.com/commitpoint/counterexamples"
	"example.com/commitpoint/enumerate"
	"example.com/commitpoint/results"
)

// A counting is a command, below another one, that counts every order of a model's events.
type counting struct {
	parent, name string
	family       string // whose mechanisms explore trace has
	short, long  string
	compute      func(context.Context, enumerate.Options) (any, error)
	print        func(io.Writer, any) error
	document     func(any) any // what is printed for a program: the result with a schema
}

const countedLong = `

Counts are of schedules, or of answers, of which a schedule has several, where that is said:
exact, and the same for any number of workers. They are part of what 'explore %s
--check' reproduces.`

func (c counting) command(out io.Writer) *cobra.Command {
	var json bool
	var workers int
	path := c.parent + " " + c.name
	cmd := &cobra.Command{
		Use:   c.name,
		Short: c.short,
		Long:  c.long + fmt.Sprintf(countedLong, c.parent),
		Example: fmt.Sprintf("  explore %s\n  explore %s --json\n  explore trace %s/NAME     the shortest histories of one that goes wrong",
			path, path, c.family),
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usage(fmt.Sprintf("unexpected argument %q: explore %s takes flags only", args[0], path), c.parent, c.name)
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			if workers < 1 && cmd.Flags().Changed("workers") {
				return usage(fmt.Sprintf("--workers %d is too few: use 1 or more", workers), c.parent, c.name)
			}
			line := newProgressLine(cmd.ErrOrStderr())
			r, err := c.compute(cmd.Context(), enumerate.Options{Workers: workers, Progress: line.show})
			line.clear()
			if err != nil {
				return err
			}
			if !json {
				return c.print(out, r)
			}
			data, err := results.Encode(c.document(r))
			if err != nil {
				return err
			}
			_, err = out.Write(data)
			return err
		},
	}
	fs := cmd.Flags()
	fs.SortFlags = false
	fs.BoolVar(&json, "json", false, "print the counts as canonical JSON")
	fs.IntVar(&workers, "workers", 0, "work with `N` goroutines (default one a processor); the counts are the same for any number")
	return cmd
}

// printMeanings says what mechanisms do, beside their names.
func printMeanings[M any](w io.Writer, all []M, describe func(M) (name, meaning string)) {
	width := 0
	for _, m := range all {
		name, _ := describe(m)
		width = max(width, len(name)+2)
	}
	for _, m := range all {
		name, meaning := describe(m)
		fmt.Fprint(w, counterexamples.Wrap(fmt.Sprintf("%-*s", width, name), strings.Repeat(" ", width), meaning))
	}
}
