package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"example.com/commitpoint/episode/cases"
	"example.com/commitpoint/results"
)

const episodeLong = `Episode runs cases of service episodes: what is in force, what happens step by step, and
what has to come of it. Task success is no authority, an acknowledgement no effect, and an
episode that ended not a fulfilled one.

Without arguments it runs every case that comes with the command; with one, a name or a
file of your own, it shows what came of each step, and the eight judgments. A case holds
if exactly what it expects comes of it.

'explore episode properties' counts what services do wrong under every order of events,
each of which lacks one rule; 'explore trace episode/NAME' shows the shortest history.
'explore episode compare' puts two cases side by side; 'explore episode validate' checks
documents against their schemas. --check and --write are about the counts, and --json
about the cases.

Exit codes: 0 every case holds, or the results are equal; 1 one does not, or they differ;
2 usage, or a file that can't be read or is no case; 3 incomplete.`

const episodeExamples = `  explore episode
  explore episode F5
  explore episode F1 --source >mine.json        a case to start from
  explore episode mine.json
  explore episode compare travel-unresolved travel-fulfilled
  explore episode validate manifest.json evidence.json
  explore episode properties
  explore episode --check                       reproduce the published counts, byte for byte`

func newEpisode(out io.Writer) *cobra.Command {
	var f publishedFlags
	var source bool
	cmd := &cobra.Command{
		Use:               "episode [NAME | FILE…]",
		Short:             "Run cases of service episodes",
		Long:              episodeLong,
		Example:           episodeExamples,
		ValidArgsFunction: cobra.FixedCompletions(cases.Names(), cobra.ShellCompDirectiveDefault),
		Args:              cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.validate(cmd); err != nil {
				return err
			}
			switch published := f.check || f.write; {
			case published && len(args) > 0:
				return usage(fmt.Sprintf("unexpected argument %q: --check and --write are about the counts", args[0]), "episode")
			case published:
				return f.run(cmd, out, nil)
			case cmd.Flags().Changed("workers"):
				return usage("--workers is about the published counts: it needs --check or --write beside it", "episode")
			}
			if source {
				return printSource(args, out)
			}
			list, err := readEpisodes(args)
			if err != nil {
				return err
			}
			return runEpisodes(list, len(args) == 1, f.json, out, cmd.ErrOrStderr())
		},
	}
	fs := cmd.Flags()
	fs.SortFlags = false
	f.declare(cmd, "results/episode.json")
	fs.Lookup("json").Usage = "print what came of the cases as JSON"
	fs.BoolVar(&source, "source", false, "print the file of a case, to start one of your own from")
	cmd.AddCommand(newProperties(out), newCompare(out), newValidate(out), newSchema(out))
	return cmd
}

// printSource prints the file of a case that comes with the command.
func printSource(args []string, out io.Writer) error {
	if len(args) != 1 {
		return usage(fmt.Sprintf("%d cases for --source: name one, as in explore episode F1 --source", len(args)), "episode")
	}
	name := args[0]
	for _, known := range cases.Names() {
		if strings.EqualFold(known, name) {
			name = known
		}
	}
	text, err := cases.File(name)
	if err != nil {
		return err
	}
	_, err = out.Write(text)
	return err
}

// readEpisodes reads the cases with the given names or files, all that come with the
// command if there are none; every one before any is run.
func readEpisodes(args []string) ([]cases.Case, error) {
	if len(args) == 0 {
		args = cases.Names()
	}
	var list []cases.Case
	for _, arg := range args {
		c, err := readEpisode(arg)
		if err != nil {
			return nil, err
		}
		list = append(list, c)
	}
	return list, nil
}

func readEpisode(arg string) (cases.Case, error) {
	if slices.ContainsFunc(cases.Names(), func(name string) bool { return strings.EqualFold(name, arg) }) {
		return cases.Named(arg)
	}
	c, err := cases.Load(arg)
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("%q is neither a case that comes with the command nor a file: the cases are %s", arg, strings.Join(cases.Names(), ", "))
	}
	return c, err
}

// The schemas of what is printed for programs.
const (
	outcomesSchema   = "commitpoint/episode/outcomes/v1"
	comparisonSchema = "commitpoint/episode/comparison/v1"
)

// caseOutcomes are what came of some cases, for a program.
type caseOutcomes struct {
	Schema string        `json:"schema"`
	Cases  []caseOutcome `json:"cases"`
}

// A caseOutcome is what came of a case.
type caseOutcome struct {
	Case    string        `json:"case"`
	Holds   bool          `json:"holds"`
	Differs string        `json:"differs,omitempty"`
	Outcome cases.Outcome `json:"outcome"`
}

// runEpisodes runs cases and says of each whether it holds. One that can't be run is an
// error, and nothing is said of the others.
func runEpisodes(list []cases.Case, detail, json bool, out, stderr io.Writer) error {
	var outcomes []caseOutcome
	failed := 0
	for _, c := range list {
		o, err := cases.Run(c)
		if err != nil && !errors.Is(err, cases.ErrDiffers) {
			return err
		}
		came := caseOutcome{Case: c.ID, Holds: err == nil, Outcome: o}
		if err != nil {
			failed++
			came.Differs = err.Error()
			fmt.Fprintln(stderr, err)
		}
		outcomes = append(outcomes, came)
	}
	if json {
		data, err := results.Encode(caseOutcomes{outcomesSchema, outcomes})
		if err != nil {
			return err
		}
		if _, err := out.Write(data); err != nil {
			return err
		}
	} else if err := printEpisodes(out, list, outcomes, detail); err != nil {
		return err
	}
	if failed > 0 {
		return errDifferent
	}
	return nil
}
