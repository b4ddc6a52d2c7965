package live

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	service "sqlservice.example"
)

// kill ends a random one of the service's connections whenever it is time for that, until
// the context ends.
func (r *run) kill(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-r.deadly:
		}
		time.Sleep(rand.N(jitter)) // not just when an operation has ended
		var busy, done bool
		err := r.auditor.db.QueryRowContext(ctx, `SELECT COALESCE(state <> 'idle', false), pg_terminate_backend(pid) FROM (
				SELECT pid, state FROM pg_stat_activity WHERE application_name = $1 ORDER BY random() LIMIT 1
			) AS one`, r.name).Scan(&busy, &done)
		switch {
		case ctx.Err() != nil:
			return
		case errors.Is(err, sql.ErrNoRows): // there is none at the moment
		case err != nil:
			r.stop(fmt.Errorf("kill a connection: %w", err))
		case done:
			r.tally(func(c *Counts) {
				c.Killed++
				if busy {
					c.KilledBusy++
				}
			})
		}
	}
}

// jitter is about as long as an operation takes.
const jitter = 4 * time.Millisecond

// bound returns a context that may end early.
func (r *run) bound(ctx context.Context) (context.Context, context.CancelFunc) {
	if r.options.Cancel > 0 && rand.IntN(r.options.Cancel) == 0 {
		return context.WithTimeout(ctx, rand.N(r.options.Patience))
	}
	return context.WithCancel(ctx)
}

// failed takes note of an operation that has ended with an error: it stops the run,
// unless the run itself is the cause of that, and has the task audited.
func (r *run) failed(ctx, bounded context.Context, t *task, in Input, err error) {
	if ctx.Err() != nil {
		return // the run is stopping
	}
	if bounded.Err() == nil && !r.caused(err) {
		r.stop(fmt.Errorf("%v of task %q: %w", in, t.id, err))
		return
	}
	r.tally(func(c *Counts) {
		switch {
		case !errors.Is(err, service.ErrOutcomeUnknown):
			c.Struck++
		case in.Event.Kind.Decides():
			c.UnknownCommits++
			fallthrough
		default:
			c.Unknown++
		}
	})
	r.audit(ctx, t)
}

// caused reports whether an error can come of what the run does to connections. PostgreSQL
// says if it was told to end one; otherwise a connection is just gone.
func (r *run) caused(err error) bool {
	var e *pgconn.PgError
	switch {
	case errors.Is(err, service.ErrUnknown):
		return false
	case errors.As(err, &e):
		return r.options.Kill > 0 && e.Code == adminShutdown
	case isPostgres(r.options.Source):
		return r.options.Kill > 0 || r.options.Cut > 0
	}
	return false
}

// adminShutdown is PostgreSQL's SQLSTATE for that.
const adminShutdown = "57P01"
