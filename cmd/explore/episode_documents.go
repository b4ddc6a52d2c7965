package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"example.com/commitpoint/enumerate"
	"example.com/commitpoint/episode/cases"
	"example.com/commitpoint/episode/schema"
	"example.com/commitpoint/results"
	"example.com/commitpoint/study/episode"
)

func newProperties(out io.Writer) *cobra.Command {
	return counting{
		parent: "episode", name: "properties", family: "episode",
		short: "Count what services do wrong under every order of an episode's events",
		long: `Properties lets services, one that keeps every rule and others that lack one each, take an
episode through every order of its events: revocation, approval, an evidence gap, a view
that goes stale, a second agent that wants the same resource, a carrier that is replaced,
acknowledgements that are lost, observations that are late or contradict each other,
review, and attempts to close.`,
		compute:  func(ctx context.Context, opt enumerate.Options) (any, error) { return episode.Compute(ctx, opt) },
		print:    func(w io.Writer, r any) error { return printProperties(w, r.(episode.Result)) },
		document: func(r any) any { return r },
	}.command(out)
}

func newCompare(out io.Writer) *cobra.Command {
	var json bool
	cmd := &cobra.Command{
		Use:   "compare A B",
		Short: "Put two cases side by side, judgment by judgment",
		Long: `Compare runs two cases, names or files, and shows their eight judgments side by side. It
does not say which is better, and adds nothing up: two episodes with the same output can
differ in all that led there.

Exit codes: 0 shown; 1 a case does not hold; 2 usage, or a file that can't be read or is
no case.`,
		Example: `  explore episode compare travel-unresolved travel-fulfilled
  explore episode compare before.json after.json --json`,
		ValidArgsFunction: cobra.FixedCompletions(cases.Names(), cobra.ShellCompDirectiveDefault),
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return usage(fmt.Sprintf("%d cases to compare: name two, as in travel-unresolved travel-fulfilled", len(args)), "episode", "compare")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			list, err := readEpisodes(args)
			if err != nil {
				return err
			}
			var outcomes [2]cases.Outcome
			for i, c := range list {
				if outcomes[i], err = cases.Run(c); errors.Is(err, cases.ErrDiffers) {
					return &noLonger{err.Error()}
				} else if err != nil {
					return err
				}
			}
			compared := cases.Compare(outcomes[0], outcomes[1])
			if !json {
				return printComparison(out, compared)
			}
			data, err := results.Encode(struct {
				Schema string `json:"schema"`
				cases.Comparison
			}{comparisonSchema, compared})
			if err != nil {
				return err
			}
			_, err = out.Write(data)
			return err
		},
	}
	cmd.Flags().BoolVar(&json, "json", false, "print the comparison as JSON")
	return cmd
}

func newSchema(out io.Writer) *cobra.Command {
	names := schema.Names()
	return &cobra.Command{
		Use:   "schema [NAME]",
		Short: "List the JSON Schemas of episodes' documents, or print one",
		Example: `  explore episode schema
  explore episode schema commitpoint/episode/case/v1`,
		ValidArgsFunction: cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp),
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usage(fmt.Sprintf("unexpected argument %q: name one schema", args[1]), "episode", "schema")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				for _, name := range names {
					fmt.Fprintln(out, name)
				}
				return nil
			}
			text, err := schema.Text(args[0])
			if err != nil {
				return err
			}
			_, err = out.Write(text)
			return err
		},
	}
}

func newValidate(out io.Writer) *cobra.Command {
	return &cobra.Command{
		Use:   "validate FILE…",
		Short: "Check documents of episodes against their schemas",
		Long: `Validate checks run manifests, participant realizations, reality bindings, semantic
deltas, evidence records and cases against the JSON Schema that each names in its field
"schema". Of one that is not valid it names every place, as a JSON pointer.

Exit codes: 0 all are valid; 1 one is not; 2 usage, or a file that can't be read.`,
		Example: "  explore episode validate manifest.json evidence.json",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage("no document: name the files to validate", "episode", "validate")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, files []string) error {
			return validateDocuments(files, out, cmd.ErrOrStderr())
		},
	}
}

// validateDocuments checks every file, whatever comes of the others. A document that is not
// valid weighs more than a file that can't be read.
func validateDocuments(files []string, out, stderr io.Writer) error {
	invalid, unread := false, error(nil)
	for _, file := range files {
		document, err := readDocument(file)
		if err != nil {
			fmt.Fprintf(stderr, "explore: can't read %s: %v; choose another file\n", file, cause(err))
			unread = errUnread
			continue
		}
		problems := problemsOf(file, document)
		if len(problems) == 0 {
			fmt.Fprintf(out, "%s: valid\n", file)
			continue
		}
		invalid = true
		for _, p := range problems {
			fmt.Fprintln(stderr, p)
		}
	}
	if invalid {
		return errDifferent
	}
	return unread
}

// problemsOf returns what is wrong with a document, a line each.
func problemsOf(file string, document []byte) []string {
	err := schema.Validate("", document)
	var violations schema.Violations
	if !errors.As(err, &violations) {
		if err == nil {
			return nil
		}
		return []string{fmt.Sprintf("%s: %v", file, err)}
	}
	var lines []string
	for _, v := range violations {
		lines = append(lines, fmt.Sprintf("%s%s: %s", file, place(v.Path), v.Problem))
	}
	return lines
}

// place returns a JSON pointer as the part of a document's name that it is.
func place(pointer string) string {
	if pointer == "" {
		return ""
	}
	return "#" + pointer
}

// maxDocument is how much of a file is read: more than a valid document may have, and little
// of a device or a disk image that is named by mistake.
const maxDocument = 2 << 20

func readDocument(file string) ([]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxDocument))
}
