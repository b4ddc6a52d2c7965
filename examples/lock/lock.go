// Package lock is a design that has nothing to do with task completion, checked on the
// engine alone: clients that write under a lease. A client can be paused for longer than
// its lease lasts, and then writes although another holds the lock. A fence, a number
// that grows with every owner and that the storage remembers, keeps such a write out.
package lock

import "strings"

// An Event is "actor does", as in "a acquires".
type Event string

// A State is what the lock service and the storage know.
type State struct {
	Owner   string // who holds the lock; "" if nobody does
	Fence   int    // of the last owner
	Held    [2]int // the fence that each client got
	Highest int    // the storage: the highest fence of a write
	Stale   bool   // a write went through that was older than another
}

// A Design is the lock service with its storage.
type Design struct {
	Fenced bool // whether the storage looks at the fence
}

func (Design) Init() State { return State{} }

// Enabled blocks a client that wants a lock that another holds.
func (Design) Enabled(s State, e Event) bool {
	return !strings.HasSuffix(string(e), "acquires") || s.Owner == ""
}

// Next returns the state after e.
func (d Design) Next(s State, e Event) State {
	who, what, _ := strings.Cut(string(e), " ")
	switch what {
	case "acquires":
		s.Fence++
		s.Owner, s.Held[client(who)] = who, s.Fence
	case "expires": // the lease of whoever holds the lock
		s.Owner = ""
	case "writes":
		fence := s.Held[client(who)]
		switch {
		case fence >= s.Highest:
			s.Highest = fence
		case !d.Fenced:
			s.Stale = true
		}
	}
	return s
}

func client(name string) int { return int(name[0] - 'a') }
