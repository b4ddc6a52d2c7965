package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/olekukonko/tablewriter/tw"

	"example.com/commitpoint/counterexamples"
	"example.com/commitpoint/episode/cases"
	"example.com/commitpoint/episode/judgment"
	services "example.com/commitpoint/mechanisms/episode"
	"example.com/commitpoint/study/episode"
)

// printEpisodes prints a line for each case, or all of one.
func printEpisodes(w io.Writer, list []cases.Case, outcomes []caseOutcome, detail bool) error {
	if detail {
		return printEpisode(w, list[0], outcomes[0])
	}
	holding := 0
	for i, c := range list {
		verdict := "differs"
		if outcomes[i].Holds {
			verdict = "holds"
			holding++
		}
		first := fmt.Sprintf("%-18s %-8s ", c.ID, verdict)
		fmt.Fprint(w, counterexamples.Wrap(first, strings.Repeat(" ", len(first)), fmt.Sprintf("%s (%s, %s)", c.Title, c.Rule, c.Section)))
	}
	_, err := fmt.Fprintf(w, "\n%d %s: %d hold, %d differ.\n", len(list), plural(len(list), "case"), holding, len(list)-holding)
	return err
}

func either(holds bool, yes, no string) string {
	if holds {
		return yes
	}
	return no
}

// printEpisode prints what came of every step of a case, and how it is judged.
func printEpisode(w io.Writer, c cases.Case, o caseOutcome) error {
	fmt.Fprint(w, counterexamples.Wrap(c.ID+"  ", "    ", fmt.Sprintf("%s (%s, %s)", c.Title, c.Rule, c.Section)))
	fmt.Fprintln(w)
	for i, s := range c.Steps {
		came := ""
		if i < len(o.Outcome.Steps) {
			came = o.Outcome.Steps[i]
		}
		first := fmt.Sprintf("  %2d  %-11s ", i+1, s.Do)
		fmt.Fprint(w, counterexamples.Wrap(first, strings.Repeat(" ", len(first)), strings.Join(nonEmpty(s.By, stepObject(s), s.Value, "→", came), " ")))
	}
	fmt.Fprintln(w)
	for _, f := range o.Outcome.Facts {
		fmt.Fprintln(w, strings.Join(nonEmpty("  fact "+f.Name, "is "+f.Status.String(), f.Value), " "))
	}
	fmt.Fprint(w, counterexamples.Wrap("  ending: ", "    ", strings.Join(nonEmpty(o.Outcome.Closure.Ending.String(), strings.Join(o.Outcome.Closure.Blocks, "; ")), ": ")))
	fmt.Fprintln(w)
	for _, r := range judgment.Compare(o.Outcome.Judgments, o.Outcome.Judgments) {
		first := fmt.Sprintf("  %-20s %-13v", r.Judgment, r.A)
		fmt.Fprint(w, counterexamples.Wrap(first, strings.Repeat(" ", len(first)), strings.TrimPrefix(r.Why, "both: ")))
	}
	_, err := fmt.Fprintf(w, "\n%s %s.\n", c.ID, either(o.Holds, "holds", "differs from what it expects"))
	return err
}

// stepObject says what a step is about.
func stepObject(s cases.Step) string {
	if s.Intent != nil {
		return s.Intent.ID
	}
	return s.On
}

func nonEmpty(words ...string) []string {
	var list []string
	for _, w := range words {
		if w != "" {
			list = append(list, w)
		}
	}
	return list
}

// printComparison puts two cases side by side.
func printComparison(w io.Writer, c cases.Comparison) error {
	fmt.Fprintf(w, "A is %s, B is %s.\n", c.A, c.B)
	output := "Their outputs differ."
	if c.SameOutput {
		var values []string
		for _, f := range c.Output {
			values = append(values, f.Name+" "+f.Value)
		}
		output = "Both have the same output: " + strings.Join(values, ", ") + "."
	}
	fmt.Fprint(w, counterexamples.Wrap(output, "  ", ""))
	table := newTable(w, tw.AlignLeft, tw.AlignLeft, tw.AlignLeft)
	table.Header("judgment", "A", "B")
	for _, r := range c.Rows {
		if err := table.Append(r.Judgment, r.A.String(), r.B.String()); err != nil {
			return fmt.Errorf("print the judgments: %w", err)
		}
	}
	if err := table.Render(); err != nil {
		return fmt.Errorf("print the judgments: %w", err)
	}
	for _, r := range c.Rows {
		first := fmt.Sprintf("%-21s", r.Judgment)
		fmt.Fprint(w, counterexamples.Wrap(first, strings.Repeat(" ", len(first)), r.Why))
	}
	return nil
}

// printProperties prints what the reference meets, and what breaks in the other services.
func printProperties(w io.Writer, r episode.Result) error {
	fmt.Fprintf(w, "One episode: %d events, %v schedules.\n", r.Events, r.Schedules)
	var met, closures []string
	for _, f := range r.Faced {
		met = append(met, fmt.Sprintf("%s %v", f.What, f.Count))
	}
	for _, c := range r.Services[0].Closures {
		closures = append(closures, fmt.Sprintf("%s %v", c.What, c.Count))
	}
	fmt.Fprint(w, counterexamples.Wrap("What stood against a yes of the reference (answers, of which a schedule has several): ", "  ", strings.Join(met, ", ")+"."))
	fmt.Fprint(w, counterexamples.Wrap("How it ends with the reference: ", "  ", strings.Join(closures, ", ")+"."))
	fmt.Fprintln(w, "What breaks, and in how many schedules:")
	for _, s := range r.Services {
		if len(s.Broken) > 0 {
			fmt.Fprintf(w, "\n%s\n", s.Mechanism)
		}
		for _, b := range s.Broken {
			fmt.Fprintf(w, " %18v  %s\n", b.Count, b.What)
		}
	}
	fmt.Fprintln(w)
	printMeanings(w, services.All(), func(m services.Mechanism) (name, meaning string) { return m.Name, m.Meaning })
	return nil
}
