package sqlservice

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
)

// Errors that say what stands in the way of an operation. It has changed nothing then.
var (
	ErrUnknown = errors.New("there is no such thing")
	ErrEnded   = errors.New("the task has ended")
	ErrLost    = errors.New("the attempt is not the current one, or its lease has run out")
)

// The statuses of a task.
const (
	running   = "running"
	completed = "completed"
	cancelled = "cancelled"
	failed    = "failed"
)

// A task is its row.
type task struct {
	id, project, status string
	contract            string
	owner               Attempt
	leaseUntil          int64
	lastInner           int64
	lastFence           int64
	authority           int64
}

// hold reads a task and keeps everybody else from changing it, or anything that hangs on
// it, until the transaction ends.
func (tx *tx) hold(id string) (t task, found bool) {
	t.id, t.owner.Task = id, id
	found = tx.row(`SELECT project, status, contract, outer_id, inner_id, fence, incarnation, principal,
			lease_until, last_inner, last_fence, authority
		FROM tasks WHERE id = $1`+tx.db.dialect.forUpdate, []any{id},
		&t.project, &t.status, &t.contract, &t.owner.Outer, &t.owner.Inner, &t.owner.Fence, &t.owner.Incarnation, &t.owner.Principal,
		&t.leaseUntil, &t.lastInner, &t.lastFence, &t.authority)
	return t, found
}

// holdKnown is hold for a task that has to be there.
func (tx *tx) holdKnown(id string) task {
	t, found := tx.hold(id)
	if !found && tx.err == nil {
		tx.err = fmt.Errorf("task %q: %w", id, ErrUnknown)
	}
	return t
}

// CreateTask creates a task and assigns it to principal. Its contract names it.
func (s *Service) CreateTask(ctx context.Context, project, principal string, c Contract) (Attempt, error) {
	first := Attempt{Task: c.Task, Principal: principal, Outer: 1, Inner: 1, Fence: 1, Incarnation: 1}
	err := s.db.write(ctx, func(tx *tx) error {
		tx.pin(project, c)
		tx.exec(`INSERT INTO tasks (id, project, status, contract, outer_id, inner_id, fence, incarnation, principal,
				lease_until, last_inner, last_fence, authority)
			VALUES ($1, $2, $3, $4, 1, 1, 1, 1, $5, $6, 1, 1, 1)`,
			c.Task, project, running, c.Digest(), principal, s.later())
		tx.note(project, first)
		return nil
	})
	return first, wrap(err, "create task %q", c.Task)
}

// Claim assigns the task to principal, as a new try with a live lease, whoever has it now:
// whether it should be theirs is the scheduler's decision.
func (s *Service) Claim(ctx context.Context, id, principal string) (Attempt, error) {
	return s.assign(ctx, "claim", id, func(t *task) { t.lastInner++; t.owner.Principal = principal })
}

// Reclaim assigns the task anew to the principal that has it, as when another process of
// theirs takes over.
func (s *Service) Reclaim(ctx context.Context, id string) (Attempt, error) {
	return s.assign(ctx, "reclaim", id, func(t *task) { t.lastInner++ })
}

// Restage begins the stage again, with its first try at principal.
func (s *Service) Restage(ctx context.Context, id, principal string) (Attempt, error) {
	return s.assign(ctx, "restage", id, func(t *task) {
		t.owner.Outer++
		t.lastInner = 1
		t.owner.Principal = principal
	})
}

// assign gives a running task a new attempt, of which next chooses outer and inner id and
// the principal.
func (s *Service) assign(ctx context.Context, what, id string, next func(*task)) (Attempt, error) {
	var given Attempt
	err := s.db.write(ctx, func(tx *tx) error {
		t := tx.holdKnown(id)
		if tx.err == nil && t.status != running {
			return ErrEnded
		}
		next(&t)
		if tx.err == nil && t.owner.Principal == "" {
			return ErrLost
		}
		t.renumber()
		t.leaseUntil = s.later()
		tx.update(t)
		tx.note(t.project, t.owner)
		given = t.owner
		return nil
	})
	return given, wrap(err, what+" task %q", id)
}

// renumber makes the owner's attempt one that the authority has not issued, as far as it
// remembers.
func (t *task) renumber() {
	t.lastFence++
	t.owner.Inner, t.owner.Fence, t.owner.Incarnation = t.lastInner, t.lastFence, t.authority
}

// later returns when a lease that begins now runs out.
func (s *Service) later() int64 { return s.now().Add(s.lease).UnixMicro() }

// update writes a task back. The caller holds its row.
func (tx *tx) update(t task) {
	tx.exec(`UPDATE tasks SET status = $1, contract = $2, outer_id = $3, inner_id = $4, fence = $5, incarnation = $6,
			principal = $7, lease_until = $8, last_inner = $9, last_fence = $10, authority = $11
		WHERE id = $12`,
		t.status, t.contract, t.owner.Outer, t.owner.Inner, t.owner.Fence, t.owner.Incarnation,
		t.owner.Principal, t.leaseUntil, t.lastInner, t.lastFence, t.authority, t.id)
}

// note keeps an assignment, with what the principal was allowed to write by then.
func (tx *tx) note(project string, a Attempt) {
	granted := slices.Collect(maps.Keys(tx.grants(project, a.Principal)))
	slices.Sort(granted)
	tx.exec(`INSERT INTO attempts (task, seq, outer_id, inner_id, fence, incarnation, principal, granted)
		VALUES ($1, (SELECT COUNT(*) + 1 FROM attempts WHERE task = $1), $2, $3, $4, $5, $6, $7)`,
		a.Task, a.Outer, a.Inner, a.Fence, a.Incarnation, a.Principal, string(encode(granted)))
}

// pin stores a contract.
func (tx *tx) pin(project string, c Contract) {
	tx.exec(`INSERT INTO contracts (project, digest, document) VALUES ($1, $2, $3) ON CONFLICT (project, digest) DO NOTHING`,
		project, c.Digest(), string(encode(c)))
}

// wrap says what an error came out of.
func wrap(err error, what string, args ...any) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf(what+": %w", append(args, err)...)
}
