package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/olekukonko/tablewriter/tw"
	"github.com/spf13/cobra"

	"example.com/commitpoint/enumerate"
	"example.com/commitpoint/results"
	"example.com/commitpoint/study"
	"example.com/commitpoint/study/contract"
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

FAMILY is study, the default; contention, in which two submitters race; or contract,
the whole contract. There preflight answers for the very request that it looked at;
predicates are moved one by one, and together those that are safe alone, which is the
only maximal safe subset: each of the others lets something through in a history in
which every predicate held at preflight, so that moving more changes nothing.`

const hoistExamples = `  explore hoist
  explore hoist contention
  explore hoist contract
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
		if f.hoist != nil {
			names = append(names, f.name)
		}
	}
	cmd := &cobra.Command{
		Use:               "hoist [FAMILY]",
		Short:             "Say which checks may be made before the commit",
		Long:              hoistLong,
		Example:           hoistExamples,
		ValidArgsFunction: completeFirst(names),
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
	if family.hoist == nil {
		return usage(fmt.Sprintf("nothing is checked at a commit in family %s: choose another", name), "hoist")
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

// A hoisted is what hoisting comes to in any family.
type hoisted struct {
	decisions              enumerate.Count
	none, all              study.Subset // nothing at preflight, and everything
	singles                []study.Subset
	maximalSafe, minUnsafe []study.Subset
	names                  [2]string // of the mechanisms that none and all are
}

func ofStudy(h study.Hoist) hoisted {
	if len(h.Subsets) == 0 {
		return hoisted{} // of a run that failed
	}
	return hoisted{h.Decisions, h.Subsets[0], h.Subsets[len(h.Subsets)-1], h.Singles(), h.MaximalSafe(), h.MinimalUnsafe(), [2]string{"atomic", "preflight-cached"}}
}

func ofContract(h contract.Hoist) hoisted {
	subset := func(early []string, s contract.Score) study.Subset {
		return study.Subset{Early: early, UnsafeAccept: enumerate.NewCount(s.UnsafeAccept), EligibleReject: enumerate.NewCount(s.EligibleReject)}
	}
	all := h.All
	t := hoisted{
		decisions: enumerate.NewCount(all.SafeAccept + all.UnsafeAccept + all.UnsafeReject + all.EligibleReject),
		all:       subset(nil, all),
		names:     [2]string{"complete", "preflight"},
	}
	for _, s := range h.Singles {
		single := subset([]string{s.Predicate}, contract.Score{UnsafeAccept: s.UnsafeAccept, EligibleReject: s.EligibleReject})
		single.Shortest = s.Shortest
		t.singles = append(t.singles, single)
		if !single.Safe() {
			t.minUnsafe = append(t.minUnsafe, single)
		}
	}
	for _, names := range h.MaximalSafe {
		t.maximalSafe = append(t.maximalSafe, subset(names, h.Together))
	}
	return t
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

func newHoistDocument(f family, h hoisted) hoistDocument {
	d := hoistDocument{
		Schema:        hoistSchema,
		Family:        f.name,
		Decisions:     count{h.decisions, f.large},
		MaximalSafe:   early(h.maximalSafe),
		MinimalUnsafe: early(h.minUnsafe),
	}
	for _, s := range h.singles {
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

func printHoist(w io.Writer, f family, h hoisted) error {
	fmt.Fprintf(w, "Each check evaluated at preflight and the rest at the commit, in %v decisions of the %s:\n\n", h.decisions, familyTitle(f))
	table := newTable(w, tw.AlignLeft, tw.AlignRight, tw.AlignRight)
	table.Header("at preflight", "unsafe\naccept", "eligible\nreject")
	row := func(name string, s study.Subset) error {
		if err := table.Append(name, s.UnsafeAccept.String(), s.EligibleReject.String()); err != nil {
			return fmt.Errorf("print the subsets: %w", err)
		}
		return nil
	}
	err := row("none ("+h.names[0]+")", h.none)
	for _, s := range h.singles {
		err = cmp.Or(err, row(s.Early[0], s))
	}
	if err = cmp.Or(err, row("all ("+h.names[1]+")", h.all)); err != nil {
		return err
	}
	if err := table.Render(); err != nil {
		return fmt.Errorf("print the subsets: %w", err)
	}
	width := 10
	for _, s := range h.singles {
		width = max(width, len(s.Early[0]))
	}
	fmt.Fprintln(w, "\nThe shortest history in which a check that moved alone lets through what is not eligible:")
	for _, s := range h.singles {
		what := "no schedule within these bounds"
		if len(s.Shortest) > 0 {
			what = strings.Join(s.Shortest, " → ")
		}
		fmt.Fprintf(w, "  %-*s %s\n", width, s.Early[0], what)
	}
	fmt.Fprintln(w, "\nMaximal safe subsets: these may leave the transaction together, and nothing more:")
	printSubsets(w, h.maximalSafe)
	fmt.Fprintln(w, "\nMinimal unsafe subsets:")
	printSubsets(w, h.minUnsafe)
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
