package session

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// A source is a mounted /proc, or what stands for one. Its paths are relative to it.
type source struct {
	files fs.FS
	uid   int // of the reader
}

func machine() source { return source{files: os.DirFS("/proc"), uid: os.Geteuid()} }

var (
	// errGone says that a process has ended, perhaps while it was read.
	errGone = errors.New("it has ended")

	// errUnsettled says that a process is between two programs: it has neither an
	// environment nor arguments.
	errUnsettled = errors.New("it never came to have a program")

	// errForeign says that the numbers in a /proc are not those of the reader's system calls.
	errForeign = errors.New("/proc is that of another PID namespace: mount the one of this namespace there")
)

// gone reports whether an error says so: the directory is missing, or what was opened in
// it has no process any more.
func gone(err error) bool {
	return errors.Is(err, errGone) || errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ESRCH)
}

// pids returns the numbers of all processes, ascending.
func (s source) pids() (all []int, err error) {
	entries, err := fs.ReadDir(s.files, ".")
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if pid, err := strconv.Atoi(e.Name()); err == nil && pid > 0 {
			all = append(all, pid)
		}
	}
	slices.Sort(all)
	return all, nil
}

// namespace returns the PID namespace of a process, or of the reader if it is "self".
func (s source) namespace(pid string) (string, error) {
	return fs.ReadLink(s.files, pid+"/ns/pid")
}

// A stat is what the kernel says in one line of a process.
type stat struct {
	state          byte
	parent, leader int
	start          uint64
}

// stat reads it.
func (s source) stat(pid int) (stat, error) {
	text, err := fs.ReadFile(s.files, strconv.Itoa(pid)+"/stat")
	if err != nil {
		return stat{}, err
	}
	return parseStat(string(text))
}

// parseStat parses it, by proc_pid_stat(5). The name of the program, second and in
// parentheses, is whatever a process likes: what counts begins after the last one.
func parseStat(text string) (s stat, err error) {
	fields := strings.Fields(text[strings.LastIndexByte(text, ')')+1:])
	if len(fields) < 20 || len(fields[0]) != 1 {
		return s, fmt.Errorf("parse stat: %d fields", len(fields))
	}
	parent, err1 := strconv.Atoi(fields[1])
	leader, err2 := strconv.Atoi(fields[3])
	start, err3 := strconv.ParseUint(fields[19], 10, 64)
	return stat{fields[0][0], parent, leader, start}, errors.Join(err1, err2, err3)
}

// ended reports whether the process only waits to be waited for: it has no program and no
// environment any more.
func (s stat) ended() bool { return s.state == 'Z' || s.state == 'X' }

// A status is what every user may read of a process.
type status struct {
	uids   []string // its user: real, effective, saved, and of the file system
	levels int      // in how many nested PID namespaces it has a number, from that of /proc on
}

// status reads it, of the reader itself if it is "self". Unlike links and environments it
// needs no permission, so that most of the processes of a machine are put aside by it and
// need not be looked at.
func (s source) status(pid string) (st status, err error) {
	text, err := fs.ReadFile(s.files, pid+"/status")
	if err != nil {
		return status{}, err
	}
	for line := range strings.Lines(string(text)) {
		switch name, rest, _ := strings.Cut(line, ":"); name {
		case "Uid":
			st.uids = strings.Fields(rest)
		case "NSpid":
			st.levels = len(strings.Fields(rest))
		}
	}
	if len(st.uids) == 0 || st.levels == 0 {
		return status{}, errors.New("the status has no Uid or no NSpid")
	}
	return st, nil
}

// own returns nil if the source has the reader's own PID namespace. A new PID namespace comes
// without a new /proc: by the numbers in the old one other processes would be looked at, and
// what was started would be looked for in vain. That the reader's number is the same in both
// could be by chance; in the /proc of a namespace above it has more than one, and in that
// of every other one it is not.
func (s source) own() error {
	st, err := s.status("self")
	if errors.Is(err, fs.ErrNotExist) || err == nil && st.levels != 1 {
		return errForeign
	}
	return err
}

// spec returns the session that a process has in its environment, if it has one there.
// Between two programs a process has no environment and no arguments for a moment; settled
// is false then.
func (s source) spec(pid int) (sp spec, marked, settled bool, err error) {
	env, err := fs.ReadFile(s.files, strconv.Itoa(pid)+"/environ")
	if err != nil {
		return sp, false, false, err
	}
	for entry := range bytes.SplitSeq(env, []byte{0}) {
		if text, found := bytes.CutPrefix(entry, []byte(variable+"=")); found {
			sp, err := parseSpec(string(text))
			return sp, err == nil, true, nil
		}
	}
	args, err := fs.ReadFile(s.files, strconv.Itoa(pid)+"/cmdline")
	return sp, false, len(env)+len(args) > 0, err
}

// describe returns a process that has the spec given. Its role is its only argument.
func (s source) describe(pid int, sp spec) (Process, error) {
	st, err := s.stat(pid)
	if err != nil {
		return Process{}, err
	}
	space, err := s.namespace(strconv.Itoa(pid))
	if err != nil {
		return Process{}, err
	}
	args, err := fs.ReadFile(s.files, strconv.Itoa(pid)+"/cmdline")
	if err != nil {
		return Process{}, err
	}
	switch {
	case st.ended():
		return Process{}, errGone
	case len(args) == 0:
		return Process{}, errUnsettled
	}
	_, role, _ := strings.Cut(strings.TrimSuffix(string(args), "\x00"), "\x00")
	return Process{
		Identity: sp.Identity, Role: role,
		PID: pid, Parent: st.parent, Leader: st.leader,
		Start: st.start, Namespace: space,
	}, nil
}

// A creation identifies a process for good: numbers are given again, the same number with
// the same start time is not.
type creation struct {
	pid       int
	start     uint64
	namespace string
}

// record returns the creation of a process that has not been waited for.
func (s source) record(pid int) (creation, error) {
	st, err := s.stat(pid)
	if err != nil {
		return creation{}, fmt.Errorf("record process %d: %w", pid, err)
	}
	space, err := s.namespace(strconv.Itoa(pid))
	if err != nil {
		return creation{}, fmt.Errorf("record process %d: %w", pid, err)
	}
	return creation{pid, st.start, space}, nil
}
