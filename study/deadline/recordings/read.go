package recordings

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// maxTrial is how many bytes a trial can have: hundreds of times what one has, and little
// of a disk image that is named by mistake.
const maxTrial = 16 << 20

// ErrNone is the error of a directory, or a file, that has no trial.
var ErrNone = errors.New("no trials")

// All returns the trials of a file, or of a directory and those below it. In a directory
// they are read from *.jsonl and trial-*.json, in the lexical order of the paths; links to
// directories are not followed. A file whose name ends in .json has one trial, and any
// other one a line.
//
// An error that is a *BadTrial is of one trial, whose Recording is not to be used; others
// follow it. Any other error is the last thing that comes: an *fs.PathError, or ErrNone if
// nothing else came.
//
// One trial is in memory at a time. What stays of it until the end is its id and where it
// came from, so that its coming again is noticed.
func All(root string) iter.Seq2[Recording, error] {
	return func(yield func(Recording, error) bool) {
		r := reader{seen: make(map[string]place), yield: yield}
		err := r.all(root)
		if err == nil && !r.some {
			err = fmt.Errorf("%s has %w: it has to be a file of them, or a directory with *.jsonl or trial-*.json", root, ErrNone)
		}
		if err != nil && !errors.Is(err, errStop) {
			yield(Recording{}, err)
		}
	}
}

// errStop ends reading because nobody wants more.
var errStop = errors.New("stop")

// A place is a line of a file.
type place struct {
	file *string // one for all trials of a file
	line int
}

type reader struct {
	decoder
	seen  map[string]place // where each id came from
	yield func(Recording, error) bool
	some  bool // something was yielded
	text  []byte
}

func (r *reader) all(root string) error {
	info, err := os.Stat(root)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return r.file(root)
	}
	// Not filepath.WalkDir, for which a link to a directory is no directory.
	return fs.WalkDir(os.DirFS(root), ".", func(name string, d fs.DirEntry, err error) error {
		file := filepath.Join(root, filepath.FromSlash(name))
		if err != nil {
			if of := (*fs.PathError)(nil); errors.As(err, &of) {
				err = of.Err // of a path within the directory
			}
			return &fs.PathError{Op: "read", Path: file, Err: err}
		}
		rows, _ := path.Match("*.jsonl", d.Name())
		one, _ := path.Match("trial-*.json", d.Name())
		if d.IsDir() || !rows && !one {
			return nil
		}
		if info, err := os.Stat(file); err != nil || !info.Mode().IsRegular() {
			return err // what is named like a file of trials and is none can hang
		}
		return r.file(file)
	})
}

func (r *reader) file(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	return r.read(name, f)
}

// read reads the trials of one file.
func (r *reader) read(name string, in io.Reader) error {
	if !strings.HasSuffix(name, ".json") {
		return r.rows(name, in)
	}
	text := bytes.NewBuffer(r.text[:0])
	if _, err := text.ReadFrom(io.LimitReader(in, maxTrial+1)); err != nil {
		return err
	}
	r.text = text.Bytes()
	return r.trial(&name, 1, r.text)
}

// rows reads one trial a line.
func (r *reader) rows(name string, in io.Reader) error {
	lines := bufio.NewReaderSize(in, 64<<10)
	r.text = r.text[:0]
	for line := 1; ; {
		part, err := lines.ReadSlice('\n')
		if len(r.text) <= maxTrial { // of a line that is longer, the rest is let go
			r.text = append(r.text, part...)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if err != nil && err != io.EOF {
			return err
		}
		if len(bytes.TrimSpace(r.text)) > 0 {
			if err := r.trial(&name, line, bytes.TrimRight(r.text, "\r\n")); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return nil
		}
		r.text = r.text[:0]
		line++
	}
}

// trial yields the trial of a text that begins in a line of a file.
func (r *reader) trial(file *string, line int, text []byte) error {
	r.some = true
	recording, wrong := r.decode(text)
	if wrong == nil {
		wrong = r.notice(recording.ID, place{file, line})
	}
	var err error
	if wrong != nil {
		recording = Recording{}
		bad := &BadTrial{File: *file, Line: line, Field: r.path(wrong.at), Why: wrong.why}
		bad.Line += bytes.Count(text[:min(wrong.at, len(text))], []byte("\n"))
		err = bad
	}
	if !r.yield(recording, err) {
		return errStop
	}
	return nil
}

// decode returns the trial of a text, or what is wrong with it.
func (r *reader) decode(text []byte) (Recording, *fault) {
	r.nodes, r.wrong = r.nodes[:0], nil
	if len(text) > maxTrial {
		return Recording{}, &fault{0, fmt.Sprintf("more than %d bytes are no trial: choose another file", maxTrial)}
	}
	if wrong := r.parse(text); wrong != nil {
		return Recording{}, wrong
	}
	const root = 0
	var recording Recording
	switch {
	case !r.isA(root, '{'):
	case r.find(root, "trial") != none:
		recording = r.condensed()
	case r.find(root, "trial_id") != none:
		recording = r.original()
	default:
		r.fail(root, "neither trial nor trial_id is there: this is no recorded trial")
	}
	return recording, r.wrong
}

// notice keeps the id of a trial, or says where it came from before.
func (r *reader) notice(id string, at place) *fault {
	before, again := r.seen[id]
	if !again {
		r.seen[id] = at
		return nil
	}
	key := "trial"
	if r.find(0, key) == none {
		key = "trial_id"
	}
	return &fault{int(r.nodes[r.find(0, key)].at), fmt.Sprintf("the trial %.80q is in %s:%d already: leave one out", id, *before.file, before.line)}
}
