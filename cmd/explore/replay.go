package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"example.com/commitpoint/counterexamples"
	"example.com/commitpoint/model"
)

const replayLong = `Replay runs histories again, step by step, and shows what happens.

FILE is a document that 'explore trace --format json' wrote, or text: the names of
a history's events, in order, in one or several lines. - is standard input. Text needs
a mechanism to run against; a document names its own, which --mechanism replaces.

A directed control is no order of events: that of a document is looked for again.

A document whose outcome is not what it says any more no longer reproduces, which is
exit code 1; so is one of another schema, or with events that are unknown now.`

const replayExamples = `  explore trace without-lease --format json > lease.json
  explore replay lease.json
  explore replay lease.json --mechanism atomic        does it err, too?
  echo 'read candidate trusted-verify preflight revoke commit' | explore replay --mechanism preflight-cached -`

// replayFlags are the flags of explore replay.
type replayFlags struct {
	mechanism, format string
}

func newReplay(out io.Writer) *cobra.Command {
	var f replayFlags
	cmd := &cobra.Command{
		Use:     "replay FILE",
		Short:   "Run the histories of a file again, step by step",
		Long:    replayLong,
		Example: replayExamples,
		Args: func(_ *cobra.Command, args []string) error {
			switch {
			case len(args) != 1:
				return usage(fmt.Sprintf("%d arguments: explore replay takes one file, or - for standard input", len(args)), "replay")
			case args[0] == "":
				return usage("the file has no name: give one, or - for standard input", "replay")
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
	fs.StringVar(&f.mechanism, "mechanism", "", "run against this mechanism, `[FAMILY/]NAME`")
	fs.StringVar(&f.format, "format", "text", "how to show it: `FORMAT` is "+strings.Join(formatNames(), ", "))
	offer(cmd, "mechanism", mechanismNames())
	offer(cmd, "format", formatNames())
	return cmd
}

// A noLonger is the error of a document that does not reproduce.
type noLonger struct{ why string }

func (e *noLonger) Error() string { return "no longer reproduces: " + e.why }

// maxReplay is the largest file that is read.
const maxReplay = 16 << 20

func (f *replayFlags) validate(cmd *cobra.Command) error {
	if _, err := formatNamed(f.format, "replay"); err != nil {
		return err
	}
	if !cmd.Flags().Changed("mechanism") {
		return nil
	}
	if f.mechanism == "" {
		return usage("--mechanism has an empty value: give it one or leave it out", "replay")
	}
	family, m, err := mechanismNamed(f.mechanism)
	if err != nil {
		return err
	}
	return unknownIn(family, m)
}

// unknownIn returns the error of a name that no mechanism of a family has. Families know
// more names than they list, and say so when they explain: what they say of the empty
// history is about the name if they say something else for one that they list.
func unknownIn(f family, mechanism string) error {
	_, err := f.explain(mechanism, nil)
	_, empty := f.explain(f.mechanisms()[0], nil)
	if fmt.Sprint(err) == fmt.Sprint(empty) {
		return nil
	}
	return err
}

func (f *replayFlags) run(cmd *cobra.Command, file string, out io.Writer) error {
	data, err := f.read(cmd, file)
	if file == "-" {
		file = "standard input"
	}
	if err != nil {
		return fmt.Errorf("can't read %s: %w; choose another file, or - for standard input", file, cause(err))
	}
	recorded, remedy, err := f.parse(data)
	if errors.Is(err, counterexamples.ErrOtherSchema) {
		return &noLonger{fmt.Sprintf("%v; %s", err, remedy)}
	}
	for _, r := range recorded {
		if control := controlOf(r); control != "" && f.mechanism != "" {
			return usage(fmt.Sprintf("%s has the directed control %.40s, which runs against the document's mechanism: leave out --mechanism", file, control), "replay")
		}
	}
	var again []replayed
	if err == nil {
		again, err = f.again(cmd.Context(), recorded)
	}
	var different *noLonger
	switch {
	case errors.As(err, &different):
		return err
	case err != nil:
		return fmt.Errorf("%s: %w; %s", file, err, remedy)
	}
	return f.show(recorded, again, out)
}

func (f *replayFlags) read(cmd *cobra.Command, file string) ([]byte, error) {
	r := cmd.InOrStdin()
	if file != "-" {
		opened, err := os.Open(file)
		if err != nil {
			return nil, err
		}
		defer opened.Close()
		r = opened
	}
	data, err := io.ReadAll(io.LimitReader(r, maxReplay+1))
	if err == nil && len(data) > maxReplay {
		err = fmt.Errorf("it has more than %d bytes, which no document of traces has", maxReplay)
	}
	return data, err
}

// parse reads a document, or text, which makes one trace without an outcome. The
// remedy is what to do about an error.
func (f *replayFlags) parse(data []byte) (recorded []counterexamples.Trace, remedy string, err error) {
	if text := bytes.TrimSpace(data); len(text) > 0 && (text[0] == '{' || text[0] == '[') {
		recorded, err = counterexamples.ReadJSON(bytes.NewReader(data))
		if err == nil && len(recorded) == 0 {
			err = errors.New("no counterexample to replay")
		}
		return recorded, "'explore trace --format json' writes a new one", err
	}
	names, err := counterexamples.ParseSchedule(string(data))
	if err == nil && f.mechanism == "" {
		err = errors.New("the names of events don't say against which mechanism: add --mechanism NAME")
	}
	return []counterexamples.Trace{{Schedule: names}}, "see 'explore replay --help'", err
}

// A replayed is a history that was run again.
type replayed struct {
	trace  counterexamples.Trace
	family family
}

// again runs everything that is recorded again. The error of a document names the
// counterexample.
func (f *replayFlags) again(ctx context.Context, recorded []counterexamples.Trace) ([]replayed, error) {
	list := make([]replayed, len(recorded))
	for i, r := range recorded {
		var err error
		if list[i], err = f.runAgain(ctx, r); err == nil {
			continue
		}
		if r.Decision != "" {
			err = fmt.Errorf("%s: %w", ordinal(i, recorded), err)
			if errors.Is(err, model.ErrUnknownEvent) || errors.Is(err, errNotFound) {
				return nil, &noLonger{err.Error()}
			}
		}
		return nil, err
	}
	return list, nil
}

func ordinal(i int, recorded []counterexamples.Trace) string {
	return fmt.Sprintf("counterexample %d of %d", i+1, len(recorded))
}

func (f *replayFlags) runAgain(ctx context.Context, r counterexamples.Trace) (replayed, error) {
	name := r.Mechanism
	if f.mechanism != "" {
		name = f.mechanism
	}
	family, m, err := mechanismNamed(name)
	if err != nil {
		return replayed{}, err
	}
	var t counterexamples.Trace
	if controlOf(r) != "" {
		t, err = findAgain(ctx, family, m, r)
	} else {
		t, err = family.explain(m, r.Schedule)
	}
	return replayed{t, family}, err
}

// errNotFound is the error of a directed control that shows no error any more.
var errNotFound = errors.New("nothing is found in the directed control")

// findAgain looks for the trace of a directed control among all that can be found.
func findAgain(ctx context.Context, family family, m string, r counterexamples.Trace) (counterexamples.Trace, error) {
	traces, err := family.traces(ctx, m, 0)
	if err != nil {
		return counterexamples.Trace{}, err
	}
	i := slices.IndexFunc(traces, func(t counterexamples.Trace) bool {
		return t.Kind == r.Kind && t.Reason == r.Reason && controlOf(t) == controlOf(r)
	})
	if i < 0 {
		return counterexamples.Trace{}, fmt.Errorf("%w %.40s", errNotFound, controlOf(r))
	}
	return traces[i], nil
}

// show shows everything, and then says whether it is what was recorded.
func (f *replayFlags) show(recorded []counterexamples.Trace, again []replayed, out io.Writer) error {
	format, err := formatNamed(f.format, "replay")
	if err != nil {
		return err
	}
	if len(again) > 1 && format.single {
		return usage(fmt.Sprintf("--format %s shows one counterexample and there are %d: choose text, json or go", format.name, len(again)), "replay")
	}
	changed := error(nil)
	var traces []counterexamples.Trace
	for i, a := range again {
		if a.family.name != again[0].family.name && format.name == "go" {
			return usage(fmt.Sprintf("--format go shows one family and there are %s and %s: split the document", again[0].family.name, a.family.name), "replay")
		}
		r := recorded[i]
		if same, difference := r.SameOutcome(a.trace); r.Decision != "" && !same && changed == nil {
			changed = &noLonger{ordinal(i, recorded) + ": " + difference}
		}
		traces = append(traces, a.trace)
	}
	if err := noControls(format, traces, "replay"); err != nil {
		return err
	}
	if err := format.write(out, again[0].family, traces); err != nil {
		return err
	}
	if recorded[0].Decision != "" && changed == nil && format.name == "text" {
		fmt.Fprintf(out, "\nreproduces: %d of %d.\n", len(again), len(again))
	}
	return changed
}
