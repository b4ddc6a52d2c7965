package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// write recomputes a family's results and replaces file, or the published file
// if that is empty.
func write(ctx context.Context, f family, file string, workers int, out io.Writer) error {
	if file == "" {
		if !inModuleRoot() {
			return fmt.Errorf("--write without --results FILE writes %s: run it in the root of the commitpoint module", f.file)
		}
		file = filepath.FromSlash(f.file)
	}
	data, err := f.canonical(ctx, workers)
	if err != nil {
		return err
	}
	if err := replace(file, data); err != nil {
		return err
	}
	fmt.Fprintf(out, "%s: written\n", file)
	return nil
}

// inModuleRoot reports whether the working directory is this module's root.
func inModuleRoot() bool {
	text, err := os.ReadFile("go.mod")
	return err == nil && strings.HasPrefix(string(text), "module example.com/commitpoint\n")
}

// replace puts data into file. The file has its old content or the new one,
// whole, at any time: data goes to a temporary file beside it, which is renamed.
func replace(file string, data []byte) (err error) {
	defer func() {
		var pathErr *fs.PathError
		var linkErr *os.LinkError
		switch {
		case errors.As(err, &pathErr):
			err = pathErr.Err
		case errors.As(err, &linkErr):
			err = linkErr.Err
		}
		if err != nil {
			err = fmt.Errorf("can't write %s: %w; choose a file in a directory that exists and is writable", file, err)
		}
	}()
	if info, err := os.Stat(file); err == nil && !info.Mode().IsRegular() {
		return errors.New("it is not a regular file")
	}
	temporary, err := os.CreateTemp(filepath.Dir(file), "."+filepath.Base(file)+".*.tmp")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			temporary.Close()
			os.Remove(temporary.Name())
		}
	}()
	if _, err = temporary.Write(data); err != nil {
		return err
	}
	if err = temporary.Chmod(0o644); err != nil {
		return err
	}
	if err = temporary.Close(); err != nil {
		return err
	}
	return os.Rename(temporary.Name(), file)
}
