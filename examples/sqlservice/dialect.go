package sqlservice

import (
	"database/sql"
	"errors"
	"net/url"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx"
	"github.com/ncruces/go-sqlite3"
	_ "github.com/ncruces/go-sqlite3/driver" // the driver "sqlite3"
)

// A dialect is what the two databases do differently. Everything else is the same SQL.
type dialect struct {
	driver string

	// isolation is the level of transactions. Serializable is BEGIN IMMEDIATE to the
	// SQLite driver: writers come one after another from their first statement on. On
	// PostgreSQL rows are locked instead, and each statement must see what was committed
	// before it: a snapshot from before the wait for a lock would be out of date.
	isolation sql.IsolationLevel

	// placeholder is written before a parameter's number. The statements use "$".
	placeholder string

	// forUpdate ends a SELECT that locks its rows. No more than the row: references to
	// it may still be inserted, which changes nothing that a decision looks at.
	forUpdate string

	// alone is executed before the schema is created, in the same transaction, so that
	// several programs can start at a time.
	alone string

	// keepsStatements says that the driver prepares statements by itself.
	keepsStatements bool

	// rolledBack reports whether err says that the database has rolled the transaction
	// back for the sake of another one, so that it can be tried again.
	rolledBack func(err error) bool
}

var postgres = dialect{
	driver:          "pgx",
	isolation:       sql.LevelReadCommitted,
	placeholder:     "$",
	forUpdate:       " FOR NO KEY UPDATE",
	alone:           "SELECT pg_advisory_xact_lock(7291455016)",
	keepsStatements: true,
	rolledBack: func(err error) bool {
		var e *pgconn.PgError
		return errors.As(err, &e) && (e.Code == serializationFailure || e.Code == deadlockDetected)
	},
}

// SQLSTATEs of PostgreSQL.
const (
	serializationFailure = "40001"
	deadlockDetected     = "40P01"
)

var sqlite = dialect{
	driver:      "sqlite3",
	isolation:   sql.LevelSerializable,
	placeholder: "?",
	rolledBack: func(err error) bool {
		return errors.Is(err, sqlite3.BUSY) || errors.Is(err, sqlite3.LOCKED)
	},
}

// dialectOf returns the dialect of a data source, and what its driver calls that.
func dialectOf(source string) (dialect, string) {
	switch {
	case strings.HasPrefix(source, "postgres://"), strings.HasPrefix(source, "postgresql://"):
		return postgres, source
	case !strings.HasPrefix(source, "file:"):
		source = "file:" + (&url.URL{Path: source}).EscapedPath()
	}
	// What waits has to be set before anything that may have to: first.
	file, query, _ := strings.Cut(source, "?")
	return sqlite, strings.TrimSuffix(file+"?_pragma=busy_timeout(10000)&_pragma=foreign_keys(1)&"+query, "&")
}

// write returns a statement as the dialect has it.
func (d *dialect) write(statement string) string {
	if d.placeholder == "$" {
		return statement
	}
	return strings.ReplaceAll(statement, "$", d.placeholder)
}
