package session

import (
	"crypto/rand"
	"errors"
	"fmt"
	"time"
)

// What callers tell apart. Every other error says that something failed.
var (
	// ErrUnsupported says that the system has no sessions, or refuses them. Nothing is left
	// behind, and the text has the step that was refused and the system's reason.
	ErrUnsupported = errors.New("sessions are not possible here")

	// ErrRefused says that a removal was not made, because what it asks for is not what is
	// there. Nothing was touched.
	ErrRefused = errors.New("removal refused")

	// ErrUnknown says that it could not be told what is there: neither presence nor absence
	// follows.
	ErrUnknown = errors.New("UNKNOWN")
)

// An Identity says whose a session is. Identities are compared with ==.
type Identity struct {
	Run        string `json:"run"`        // of everything that was started together
	Session    string `json:"session"`    // within the run
	Generation uint64 `json:"generation"` // of this session: a restarted one has a higher one
}

// text is no String method: what embeds an Identity would get it, too, and lose the rest.
func (i Identity) text() string {
	return fmt.Sprintf("session %s of run %s, generation %d", i.Session, i.Run, i.Generation)
}

// An Answer is what the service of a session says of itself.
type Answer struct {
	Identity
	Build string `json:"build"`
}

// A Process is one of a session's processes.
type Process struct {
	Identity
	Role string `json:"role"` // one of "init", "sleep", "query", "bind", "processes"; or "setup", which becomes "init"

	// Its number, its parent's, and that of the leader of its OS session, as the reader's
	// PID namespace has them: 0 is one outside of it.
	PID    int `json:"pid"`
	Parent int `json:"parent"`
	Leader int `json:"leader"`

	Start     uint64 `json:"start"`     // in clock ticks since the machine's boot
	Namespace string `json:"namespace"` // its PID namespace, in the kernel's form
}

// Options say what to start. Names are of at most 64 letters, digits, dots, underscores and
// hyphens.
type Options struct {
	Run        string        // by default a random one
	Session    string        // by default "session"
	Generation uint64        // by default 1
	Build      string        // the marker of the build that serves; by default "none"
	Port       int           // by default 3187; below 1024 it can't be served
	Lifetime   time.Duration // by default 90 s; at least 1 s, at most 10 min
}

// The bounds and defaults of a session.
const (
	defaultPort     = 3187
	defaultLifetime = 90 * time.Second
	minLifetime     = time.Second
	maxLifetime     = 10 * time.Minute
	maxName         = 64
)

// complete returns the options with the defaults filled in. The error names the option.
func (o Options) complete() (Options, error) {
	if o.Run == "" {
		o.Run = rand.Text()
	}
	if o.Session == "" {
		o.Session = "session"
	}
	if o.Build == "" {
		o.Build = "none"
	}
	if o.Generation == 0 {
		o.Generation = 1
	}
	if o.Port == 0 {
		o.Port = defaultPort
	}
	if o.Lifetime == 0 {
		o.Lifetime = defaultLifetime
	}
	for _, n := range []struct{ what, name string }{{"run", o.Run}, {"session", o.Session}, {"build", o.Build}} {
		if !isName(n.name) {
			return o, fmt.Errorf("%s %q: use at most %d letters, digits, dots, underscores and hyphens", n.what, n.name, maxName)
		}
	}
	if o.Port < 1 || o.Port > 1<<16-1 {
		return o, fmt.Errorf("port %d: use 1 to 65535", o.Port)
	}
	if o.Lifetime < minLifetime || o.Lifetime > maxLifetime {
		return o, fmt.Errorf("lifetime %v: use %v to %v", o.Lifetime, minLifetime, maxLifetime)
	}
	return o, nil
}

// isName reports whether s can stand in a command line, an environment and a message
// without being quoted.
func isName(s string) bool {
	for _, c := range []byte(s) {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '.', c == '_', c == '-':
		default:
			return false
		}
	}
	return 0 < len(s) && len(s) <= maxName
}
