package session

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"
)

func itoa(n int) string { return strconv.Itoa(n) }

// A process is what a made-up /proc has of one.
type process struct{ status, stat, environ, cmdline, space string }

// ours returns the first process of session a of run r, as user 1000.
func ours() process {
	s := spec{Answer: Answer{Identity{"r", "a", 1}, "none"}, Port: 3187, Ends: 1}
	return process{
		status:  "Name:\tx\nUid:\t1000\t1000\t1000\t1000\nNSpid:\t7\t1\n",
		stat:    "7 (x) S 3 7 7 0 -1 1 2 3 4 5 6 7 8 9 20 0 5 0 500 1 2\n",
		environ: s.environment()[0] + "\x00",
		cmdline: marker + "\x00init\x00",
		space:   "pid:[2]",
	}
}

func fakeProc(all map[string]process) fstest.MapFS {
	files := fstest.MapFS{
		"self/ns/pid": link("pid:[1]"), "self/status": file("Uid:\t1000\t1000\t1000\t1000\nNSpid:\t3\n"),
		"uptime": file("1 1"), "-5/x": file(""),
	}
	for pid, p := range all {
		files[pid+"/status"], files[pid+"/stat"] = file(p.status), file(p.stat)
		files[pid+"/environ"], files[pid+"/cmdline"] = file(p.environ), file(p.cmdline)
		files[pid+"/ns/pid"] = link(p.space)
	}
	return files
}

func file(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
func link(to string) *fstest.MapFile {
	return &fstest.MapFile{Data: []byte(to), Mode: fs.ModeSymlink}
}

func TestInventoryFinds(t *testing.T) {
	swap := func(s *string, old, new string) { *s = strings.Replace(*s, old, new, 1) }
	for _, tt := range []struct {
		name, why string
		change    func(*process)
		found     bool
	}{
		{"ours", "it is what is looked for", func(*process) {}, true},
		{"another run", "it is somebody's", func(p *process) { swap(&p.environ, `"r"`, `"s"`) }, false},
		{"a longer name", "a label is not a prefix", func(p *process) { swap(&p.environ, `"r"`, `"rr"`) }, false},
		{"no variable", "a program of another user of namespaces", func(p *process) { p.environ = "HOME=/\x00" }, false},
		{"among variables", "it need not be alone", func(p *process) { p.environ = "HOME=/\x00" + p.environ }, true},
		{"variable of a longer name", "it is another one", func(p *process) { p.environ = "X" + p.environ }, false},
		{"broken variable", "a session's never is", func(p *process) { swap(&p.environ, "{", "[") }, false},
		{"incomplete variable", "a session's never is", func(p *process) { swap(&p.environ, `"generation":1`, `"generation":0`) }, false},
		{"not in a namespace below", "what inherits an environment is no session's", func(p *process) { swap(&p.status, "7\t1", "7") }, false},
		{"in the reader's namespace", "likewise", func(p *process) { p.space = "pid:[1]" }, false},
		{"two levels below", "the starter may be in a namespace", func(p *process) { swap(&p.status, "7\t1", "7\t3\t1") }, true},
		{"another user's", "who can read it has found it", func(p *process) { p.status = strings.ReplaceAll(p.status, "1000", "0") }, true},
		{"ended", "it only waits to be waited for", func(p *process) { swap(&p.stat, " S ", " Z "); p.environ, p.cmdline = "", "" }, false},
		{"dead", "likewise", func(p *process) { swap(&p.stat, " S ", " X ") }, false},
		{"confusing name", "a program may call itself anything", func(p *process) { swap(&p.stat, "(x)", "(x) Z 1 1 (y)") }, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := ours()
			tt.change(&p)
			got, err := source{fakeProc(map[string]process{"7": p}), 1000}.inventory(t.Context(), "r")
			if err != nil || (len(got) == 1) != tt.found {
				t.Fatalf("got %+v, %v", got, err)
			}
			want := Process{Identity{"r", "a", 1}, "init", 7, 3, 7, 500, "pid:[2]"}
			if tt.found && got[0] != want {
				t.Errorf("got %+v, want %+v", got[0], want)
			}
		})
	}
}

// A /proc in which the reader has other numbers than by its own system calls proves nothing,
// whatever is in it and however alike the numbers are.
func TestInventoryOfAnotherNamespace(t *testing.T) {
	for _, tt := range []struct {
		name, status string
		own          bool
	}{
		{"own", "Uid:\t0\nNSpid:\t3\n", true},
		{"one above", "Uid:\t0\nNSpid:\t7\t1\n", false},
		{"one above, the same number", "Uid:\t0\nNSpid:\t3\t3\n", false},
		{"two above", "Uid:\t0\nNSpid:\t7\t2\t1\n", false},
		{"elsewhere", "", false},
	} {
		files := fakeProc(map[string]process{"7": ours()})
		files["self/status"] = file(tt.status)
		if tt.status == "" {
			delete(files, "self/status")
		}
		proc := source{files, 1000}
		if err := proc.own(); errors.Is(err, errForeign) == tt.own || (err == nil) != tt.own {
			t.Errorf("%s: %v", tt.name, err)
		}
		got, err := proc.inventory(t.Context(), "r")
		if len(got) != map[bool]int{true: 1}[tt.own] || errors.Is(err, ErrUnknown) == tt.own || errors.Is(err, errForeign) == tt.own {
			t.Errorf("%s: got %+v, %v", tt.name, got, err)
		}
	}
}

func TestInventoryOrder(t *testing.T) {
	got, err := source{fakeProc(map[string]process{"10": ours(), "9": ours(), "100": ours()}), 1000}.inventory(t.Context(), "r")
	if err != nil || len(got) != 3 || got[0].PID != 9 || got[1].PID != 10 || got[2].PID != 100 {
		t.Errorf("got %+v, %v", got, err)
	}
}

// What can't be read is of no importance, or makes the inventory unsuccessful.
func TestInventoryCannotRead(t *testing.T) {
	host := func(p *process) { p.status = strings.Replace(p.status, "7\t1", "7", 1) }
	user := func(uids string) func(*process) {
		return func(p *process) { p.status = strings.Replace(p.status, "1000\t1000\t1000\t1000", uids, 1) }
	}
	as := func(*process) {}
	for _, tt := range []struct {
		name, why string
		path      string
		err       error
		process   func(*process)
		unknown   bool
	}{
		{"environment", "it may be the run's", "7/environ", fs.ErrPermission, as, true},
		{"environment, forbidden", "likewise", "7/environ", syscall.EPERM, as, true},
		{"environment, broken", "likewise", "7/environ", syscall.EIO, user("0\t0\t0\t0"), true},
		{"another user's", "this user has not started it", "7/environ", syscall.EACCES, user("0\t0\t0\t0"), false},
		{"as if it were 100", "a number is not a part of one", "7/environ", syscall.EACCES, user("100\t100\t100\t10000"), false},
		{"partly another user's", "it was started by this one", "7/environ", syscall.EACCES, user("1000\t0\t0\t0"), true},
		{"partly, effective", "likewise", "7/environ", syscall.EACCES, user("0\t1000\t0\t0"), true},
		{"not in a namespace below", "it is no session's", "7/environ", syscall.EACCES, host, false},
		{"environment gone", "it has ended", "7/environ", fs.ErrNotExist, as, false},
		{"process gone", "it has ended after the opening", "7/environ", syscall.ESRCH, as, false},
		{"status", "nothing is known of it", "7/status", syscall.EACCES, as, true},
		{"status gone", "it has ended", "7/status", fs.ErrNotExist, as, false},
		{"status without its lines", "the kernel is too old", "7/status", nil, func(p *process) { p.status = "Name:\tx\nUid:\t1000\n" }, true},
		{"stat", "it may have ended, or not", "7/stat", syscall.EACCES, as, true},
		{"stat gone", "it has ended", "7/stat", syscall.ESRCH, as, false},
		{"stat too short", "the kernel is another one", "7/stat", nil, func(p *process) { p.stat = "7 (x) S 1 2 3" }, true},
		{"stat without numbers", "likewise", "7/stat", nil, func(p *process) { p.stat = strings.Replace(p.stat, " 500 ", " x ", 1) }, true},
		{"namespace", "it is the run's", "7/ns/pid", syscall.EACCES, as, true},
		{"namespace gone", "it has ended", "7/ns/pid", fs.ErrNotExist, as, false},
		{"arguments", "it is the run's", "7/cmdline", syscall.EACCES, as, true},
		{"between two programs", "the next may be the run's", "7/none", nil, func(p *process) { p.environ, p.cmdline = "", "" }, true},
		{"arguments gone meanwhile", "likewise", "7/none", nil, func(p *process) { p.cmdline = "" }, true},
		{"empty environment", "it has a program: another one", "7/none", nil, func(p *process) { p.environ = "" }, false},
		{"all processes", "nothing was seen", ".", syscall.EACCES, as, true},
		{"own namespace", "nothing can be compared with it", "self/ns/pid", fs.ErrNotExist, as, true},
		{"own status", "whose numbers they are is not known", "self/status", syscall.EACCES, as, true},
		{"not in it", "it is that of another namespace", "self/status", fs.ErrNotExist, as, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel() // some take their time until they say that it is unknown
			p := ours()
			tt.process(&p)
			files := fs.FS(fakeProc(map[string]process{"7": p}))
			if tt.err != nil {
				files = broken{files, tt.path, tt.err}
			}
			got, err := source{files, 1000}.inventory(t.Context(), "r")
			if errors.Is(err, ErrUnknown) != tt.unknown || (err != nil) != tt.unknown || len(got) != 0 {
				t.Errorf("got %+v, %v", got, err)
			}
			if tt.unknown && !strings.Contains(err.Error(), "UNKNOWN: the inventory was unsuccessful: read ") {
				t.Errorf("the text is %v", err)
			}
		})
	}
}

// settling is a /proc in which a process comes to its program after some looks at it.
type settling struct {
	fs.FS // and not what else a MapFS can do, which would pass by Open
	files fstest.MapFS
	looks *int
}

func (s settling) Open(name string) (fs.File, error) {
	if name == "7/environ" {
		if *s.looks--; *s.looks == 0 {
			s.files["7/environ"], s.files["7/cmdline"] = file(ours().environ), file(ours().cmdline)
		}
	}
	return s.FS.Open(name)
}

func (s settling) ReadLink(name string) (string, error)   { return s.files.ReadLink(name) }
func (s settling) Lstat(name string) (fs.FileInfo, error) { return s.files.Lstat(name) }

func TestInventoryWaitsForAProgram(t *testing.T) {
	p, looks := ours(), 3
	p.environ, p.cmdline = "", ""
	files := fakeProc(map[string]process{"7": p})
	got, err := source{settling{files, files, &looks}, 1000}.inventory(t.Context(), "r")
	if err != nil || len(got) != 1 {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestInventoryArguments(t *testing.T) {
	for _, run := range []string{"", "a b", strings.Repeat("r", 65)} {
		if got, err := Inventory(t.Context(), run); err == nil || errors.Is(err, ErrUnknown) {
			t.Errorf("run %q: %v, %v", run, got, err)
		}
	}
	if got, err := Inventory(t.Context(), "nobodys"); err != nil || len(got) != 0 {
		t.Errorf("a run that never was: %v, %v", got, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got, err := Inventory(ctx, "nobodys"); !errors.Is(err, ErrUnknown) || !errors.Is(err, context.Canceled) || got != nil {
		t.Errorf("ended: %v, %v", got, err)
	}
}

// What inherits the environment of a session, but is not in one, is none of its processes.
func TestInventoryNotByEnvironmentAlone(t *testing.T) {
	s, err := newSpec(Options{Run: "inherited", Session: "a", Generation: 1, Build: "none", Port: 3187, Lifetime: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(variable, strings.TrimPrefix(s.environment()[0], variable+"="))
	h := startHelper(t, nil, "holder")
	if got := h.line(t); got != "holding" {
		t.Fatal(got)
	}
	env, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", h.Process.Pid))
	if err != nil || !strings.Contains(string(env), `"inherited"`) {
		t.Fatalf("its environment is %q, %v", env, err)
	}
	if got := roles(t, "inherited"); got != "" {
		t.Errorf("found: %s", got)
	}
}
