package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/tw"

	"example.com/commitpoint/mechanisms"
	"example.com/commitpoint/model"
	"example.com/commitpoint/study"
)

func (v view) print(w io.Writer, r study.Report) error {
	if v.inScenario {
		return v.printScenario(w, r)
	}
	printBounds(w, r)
	if err := v.printScores(w, r.Mechanisms, r.Scores); err != nil {
		return err
	}
	v.printControls(w, r)
	v.printHistories(w, r)
	return nil
}

func (v view) printScenario(w io.Writer, r study.Report) error {
	s := v.score(r)
	events := noEvents
	if len(s.Events) > 0 {
		events = list(s.Events)
	}
	fmt.Fprintf(w, "Scenario %s: %d %s, %d of them eligible at the commit.\n\n",
		events, s.Schedules, plural(int(s.Schedules), "schedule"), s.Eligible)
	return v.printScores(w, r.Mechanisms, s.Scores)
}

func printBounds(w io.Writer, r study.Report) {
	b := r.Bounds
	fmt.Fprintf(w, "Every order of %s\n", arrows(b.Chain))
	fmt.Fprintf(w, "with at most %d of these, each once:\n  %s", b.MaxEnvironment, list(b.Environment))
	for _, p := range b.Precedence {
		fmt.Fprintf(w, "\n  (%v before %v if both happen)", p[0], p[1])
	}
	fmt.Fprintf(w, "\n%d scenarios, %d schedules. The request is eligible in %d of them and ineligible in %d.\n\n",
		len(r.Scenarios), r.Schedules, r.Eligible, r.Schedules-r.Eligible)
}

func (v view) printScores(w io.Writer, list []mechanisms.Mechanism, scores []study.Score) error {
	var rows []scoreRow
	for i, m := range list {
		if v.shows(m.Name) {
			s := scores[i]
			rows = append(rows, scoreRow{m, s.SafeAccept, s.UnsafeAccept, s.UnsafeReject, s.EligibleReject})
		}
	}
	return printTable(w, rows)
}

// A scoreRow is a row of a table of mechanisms; the counts are numbers of any
// type that prints as one.
type scoreRow struct {
	mechanism                                              mechanisms.Mechanism
	safeAccept, unsafeAccept, unsafeReject, eligibleReject any
}

func printTable(w io.Writer, rows []scoreRow) error {
	table := tablewriter.NewTable(w,
		tablewriter.WithHeaderAutoFormat(tw.Off),
		tablewriter.WithRendition(tw.Rendition{Symbols: tw.NewSymbols(tw.StyleASCII)}),
		tablewriter.WithAlignment(tw.Alignment{tw.AlignLeft, tw.AlignLeft, tw.AlignLeft,
			tw.AlignRight, tw.AlignRight, tw.AlignRight, tw.AlignRight}))
	table.Header("mechanism", "requires", "at", "safe\naccept", "unsafe\naccept", "unsafe\nreject", "eligible\nreject")
	for _, r := range rows {
		err := table.Append(r.mechanism.Name, requirement(r.mechanism.Requires), r.mechanism.At.String(),
			fmt.Sprint(r.safeAccept), fmt.Sprint(r.unsafeAccept), fmt.Sprint(r.unsafeReject), fmt.Sprint(r.eligibleReject))
		if err != nil {
			return fmt.Errorf("print the scores: %w", err)
		}
	}
	if err := table.Render(); err != nil {
		return fmt.Errorf("print the scores: %w", err)
	}
	return nil
}

// requirement describes a set of checks by how it differs from the contract's
// eight, where that is shorter.
func requirement(c model.Checks) string {
	missing, extra := model.All&^c, c&^model.All
	switch {
	case c == 0:
		return "nothing"
	case missing == 0 && extra == 0:
		return "all eight"
	case missing == 0:
		return "all eight, " + extra.String()
	case extra == 0 && len(missing.Each()) <= 2:
		return "all but " + missing.String()
	}
	return c.String()
}

func (v view) printControls(w io.Writer, r study.Report) {
	fmt.Fprint(w, "\nDirected controls, and who accepts them:\n")
	for _, c := range r.Controls {
		who := slices.DeleteFunc(slices.Clone(c.AcceptedBy), func(name string) bool { return !v.shows(name) })
		text := strings.Join(who, ", ")
		switch {
		case len(who) == len(r.Mechanisms):
			text = "all mechanisms"
		case len(who) == 0:
			text = "none of these"
		}
		if c.Verdict.Eligible() && !c.Verdict.Correct {
			text += "; by the protocol it is eligible, though the answer is wrong"
		}
		fmt.Fprintf(w, "  %-18s  %s\n", c.Control.Name, text)
	}
	if v.mechanisms == nil {
		fmt.Fprintf(w, "\nReplays after %d accepted executions: %d got the original receipt; %d with another digest were refused.\n",
			r.Replays.Identical, r.Replays.IdenticalSameReceipt, r.Replays.ChangedDigestRejected)
	}
}

func (v view) printHistories(w io.Writer, r study.Report) {
	fmt.Fprint(w, "\nThe shortest history of each error, and the check that it is about:\n")
	printed := 0
	for _, c := range r.Counterexamples {
		if !v.shows(c.Mechanism) {
			continue
		}
		printed++
		what := "accepts although " + strings.Join(c.Reasons.Sentences(), "; ")
		if c.Kind == study.EligibleReject {
			what = "refuses although nothing is missing"
		}
		fmt.Fprintf(w, "  %s %s (%v)\n    %s\n", c.Mechanism, what, c.Failed, arrows(c.Schedule))
	}
	if printed == 0 {
		fmt.Fprint(w, "  none in any schedule within these bounds\n")
	}
}

func arrows(events []model.Event) string { return strings.Join(model.Names(events), " → ") }
func list(events []model.Event) string   { return strings.Join(model.Names(events), ", ") }
