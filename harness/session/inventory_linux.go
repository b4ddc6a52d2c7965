package session

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"time"
)

// Inventory returns the processes of a run that are there, by their numbers. It uses no
// handle of any session, and finds also what another program has started: it goes through
// the processes of the machine, and takes those which have the run in their environment and
// are in another PID namespace than the caller.
//
// An error matches ErrUnknown: the inventory was unsuccessful, and what is missing in it may
// be there. It is one if anything could not be read that may belong to the run: a process
// of the caller's user in another PID namespace; or if /proc is not that of the caller's own
// one. What ends meanwhile is not there. Sessions of another user can be found only by one
// who may read that user's processes.
func Inventory(ctx context.Context, run string) ([]Process, error) {
	if !isName(run) {
		return nil, fmt.Errorf("make an inventory: %q is no run: give the one of Options or Identity", run)
	}
	return machine().inventory(ctx, run)
}

// unsuccessful says what an inventory could not read.
func unsuccessful(what string, err error) error {
	return fmt.Errorf("%w: the inventory was unsuccessful: read %s: %w", ErrUnknown, what, err)
}

func (s source) inventory(ctx context.Context, run string) (found []Process, err error) {
	if err := s.own(); err != nil {
		return nil, unsuccessful("the own processes", err)
	}
	own, err := s.namespace("self")
	if err != nil {
		return nil, unsuccessful("the own PID namespace", err)
	}
	pids, err := s.pids()
	if err != nil {
		return nil, unsuccessful("the processes", err)
	}
	for _, pid := range pids {
		if ctx.Err() != nil {
			return nil, unsuccessful("all processes", context.Cause(ctx))
		}
		p, err := s.settled(pid)
		switch {
		case gone(err):
		case err != nil:
			return nil, unsuccessful("process "+strconv.Itoa(pid), err)
		case p.Run == run && p.Namespace != own:
			found = append(found, p)
		}
	}
	return found, nil
}

// How long a process gets that can't be told yet.
const (
	settleTries = 250
	settlePause = time.Millisecond
)

// settled returns a process, or one without an identity if it is no session's. It gives
// some time to what is between two programs, and to what may not be read: the latter is, for
// a user without privileges, also what is ending, and has no memory any more.
func (s source) settled(pid int) (p Process, err error) {
	for range settleTries {
		p, err = s.look(pid)
		if err != errUnsettled && !errors.Is(err, fs.ErrPermission) {
			return p, err
		}
		time.Sleep(settlePause)
	}
	return p, err
}

// look returns what is to be seen of a process now.
func (s source) look(pid int) (none Process, err error) {
	st, err := s.status(strconv.Itoa(pid))
	if err != nil || st.levels < 2 {
		return none, err // not in a PID namespace below the reader's
	}
	line, err := s.stat(pid)
	if err != nil {
		return none, err
	}
	if line.ended() {
		return none, errGone
	}
	sp, marked, settled, err := s.spec(pid)
	switch {
	case errors.Is(err, fs.ErrPermission) && !slices.Contains(st.uids, strconv.Itoa(s.uid)):
		return none, nil // another user's
	case err != nil:
		return none, err
	case !marked && !settled:
		return none, errUnsettled
	case !marked:
		return none, nil
	}
	return s.describe(pid, sp)
}

// list returns every process that is to be seen and belongs to a session.
func (s source) list() (found []Process, err error) {
	pids, err := s.pids()
	if err != nil {
		return nil, err
	}
	for _, pid := range pids {
		sp, marked, _, err := s.spec(pid)
		if err == nil && marked {
			var p Process
			if p, err = s.describe(pid, sp); err == nil {
				found = append(found, p)
			}
		}
		if err != nil && !gone(err) {
			return nil, fmt.Errorf("process %d: %w", pid, err)
		}
	}
	return found, nil
}
