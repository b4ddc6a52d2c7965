package session

import (
	"context"
	"errors"
	"fmt"
)

// Remove ends the session, with everything in it, and verifies by an Inventory of its own
// that nothing of it is left. To remove it again only verifies again.
//
// The identity is that of the session which the caller wants to be removed, from wherever it
// knows it. If it is not this session's, or if the process with the number of the one that
// was created is not that one any more, the error matches ErrRefused, and nothing is touched.
// If what has become of the session could not be seen, also because the context ended, the
// error matches ErrUnknown. Only nil says that it is gone.
func (s *Session) Remove(ctx context.Context, want Identity) error {
	if err := s.remove(ctx, want, machine()); err != nil {
		return fmt.Errorf("remove %s: %w", want.text(), err)
	}
	return nil
}

func (s *Session) remove(ctx context.Context, want Identity, proc source) error {
	if have := s.Identity(); want != have {
		return fmt.Errorf("%w: this is %s: ask for it as it is now, or leave it alone", ErrRefused, have.text())
	}
	if ctx.Err() != nil {
		return fmt.Errorf("%w: nothing was done: %w", ErrUnknown, context.Cause(ctx))
	}
	if err := s.end(ctx, proc); err != nil {
		return err
	}
	return s.verify(ctx, proc)
}

// end kills the session if it has not ended, and waits for its end.
func (s *Session) end(ctx context.Context, proc source) error {
	select {
	case <-s.ended:
		return nil
	default:
	}
	if err := s.recheck(proc); err != nil {
		return err
	}
	s.kill()
	select {
	case <-s.ended:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("%w: it was killed, and its end was not seen: %w", ErrUnknown, context.Cause(ctx))
	}
}

// recheck compares what has the number of the created process with the record. There's
// no need to, for the handle's sake: it is to see a record that is wrong.
func (s *Session) recheck(proc source) error {
	now, err := proc.record(s.creation.pid)
	switch {
	case gone(err):
		return nil // it ends by itself
	case err != nil:
		return fmt.Errorf("%w: nothing was done: %w", ErrUnknown, err)
	case now != s.creation:
		return fmt.Errorf("%w: process %d is not the one that was created: look for the session by its run", ErrRefused, s.creation.pid)
	}
	return nil
}

// verify returns nil if a successful inventory has nothing of this session. Everything in a
// PID namespace is gone before its PID 1 can be waited for, so that once is enough.
func (s *Session) verify(ctx context.Context, proc source) error {
	all, err := proc.inventory(ctx, s.spec.Run)
	if err != nil {
		return err
	}
	for _, p := range all {
		if p.Namespace == s.creation.namespace {
			return errors.New("it was ended, and is still there: " + p.Role)
		}
	}
	return nil
}
