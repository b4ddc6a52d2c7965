package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/olekukonko/tablewriter/tw"
	"github.com/spf13/cobra"

	"example.com/commitpoint/counterexamples"
	"example.com/commitpoint/enumerate"
	ledgers "example.com/commitpoint/mechanisms/harness/budget"
	"example.com/commitpoint/results"
	"example.com/commitpoint/study/harness/budget"
	"example.com/commitpoint/study/harness/ownership"
)

// A counting is a command that counts every order of one of the harness's models.
type counting struct {
	name, short, long string
	compute           func(context.Context, enumerate.Options) (any, error)
	print             func(io.Writer, any) error
}

const countedLong = `

Counts are of schedules, exact, and the same for any number of workers. They are part of
what 'explore harness --check' reproduces.`

func newBudget(out io.Writer) *cobra.Command {
	return counting{
		name:  "budget",
		short: "Count what budget ledgers do wrong under every order of events",
		long: `Budget lets twelve ledgers, one without a flaw and the others with one each, answer in
every order of two sets of events. In the race eight requests of 3 units each are read,
compared and written, against a cap of 10. In a life an operation is admitted, dispatched,
acknowledged, cancelled, charged, charged again, charged too much and reconciled, while a
retry and a fallback ask for their share, a route has no price, and accounting goes away
and comes back.`,
		compute: func(ctx context.Context, opt enumerate.Options) (any, error) { return budget.Compute(ctx, opt) },
		print:   func(w io.Writer, r any) error { return printBudget(w, r.(budget.Result)) },
	}.command(out)
}

func newOwnership(out io.Writer) *cobra.Command {
	return counting{
		name:  "ownership",
		short: "Count what cleanups remove and report wrongly under every order of events",
		long: `Ownership lets cleanups, one that keeps every rule and others that lack one each, remove
and report in every order of what two requests for the removal of session A can meet: A's
next generation, others that take its place, a lease that is renewed, approved late or
lost, answers that are lost, and inventories that fail.`,
		compute: func(ctx context.Context, opt enumerate.Options) (any, error) { return ownership.Compute(ctx, opt) },
		print:   func(w io.Writer, r any) error { return printOwnership(w, r.(ownership.Result)) },
	}.command(out)
}

func (c counting) command(out io.Writer) *cobra.Command {
	var json bool
	var workers int
	cmd := &cobra.Command{
		Use:   c.name,
		Short: c.short,
		Long:  c.long + countedLong,
		Example: fmt.Sprintf("  explore harness %s\n  explore harness %s --json\n  explore trace %s/NAME     the shortest histories of one that goes wrong",
			c.name, c.name, c.name),
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usage(fmt.Sprintf("unexpected argument %q: explore harness %s takes flags only", args[0], c.name), "harness", c.name)
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			if workers < 1 && cmd.Flags().Changed("workers") {
				return usage(fmt.Sprintf("--workers %d is too few: use 1 or more", workers), "harness", c.name)
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
			data, err := results.Encode(r)
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

// printBudget prints, for each scenario, what the reference meets and what breaks in others.
func printBudget(w io.Writer, r budget.Result) error {
	for _, s := range r.Scenarios {
		fmt.Fprint(w, counterexamples.Wrap(strings.ToUpper(s.Name[:1])+s.Name[1:]+": ", "  ", s.Why+"."))
		fmt.Fprintf(w, "%d events, %v schedules, a cap of %d units.\n", s.Events, s.Schedules, r.Cap)
		var met []string
		for _, f := range s.Faced {
			met = append(met, fmt.Sprintf("%s %v", f.What, f.Count))
		}
		fmt.Fprint(w, counterexamples.Wrap("What stood against a yes, and was refused by the reference: ", "  ", strings.Join(met, ", ")+"."))
		if s.Reused != (enumerate.Count{}) {
			fmt.Fprintf(w, "It admits what fits only because something was freed in %v schedules.\n", s.Reused)
		}
		table := newTable(w, tw.AlignLeft, tw.AlignLeft, tw.AlignRight)
		table.Header("ledger", "what breaks", "schedules")
		sound := []string{}
		for _, l := range s.Ledgers {
			if len(l.Broken) == 0 {
				sound = append(sound, l.Mechanism)
			}
			for i, b := range l.Broken {
				name := l.Mechanism
				if i > 0 {
					name = ""
				}
				if err := table.Append(name, b.What, b.Count.String()); err != nil {
					return fmt.Errorf("print the ledgers: %w", err)
				}
			}
		}
		if err := table.Render(); err != nil {
			return fmt.Errorf("print the ledgers: %w", err)
		}
		fmt.Fprint(w, counterexamples.Wrap("Nothing breaks in: ", "  ", strings.Join(sound, ", ")+"."))
		fmt.Fprintln(w)
	}
	for _, m := range ledgers.All() {
		printMeaning(w, m.Name, m.Meaning)
	}
	return nil
}

// printOwnership prints where exact could have been wrong, and what breaks in others.
func printOwnership(w io.Writer, r ownership.Result) error {
	fmt.Fprintf(w, "Two cleanups of session A: %d events, %v schedules.\n", r.Events, r.Schedules)
	fmt.Fprintf(w, "Schedules in which %s could have been wrong, and is not:\n", r.Mechanisms[0].Name)
	for _, p := range r.Situations {
		fmt.Fprintf(w, "  %s (%v)\n", p.Property, p.Schedules)
	}
	table := newTable(w, tw.AlignLeft, tw.AlignLeft, tw.AlignRight)
	table.Header("cleanup", "what breaks", "schedules")
	for _, m := range r.Mechanisms {
		name := m.Name
		for _, b := range m.Broken {
			if b.Schedules == (enumerate.Count{}) {
				continue
			}
			if err := table.Append(name, b.Property, b.Schedules.String()); err != nil {
				return fmt.Errorf("print the cleanups: %w", err)
			}
			name = ""
		}
	}
	if err := table.Render(); err != nil {
		return fmt.Errorf("print the cleanups: %w", err)
	}
	fmt.Fprintln(w)
	for _, m := range r.Mechanisms {
		printMeaning(w, m.Name, m.Meaning)
	}
	return nil
}

// printMeaning says what a mechanism does, beside its name.
func printMeaning(w io.Writer, name, meaning string) {
	const width = 22
	fmt.Fprint(w, counterexamples.Wrap(fmt.Sprintf("%-*s", width, name), strings.Repeat(" ", width), meaning))
}
