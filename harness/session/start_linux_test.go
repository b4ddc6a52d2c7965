package session

import (
	"context"
	"errors"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

func TestStartRefused(t *testing.T) {
	requireSessions(t)
	for _, tt := range []struct{ name, how, want string }{
		{"no network namespaces", "max_net_namespaces", "create namespaces: "},
		{"no PID namespaces", "max_pid_namespaces", "create namespaces: "},
		{"no mount namespaces", "max_mnt_namespaces", "create namespaces: "},
		{"no fresh /proc", "covered", "mount /proc: operation not permitted"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h := startHelper(t, ownUser(syscall.CLONE_NEWNS), "refused", tt.how)
			if got, want := h.line(t), "true start session: sessions are not possible here: "+tt.want; !strings.HasPrefix(got, want) {
				t.Errorf("got %s\nwant %s", got, want)
			}
		})
	}
}

// A PID namespace without a /proc of its own: every number in the one that is there is
// another process's.
func TestStartUnderAnotherProc(t *testing.T) {
	requireSessions(t)
	h := startHelper(t, ownUser(syscall.CLONE_NEWNS|syscall.CLONE_NEWPID), "elsewhere")
	if got, want := h.line(t), "true start session: sessions are not possible here: look at /proc: "+errForeign.Error(); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	if got, want := h.line(t), "0 true UNKNOWN: "; !strings.HasPrefix(got, want) || !strings.HasSuffix(got, errForeign.Error()) {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

// A failure that is no refusal is one, and leaves nothing behind, either.
func TestStartFails(t *testing.T) {
	requireSessions(t)
	_, err := Start(t.Context(), Options{Run: "privileged-port", Port: 80})
	if err == nil || errors.Is(err, ErrUnsupported) || !errors.Is(err, syscall.EACCES) || !strings.Contains(err.Error(), "serve on 127.0.0.1:80") {
		t.Errorf("port 80: %v", err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("enough"))
	_, err = Start(ctx, Options{Run: "privileged-port"})
	if err == nil || errors.Is(err, ErrUnsupported) || !strings.Contains(err.Error(), "enough") {
		t.Errorf("ended context: %v", err)
	}
	if _, err := Start(t.Context(), Options{Port: -1}); err == nil || !strings.Contains(err.Error(), "port -1") {
		t.Errorf("bad options: %v", err)
	}
	if got := roles(t, "privileged-port"); got != "" {
		t.Errorf("left: %s", got)
	}
}

func TestStartWithoutEnter(t *testing.T) {
	entered.Store(false)
	defer entered.Store(true)
	if s, err := Start(t.Context(), Options{}); s != nil || err == nil || !strings.Contains(err.Error(), "call session.Enter first") {
		t.Errorf("got %v, %v", s, err)
	}
}

func TestRefusals(t *testing.T) {
	for _, tt := range []struct {
		err  error
		want bool
	}{
		{unix.EPERM, true}, {unix.ENOSPC, true}, {unix.ENOSYS, true}, {unix.EINVAL, true}, {unix.EUSERS, true},
		{unix.EACCES, false}, {unix.ENOENT, false}, {unix.EAGAIN, false}, {unix.ENOMEM, false}, {io.EOF, false},
	} {
		got := refusal("a step", &os.PathError{Op: "fork/exec", Path: "x", Err: tt.err})
		if errors.Is(got, ErrUnsupported) != tt.want || !strings.Contains(got.Error(), "a step: fork/exec x") {
			t.Errorf("%v: %v", tt.err, got)
		}
	}
}

func TestSetupStopsAtARefusal(t *testing.T) {
	var names, done []string
	for _, s := range setup {
		names = append(names, s.name)
	}
	// Whatever takes a privilege is done before they are dropped, and the signal after
	// that, since the kernel may clear it with them.
	if want := []string{"make the mounts private", "mount /proc", "bring up loopback", "set no_new_privs",
		"drop the capabilities", "be killed with the starting thread"}; !slices.Equal(names, want) {
		t.Errorf("the steps are %q", names)
	}
	named := func(name string, err error) step {
		return step{name, func() error { done = append(done, name); return err }}
	}
	f := take([]step{named("one", nil), named("two", unix.EPERM), named("three", nil)})
	if !errors.Is(f, ErrUnsupported) || !errors.Is(f, unix.EPERM) || f.Step != "two" || !slices.Equal(done, []string{"one", "two"}) {
		t.Errorf("%v after %q", f, done)
	}
	if f := take([]step{named("one", nil)}); f != nil {
		t.Errorf("all went well, and it is %v", f)
	}
}

// The set-up goes no further where it would be the machine's.
func TestSetupNotOutside(t *testing.T) {
	own, err := ownNamespaces()
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name    string
		outside namespaces
		apart   bool
	}{
		{"both are its own", namespaces{"mnt:[1]", "net:[1]"}, true},
		{"the mounts are not", namespaces{own.Mount, "net:[1]"}, false},
		{"the network is not", namespaces{"mnt:[1]", own.Network}, false},
		{"neither is", own, false},
		{"it was not told", namespaces{}, false},
	} {
		if err := (spec{Outside: tt.outside}).apart(); (err == nil) != tt.apart {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
	s, err := newSpec(Options{})
	if err != nil || s.Outside != own {
		t.Errorf("a session is told %+v, %v", s.Outside, err)
	}
	steps := setup
	defer func() { setup = steps }()
	setup = []step{{"go on", func() error { return errors.New("it went on") }}} // and touch nothing
	if f := s.setUp(); f == nil || f.Step != "be in namespaces of its own" || errors.Is(f, ErrUnsupported) {
		t.Errorf("the set-up of this process came to %v", f)
	}
}

// The signal at the starter's death is asked for twice: for the process as it is created,
// and for the thread that executes it anew, which may be another one.
func TestKilledWithTheStarter(t *testing.T) {
	if got := attributes().Pdeathsig; got != syscall.SIGKILL {
		t.Errorf("a new process gets %v", got)
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := setup[len(setup)-1].do(); err != nil {
		t.Fatal(err)
	}
	var got int32
	err := unix.Prctl(unix.PR_GET_PDEATHSIG, uintptr(unsafe.Pointer(&got)), 0, 0, 0)
	if err != nil || got != int32(unix.SIGKILL) {
		t.Errorf("this thread gets %v, %v", got, err)
	}
	if err := unix.Prctl(unix.PR_SET_PDEATHSIG, 0, 0, 0, 0); err != nil {
		t.Fatal(err)
	}
}
