package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/rogpeppe/go-internal/diff"

	"example.com/commitpoint/results"
)

// maxNamed is how many differing figures are named before the diff.
const maxNamed = 5

// check recomputes a family's results and compares them with file, or with the
// published ones if file is empty.
func check(ctx context.Context, f family, file string, workers int, out, stderr io.Writer) error {
	want, name, err := f.read(file)
	if err != nil {
		return err
	}
	got, err := f.canonical(ctx, workers)
	if err != nil {
		return err
	}
	if bytes.Equal(want, got) {
		fmt.Fprintf(out, "%s: reproduced, byte for byte\n", name)
		return nil
	}
	found, err := results.Compare(want, got)
	if err != nil {
		return fmt.Errorf("%s %w", name, err)
	}
	explain(stderr, f, name, found)
	if _, err := out.Write(diff.Diff(name, want, "recomputed", got)); err != nil {
		return err
	}
	return errDifferent
}

// read returns the results to compare with, and what to call them.
func (f family) read(file string) (data []byte, name string, err error) {
	if file == "" {
		data, name = f.published(), f.file
	} else {
		name = file
		data, err = os.ReadFile(file)
		var pathErr *fs.PathError
		if errors.As(err, &pathErr) {
			return nil, name, fmt.Errorf("can't read %s: %w; 'explore --write --results %s' makes one", file, pathErr.Err, file)
		}
	}
	if err == nil {
		err = results.Validate(data, f.schema)
	}
	if err != nil {
		return nil, name, fmt.Errorf("%s %w; 'explore --write' makes a new one", name, err)
	}
	return data, name, nil
}

// explain names what differs.
func explain(stderr io.Writer, f family, name string, found []results.Difference) {
	figures := found[:0:0]
	for _, d := range found {
		if d.Path != "source_digest" {
			figures = append(figures, d)
		}
	}
	switch {
	case len(found) == 0:
		fmt.Fprintf(stderr, "explore: %s has every value right and another layout: 'explore --write' makes the canonical one\n", name)
		return
	case len(figures) == 0:
		fmt.Fprintf(stderr, "explore: the sources changed since %s was written, and every figure is equal: 'explore --write' records the new digest\n", name)
		return
	}
	fmt.Fprintf(stderr, "explore: %s differs from what was recomputed in %d %s:\n", name, len(figures), plural(len(figures), "value"))
	for i, d := range figures {
		if i == maxNamed {
			fmt.Fprintf(stderr, "  and %d more\n", len(figures)-maxNamed)
			break
		}
		fmt.Fprintf(stderr, "  %s: it has %s, recomputed %s\n", d.Path, d.Want, d.Got)
	}
}

func plural(n int, noun string) string {
	if n == 1 {
		return noun
	}
	return noun + "s"
}
