package main

import (
	"fmt"
	"io"

	"github.com/olekukonko/tablewriter/tw"

	"example.com/commitpoint/study/deadline/recordings"
)

// printRecordings prints what the policies make of recorded trials.
func printRecordings(w io.Writer, r recordings.Result, opt recordings.Options) error {
	at := "the contract's deadline"
	if opt.Deadline > 0 {
		at = fmt.Sprintf("%g s", opt.Deadline.Seconds())
	}
	for _, p := range r.Populations {
		fmt.Fprintf(w, "%s: %d %s, %d excluded.\n", p.Population, p.Trials, plural(p.Trials, "trial"), p.Excluded)
		fmt.Fprintf(w, "At %s: %d fulfilled, %d violated, %d not determined.\n\n",
			at, p.Reference.Fulfilled, p.Reference.Violated, p.Reference.NotDetermined)
		if err := printPolicies(w, p); err != nil {
			return err
		}
		if err := printLate(w, p); err != nil {
			return err
		}
		printAttribution(w, p)
	}
	if len(r.Populations) == 0 {
		fmt.Fprintln(w, "No trial was scored.")
		return nil
	}
	fmt.Fprintln(w, "In parentheses, 95 % intervals of Wilson's: about trials like these, each by itself, and")
	fmt.Fprintln(w, "not about how often anything happens elsewhere.")
	return nil
}

func printPolicies(w io.Writer, p recordings.Population) error {
	table := newTable(w, tw.AlignLeft, tw.AlignRight, tw.AlignRight, tw.AlignRight, tw.AlignRight, tw.AlignRight, tw.AlignRight)
	table.Header("policy", "accepted", "not\ndet.", "false\npasses", "% of the\nviolated", "false\nalarms", "% of the\nfulfilled")
	for _, s := range p.Policies {
		name := s.Name
		if s.Lacking > 0 {
			name = fmt.Sprintf("%s\n(lacks %d)", name, s.Lacking)
		}
		err := table.Append(name, fmt.Sprint(s.Accepted), fmt.Sprint(s.NotDetermined),
			fmt.Sprint(s.FalsePass), share(s.FalsePass, s.Violated), fmt.Sprint(s.FalseAlarm), share(s.FalseAlarm, s.Fulfilled))
		if err != nil {
			return fmt.Errorf("print the policies: %w", err)
		}
	}
	if err := table.Render(); err != nil {
		return fmt.Errorf("print the policies: %w", err)
	}
	return nil
}

func printLate(w io.Writer, p recordings.Population) error {
	fmt.Fprintln(w, "\nLate, violated at a deadline and holding after it:")
	table := newTable(w, tw.AlignRight, tw.AlignRight, tw.AlignRight)
	table.Header("deadline", "late", "% of the trials")
	for _, l := range p.Late {
		err := table.Append(fmt.Sprintf("%g s", l.Deadline), fmt.Sprint(l.Count), share(l.Count, p.Trials-p.Excluded))
		if err != nil {
			return fmt.Errorf("print the late trials: %w", err)
		}
	}
	if err := table.Render(); err != nil {
		return fmt.Errorf("print the late trials: %w", err)
	}
	return nil
}

func printAttribution(w io.Writer, p recordings.Population) {
	a, violated := p.Attribution, p.Reference.Violated
	row := func(what string, k, n int, note string) {
		fmt.Fprintf(w, "  %-16s %4d of %4d  %18s %%  %s\n", what, k, n, share(k, n), note)
	}
	fmt.Fprintln(w, "\nAttribution of the violated:")
	row("ground-truthable", a.GroundTruthable, violated, "by the agent's calls and what was injected")
	row("neither", a.Neither, violated, "nobody by that")
	row("shadowed", a.Shadowed, a.GroundTruthable, "no operation met what was injected")
	row("observable", a.Observable, a.GroundTruthable, "the coverage of the evidence")
	row("agree", a.Agree, a.Observable, "attributed to the ground truth")
	fmt.Fprintln(w)
}

// share returns k of n, in percent, with its interval; - if there are none.
func share(k, n int) string {
	if n == 0 {
		return "-"
	}
	low, high := recordings.Interval(k, n)
	return fmt.Sprintf("%.1f (%.1f–%.1f)", 100*float64(k)/float64(n), 100*low, 100*high)
}
