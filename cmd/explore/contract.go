package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/tw"
	"github.com/spf13/cobra"

	"example.com/commitpoint/study/contract"
)

const contractLong = `Contract decides requests under the whole completion contract: two workers, attempts
with outer and inner ids, an authority that can restart, several targets behind a
scope, an alias and grants, two criteria with checker versions, dependencies on an
input and a directory, and requests that come again.

It prints the obligation table: for each predicate of the contract what goes wrong
without it and the shortest history that needs it; what the mechanisms do that people
build instead; which predicates may be evaluated before the transaction; and the
invariants beyond single decisions.

Counts are of decisions, one for each request in each schedule of the families of
scenarios, never rates.`

const contractExamples = `  explore contract
  explore contract --json | jq '.obligations[] | {predicate, shortest}'
  explore contract --check                      reproduce the published results, byte for byte
  explore trace contract/without-fence          the history, step by step
  explore cases                                 incidents as scenarios`

func newContract(out io.Writer) *cobra.Command {
	var f publishedFlags
	cmd := &cobra.Command{
		Use:     "contract",
		Short:   "Show that every predicate of the whole contract is necessary, and all together sufficient",
		Long:    contractLong,
		Example: contractExamples,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usage(fmt.Sprintf("unexpected argument %q: explore contract takes flags only", args[0]), "contract")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := f.validate(cmd); err != nil {
				return err
			}
			return f.run(cmd, out, func(w io.Writer, r any) error { return printContract(w, r.(contract.Result)) })
		},
	}
	cmd.Flags().SortFlags = false
	f.declare(cmd, "results/contract.json")
	return cmd
}

func printContract(w io.Writer, r contract.Result) error {
	scenarios := 0
	for _, f := range r.Families {
		scenarios += f.Scenarios
	}
	c := r.Complete
	fmt.Fprintf(w, "%d families with %d scenarios: %d schedules, %d decisions.\n", len(r.Families), scenarios, r.Schedules,
		c.SafeAccept+c.UnsafeAccept+c.UnsafeReject+c.EligibleReject)
	fmt.Fprintf(w, "The complete mechanism accepts the %d requests that are eligible and refuses the %d that are not.\n\nWithout a predicate:\n\n",
		c.SafeAccept, c.UnsafeReject)
	table := newTable(w, tw.AlignLeft, tw.AlignRight, tw.AlignRight, tw.AlignRight)
	table.Header("predicate", "unsafe\naccept", "eligible\nreject", "events of\nthe shortest")
	for _, o := range r.Obligations {
		if err := table.Append(o.Predicate, fmt.Sprint(o.UnsafeAccept), fmt.Sprint(o.EligibleReject), fmt.Sprint(len(o.Shortest))); err != nil {
			return fmt.Errorf("print the obligations: %w", err)
		}
	}
	if err := table.Render(); err != nil {
		return fmt.Errorf("print the obligations: %w", err)
	}
	fmt.Fprintln(w, "\nThe shortest history that needs each:")
	for _, o := range r.Obligations {
		fmt.Fprintf(w, "  %-12s %s\n", o.Predicate, strings.Join(o.Shortest, " → "))
	}
	fmt.Fprintf(w, "\n%s\n", contract.FenceSentence)
	fmt.Fprintln(w, "\nWhat people build instead:")
	for _, h := range r.Hybrids {
		fmt.Fprintf(w, "  %-17s %6d unsafe accepts, %5d eligible rejects: %s\n", h.Name, h.UnsafeAccept, h.EligibleReject, h.Meaning)
	}
	fmt.Fprintln(w, "\nEvaluated at preflight, for that request, with the rest in the transaction:")
	for _, s := range r.Hoist.Singles {
		verdict := "may move:"
		if s.UnsafeAccept > 0 {
			verdict = "must stay:"
		}
		fmt.Fprintf(w, "  %-12s %-10s %s (%d unsafe accepts)\n", s.Predicate, verdict, s.Why, s.UnsafeAccept)
	}
	for _, set := range r.Hoist.MaximalSafe {
		fmt.Fprintf(w, "  together: %s, and nothing more\n", strings.Join(set, ", "))
	}
	fmt.Fprintln(w, "\nInvariants, which the complete mechanism keeps, and the shortest history of one that does not:")
	for _, x := range r.Invariants {
		fmt.Fprintf(w, "  %s\n    %s: %s\n", x.Property, x.Mechanism, strings.Join(x.Shortest, " → "))
	}
	return nil
}

// newTable returns a table in the command's style.
func newTable(w io.Writer, align ...tw.Align) *tablewriter.Table {
	return tablewriter.NewTable(w,
		tablewriter.WithHeaderAutoFormat(tw.Off),
		tablewriter.WithRendition(tw.Rendition{Symbols: tw.NewSymbols(tw.StyleASCII)}),
		tablewriter.WithAlignment(align))
}
