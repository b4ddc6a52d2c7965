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
func write(ctx context.Context, f published, file string, workers int, out io.Writer) error {
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
// What is not a regular file, or a link to one, is left alone.
func replace(file string, data []byte) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("can't write %s: %w; choose a file in a directory that exists and is writable", file, cause(err))
		}
	}()
	mode := fs.FileMode(0o666) // less the umask
	info, err := os.Lstat(file)
	switch {
	case err == nil && !info.Mode().IsRegular():
		return errors.New("it is not a regular file")
	case err == nil:
		mode = info.Mode().Perm()
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	name := filepath.Join(filepath.Dir(file), fmt.Sprintf(".%s.%d.tmp", filepath.Base(file), os.Getpid()))
	temporary, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(name)
		}
	}()
	_, err = temporary.Write(data)
	if err = errors.Join(err, temporary.Close()); err != nil {
		return err
	}
	return os.Rename(name, file)
}

// cause strips an error of the operation and the path, which are said anyway.
func cause(err error) error {
	var pathErr *fs.PathError
	var linkErr *os.LinkError
	switch {
	case errors.As(err, &pathErr):
		return pathErr.Err
	case errors.As(err, &linkErr):
		return linkErr.Err
	}
	return err
}
