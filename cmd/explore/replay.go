package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"example.com/commitpoint/counterexamples"
	"example.com/commitpoint/model"
)

const replayLong = `Replay runs histories again, step by step, and shows what happens.

FILE is a document that 'explore trace --format json' wrote, or text: the names of
a history's events, in order, in one or several lines. - is standard input. Text needs
a mechanism to run against; a document names its own, which --mechanism replaces.

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
			if len(args) != 1 {
				return usage(fmt.Sprintf("%d arguments: explore replay takes one file, or - for standard input", len(args)), "replay")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if _, err := formatNamed(f.format, "replay"); err != nil {
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

func (f *replayFlags) run(cmd *cobra.Command, file string, out io.Writer) error {
	data, err := f.read(cmd, file)
	if err != nil {
		return fmt.Errorf("can't read %s: %w", file, cause(err))
	}
	if f.mechanism == "" && cmd.Flags().Changed("mechanism") {
		return usage("--mechanism has an empty value: give it one or leave it out", "replay")
	}
	var recorded []counterexamples.Trace
	if text := bytes.TrimSpace(data); len(text) > 0 && (text[0] == '{' || text[0] == '[') {
		recorded, err = counterexamples.ReadJSON(bytes.NewReader(data))
	} else {
		recorded, err = f.fromText(string(data))
	}
	if errors.Is(err, counterexamples.ErrOtherSchema) {
		return &noLonger{err.Error()}
	}
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return f.replay(file, recorded, out)
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

// fromText makes a trace, without an outcome, of the names of events.
func (f *replayFlags) fromText(text string) ([]counterexamples.Trace, error) {
	names, err := counterexamples.ParseSchedule(text)
	if err == nil && f.mechanism == "" {
		err = usage("the names of events don't say against which mechanism: add --mechanism NAME", "replay")
	}
	return []counterexamples.Trace{{Schedule: names}}, err
}

// replay runs everything, and then shows it, or says why it can't be shown.
func (f *replayFlags) replay(file string, recorded []counterexamples.Trace, out io.Writer) error {
	format, err := formatNamed(f.format, "replay")
	if err != nil {
		return err
	}
	var again []counterexamples.Trace
	var last family
	changed := error(nil)
	for i, r := range recorded {
		name := r.Mechanism
		if f.mechanism != "" {
			name = f.mechanism
		}
		family, m, err := mechanismNamed(name)
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		t, err := family.explain(m, r.Schedule)
		switch {
		case errors.Is(err, model.ErrUnknownEvent) && r.Decision != "":
			return &noLonger{err.Error()}
		case err != nil:
			return fmt.Errorf("%s: %w", file, err)
		}
		if same, difference := r.SameOutcome(t); r.Decision != "" && !same && changed == nil {
			changed = &noLonger{fmt.Sprintf("counterexample %d of %d: %s", i+1, len(recorded), difference)}
		}
		last, again = family, append(again, t)
	}
	switch {
	case len(again) == 0:
		return fmt.Errorf("%s has no counterexample to replay", file)
	case len(again) > 1 && format.single:
		return usage(fmt.Sprintf("--format %s shows one counterexample and there are %d", format.name, len(again)), "replay")
	}
	if err := format.write(out, last, again); err != nil {
		return err
	}
	if recorded[0].Decision != "" && changed == nil && format.name == "text" {
		fmt.Fprintf(out, "\nreproduces: %d of %d.\n", len(again), len(again))
	}
	return changed
}
