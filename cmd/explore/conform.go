package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"example.com/commitpoint/conformance"
	"example.com/commitpoint/conformance/wire"
	"example.com/commitpoint/counterexamples"
	"example.com/commitpoint/enumerate"
	"example.com/commitpoint/results"
	"example.com/commitpoint/study/contract"
)

const conformLong = `Conform drives a service of yours through every schedule and compares what it decides
and records with what is right. COMMAND is an adapter, a program in any language that
performs events on the service and reports its decisions: it reads requests as lines of
JSON on standard input and writes answers to standard output. The protocol is in
conformance/PROTOCOL.md, the events in conformance/EVENTS.md; examples/node-adapter has
one in JavaScript.

The scenarios shrink to the events that the adapter says the service has, and what is
therefore not exercised is named. For each reason for which the service is wrong, the
shortest schedule is found by running schedules again, and told step by step.

Modes: all schedules; covering, the fewest that do every event in every situation that
the model tells apart; sample, drawn at random with --seed.

Right means right in the schedules that were run, one operation after another. What
happens inside of an operation is not looked at.

Exit codes: 0 right in all of them; 1 wrong; 2 usage, or a command that can't be started;
3 not judged: the adapter failed, hung, or answered what makes no sense.`

const conformExamples = `  explore conform -- node examples/node-adapter/adapter.mjs right
  explore conform --mode covering -- ./adapter --db test
  explore conform --set contract --mode covering -- ./adapter
  explore conform --schedule read,candidate,trusted-verify,preflight,revoke,commit -- ./adapter
  explore conform --json -- ./adapter | jq '.failures[] | {kind, reason, schedule}'`

// conformSchema is the schema of the report in JSON.
const conformSchema = "commitpoint/conform/v1"

// conformFlags are the flags of explore conform.
type conformFlags struct {
	mode             string
	sets, schedule   []string
	samples, workers int
	seed             uint64
	timeout          time.Duration
	json             bool
}

func newConform(out io.Writer) *cobra.Command {
	var f conformFlags
	cmd := &cobra.Command{
		Use:     "conform [flags] -- COMMAND ARGS…",
		Short:   "Drive a service of yours through every schedule",
		Long:    conformLong,
		Example: conformExamples,
		Args: func(cmd *cobra.Command, args []string) error {
			switch dash := cmd.ArgsLenAtDash(); {
			case len(args) == 0 || args[0] == "":
				return usage("there is no adapter to start: write -- and its command at the end", "conform")
			case dash != 0:
				return usage(fmt.Sprintf("%q is no flag: write -- before the adapter's command", args[0]), "conform")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			opt, err := f.options(cmd)
			if err != nil {
				return err
			}
			return f.run(cmd, opt, args, out)
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.mode, "mode", conformance.All.String(), "which schedules: `MODE` is all, covering or sample")
	flags.StringSliceVar(&f.sets, "set", []string{"study"}, "of which scenarios: `SET` is study, contract or one of its families, as in contract/ownership")
	flags.StringSliceVar(&f.schedule, "schedule", nil, "run just this one, the `EVENTS` separated by commas, and tell it")
	flags.IntVar(&f.samples, "samples", conformance.DefaultSamples, "with --mode sample: draw `N` schedules of each set")
	flags.Uint64Var(&f.seed, "seed", 1, "with --mode sample: the draw that number `N` decides")
	flags.DurationVar(&f.timeout, "timeout", conformance.DefaultStepTimeout, "how long the adapter may take for each answer, as in 500ms: `TIME`")
	flags.IntVar(&f.workers, "workers", 0, "start `N` adapters at a time, if they say that they can run in parallel (default one a processor)")
	flags.BoolVar(&f.json, "json", false, "print the report as JSON")
	offer(cmd, "mode", []string{"all", "covering", "sample"})
	offer(cmd, "set", setNames())
	return cmd
}

// setsNamed returns the sets that are called by a name, none if there is no such.
func setsNamed(name string) []conformance.Set {
	switch {
	case name == "study":
		return []conformance.Set{conformance.Study()}
	case name == "contract":
		return conformance.Contract()
	case slices.Contains(setNames(), name):
		sets := conformance.Contract()
		return slices.DeleteFunc(sets, func(s conformance.Set) bool { return s.Name() != name })
	}
	return nil
}

func setNames() []string {
	names := []string{"study", "contract"}
	for _, f := range contract.Families() {
		names = append(names, "contract/"+f.Name)
	}
	return names
}

// options returns what the flags come to.
func (f *conformFlags) options(cmd *cobra.Command) (conformance.Options, error) {
	changed := cmd.Flags().Changed
	opt := conformance.Options{Samples: f.samples, Seed: f.seed, Workers: f.workers}
	mode, err := conformance.ParseMode(f.mode)
	switch {
	case err != nil:
		return opt, usage("--mode: "+err.Error(), "conform")
	case (changed("samples") || changed("seed")) && mode != conformance.Sample:
		return opt, usage("--samples and --seed need --mode sample", "conform")
	case f.samples < 1:
		return opt, usage(fmt.Sprintf("--samples %d is too few: use 1 or more", f.samples), "conform")
	case f.workers < 1 && changed("workers"):
		return opt, usage(fmt.Sprintf("--workers %d is too few: use 1 or more", f.workers), "conform")
	case f.timeout <= 0:
		return opt, usage(fmt.Sprintf("--timeout %v leaves no time: use a positive duration, as in 500ms", f.timeout), "conform")
	case changed("schedule") && len(f.schedule) == 0:
		return opt, usage("--schedule has an empty value: give it the names of events", "conform")
	case changed("schedule") && (changed("mode") || changed("json")):
		return opt, usage("--schedule runs one schedule and tells it: leave out --mode and --json", "conform")
	}
	opt.Mode = mode
	// The adapter's side tells better what went wrong: it is to be the first.
	opt.StepTimeout = f.timeout + f.timeout/2 + time.Second
	for _, name := range f.sets {
		sets := setsNamed(name)
		if sets == nil {
			return opt, usage(fmt.Sprintf("--set: unknown set %q: the sets are %s", name, strings.Join(setNames(), ", ")), "conform")
		}
		opt.Sets = append(opt.Sets, sets...)
	}
	if changed("schedule") && !changed("set") {
		opt.Sets = nil // whichever has it
	}
	return opt, nil
}

func (f *conformFlags) run(cmd *cobra.Command, opt conformance.Options, command []string, out io.Writer) error {
	start := func(ctx context.Context) (conformance.System, error) {
		p, err := wire.Command{Path: command[0], Args: command[1:], Timeout: f.timeout}.Start(ctx)
		if err != nil {
			return nil, err // not a System that holds a nil *Process
		}
		return p, nil
	}
	newSystem := func() (conformance.System, error) { return start(cmd.Context()) }
	if f.schedule != nil {
		return f.tell(cmd, newSystem, opt, command, out)
	}
	line := newProgressLine(cmd.ErrOrStderr())
	opt.Progress = func(p conformance.Progress) { line.say(conformProgress(p)) }
	report, err := conformance.Check(cmd.Context(), newSystem, opt)
	line.clear()
	if err != nil {
		return conformError(err)
	}
	if err := f.print(report, command, out); err != nil {
		return err
	}
	return f.verdict(report, cmd.ErrOrStderr())
}

func conformProgress(p conformance.Progress) string {
	return fmt.Sprintf("%s: %d of %v schedules, %.0f s", p.Set, p.Ran, p.Of, p.Elapsed.Seconds())
}

// tell runs one schedule and tells it.
func (f *conformFlags) tell(cmd *cobra.Command, newSystem func() (conformance.System, error), opt conformance.Options, command []string, out io.Writer) error {
	trace, err := conformance.Explain(cmd.Context(), newSystem, opt, f.schedule...)
	if err != nil {
		return conformError(err)
	}
	if err := counterexamples.WriteText(out, trace); err != nil {
		return err
	}
	if trace.Kind != "" {
		return errDifferent
	}
	return nil
}

// print prints the report, with a line to paste for each failure.
func (f *conformFlags) print(r conformance.Report, command []string, out io.Writer) error {
	if f.json {
		data, err := results.Encode(struct {
			Schema string `json:"schema"`
			conformance.Report
		}{conformSchema, r})
		if err != nil {
			return err
		}
		_, err = out.Write(data)
		return err
	}
	for i := range r.Failures {
		t := &r.Failures[i].Trace
		t.Replay = fmt.Sprintf("explore conform --schedule %s -- %s", strings.Join(t.Schedule, ","), shellWords(command))
	}
	return r.WriteText(out)
}

// shellWords returns a command as it is typed.
func shellWords(command []string) string {
	words := make([]string, len(command))
	for i, w := range command {
		if words[i] = w; w == "" || strings.ContainsAny(w, " \t\n'\"\\$`*?[]{}()<>|&;~#!") {
			words[i] = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
	}
	return strings.Join(words, " ")
}

// verdict returns the error of a report that is not good, and shows what the adapter said
// before it failed.
func (f *conformFlags) verdict(r conformance.Report, stderr io.Writer) error {
	switch r.Verdict() {
	case enumerate.Violated:
		if r.Fault != nil {
			fmt.Fprintf(stderr, "explore: %v\n", conformError(r.Fault))
		}
		return errDifferent
	case enumerate.Incomplete:
		return conformError(r.Fault)
	}
	return nil
}

// A notJudged is the error of a system that could not be judged.
type notJudged struct{ error }

// conformError returns the error of a run with what the adapter wrote to its standard
// error. A command that can't be started is a misuse.
func conformError(err error) error {
	fault := (*conformance.Fault)(nil)
	if !errors.As(err, &fault) {
		return err
	}
	if errors.Is(err, exec.ErrNotFound) || errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
		return usage(fmt.Sprintf("the adapter can't be started: %v", fault.Err), "conform")
	}
	adapter := (*wire.Error)(nil)
	if errors.As(err, &adapter) && adapter.Stderr != "" {
		return notJudged{fmt.Errorf("not judged: %w\nthe end of the adapter's standard error:\n%s", fault, indent(adapter.Stderr))}
	}
	return notJudged{fmt.Errorf("not judged: %w", fault)}
}

func indent(text string) string {
	return "  " + strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n  ")
}
