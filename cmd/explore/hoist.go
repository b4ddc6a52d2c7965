package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/tw"
	"github.com/spf13/cobra"

	"example.com/commitpoint/enumerate"
	"example.com/commitpoint/results"
	"example.com/commitpoint/study"
)

const hoistLong = `Hoist says what may leave the transaction: for every subset of the contract's checks
it evaluates those at preflight, where the answer is remembered, and the rest at the
commit, in every schedule. Ownership, that is attempt and fence, moves as one, so that
there are seven and 128 subsets: none is the mechanism atomic, all is
preflight-cached.

A subset is safe if no request is accepted that is not eligible. Printed are the
checks moved alone, with the shortest history that goes wrong; the maximal safe
subsets, to which nothing can be added; and the minimal unsafe ones, of which nothing
can be left out.

FAMILY is study, the default, or contention, in which two submitters race.`

const hoistExamples = `  explore hoist
  explore hoist contention
  explore hoist --json | jq .maximal_safe`

// hoistSchema is the schema of the command's JSON.
const hoistSchema = "commitpoint/hoist/v1"

// hoistFlags are the flags of explore hoist.
type hoistFlags struct {
	json    bool
	workers int
}

func newHoist(out io.Writer) *cobra.Command {
	var f hoistFlags
	var names []string
	for _, f := range families {
		names = append(names, f.name)
	}
	cmd := &cobra.Command{
		Use:               "hoist [FAMILY]",
		Short:             "Say which checks may be made before the commit",
		Long:              hoistLong,
		Example:           hoistExamples,
		ValidArgsFunction: cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp),
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usage(fmt.Sprintf("%d arguments: explore hoist takes the name of one family", len(args)), "hoist")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.workers < 1 && cmd.Flags().Changed("workers") {
				return usage(fmt.Sprintf("--workers %d is too few: use 1 or more", f.workers), "hoist")
			}
			name := theStudy.name
			if len(args) > 0 {
				name = args[0]
			}
			return f.run(cmd.Context(), name, out)
		},
	}
	cmd.Flags().BoolVar(&f.json, "json", false, "print the result as canonical JSON")
	cmd.Flags().IntVar(&f.workers, "workers", 0, "work with `N` goroutines (default one a processor); the result is the same for any number")
	return cmd
}

func (f *hoistFlags) run(ctx context.Context, name string, out io.Writer) error {
	family, err := familyNamed(name)
	if err != nil {
		return err
	}
	h, err := family.hoist(ctx, f.workers)
	if err != nil {
		return err
	}
	if !f.json {
		return printHoist(out, family, h)
	}
	data, err := results.Encode(newHoistDocument(family, h))
	if err != nil {
		return err
	}
	_, err = out.Write(data)
	return err
}

// A hoistDocument is what hoisting comes to, as JSON. Counts are numbers, or decimal
// strings in a family in which they can be too large for that.
type hoistDocument struct {
	Schema        string        `json:"schema"`
	Family        string        `json:"family"`
	Decisions     count         `json:"decisions"`
	Singles       []hoistSingle `json:"singles"`
	MaximalSafe   [][]string    `json:"maximal_safe"`
	MinimalUnsafe [][]string    `json:"minimal_unsafe"`
}

type hoistSingle struct {
	Check          string   `json:"check"`
	UnsafeAccept   count    `json:"unsafe_accept"`
	EligibleReject count    `json:"eligible_reject"`
	Schedule       []string `json:"schedule"` // the shortest unsafe accept, empty if there is none
}

// A count is a number, or the same as text.
type count struct {
	n      enumerate.Count
	asText bool
}

func (c count) MarshalJSON() ([]byte, error) {
	if c.asText {
		return []byte(`"` + c.n.String() + `"`), nil
	}
	return []byte(c.n.String()), nil
}

func newHoistDocument(f family, h study.Hoist) hoistDocument {
	d := hoistDocument{
		Schema:        hoistSchema,
		Family:        f.name,
		Decisions:     count{h.Decisions, f.large},
		MaximalSafe:   early(h.MaximalSafe()),
		MinimalUnsafe: early(h.MinimalUnsafe()),
	}
	for _, s := range h.Singles() {
		d.Singles = append(d.Singles, hoistSingle{s.Early[0], count{s.UnsafeAccept, f.large}, count{s.EligibleReject, f.large}, notNil(s.Shortest)})
	}
	return d
}

func notNil(names []string) []string {
	if names == nil {
		return []string{}
	}
	return names
}

func early(subsets []study.Subset) [][]string {
	list := [][]string{}
	for _, s := range subsets {
		list = append(list, s.Early)
	}
	return list
}

func printHoist(w io.Writer, f family, h study.Hoist) error {
	fmt.Fprintf(w, "Each check evaluated at preflight and the rest at the commit, in %v decisions of the %s:\n\n", h.Decisions, familyTitle(f))
	table := tablewriter.NewTable(w,
		tablewriter.WithHeaderAutoFormat(tw.Off),
		tablewriter.WithRendition(tw.Rendition{Symbols: tw.NewSymbols(tw.StyleASCII)}),
		tablewriter.WithAlignment(tw.Alignment{tw.AlignLeft, tw.AlignRight, tw.AlignRight}))
	table.Header("at preflight", "unsafe\naccept", "eligible\nreject")
	for _, s := range append([]study.Subset{h.Subsets[0]}, append(h.Singles(), h.Subsets[len(h.Subsets)-1])...) {
		name := strings.Join(s.Early, ", ")
		switch len(s.Early) {
		case 0:
			name = "none (atomic)"
		case len(h.Singles()):
			name = "all (preflight-cached)"
		}
		if err := table.Append(name, s.UnsafeAccept.String(), s.EligibleReject.String()); err != nil {
			return fmt.Errorf("print the subsets: %w", err)
		}
	}
	if err := table.Render(); err != nil {
		return fmt.Errorf("print the subsets: %w", err)
	}
	fmt.Fprintln(w, "\nThe shortest history in which a check that moved alone lets through what is not eligible:")
	for _, s := range h.Singles() {
		what := "no schedule within these bounds"
		if s.Shortest != nil {
			what = strings.Join(s.Shortest, " → ")
		}
		fmt.Fprintf(w, "  %-10s %s\n", s.Early[0], what)
	}
	fmt.Fprintln(w, "\nMaximal safe subsets: these may leave the transaction together, and nothing more:")
	printSubsets(w, h.MaximalSafe())
	fmt.Fprintln(w, "\nMinimal unsafe subsets:")
	printSubsets(w, h.MinimalUnsafe())
	return nil
}

func familyTitle(f family) string {
	if f.name == theStudy.name {
		return "study"
	}
	return f.name + " model"
}

func printSubsets(w io.Writer, subsets []study.Subset) {
	for _, s := range subsets {
		name := strings.Join(s.Early, ", ")
		if name == "" {
			name = "none"
		}
		fmt.Fprintf(w, "  %s (%v unsafe accepts, %v eligible rejects)\n", name, s.UnsafeAccept, s.EligibleReject)
	}
	if len(subsets) == 0 {
		fmt.Fprintln(w, "  there is none")
	}
}
