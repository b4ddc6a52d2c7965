package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"

	"github.com/rogpeppe/go-internal/diff"

	"example.com/commitpoint/results"
)

// maxNamed is how many differing figures are named before the diff.
const maxNamed = 5

// check recomputes a family's results and compares them with file, or with the
// published ones if file is empty.
func check(ctx context.Context, f published, file string, workers int, out, stderr io.Writer) error {
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
	explain(stderr, name, f.writing(file), found)
	if _, err := out.Write(diff.Diff(name, want, "recomputed", got)); err != nil {
		return err
	}
	return errDifferent
}

// checkAll checks all published results, whatever comes of the others.
// A difference weighs more than a run that was cut short.
func checkAll(ctx context.Context, workers int, out, stderr io.Writer) error {
	var worst error
	for _, p := range documents {
		err := check(ctx, p, "", workers, out, stderr)
		if err != nil && !errors.Is(err, errDifferent) {
			err = fmt.Errorf("%s: %w", p.file, err)
		}
		if worst == nil || errors.Is(err, errDifferent) {
			worst = err
		}
	}
	return worst
}

// maxSize is the size of the largest file that is read. Results are a few tens
// of kilobytes; a device or a disk image is named by mistake.
const maxSize = 4 << 20

// read returns the results to compare with, and what to call them.
func (f published) read(file string) (data []byte, name string, err error) {
	if file == "" {
		return f.data(), "the built-in " + f.file, nil
	}
	remedy := f.writing(file) + " makes a new one"
	info, err := os.Stat(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, file, fmt.Errorf("can't read %s: %w; %s", file, cause(err), remedy)
	case err != nil:
		return nil, file, fmt.Errorf("can't read %s: %w; choose another file", file, cause(err))
	case !info.Mode().IsRegular():
		return nil, file, fmt.Errorf("can't read %s: it is not a regular file; choose another file", file)
	case info.Size() > maxSize:
		return nil, file, fmt.Errorf("can't read %s: it has %d bytes, and no results have more than %d; choose another file", file, info.Size(), maxSize)
	}
	if data, err = os.ReadFile(file); err != nil {
		return nil, file, fmt.Errorf("can't read %s: %w; choose another file", file, cause(err))
	}
	if err = results.Validate(data, f.schema); err != nil {
		return nil, file, fmt.Errorf("%s %w; %s", file, err, remedy)
	}
	return data, file, nil
}

// writing returns, quoted, the command that writes what was compared.
func (f published) writing(file string) string {
	if file == "" {
		return "'" + f.command + " --write'"
	}
	return "'" + f.command + " --write --results " + file + "'"
}

// explain names what differs, and says with which command to accept that.
func explain(stderr io.Writer, name, remedy string, found []results.Difference) {
	figures := slices.DeleteFunc(slices.Clone(found), func(d results.Difference) bool { return d.Path == "source_digest" })
	switch {
	case len(found) == 0:
		fmt.Fprintf(stderr, "explore: %s has every value right in another layout (spaces, line ends, order); "+
			"%s writes the canonical one\n", name, remedy)
		return
	case len(figures) == 0:
		fmt.Fprintf(stderr, "explore: the sources changed since %s was written, and every figure is equal; "+
			"%s records the new digest\n", name, remedy)
		return
	}
	fmt.Fprintf(stderr, "explore: %s differs from what was recomputed in %d %s; if that is meant, %s records it:\n",
		name, len(figures), plural(len(figures), "value"), remedy)
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
