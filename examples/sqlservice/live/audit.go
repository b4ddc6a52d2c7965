package live

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"strings"
)

// An auditor reads the tables past the service, whose own way to read them may hide what
// is wrong with how it writes them.
type auditor struct {
	db      *sql.DB
	options sql.TxOptions
}

// openAuditor connects to the service's database, of either kind.
func openAuditor(source string) (*auditor, error) {
	a := &auditor{options: sql.TxOptions{ReadOnly: true}}
	driver := "sqlite3"
	if isPostgres(source) {
		driver = "pgx"
		a.options.Isolation = sql.LevelRepeatableRead // all statements see what the first one does
	}
	db, err := sql.Open(driver, source)
	a.db = db
	return a, err
}

func isPostgres(source string) bool { return strings.HasPrefix(source, "postgres") }

// A snapshot is what the tables have about a task at one moment.
type snapshot struct {
	status    string
	requests  []entry
	audit     []entry
	versions  []version // of everything that can be published, by path and revision
	pointers  []version
	published map[string]int64 // by the completion that the first request is about
	candidate candidate        // of that
}

// An entry is a request or, without a document, in the audit trail.
type entry struct{ caller, request, receipt, document string }

// A version is one of a path.
type version struct {
	path     string
	revision int64
	content  string
	writer   string
}

// A candidate is what of one is audited.
type candidate struct {
	Content string
	Bases   map[string]int64
}

// read reads a snapshot of a task.
func (a *auditor) read(ctx context.Context, task string) (s snapshot, err error) {
	tx, err := a.db.BeginTx(ctx, &a.options)
	if err != nil {
		return s, fmt.Errorf("begin audit: %w", err)
	}
	defer tx.Rollback() // nothing was written
	if s, err = readIn(ctx, tx, task); err != nil {
		return s, fmt.Errorf("audit task %q: %w", task, err)
	}
	return s, nil
}

// readIn reads a snapshot in a transaction.
func readIn(ctx context.Context, tx *sql.Tx, task string) (s snapshot, err error) {
	q := reader{ctx: ctx, tx: tx}
	var project string
	q.rows(`SELECT project, status FROM tasks WHERE id = $1`, []any{task}, func() []any { return []any{&project, &s.status} })
	q.rows(`SELECT '', id, receipt, document FROM requests WHERE task = $1 ORDER BY seq`, []any{task},
		func() []any { return grow(&s.requests).fields() })
	q.rows(`SELECT caller, request, receipt, '' FROM audit WHERE task = $1 AND action = 'completed' ORDER BY seq`, []any{task},
		func() []any { return grow(&s.audit).fields() })
	q.rows(`SELECT path, revision, content, writer FROM versions WHERE project = $1 ORDER BY path, revision`, []any{project},
		func() []any { return grow(&s.versions).fields() })
	q.rows(`SELECT path, revision, content, '' FROM artifacts WHERE project = $1 AND target = '' ORDER BY path`, []any{project},
		func() []any { return grow(&s.pointers).fields() })
	if len(s.requests) > 0 {
		var done struct {
			Candidate string
			Published map[string]int64
		}
		q.decode(s.requests[0].document, &done)
		s.published = done.Published
		var document string
		q.rows(`SELECT document FROM candidates WHERE project = $1 AND digest = $2`, []any{project, done.Candidate},
			func() []any { return []any{&document} })
		q.decode(document, &s.candidate)
	}
	return s, q.err
}

func (e *entry) fields() []any   { return []any{&e.caller, &e.request, &e.receipt, &e.document} }
func (v *version) fields() []any { return []any{&v.path, &v.revision, &v.content, &v.writer} }

// grow adds a zero element to a list, and returns it.
func grow[T any](list *[]T) *T {
	*list = append(*list, *new(T))
	return &(*list)[len(*list)-1]
}

// A reader reads in a transaction until something fails.
type reader struct {
	ctx context.Context
	tx  *sql.Tx
	err error
}

// rows reads each row that a query finds into what next returns.
func (q *reader) rows(query string, args []any, next func() []any) {
	if q.err != nil {
		return
	}
	rows, err := q.tx.QueryContext(q.ctx, query, args...)
	if err != nil {
		q.err = err
		return
	}
	defer rows.Close()
	for rows.Next() && q.err == nil {
		q.err = rows.Scan(next()...)
	}
	if q.err == nil {
		q.err = rows.Err()
	}
}

func (q *reader) decode(document string, into any) {
	if q.err == nil {
		q.err = json.Unmarshal([]byte(document), into)
	}
}
