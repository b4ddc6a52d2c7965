package session

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

const (
	startLimit = 10 * time.Second // to come to serve
	grace      = time.Second      // after the lifetime, until it is ended from outside
)

// Start starts a session, and returns when it serves. It lives until it is removed, its
// lifetime is over, or this program ends.
//
// An error that matches ErrUnsupported says that the system doesn't have what is needed or
// doesn't let it be used. That is so, too, where /proc is not that of the caller's own PID
// namespace: by it a session could be neither recorded nor looked for. Whatever the error is, nothing is left behind; if that could
// not be seen it matches ErrUnknown, too. The end of the context ends the start, not
// a session that was started.
func Start(ctx context.Context, o Options) (*Session, error) {
	o, err := o.complete()
	if err != nil {
		return nil, fmt.Errorf("start a session: %w", err)
	}
	if !entered.Load() {
		return nil, errors.New("start a session: this program can't be executed again for it: call session.Enter first in main, and in TestMain")
	}
	if err := machine().own(); err != nil {
		f := failed("look at /proc", err)
		f.Refused = true
		return nil, fmt.Errorf("start %s: %w", o.Session, f)
	}
	s, err := create(o)
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", o.Session, err)
	}
	r, err := s.control.exchange(ctx, startLimit, func() error { return nil })
	close(s.heard)
	if err == nil && r.Failure != nil {
		err = r.Failure
	}
	if err == nil && s.creationErr != nil {
		err = s.creationErr
	}
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", o.Session, s.abandon(err))
	}
	return s, nil
}

// abandon ends a session that did not come to serve, and returns why it did not.
func (s *Session) abandon(why error) error {
	s.kill()
	select {
	case <-s.ended:
		return s.explain(why)
	case <-time.After(startLimit):
		return fmt.Errorf("%w: it was killed, and its end was not seen: %w", ErrUnknown, why)
	}
}

// create creates the first process of a session.
func create(o Options) (*Session, error) {
	described, err := newSpec(o)
	if err != nil {
		return nil, err
	}
	control, cmd, err := prepare(context.Background(), described, roleSetup)
	if err != nil {
		return nil, err
	}
	s := &Session{spec: described, control: control, cmd: cmd, heard: make(chan struct{}), ended: make(chan struct{})}
	cmd.Stderr, cmd.WaitDelay = &s.said, grace
	cmd.SysProcAttr = attributes()
	created := make(chan error)
	go s.keep(created)
	if err := <-created; err != nil {
		control.close()
		return nil, refusal("create namespaces", err)
	}
	return s, nil
}

// keep creates the process and waits for it. Its thread is the parent by which the
// kernel kills it: it must do nothing else and not end before, as a thread may that the
// runtime has no use for.
func (s *Session) keep(created chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	err := launch(s.cmd)
	if err == nil {
		s.creation, s.creationErr = machine().record(s.cmd.Process.Pid)
		// A process that is stopped does not see its own timer.
		s.watchdog = time.AfterFunc(s.spec.left()+grace, s.kill)
	}
	created <- err
	if err != nil {
		return
	}
	_ = s.cmd.Wait() // how it ended says nothing: it may be by any of the bounds
	s.watchdog.Stop()
	<-s.heard // what it said last is still to be read
	s.control.close()
	close(s.ended)
}

// attributes returns how the first process is to be created.
func attributes() *syscall.SysProcAttr {
	a := &syscall.SysProcAttr{
		Cloneflags: unix.CLONE_NEWNET | unix.CLONE_NEWPID | unix.CLONE_NEWNS,
		Pdeathsig:  syscall.SIGKILL,
		Setsid:     true, // what a terminal sends to the caller's is not for it
	}
	if !privileged() {
		// Within its own user namespace it is root, and has what the set-up takes.
		a.Cloneflags |= unix.CLONE_NEWUSER
		a.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Geteuid(), Size: 1}}
		a.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getegid(), Size: 1}}
	}
	return a
}

// privileged reports whether the caller can set up a session without a user namespace: to
// be root is neither enough, in a container, nor needed.
func privileged() bool {
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var has [2]unix.CapUserData
	if unix.Capget(&header, &has[0]) != nil || os.Geteuid() != 0 {
		return false
	}
	needed := uint32(1<<unix.CAP_SYS_ADMIN | 1<<unix.CAP_NET_ADMIN | 1<<unix.CAP_SETPCAP)
	return has[0].Effective&needed == needed
}

// refusals are the errors by which a kernel says that it hasn't namespaces, that this user
// may not have them, or that there are too many.
var refusals = []syscall.Errno{unix.EPERM, unix.EINVAL, unix.ENOSYS, unix.ENOSPC, unix.EUSERS}

// refusal returns an error with the step where it came up, and makes it match
// ErrUnsupported if it is a refusal.
func refusal(name string, err error) error {
	f := failed(name, err)
	f.Refused = slices.Contains(refusals, f.Errno)
	return f
}

// explain adds to an error what the session has written about its end.
func (s *Session) explain(err error) error {
	if said := s.said.String(); said != "" && !errors.Is(err, ErrUnsupported) {
		return fmt.Errorf("%w: %s", err, said)
	}
	return err
}
