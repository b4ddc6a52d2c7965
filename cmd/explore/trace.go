package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"example.com/commitpoint/counterexamples"
	"example.com/commitpoint/study"
)

const traceLong = `Trace shows the shortest history in which a mechanism errs, step by step: who does
what, what that changes, which checks hold and fail from then on, what was decided and
on what it relied, why the oracle disagrees, what recovery is legitimate, and the
nearest history that comes out right.

MECHANISM is the name of one of the thirteen, of the study or, as in
contention/atomic, of another family: two submitters race for the task there.

The shortest history has the fewest events, then the least of them in the order of
their declaration. It is the same in every run.

Formats: text; json, which 'explore replay' reads; itf, the Informal Trace Format of
the TLA+ and Quint tools; mermaid, a sequence diagram; go, a test that fails with it.`

const traceExamples = `  explore trace preflight-cached                  the shortest history
  explore trace self-report --distinct 9          one for each distinct reason
  explore trace contention/preflight-cached --kind eligible-reject
  explore trace without-lease --format json > lease.json
  explore trace without-lease --format itf > lease.itf.json
  explore trace without-lease --format go > lease_test.go`

// A traceFormat writes traces.
type traceFormat struct {
	name   string
	single bool // it shows one trace only
	write  func(w io.Writer, f family, traces []counterexamples.Trace) error
}

var traceFormats = []traceFormat{
	{"text", false, writeText},
	{"json", false, func(w io.Writer, _ family, traces []counterexamples.Trace) error {
		return counterexamples.WriteJSON(w, traces)
	}},
	{"itf", true, func(w io.Writer, _ family, traces []counterexamples.Trace) error {
		return counterexamples.WriteITF(w, traces[0])
	}},
	{"mermaid", true, func(w io.Writer, _ family, traces []counterexamples.Trace) error {
		return counterexamples.WriteMermaid(w, traces[0])
	}},
	{"go", false, func(w io.Writer, f family, traces []counterexamples.Trace) error {
		return counterexamples.WriteGo(w, f.importPath, f.named, traces)
	}},
}

func writeText(w io.Writer, _ family, traces []counterexamples.Trace) error {
	for i, t := range traces {
		if i > 0 {
			fmt.Fprintln(w)
		}
		t.Replay = replayLine(t)
		if err := counterexamples.WriteText(w, t); err != nil {
			return err
		}
	}
	return nil
}

// replayLine returns the command that shows a trace again, among others if it is of a
// directed control.
func replayLine(t counterexamples.Trace) string {
	if controlOf(t) != "" {
		return fmt.Sprintf("explore trace %s --kind %s --distinct 99", t.Mechanism, t.Kind)
	}
	return fmt.Sprintf("echo '%s' | explore replay --mechanism %s -", strings.Join(t.Schedule, " "), t.Mechanism)
}

// controlOf returns the name of the directed control that a trace is of, if it is of
// one. No order of events makes a control, so that nothing that takes the names of events
// can run it again.
func controlOf(t counterexamples.Trace) string {
	i := slices.IndexFunc(t.Steps, func(s counterexamples.Step) bool { return s.Actor == "control" })
	if i < 0 {
		return ""
	}
	return t.Steps[i].Event
}

// noControls refuses to show directed controls as Go tests, which would pass.
func noControls(f traceFormat, traces []counterexamples.Trace, subcommand string) error {
	i := slices.IndexFunc(traces, func(t counterexamples.Trace) bool { return controlOf(t) != "" })
	if i < 0 || f.name != "go" {
		return nil
	}
	return usage(fmt.Sprintf("--format go can't show the directed control %s, which no order of events makes: choose text or json, or fewer counterexamples",
		controlOf(traces[i])), subcommand)
}

// formatNamed returns the format with a name.
func formatNamed(name string, subcommand string) (traceFormat, error) {
	if name == "" {
		return traceFormat{}, usage("--format has an empty value: give it one or leave it out", subcommand)
	}
	i := slices.IndexFunc(traceFormats, func(f traceFormat) bool { return f.name == name })
	if i < 0 {
		return traceFormat{}, usage(fmt.Sprintf("--format %s is unknown: the formats are %s", name, strings.Join(formatNames(), ", ")), subcommand)
	}
	return traceFormats[i], nil
}

func formatNames() []string {
	var names []string
	for _, f := range traceFormats {
		names = append(names, f.name)
	}
	return names
}

// traceFlags are the flags of explore trace.
type traceFlags struct {
	kind, format      string
	distinct, workers int
}

func newTrace(out io.Writer) *cobra.Command {
	var f traceFlags
	cmd := &cobra.Command{
		Use:               "trace [FAMILY/]MECHANISM",
		Short:             "Show the shortest history in which a mechanism errs",
		Long:              traceLong,
		Example:           traceExamples,
		ValidArgsFunction: completeFirst(mechanismNames()),
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usage(fmt.Sprintf("%d arguments: explore trace takes the name of one mechanism", len(args)), "trace")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.validate(cmd); err != nil {
				return err
			}
			return f.run(cmd, args[0], out)
		},
	}
	fs := cmd.Flags()
	fs.SortFlags = false
	fs.StringVar(&f.kind, "kind", "", fmt.Sprintf("only this `KIND` of error: %s (default each that there is)", strings.Join(kindNames(), " or ")))
	fs.IntVar(&f.distinct, "distinct", 1, "show the shortest histories of up to `N` different reasons, of each kind")
	fs.StringVar(&f.format, "format", "text", "how to show it: `FORMAT` is "+strings.Join(formatNames(), ", "))
	fs.IntVar(&f.workers, "workers", 0, "work with `N` goroutines (default one a processor); the result is the same for any number")
	offer(cmd, "kind", kindNames())
	offer(cmd, "format", formatNames())
	return cmd
}

// completeFirst offers values for a command's only argument.
func completeFirst(values []string) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return values, cobra.ShellCompDirectiveNoFileComp
	}
}

func kindNames() []string {
	var names []string
	for _, k := range study.Kinds() {
		names = append(names, string(k))
	}
	return names
}

func (f *traceFlags) validate(cmd *cobra.Command) error {
	changed := cmd.Flags().Changed
	switch {
	case changed("kind") && f.kind == "":
		return usage("--kind has an empty value: give it one or leave it out", "trace")
	case changed("kind") && !slices.Contains(kindNames(), f.kind):
		return usage(fmt.Sprintf("--kind %s is unknown: the kinds are %s", f.kind, strings.Join(kindNames(), " and ")), "trace")
	case f.distinct < 1:
		return usage(fmt.Sprintf("--distinct %d shows nothing: use 1 or more", f.distinct), "trace")
	case f.workers < 1 && changed("workers"):
		return usage(fmt.Sprintf("--workers %d is too few: use 1 or more", f.workers), "trace")
	}
	_, err := formatNamed(f.format, "trace")
	return err
}

func (f *traceFlags) run(cmd *cobra.Command, name string, out io.Writer) error {
	family, m, err := mechanismNamed(name)
	if err != nil {
		return err
	}
	format, err := formatNamed(f.format, "trace")
	if err != nil {
		return err
	}
	all, err := family.traces(cmd.Context(), m, f.workers)
	if err != nil {
		return err
	}
	traces := f.pick(all)
	switch {
	case len(traces) == 0 && format.name == "text":
		fmt.Fprintf(out, "%s has no counterexample%s in any schedule within these bounds.\n", name, ofKind(f.kind))
		return nil
	case len(traces) == 0 && format.name != "json":
		return usage(fmt.Sprintf("%s has no counterexample%s to show as %s: choose text or json", name, ofKind(f.kind), format.name), "trace")
	case len(traces) > 1 && format.single:
		return usage(fmt.Sprintf("--format %s shows one counterexample and there are %d: choose with --kind and --distinct 1", format.name, len(traces)), "trace")
	}
	if err := noControls(format, traces, "trace"); err != nil {
		return err
	}
	return format.write(out, family, traces)
}

func ofKind(kind string) string {
	if kind == "" {
		return ""
	}
	return " of kind " + kind
}

// pick returns what the flags ask for: of each kind the first few.
func (f *traceFlags) pick(all []counterexamples.Trace) []counterexamples.Trace {
	var picked []counterexamples.Trace
	number := make(map[string]int)
	for _, t := range all {
		if f.kind != "" && t.Kind != f.kind || number[t.Kind] == f.distinct {
			continue
		}
		number[t.Kind]++
		picked = append(picked, t)
	}
	return picked
}
