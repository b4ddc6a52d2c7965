package session

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// What tells a process of a session from every other run of the same program. The name in
// its argv[0] decides. It is in no environment, which descendants inherit, and the rest has
// to fit: a variable, and an open socket in the place of the first inherited file.
const (
	marker    = "commitpoint-session"
	variable  = "COMMITPOINT_SESSION"
	controlFD = 3
)

// Roles of the processes that are no task.
const (
	roleSetup = "setup" // PID 1, before it executes itself again without privileges
	roleInit  = "init"  // PID 1
	roleSleep = "sleep" // the detached child
)

// A spec is what every process of a session knows, from its environment. It is there for
// Inventory, too.
type spec struct {
	Answer
	Port int   `json:"port"`
	Ends int64 `json:"ends"` // the end of its life, by the monotonic clock, in nanoseconds

	Outside namespaces `json:"outside"` // those of who started it
}

// namespaces are the ones that the set-up changes things in, in the kernel's form.
type namespaces struct{ Mount, Network string }

// ownNamespaces returns those of this process.
func ownNamespaces() (n namespaces, err error) {
	if n.Mount, err = os.Readlink("/proc/self/ns/mnt"); err != nil {
		return n, err
	}
	n.Network, err = os.Readlink("/proc/self/ns/net")
	return n, err
}

// apart returns nil if this process shares neither with who started it. The way in which
// it is created sees to that; but where it does not, the set-up would be the machine's.
func (s spec) apart() error {
	own, err := ownNamespaces()
	if err != nil {
		return err
	}
	if s.Outside.Mount == "" || own.Mount == s.Outside.Mount || own.Network == s.Outside.Network {
		return errors.New("they are those of who started it")
	}
	return nil
}

// newSpec returns the spec of a session that begins now.
func newSpec(o Options) (spec, error) {
	now, err := monotonic()
	if err != nil {
		return spec{}, err
	}
	outside, err := ownNamespaces()
	return spec{
		Answer:  Answer{Identity{o.Run, o.Session, o.Generation}, o.Build},
		Port:    o.Port,
		Ends:    now + int64(o.Lifetime),
		Outside: outside,
	}, err
}

func (s spec) address() string { return fmt.Sprintf("127.0.0.1:%d", s.Port) }

// environment returns the spec as an environment. It is the whole one: what the caller has
// in its own is none of the session's business.
func (s spec) environment() []string {
	text, err := json.Marshal(s)
	if err != nil {
		panic("encode a spec: " + err.Error()) // it has only strings and numbers
	}
	return []string{variable + "=" + string(text)}
}

// parseSpec returns the spec that a variable holds.
func parseSpec(text string) (s spec, err error) {
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		return spec{}, err
	}
	if !isName(s.Run) || !isName(s.Session) || s.Generation == 0 || s.Port == 0 || s.Ends == 0 {
		return spec{}, errors.New("it is incomplete")
	}
	return s, nil
}

// left returns how much of its life a session has left.
func (s spec) left() time.Duration {
	now, err := monotonic()
	if err != nil {
		return 0
	}
	return time.Duration(s.Ends - now)
}

// monotonic reads the clock that the processes of a machine have in common. It doesn't
// count the time for which the machine sleeps.
func monotonic() (int64, error) {
	var now unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &now); err != nil {
		return 0, os.NewSyscallError("clock_gettime", err)
	}
	return now.Nano(), nil
}
