package session

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

func TestSession(t *testing.T) {
	requireSessions(t)
	s := start(t, Options{Session: "a", Generation: 3, Build: "b-1"})
	want := Answer{Identity{s.Identity().Run, "a", 3}, "b-1"}
	if got, err := s.Query(t.Context()); err != nil || got != want {
		t.Errorf("query: %+v, %v, want %+v", got, err, want)
	}
	if err := s.Bind(t.Context()); !errors.Is(err, syscall.EADDRINUSE) {
		t.Errorf("bind: %v", err)
	}
	if err := s.Remove(t.Context(), s.Identity()); err != nil {
		t.Fatal(err)
	}
	select {
	case <-s.Done():
	default:
		t.Error("removed, and not done")
	}
	if got := roles(t, s.Identity().Run); got != "" {
		t.Errorf("left: %s", got)
	}
	if err := s.Remove(t.Context(), s.Identity()); err != nil {
		t.Errorf("removed again: %v", err)
	}
}

// What is inside, seen from inside and from outside.
func TestSessionProcesses(t *testing.T) {
	requireSessions(t)
	s := start(t, Options{Session: "a"})
	list, err := s.Processes(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range list {
		if p.Identity != s.Identity() || p.Namespace != s.creation.namespace || p.Start < s.creation.start {
			t.Errorf("%+v", p)
		}
		got = append(got, fmt.Sprintf("%s parent %d first %t leads %t", p.Role, p.Parent, p.PID == 1, p.Leader == p.PID))
	}
	want := []string{"init parent 0 first true leads true", "sleep parent 1 first false leads true", "processes parent 1 first false leads false"}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	found, err := Inventory(t.Context(), s.Identity().Run)
	if err != nil || len(found) != 2 {
		t.Fatalf("inventory: %v, %v", found, err)
	}
	if p := found[0]; p.Role != "init" || p.Parent != os.Getpid() || (creation{p.PID, p.Start, p.Namespace}) != s.creation || p.Identity != s.Identity() {
		t.Errorf("%+v, recorded is %+v", p, s.creation)
	}
}

func TestSessionsShareAPort(t *testing.T) {
	requireSessions(t)
	a, b := start(t, Options{Session: "a"}), start(t, Options{Session: "b"})
	for _, s := range []*Session{a, b} {
		if got, err := s.Query(t.Context()); err != nil || got.Identity != s.Identity() {
			t.Errorf("%+v, %v", got, err)
		}
	}
	if err := a.Remove(t.Context(), a.Identity()); err != nil {
		t.Fatal(err)
	}
	if got, err := b.Query(t.Context()); err != nil || got.Identity != b.Identity() {
		t.Errorf("after the other's removal: %+v, %v", got, err)
	}
}

// Requests that come at once are answered one after the other, each with its own answer.
func TestSessionConcurrently(t *testing.T) {
	requireSessions(t)
	s := start(t, Options{})
	var all sync.WaitGroup
	for i := range 6 {
		all.Go(func() {
			if i%2 == 0 {
				if err := s.Bind(t.Context()); !errors.Is(err, syscall.EADDRINUSE) {
					t.Errorf("bind: %v", err)
				}
			} else if got, err := s.Query(t.Context()); err != nil || got.Identity != s.Identity() {
				t.Errorf("query: %+v, %v", got, err)
			}
		})
	}
	all.Wait()
}

// What is asked over the channel is a task, and nothing that stays.
func TestSessionTasksOnly(t *testing.T) {
	requireSessions(t)
	s := start(t, Options{Session: "a"})
	for _, role := range []string{"", roleSetup, roleInit, roleSleep, "dance"} {
		if r, err := s.ask(t.Context(), role); err == nil || !strings.Contains(err.Error(), "there is no such task") {
			t.Errorf("%q: %+v, %v", role, r, err)
		}
	}
	if got := roles(t, s.Identity().Run); got != "a/init a/sleep" {
		t.Errorf("after that: %s", got)
	}
}

// PID 1 waits for what it started, and keeps no file of it.
func TestSessionLeaksNothingInside(t *testing.T) {
	requireSessions(t)
	s := start(t, Options{})
	files := func() int {
		list, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", s.creation.pid))
		if err != nil {
			t.Fatal(err)
		}
		return len(list)
	}
	ask := func() {
		if _, err := s.Query(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	ask() // the first one opens what is kept
	before := files()
	for range 5 {
		ask()
	}
	eventually(t, soon, fmt.Sprintf("%d open files, as before", before), func() bool { return files() <= before })

	list, err := Inventory(t.Context(), s.Identity().Run)
	if err != nil || len(list) != 2 {
		t.Fatalf("inventory: %v, %v", list, err)
	}
	child := list[1].PID
	_ = syscall.Kill(child, syscall.SIGKILL)
	eventually(t, soon, "the child that was killed is waited for", func() bool {
		_, err := os.Stat(fmt.Sprintf("/proc/%d", child))
		return errors.Is(err, os.ErrNotExist)
	})
	ask() // it lives on
}

// What it can do is what is left after the set-up.
func TestSessionIsConfined(t *testing.T) {
	requireSessions(t)
	s := start(t, Options{})
	list, err := Inventory(t.Context(), s.Identity().Run)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range list {
		status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.PID))
		if err != nil {
			t.Fatal(err)
		}
		none := strings.Repeat("0", 16)
		for _, want := range []string{"CapInh:\t" + none, "CapPrm:\t" + none, "CapEff:\t" + none, "CapBnd:\t" + none, "CapAmb:\t" + none, "NoNewPrivs:\t1"} {
			if !strings.Contains(string(status), want+"\n") {
				t.Errorf("%s has not %q", p.Role, want)
			}
		}
		for _, n := range []struct {
			name string
			own  bool
		}{{"net", true}, {"pid", true}, {"mnt", true}, {"user", !privileged()}} {
			of, err1 := os.Readlink(fmt.Sprintf("/proc/%d/ns/%s", p.PID, n.name))
			ours, err2 := os.Readlink("/proc/self/ns/" + n.name)
			if err1 != nil || err2 != nil || (of != ours) != n.own {
				t.Errorf("%s namespace of %s: %s, %v; ours is %s, %v", n.name, p.Role, of, err1, ours, err2)
			}
		}
		mounts, _ := os.ReadFile(fmt.Sprintf("/proc/%d/mountinfo", p.PID))
		lines := strings.Split(strings.TrimSpace(string(mounts)), "\n")
		if last := lines[len(lines)-1]; !strings.Contains(last, " /proc rw,nosuid,nodev,noexec,") {
			t.Errorf("%s has as its last mount %q", p.Role, last)
		}
		env, _ := os.ReadFile(fmt.Sprintf("/proc/%d/environ", p.PID))
		if n := bytes.Count(env, []byte{0}); n != 1 {
			t.Errorf("%s has %d variables: %q", p.Role, n, env)
		}
		if p.Role == "sleep" && sockets(t, p.PID) != 1 {
			t.Errorf("%s has %d sockets", p.Role, sockets(t, p.PID))
		}
		if dir, _ := os.Readlink(fmt.Sprintf("/proc/%d/cwd", p.PID)); dir != "/" {
			t.Errorf("%s is in %s", p.Role, dir)
		}
	}
}

// sockets returns how many a process has open.
func sockets(t *testing.T, pid int) (n int) {
	t.Helper()
	list, err := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", pid))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range list {
		if to, _ := os.Readlink(file); strings.HasPrefix(to, "socket:") {
			n++
		}
	}
	return n
}

// Threads end with the goroutines that are locked to them. The one by which the kernel knows
// who started a session does not.
func TestSessionOutlivesThreads(t *testing.T) {
	requireSessions(t)
	var all sync.WaitGroup
	churn := func() {
		for range 20 {
			all.Go(func() {
				runtime.LockOSThread() // for good
				runtime.Gosched()
			})
		}
	}
	for range 12 {
		churn()
		s := start(t, Options{})
		churn()
		all.Wait()
		if _, err := s.Query(t.Context()); err != nil {
			t.Error(err)
		}
	}
}

func TestMountsDoNotPropagate(t *testing.T) {
	requireSessions(t)
	h := startHelper(t, ownUser(syscall.CLONE_NEWNS), "shared", "r")
	if got := h.line(t); got != "true false false" {
		t.Errorf("mounts are shared outside, shared inside, and slaves inside: %s", got)
	}
}

// Nothing is left in this process, either, however a session came to its end.
func TestNothingLeaks(t *testing.T) {
	requireSessions(t)
	cycle := func() {
		s := start(t, Options{})
		if _, err := s.Query(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := s.Remove(t.Context(), s.Identity()); err != nil {
			t.Fatal(err)
		}
		s = start(t, Options{})
		_ = syscall.Kill(s.creation.pid, syscall.SIGKILL)
		done(t, s)
		if _, err := Start(t.Context(), Options{Port: 80}); err == nil {
			t.Fatal("it started")
		}
	}
	files := func() int {
		list, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Fatal(err)
		}
		return len(list)
	}
	cycle()
	var before, routines int
	eventually(t, soon, "the first one came to rest", func() bool {
		calm := files() == before && runtime.NumGoroutine() == routines
		before, routines = files(), runtime.NumGoroutine()
		return calm
	})
	for range 3 {
		cycle()
	}
	eventually(t, soon, fmt.Sprintf("%d files and %d goroutines, as before", before, routines), func() bool {
		return files() <= before && runtime.NumGoroutine() <= routines
	})
}

// The same, as a user without privileges.
func TestUnprivileged(t *testing.T) {
	if os.Geteuid() != 0 {
		return // then every test is that
	}
	t.Parallel()
	const nobody = 65534
	dir, err := os.MkdirTemp("", "session") // t.TempDir is for this user only
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	program, err := os.ReadFile("/proc/self/exe")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "session.test")
	if err := errors.Join(os.Chmod(dir, 0o755), os.WriteFile(file, program, 0o755), os.Chmod(file, 0o755)); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, file, "-test.v", "-test.run=^Test(Session|Remove|Starter|Init|StartRefused)")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), quickExit)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	out, err := cmd.CombinedOutput()
	switch {
	case err != nil:
		t.Errorf("%v\n%s", err, out)
	case bytes.Contains(out, []byte("--- SKIP")):
		t.Skipf("not tested without privileges:\n%s", out)
	}
	for _, name := range []string{"TestSession", "TestSessionIsConfined", "TestRemoveRefused", "TestStarterEnds/killed"} {
		if !bytes.Contains(out, []byte("--- PASS: "+name+" (")) {
			t.Errorf("%s did not pass:\n%s", name, out)
		}
	}
}
