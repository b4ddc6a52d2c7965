package session

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"syscall"
	"testing"
)

// A removal that is refused touches nothing.
func TestRemoveRefused(t *testing.T) {
	requireSessions(t)
	s := start(t, Options{Session: "a", Generation: 5})
	for _, tt := range []struct {
		name, why string
		change    func(*Identity)
	}{
		{"stale generation", "it was started again since", func(i *Identity) { i.Generation-- }},
		{"generation to come", "it is another one than is known", func(i *Identity) { i.Generation++ }},
		{"another owner", "it has the same number by chance", func(i *Identity) { i.Session = "b" }},
		{"another run", "labels are equal only within a run", func(i *Identity) { i.Run += "x" }},
		{"nobody's", "no identity is no permission", func(i *Identity) { *i = Identity{} }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			want := s.Identity()
			tt.change(&want)
			err := s.Remove(t.Context(), want)
			if !errors.Is(err, ErrRefused) || errors.Is(err, ErrUnknown) || !strings.Contains(err.Error(), "this is "+s.Identity().text()) {
				t.Errorf("got %v", err)
			}
			if got, err := s.Query(t.Context()); err != nil || got.Identity != s.Identity() {
				t.Errorf("after that: %+v, %v", got, err)
			}
		})
	}
}

// The number of a process is not the process.
func TestRemoveRecordDiffers(t *testing.T) {
	requireSessions(t)
	s := start(t, Options{})
	recorded := s.creation
	for _, tt := range []struct {
		name   string
		change func(*creation)
	}{
		{"start time", func(c *creation) { c.start-- }},
		{"PID namespace", func(c *creation) { c.namespace = "pid:[1]" }},
		{"number", func(c *creation) { c.pid = 1 }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s.creation = recorded
			tt.change(&s.creation)
			err := s.Remove(t.Context(), s.Identity())
			// What PID 1 of the machine is, only root may see.
			if !errors.Is(err, ErrRefused) && !(tt.name == "number" && errors.Is(err, ErrUnknown)) {
				t.Errorf("got %v", err)
			}
			if got, err := s.Query(t.Context()); err != nil || got.Identity != s.Identity() {
				t.Errorf("after that: %+v, %v", got, err)
			}
		})
	}
	s.creation = recorded
	if err := s.Remove(t.Context(), s.Identity()); err != nil {
		t.Errorf("with its own record: %v", err)
	}
}

// What could not be seen is unknown, whatever was done.
func TestRemoveUnknown(t *testing.T) {
	requireSessions(t)
	for _, tt := range []struct {
		name  string
		path  string // can't be read
		alive bool   // nothing was done
	}{
		{"the record can't be checked", "PID/stat", true},
		{"no inventory", ".", false},
		{"own namespace", "self/ns/pid", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := start(t, Options{})
			proc := machine()
			proc.files = broken{proc.files, strings.ReplaceAll(tt.path, "PID", itoa(s.creation.pid)), syscall.EACCES}
			err := s.remove(t.Context(), s.Identity(), proc)
			if !errors.Is(err, ErrUnknown) || errors.Is(err, ErrRefused) || !errors.Is(err, syscall.EACCES) {
				t.Errorf("got %v", err)
			}
			select {
			case <-s.Done():
				if tt.alive {
					t.Error("it has ended")
				}
			default:
				if !tt.alive {
					t.Error("it lives on")
				}
			}
		})
	}
	t.Run("ended context", func(t *testing.T) {
		s := start(t, Options{})
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := s.Remove(ctx, s.Identity()); !errors.Is(err, ErrUnknown) || !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
		if _, err := s.Query(t.Context()); err != nil {
			t.Errorf("after that: %v", err)
		}
	})
}

// What an inventory still has is not gone, though PID 1 was waited for.
func TestRemoveStillThere(t *testing.T) {
	s := &Session{creation: creation{7, 500, "pid:[2]"}}
	s.spec.Run = "r"
	proc := source{files: fakeProc(map[string]process{"7": ours()}), uid: 1000}
	err := s.verify(t.Context(), proc)
	if err == nil || errors.Is(err, ErrUnknown) || !strings.Contains(err.Error(), "still there: init") {
		t.Errorf("got %v", err)
	}
	s.creation.namespace = "pid:[3]"
	if err := s.verify(t.Context(), proc); err != nil {
		t.Errorf("another session's: %v", err)
	}
}

// broken is a file system in which a path can't be read.
type broken struct {
	fs.FS
	path string
	err  error
}

func (b broken) Open(name string) (fs.File, error) {
	if name == b.path {
		return nil, &fs.PathError{Op: "open", Path: name, Err: b.err}
	}
	return b.FS.Open(name)
}

func (b broken) ReadLink(name string) (string, error) {
	if name == b.path {
		return "", &fs.PathError{Op: "readlink", Path: name, Err: b.err}
	}
	return fs.ReadLink(b.FS, name)
}

func (b broken) Lstat(name string) (fs.FileInfo, error) { return fs.Lstat(b.FS, name) }
