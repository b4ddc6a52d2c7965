package session

import (
	"fmt"
	"os"
	"runtime"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
)

// entered is whether Enter was called. Without that, what Start executes would come to
// Start in turn, and so on.
var entered atomic.Bool

// Enter serves, and never returns, if this process was started as one of a session's; in
// every other it does nothing. It has to be called first in main, and first in TestMain:
// Start executes the running program again, and what comes before Enter is executed, too.
//
// A process that has the name of a session's, but not what belongs to it, is ended with
// status 2: it must not go on as the program itself, which would start sessions in turn.
func Enter() {
	entered.Store(true)
	if len(os.Args) == 0 || os.Args[0] != marker {
		return
	}
	role, s, err := told()
	if err == nil {
		err = serve(role, s)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", marker, err)
		exit(2)
	}
	exit(0)
}

// exit ends this process at once. os.Exit first runs hooks of the runtime, which take
// a second with the race detector.
func exit(status int) { unix.Exit(status) }

// told returns what this process was started as.
func told() (role string, s spec, err error) {
	if len(os.Args) != 2 {
		return "", s, fmt.Errorf("it has %d arguments: it is started by a program that uses the package, not by hand", len(os.Args)-1)
	}
	role = os.Args[1]
	if s, err = parseSpec(os.Getenv(variable)); err != nil {
		return "", s, fmt.Errorf("the environment has no session in %s: %w", variable, err)
	}
	domain, err := unix.GetsockoptInt(controlFD, unix.SOL_SOCKET, unix.SO_DOMAIN)
	if err != nil || domain != unix.AF_UNIX {
		return "", s, fmt.Errorf("file %d is no control channel", controlFD)
	}
	// The set-up changes mounts: outside of a session those would be the machine's.
	if (role == roleSetup || role == roleInit) && os.Getpid() != 1 {
		return "", s, fmt.Errorf("%s is for PID 1; this is %d", role, os.Getpid())
	}
	return role, s, nil
}

// serve does what a role does.
func serve(role string, s spec) error {
	// The bound comes first, and does not depend on anything that follows.
	time.AfterFunc(s.left(), func() { exit(0) })
	if role == roleSetup {
		return becomeInit(s)
	}
	// After this the file has another number, which nothing that is started gets.
	control, err := newChannel(os.NewFile(controlFD, "control"))
	if err != nil {
		return fmt.Errorf("open the control channel: %w", err)
	}
	switch role {
	case roleInit:
		return runInit(s, control)
	case roleSleep:
		_, _ = receive[request](control) // nothing ever comes: it ends with PID 1
		return nil
	}
	return runTask(role, s, control)
}

// A step is a part of the set-up that the system may refuse.
type step struct {
	name string
	do   func() error
}

// setup is what PID 1 does while it still has its privileges.
var setup = []step{
	{"make the mounts private", func() error { return unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, "") }},
	{"mount /proc", func() error {
		return unix.Mount("proc", "/proc", "proc", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, "")
	}},
	{"bring up loopback", loopback},
	{"set no_new_privs", func() error { return unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) }},
	{"drop the capabilities", dropCapabilities},
	{"be killed with the starting thread", func() error {
		return unix.Prctl(unix.PR_SET_PDEATHSIG, uintptr(unix.SIGKILL), 0, 0, 0)
	}},
}

// take takes the steps in order. What the first one to fail returns is the system's no.
func take(steps []step) *failure {
	for _, s := range steps {
		if err := s.do(); err != nil {
			f := failed(s.name, err)
			f.Refused = true
			return f
		}
	}
	return nil
}

// setUp takes the steps of the set-up once it is sure that what they change is the session's.
// If it is not, that is no refusal: something is wrong here.
func (s spec) setUp() *failure {
	if err := s.apart(); err != nil {
		return failed("be in namespaces of its own", err)
	}
	return take(setup)
}

// becomeInit sets up the namespaces and executes this program again, as init. Privileges,
// like the signal at the starter's death, are of threads: it is the one that executes which
// leaves its own to the process.
func becomeInit(s spec) error {
	runtime.LockOSThread()
	if f := s.setUp(); f != nil {
		control, err := newChannel(os.NewFile(controlFD, "control"))
		if err != nil {
			return err
		}
		_ = control.send(response{Failure: f}) // if nobody is there, nobody has to know
		return f
	}
	return os.NewSyscallError("execve", unix.Exec("/proc/self/exe", []string{marker, roleInit}, s.environment()))
}

// loopback brings up the interface that a new network namespace has, and that is down.
func loopback() error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return os.NewSyscallError("socket", err)
	}
	defer unix.Close(fd)
	lo, err := unix.NewIfreq("lo")
	if err != nil {
		return err
	}
	if err := unix.IoctlIfreq(fd, unix.SIOCGIFFLAGS, lo); err != nil {
		return os.NewSyscallError("ioctl SIOCGIFFLAGS", err)
	}
	lo.SetUint16(lo.Uint16() | unix.IFF_UP)
	return os.NewSyscallError("ioctl SIOCSIFFLAGS", unix.IoctlIfreq(fd, unix.SIOCSIFFLAGS, lo))
}

// dropCapabilities gives up all of this thread's. Those of the bounding set come first,
// since it takes one to drop them.
func dropCapabilities() error {
	for c := uintptr(0); ; c++ {
		err := unix.Prctl(unix.PR_CAPBSET_DROP, c, 0, 0, 0)
		if err == unix.EINVAL && c > unix.CAP_SETPCAP {
			break // past the last one that the kernel knows
		}
		if err != nil {
			return os.NewSyscallError("prctl PR_CAPBSET_DROP", err)
		}
	}
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var none [2]unix.CapUserData // that version has two words
	return os.NewSyscallError("capset", unix.Capset(&header, &none[0]))
}
