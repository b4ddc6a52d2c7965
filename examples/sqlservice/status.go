package sqlservice

import "context"

// alter changes a task by change, which returns why it doesn't or nil.
func (s *Service) alter(ctx context.Context, what, id string, change func(t *task, tx *tx) error) error {
	err := s.db.write(ctx, func(tx *tx) error {
		t := tx.holdKnown(id)
		if tx.err != nil {
			return nil
		}
		if err := change(&t, tx); err != nil {
			return err
		}
		tx.update(t)
		return nil
	})
	return wrap(err, what+" task %q", id)
}

// Renew prolongs the lease of the current attempt, if it is a and is live.
func (s *Service) Renew(ctx context.Context, a Attempt) error {
	return s.alter(ctx, "renew lease of", a.Task, func(t *task, _ *tx) error {
		if t.status != running || t.owner != a || s.now().UnixMicro() >= t.leaseUntil {
			return ErrLost
		}
		t.leaseUntil += s.lease.Microseconds()
		return nil
	})
}

// Cancel ends a running task.
func (s *Service) Cancel(ctx context.Context, id string) error {
	return s.alter(ctx, "cancel", id, func(t *task, _ *tx) error {
		if t.status != running {
			return ErrEnded
		}
		t.status = cancelled
		return nil
	})
}

// Migrate pins a running task to another contract.
func (s *Service) Migrate(ctx context.Context, c Contract) error {
	return s.alter(ctx, "migrate", c.Task, func(t *task, tx *tx) error {
		if t.status != running {
			return ErrEnded
		}
		t.contract = c.Digest()
		tx.pin(t.project, c)
		return nil
	})
}

// Fail ends a running task for which caller reports that the attempt failed. Only the
// current attempt's own report counts, and only if the authority's present incarnation
// assigned it: whoever has lost the task has no part in how it ends.
func (s *Service) Fail(ctx context.Context, caller string, a Attempt) error {
	return s.alter(ctx, "fail", a.Task, func(t *task, _ *tx) error {
		if t.status != running || t.owner != a || a.Principal != caller || a.Incarnation != t.authority {
			return ErrLost
		}
		t.status = failed
		return nil
	})
}

// A Loss is what a task's authority no longer knows when it starts again.
type Loss struct {
	Fences   bool // it counts fences from the start
	Attempts bool // it issues the inner ids of attempts again
	Restored bool // it comes from a backup, and begins a new incarnation
}

// Restart notes that the task's authority has started again.
func (s *Service) Restart(ctx context.Context, id string, lost Loss) error {
	return s.alter(ctx, "restart authority of", id, func(t *task, _ *tx) error {
		if lost.Fences {
			t.lastFence = 0
		}
		if lost.Attempts {
			t.lastInner = 0
		}
		if lost.Restored {
			t.authority++
		}
		return nil
	})
}

// A Sighting is what a sweeper saw of a task.
type Sighting struct {
	Running bool
	Attempt Attempt
}

// Look returns what a sweeper needs for Sweep.
func (s *Service) Look(ctx context.Context, id string) (Sighting, error) {
	var seen Sighting
	err := s.db.write(ctx, func(tx *tx) error {
		t := tx.holdKnown(id)
		seen = Sighting{Running: t.status == running, Attempt: t.owner}
		return errNothing
	})
	return seen, wrap(err, "look at task %q", id)
}

// Sweep puts a task back into the queue, where it is nobody's, if the attempt that was
// seen running still runs and its lease has run out. It reports whether it did.
func (s *Service) Sweep(ctx context.Context, seen Sighting) (swept bool, err error) {
	if !seen.Running {
		return false, nil
	}
	err = s.alter(ctx, "sweep", seen.Attempt.Task, func(t *task, _ *tx) error {
		swept = t.status == running && t.owner == seen.Attempt && s.now().UnixMicro() >= t.leaseUntil
		if !swept {
			return errNothing
		}
		t.lastInner++
		t.owner.Principal = "" // and the lease stays dead
		t.renumber()
		return nil
	})
	return swept, err
}
