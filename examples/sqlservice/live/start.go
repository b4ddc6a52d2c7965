package live

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/url"
	"time"

	service "sqlservice.example"
)

// newRun connects to the database. What it returns is to be closed, even with an error.
func newRun(ctx context.Context, o Options, stop context.CancelCauseFunc) (r *run, err error) {
	r = &run{
		options: o, stop: stop, name: "live-" + rand.Text()[:8], start: time.Now(), places: tasks,
		turns:  make(chan *worker, 2*tasks),
		deadly: make(chan struct{}, 1),
		counts: Counts{Answers: map[string]int{}},
	}
	if r.steady, err = service.Open(ctx, o.Source); err != nil {
		return r, err
	}
	if r.auditor, err = openAuditor(o.Source); err != nil {
		return r, err
	}
	sources, err := r.sources()
	if err != nil {
		return r, err
	}
	for _, source := range sources {
		db, err := service.Open(ctx, source)
		if err != nil {
			return r, err
		}
		r.shaken = append(r.shaken, db)
	}
	return r, nil
}

// sources returns where each pool connects to. PostgreSQL knows the connections by the
// run's name; those of the last pool lead through the cutter.
func (r *run) sources() (list []string, err error) {
	for range pools {
		list = append(list, r.options.Source)
	}
	if !isPostgres(r.options.Source) {
		return list, nil
	}
	u, err := url.Parse(r.options.Source)
	if err != nil {
		return nil, fmt.Errorf("source: %w", err)
	}
	query := u.Query()
	query.Set("application_name", r.name)
	u.RawQuery = query.Encode()
	for i := range list {
		list[i] = u.String()
	}
	if r.options.Cut > 0 {
		if r.cutter, err = newCutter(u.Host, r.options.Cut); err != nil {
			return nil, err
		}
		u.Host = r.cutter.listener.Addr().String()
		list[pools-1] = u.String()
	}
	return list, nil
}

// elapsed returns the time since the run began, in nanoseconds.
func (r *run) elapsed() int64 { return int64(time.Since(r.start)) }

func (r *run) close() error {
	var list []error
	for _, db := range r.shaken {
		list = append(list, db.Close())
	}
	if r.steady != nil {
		list = append(list, r.steady.Close())
	}
	if r.auditor != nil {
		list = append(list, r.auditor.db.Close())
	}
	if r.cutter != nil {
		list = append(list, r.cutter.Close())
	}
	return errors.Join(list...)
}
