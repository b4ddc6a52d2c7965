package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"example.com/commitpoint/results"
	"example.com/commitpoint/study/deadline/recordings"
)

const deadlineLong = `Deadline puts completion policies to the test on contracts with a deadline: an agent is
asked to bring about a state of a service, and a verifier outside of its session samples
whether that is so in time.

Without --recordings it decides every order of what agent, service, clock and verifier
can do, within bounds, where an oracle knows when the state was there; and lets a gate
with three ways to recover go through three cycles. 'explore trace deadline/POLICY' shows
the shortest history of each of a policy's errors.

With --recordings PATH it scores the policies on recorded trials, in which an agent was to
place a file at a site, or to delete one. For each population it prints how often each policy accepts what is violated, or does
not accept what is fulfilled; how many trials are late at other deadlines; and how the
attribution of the violated ones compares with what was injected.

PATH is a file or a directory of recordings, which are not part of this program: either
condensed, in *.jsonl, one trial a line, or as their replication package has them, in
trial-*.json. Give one directory for each thing to be counted: a population is known by
the task and by whether a fault was injected.

Exit codes: 0 shown, equal, or every trial was scored; 1 different; 2 usage, or a path that
can't be read; 3 a trial is bad, and the others were scored.`

const deadlineExamples = `  explore deadline
  explore deadline --check                      reproduce the published results, byte for byte
  explore deadline --recordings trials.jsonl
  explore deadline --recordings trials.jsonl --deadline 40        the same, scored at 40 s
  explore deadline --recordings runs/ --deadlines 15,30,60        how many are late then
  explore deadline --recordings runs/ --json | jq '.populations[] | {population, policies}'`

// deadlineFlags are the flags of explore deadline.
type deadlineFlags struct {
	publishedFlags // of the model; --json is for both

	recordings, deadline string
	deadlines            []string
	skipBad              bool
}

func newDeadline(out io.Writer) *cobra.Command {
	var f deadlineFlags
	cmd := &cobra.Command{
		Use:     "deadline",
		Short:   "Put completion policies to the test on contracts with a deadline",
		Long:    deadlineLong,
		Example: deadlineExamples,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usage(fmt.Sprintf("unexpected argument %q: explore deadline takes flags only", args[0]), "deadline")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !cmd.Flags().Changed("recordings") {
				return f.model(cmd, out)
			}
			opt, err := f.options(cmd)
			if err != nil {
				return err
			}
			return f.scoreTrials(cmd, opt, out)
		},
	}
	fs := cmd.Flags()
	fs.SortFlags = false
	f.declare(cmd, "results/deadline.json")
	fs.StringVar(&f.recordings, "recordings", "", "score the recorded trials in the file or directory `PATH`")
	fs.StringSliceVar(&f.deadlines, "deadlines", []string{"10", "20", "25", "30", "35", "40"}, "count the trials that are late at each of these, a `LIST` of seconds")
	fs.StringVar(&f.deadline, "deadline", "", "score everything at this deadline, `S` seconds, and not at that of the contract")
	fs.BoolVar(&f.skipBad, "skip-bad", false, "leave out the trials that are bad, and say how many there are")
	cmd.AddCommand(newWatch(out))
	return cmd
}

// options returns what the flags come to.
func (f *deadlineFlags) options(cmd *cobra.Command) (opt recordings.Options, err error) {
	changed := cmd.Flags().Changed
	switch {
	case f.check || f.write || changed("results") || changed("workers"):
		return opt, usage("--check, --write, --results and --workers are about the model: leave out --recordings", "deadline")
	case f.recordings == "":
		return opt, usage("--recordings has an empty value: give it a file or a directory", "deadline")
	case len(f.deadlines) == 0:
		return opt, usage("--deadlines has an empty value: give it seconds, separated by commas", "deadline")
	}
	for _, text := range f.deadlines {
		at, err := ofSeconds("deadlines", text)
		if err != nil {
			return opt, err
		}
		if slices.Contains(opt.Late, at) {
			return opt, usage(fmt.Sprintf("--deadlines has %s twice: leave one out", strings.TrimSpace(text)), "deadline")
		}
		opt.Late = append(opt.Late, at)
	}
	if changed("deadline") {
		opt.Deadline, err = ofSeconds("deadline", f.deadline)
	}
	return opt, err
}

// ofSeconds returns the value of a flag that is a deadline.
func ofSeconds(flag, text string) (time.Duration, error) {
	s, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	ns := math.Round(s * float64(time.Second))
	if err != nil || !(ns >= 1) || ns >= math.MaxInt64 {
		return 0, usage(fmt.Sprintf("--%s has %q, which is no deadline: give seconds after the start, as in 30 or 2.5", flag, text), "deadline")
	}
	return time.Duration(ns), nil
}

func (f *deadlineFlags) scoreTrials(cmd *cobra.Command, opt recordings.Options, out io.Writer) error {
	r, err := f.score(cmd.Context(), opt, cmd.ErrOrStderr())
	if err != nil {
		return err
	}
	if f.json {
		data, err := results.Encode(r)
		if err != nil {
			return err
		}
		if _, err := out.Write(data); err != nil {
			return err
		}
	} else if err := printRecordings(out, r, opt); err != nil {
		return err
	}
	trials := plural(r.Bad, "trial")
	switch {
	case r.Bad > 0 && f.skipBad:
		fmt.Fprintf(cmd.ErrOrStderr(), "explore: %d bad %s skipped\n", r.Bad, trials)
	case r.Bad > 0:
		return notJudged{fmt.Errorf("%d bad %s not scored: correct what is named above, or skip them with --skip-bad", r.Bad, trials)}
	}
	return nil
}

// score scores the trials one by one, and says what is wrong with those that are bad.
func (f *deadlineFlags) score(ctx context.Context, opt recordings.Options, stderr io.Writer) (recordings.Result, error) {
	s, read := recordings.NewScorer(opt), 0
	for r, err := range recordings.All(f.recordings) {
		var bad *recordings.BadTrial
		var path *fs.PathError
		switch {
		case ctx.Err() != nil:
			return recordings.Result{}, notJudged{fmt.Errorf("interrupted after %d %s, nothing is said of the rest; run it again", read, plural(read, "trial"))}
		case errors.As(err, &bad):
			s.AddBad()
			if !f.skipBad {
				fmt.Fprintln(stderr, bad)
			}
		case errors.As(err, &path):
			return recordings.Result{}, fmt.Errorf("can't read %s: %w; choose another file or directory", path.Path, path.Err)
		case err != nil:
			return recordings.Result{}, err
		default:
			s.Add(r)
		}
		read++
	}
	return s.Result(), nil
}
