package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"example.com/commitpoint/model/deadline"
	"example.com/commitpoint/study/deadline/watch"
)

const watchLong = `Watch observes a service of yours until a deadline and past it, and says whether the
contract was fulfilled: whether a predicate was seen to hold in time. The predicate is
an HTTP check or a command.

  --url     a GET is answered with status 200, or --expect-status, and with a body that
            contains --expect-body, if it is given. Redirects are not followed. Another
            answer with a status below 500 says that the predicate does not hold.
  -- COMMAND ARGS…
            the command exits with status 0. Status 1 says that it does not hold.

Anything else is a probe that failed and says nothing: a status of 500 or more, no
answer within --probe-timeout, a body that breaks off, another exit status.

Probes begin on the grid, at 0, G, 2G and so on, and one exactly at the deadline. They
run one at a time; a point of the grid that passes meanwhile is skipped. What counts is
the time of the answer: a probe answered after the deadline was not in time, whenever it
began.

  fulfilled        an answer no later than the deadline says that the predicate holds
  violated         none does, and at least one says that it does not; the mode is late
                   if the predicate was seen to hold afterwards, and otherwise never
  not determined   no probe could be read by the deadline

It stops as soon as the predicate is seen to hold, since nothing after that can change
the verdict.

Each observation is a line of JSON, written at once:
  at_s       when it was answered, in seconds from the start
  readable   whether the probe succeeded
  holds      whether the predicate held
  late       true if that was after the deadline
  skipped    how many points of the grid passed meanwhile
  error      why it is not readable
The last line has schema, verdict, mode, the deadline and the number of observations, of
those that were not readable and of points that were skipped, and first_s, when the
predicate was first seen to hold.

Exit codes: 0 fulfilled; 1 violated; 2 usage, or a command that can't be started; 3 not
determined, or interrupted.`

const watchExamples = `  explore deadline watch --deadline 30s --url http://localhost:8080/files/7 --expect-body '"size": 4096'
  explore deadline watch --deadline 30s --url http://localhost:8080/files/8 --expect-status 404
  explore deadline watch --deadline 2m --grid 5s --probe-timeout 3s -- test ! -e /mnt/site-b/run7.dat
  explore deadline watch --deadline 30s --until 30s -- grep -q done status.txt
  explore deadline watch --deadline 30s --keep-going -- ./placed.sh | jq 'select(.holds)'`

// watchSchema is the schema of the last line.
const watchSchema = "commitpoint/watch/v1"

// watchFlags are the flags of explore deadline watch.
type watchFlags struct {
	deadline, grid, until, timeout time.Duration
	keepGoing                      bool
	url                            string
	expect                         watch.Expect
}

func newWatch(out io.Writer) *cobra.Command {
	var f watchFlags
	cmd := &cobra.Command{
		Use:     "watch --deadline TIME [flags] (--url URL | -- COMMAND ARGS…)",
		Short:   "Observe a service of yours until a deadline, and say whether it was met",
		Long:    watchLong,
		Example: watchExamples,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 && cmd.ArgsLenAtDash() != 0 {
				return watchUsage(fmt.Sprintf("%q is no flag: write -- before the command", args[0]))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			opt, err := f.options(cmd, args)
			if err != nil {
				return err
			}
			return runWatch(cmd.Context(), opt, out)
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.DurationVar(&f.deadline, "deadline", 0, "the `TIME` from the start by which the predicate has to hold, as in 30s")
	flags.DurationVar(&f.grid, "grid", 0, "the `TIME` between the begins of probes (default a tenth of the deadline)")
	flags.DurationVar(&f.until, "until", 0, "the `TIME` from the start at which to end (default one and a half times the deadline)")
	flags.DurationVar(&f.timeout, "probe-timeout", 0, "the `TIME` that a probe may take (default two thirds of the grid)")
	flags.BoolVar(&f.keepGoing, "keep-going", false, "go on to the end, even after the predicate was seen to hold")
	flags.StringVar(&f.url, "url", "", "probe this `URL`")
	flags.IntVar(&f.expect.Status, "expect-status", 200, "with --url: the status is `N`")
	flags.StringVar(&f.expect.Body, "expect-body", "", "with --url: the body contains `TEXT`")
	return cmd
}

func watchUsage(problem string) error { return usage(problem, "deadline", "watch") }

// options returns what the flags and the command come to.
func (f *watchFlags) options(cmd *cobra.Command, command []string) (watch.Options, error) {
	opt := watch.Options{Deadline: f.deadline, Grid: f.grid, Until: f.until, ProbeTimeout: f.timeout, KeepGoing: f.keepGoing}
	if problem := f.problem(cmd.Flags().Changed, command); problem != "" {
		return opt, watchUsage(problem)
	}
	var err error
	if len(command) > 0 {
		opt.Probe, err = watch.Command(command[0], command[1:]...)
	} else {
		opt.Probe, err = watch.HTTP(nil, f.url, f.expect)
	}
	if err != nil {
		return opt, watchUsage(err.Error())
	}
	return opt, nil
}

// problem says what makes no sense in the flags, alone or together.
func (f *watchFlags) problem(changed func(string) bool, command []string) string {
	for _, given := range []struct {
		flag  string
		value time.Duration
	}{{"deadline", f.deadline}, {"grid", f.grid}, {"until", f.until}, {"probe-timeout", f.timeout}} {
		if given.value <= 0 && changed(given.flag) {
			return fmt.Sprintf("--%s %v leaves no time: use a positive duration, as in 30s", given.flag, given.value)
		}
	}
	switch {
	case !changed("deadline"):
		return "there is no deadline: write --deadline TIME, as in --deadline 30s"
	case f.grid > f.deadline:
		return fmt.Sprintf("--grid %v is longer than the deadline, which is %v: use a shorter one", f.grid, f.deadline)
	case f.until < f.deadline && changed("until"):
		return fmt.Sprintf("--until %v is before the deadline, which is %v: it is from the start, too", f.until, f.deadline)
	case len(command) == 0 && !changed("url"):
		return "there is nothing to probe: write --url URL, or -- and a command at the end"
	case len(command) > 0 && changed("url"):
		return "--url and a command can't be combined: choose one"
	case len(command) > 0 && (changed("expect-status") || changed("expect-body")):
		return "--expect-status and --expect-body need --url: a command tells by its exit status"
	case f.expect.Status < 100 || f.expect.Status > 999:
		return fmt.Sprintf("--expect-status %d is no status: use 100 to 999", f.expect.Status)
	case f.expect.Body == "" && changed("expect-body"):
		return "--expect-body has an empty value: give it one or leave it out"
	}
	return ""
}

// An observed is the line of an observation.
type observed struct {
	At       float64 `json:"at_s"`
	Readable bool    `json:"readable"`
	Holds    bool    `json:"holds"`
	Late     bool    `json:"late,omitempty"`
	Skipped  int     `json:"skipped,omitempty"`
	Error    string  `json:"error,omitempty"`
}

// A watched is the last line.
type watched struct {
	Schema       string   `json:"schema"`
	Verdict      string   `json:"verdict"`
	Mode         string   `json:"mode,omitempty"`
	Deadline     float64  `json:"deadline_s"`
	Observations int      `json:"observations"`
	Unreadable   int      `json:"unreadable"`
	Skipped      int      `json:"skipped"`
	First        *float64 `json:"first_s,omitempty"`
}

// runWatch watches and prints, and returns the error that has the verdict's exit code.
func runWatch(interrupt context.Context, opt watch.Options, out io.Writer) error {
	ctx, stop := context.WithCancelCause(interrupt)
	defer stop(nil)
	var last error // of a probe that failed
	opt.Observe = func(s watch.Sample) {
		line := observed{At: s.At.Seconds(), Readable: s.Readable, Holds: s.Holds, Late: s.At > opt.Deadline, Skipped: s.Skipped}
		if s.Err != nil {
			last, line.Error = s.Err, s.Err.Error()
		}
		if err := writeLine(out, line); err != nil {
			stop(err) // nobody would see the rest
		}
	}
	r, err := watch.Watch(ctx, opt)
	switch {
	case interrupt.Err() != nil && err != nil:
		return notJudged{errors.New("interrupted: there is no verdict; run it again")}
	case err != nil:
		return err
	}
	line := watched{Schema: watchSchema, Verdict: r.Verdict.String(), Mode: r.Mode.String(), Deadline: opt.Deadline.Seconds(),
		Observations: r.Observations, Unreadable: r.Unreadable, Skipped: r.Skipped}
	if first := r.First.Seconds(); r.Satisfied {
		line.First = &first
	}
	if err := writeLine(out, line); err != nil {
		return err
	}
	return watchVerdict(r.Verdict, last)
}

func watchVerdict(v deadline.Verdict, last error) error {
	switch {
	case v == deadline.Fulfilled:
		return nil
	case v == deadline.Violated:
		return errDifferent
	case last == nil:
		return notJudged{errors.New("not determined: no probe was answered by the deadline")}
	}
	return notJudged{fmt.Errorf("not determined: no probe could be read by the deadline; the last that failed: %w", last)}
}

// writeLine writes a line of JSON, through any buffer.
func writeLine(out io.Writer, line any) error {
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(line); err != nil {
		return err
	}
	if buffered, ok := out.(interface{ Flush() error }); ok {
		return buffered.Flush()
	}
	return nil
}
