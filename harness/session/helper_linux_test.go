package session

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// requireSessions ends a test where there are no sessions: as skipped, or as failed where
// they have to be.
func requireSessions(t *testing.T) {
	t.Helper()
	s, err := Start(t.Context(), Options{})
	if errors.Is(err, ErrUnsupported) && os.Getenv("COMMITPOINT_CI") != "1" {
		t.Skipf("not tested: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), soon)
	defer cancel()
	if err := s.Remove(ctx, s.Identity()); err != nil {
		t.Fatal(err)
	}
}

// start starts a session that is removed with the test.
func start(t *testing.T, o Options) *Session {
	t.Helper()
	s, err := Start(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), soon)
		defer cancel()
		if err := s.Remove(ctx, s.Identity()); err != nil && !errors.Is(err, ErrRefused) {
			t.Error(err)
		}
	})
	return s
}

// quickExit is a variable without which a program with the race detector waits a second
// before it exits.
const quickExit = "GORACE=atexit_sleep_ms=0"

// eventually fails a test if something does not come true within the limit.
func eventually(t *testing.T, limit time.Duration, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(limit); !is(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not within %v: %s", limit, what)
		}
	}
}

// roles returns the session and role of what an inventory finds, in one text.
func roles(t *testing.T, run string) string {
	t.Helper()
	list, err := Inventory(t.Context(), run)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, p := range list {
		all = append(all, p.Session+"/"+p.Role)
	}
	return strings.Join(all, " ")
}

// A helper is another program that a test has started: this one, with something else to do.
type helper struct {
	*exec.Cmd
	in    io.WriteCloser
	lines *bufio.Scanner
}

// startHelper starts one.
func startHelper(t *testing.T, attr *syscall.SysProcAttr, args ...string) helper {
	t.Helper()
	cmd := exec.Command("/proc/self/exe", args[1:]...)
	cmd.Env = append(os.Environ(), helperVariable+"="+args[0])
	cmd.SysProcAttr = attr
	in, err1 := cmd.StdinPipe()
	out, err2 := cmd.StdoutPipe()
	err := errors.Join(err1, err2, cmd.Start())
	if attr != nil && errors.Is(err, unix.EPERM) && os.Getenv("COMMITPOINT_CI") != "1" {
		t.Skipf("not tested: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = in.Close()
		_ = cmd.Wait()
	})
	return helper{cmd, in, bufio.NewScanner(out)}
}

// line returns what it says next.
func (h helper) line(t *testing.T) string {
	t.Helper()
	if !h.lines.Scan() {
		t.Fatalf("the helper has ended: %v", h.lines.Err())
	}
	return h.lines.Text()
}

// say tells it to go on.
func (h helper) say(t *testing.T) {
	t.Helper()
	if _, err := io.WriteString(h.in, "go\n"); err != nil {
		t.Fatal(err)
	}
}

// help is the main function of a helper.
func help(role string) {
	told := bufio.NewScanner(os.Stdin)
	switch role {
	case "parent":
		lifetime, err := time.ParseDuration(os.Args[2])
		check(err)
		helpStart(os.Args[1], "a", lifetime)
		helpStart(os.Args[1], "b", lifetime)
		fmt.Println("started")
		told.Scan()
		switch os.Args[3] {
		case "panics":
			panic("in the middle")
		case "exits":
			os.Exit(1)
		}
		select {} // lives on
	case "leaker":
		s := helpStart(os.Args[1], "a", time.Minute)
		file, err := s.control.conn.(*net.UnixConn).File()
		check(err)
		holder := exec.Command("/proc/self/exe")
		holder.Env = append(os.Environ(), helperVariable+"=holder")
		holder.ExtraFiles = []*os.File{file}
		holder.Stdin, holder.Stdout = os.Stdin, os.Stdout
		check(holder.Start())
		select {}
	case "holder":
		fmt.Println("holding")
		for told.Scan() {
			fmt.Println("still holding")
		}
	case "refused":
		helpRefuse(os.Args[1])
		_, err := Start(context.Background(), Options{})
		fmt.Println(errors.Is(err, ErrUnsupported), err)
	case "elsewhere":
		_, err := Start(context.Background(), Options{})
		fmt.Println(errors.Is(err, ErrUnsupported), err)
		list, err := Inventory(context.Background(), "r")
		fmt.Println(len(list), errors.Is(err, ErrUnknown), err)
	case "shared":
		check(unix.Mount("", "/", "", unix.MS_REC|unix.MS_SHARED, ""))
		s := helpStart(os.Args[1], "a", time.Minute)
		mounts, err := os.ReadFile(fmt.Sprintf("/proc/%d/mountinfo", s.creation.pid))
		check(err)
		own, err := os.ReadFile("/proc/self/mountinfo")
		check(err)
		fmt.Println(strings.Contains(string(own), "shared:"), strings.Contains(string(mounts), "shared:"), strings.Contains(string(mounts), "master:"))
	}
	os.Exit(0)
}

func helpStart(run, name string, lifetime time.Duration) *Session {
	s, err := Start(context.Background(), Options{Run: run, Session: name, Lifetime: lifetime})
	check(err)
	return s
}

// helpRefuse makes the system refuse sessions to this process, which has a user namespace
// of its own for that.
func helpRefuse(how string) {
	switch how {
	case "not":
		return
	case "covered":
		// In a user namespace below this one, a new /proc must not show what is hidden in
		// the one that is there.
		check(unix.Mount("tmpfs", "/proc/sys", "tmpfs", 0, ""))
		below := exec.Command("/proc/self/exe", "not")
		below.Stdout, below.SysProcAttr = os.Stdout, ownUser(syscall.CLONE_NEWNS)
		below.SysProcAttr.UidMappings[0].HostID, below.SysProcAttr.GidMappings[0].HostID = 0, 0
		check(below.Run())
		os.Exit(0)
	}
	check(os.WriteFile("/proc/sys/user/"+how, []byte("0"), 0))
}

func check(err error) {
	if err != nil {
		fmt.Println("failed:", err)
		os.Exit(2)
	}
}

// ownUser is how a helper gets a user namespace of its own, and others besides.
func ownUser(flags uintptr) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | flags,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Geteuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getegid(), Size: 1}},
	}
}
