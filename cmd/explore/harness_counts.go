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
	"example.com/commitpoint/study/harness/budget"
	"example.com/commitpoint/study/harness/ownership"
)

func newBudget(out io.Writer) *cobra.Command {
	return counting{
		parent: "harness", name: "budget", family: "budget",
		short: "Count what budget ledgers do wrong under every order of events",
		long: `Budget lets thirteen ledgers, one without a flaw and the others with one each, answer in
every order of two sets of events. In the race eight requests of 3 units each are read,
compared and written, against a cap of 10. In a life an operation is admitted, dispatched,
acknowledged, cancelled, charged, charged again, charged too much and reconciled, while a
retry and a fallback ask for their share, a route has no price, and accounting goes away
and comes back.`,
		compute: func(ctx context.Context, opt enumerate.Options) (any, error) { return budget.Compute(ctx, opt) },
		print:   func(w io.Writer, r any) error { return printBudget(w, r.(budget.Result)) },
		document: func(r any) any {
			return struct {
				Schema string `json:"schema"`
				budget.Result
			}{"commitpoint/harness/budget/v1", r.(budget.Result)}
		},
	}.command(out)
}

func newOwnership(out io.Writer) *cobra.Command {
	return counting{
		parent: "harness", name: "ownership", family: "ownership",
		short: "Count what cleanups remove and report wrongly under every order of events",
		long: `Ownership lets cleanups, one that keeps every rule and others that each lack some, remove
and report in every order of what two requests for the removal of session A can meet: A's
next generation, others that take its place, a lease that is renewed, approved late or
lost, answers that are lost, and inventories that fail.`,
		compute: func(ctx context.Context, opt enumerate.Options) (any, error) { return ownership.Compute(ctx, opt) },
		print:   func(w io.Writer, r any) error { return printOwnership(w, r.(ownership.Result)) },
		document: func(r any) any {
			return struct {
				Schema string `json:"schema"`
				ownership.Result
			}{"commitpoint/harness/ownership/v1", r.(ownership.Result)}
		},
	}.command(out)
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
		fmt.Fprint(w, counterexamples.Wrap("What stood against a yes of the reference (answers, of which a schedule has several): ", "  ", strings.Join(met, ", ")+"."))
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
	printMeanings(w, ledgers.All(), func(m ledgers.Mechanism) (name, meaning string) { return m.Name, m.Meaning })
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
	printMeanings(w, r.Mechanisms, func(m ownership.Score) (name, meaning string) { return m.Name, m.Meaning })
	return nil
}
