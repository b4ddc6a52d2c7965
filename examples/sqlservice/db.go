package sqlservice

import (
	"context"
	"crypto/rand"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	mathrand "math/rand/v2"
	"strings"
	"time"

	"github.com/ncruces/go-sqlite3/vfs/memdb"
)

// ErrOutcomeUnknown is the error of an operation whose transaction was being committed
// when the connection or the context ended: it happened as a whole or not at all, and
// only the database knows. Complete can be asked again with the same request. After any
// other error nothing has been written.
var ErrOutcomeUnknown = errors.New("the outcome of the commit is unknown")

//go:embed schema.sql
var schema string

// A DB is a database that has the service's tables. It can be used by several goroutines.
type DB struct {
	sql        *sql.DB
	dialect    dialect
	statements statements
	memory     string // the name of a database in memory, or empty
}

// Open connects to a database and creates the tables that it lacks. The source is the URL
// of a PostgreSQL database, postgres://…, or a file of SQLite: a name, a file: URI, or
// ":memory:" for a database of its own that ends with Close.
func Open(ctx context.Context, source string) (*DB, error) {
	db := &DB{statements: statements{byText: map[string]*sql.Stmt{}}}
	if source == memory {
		source = db.inMemory()
	}
	var name string
	db.dialect, name = dialectOf(source)
	pool, err := sql.Open(db.dialect.driver, name)
	if err != nil {
		return nil, fmt.Errorf("open database: %w", err)
	}
	if db.sql = pool; db.memory != "" {
		pool.SetMaxOpenConns(1) // they would only wait for each other
	}
	err = db.write(ctx, func(tx *tx) error {
		for _, statement := range append([]string{db.dialect.alone}, strings.Split(schema, ";")...) {
			if strings.TrimSpace(statement) == "" {
				continue
			}
			if _, err := tx.sql.ExecContext(ctx, statement); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		db.Close()
		return nil, fmt.Errorf("create tables: %w", err)
	}
	return db, nil
}

// memory is the source of a database that is nobody else's, and gone when closed.
const memory = ":memory:"

// inMemory makes such a database and returns its source. What SQLite itself calls
// :memory: belongs to a connection, which is given up when a context ends.
func (db *DB) inMemory() (source string) {
	db.memory = rand.Text()
	memdb.Create(db.memory, nil)
	return "file:/" + db.memory + "?vfs=memdb"
}

// Close closes all connections.
func (db *DB) Close() error {
	err := db.sql.Close()
	if db.memory != "" {
		memdb.Delete(db.memory)
	}
	return err
}

// errNothing is returned by a function in a transaction that has nothing to write, and
// wants it rolled back.
var errNothing = errors.New("nothing to write")

// tries is how often a transaction that had to give way to another one is tried.
const tries = 12

// write runs f in a transaction and commits it. It may run f several times, when the
// database gives precedence to another transaction. If f returns errNothing, write rolls
// back and returns nil.
func (db *DB) write(ctx context.Context, f func(*tx) error) error {
	for try := 1; ; try++ {
		err := db.once(ctx, f)
		switch {
		case errors.Is(err, errNothing):
			return nil
		case err == nil || try == tries || errors.Is(err, ErrOutcomeUnknown) || !db.dialect.rolledBack(err):
			return err
		}
		if err := giveWay(ctx, try); err != nil {
			return err
		}
	}
}

// giveWay waits before another try, so that those that got into each other's way do not do
// so again.
func giveWay(ctx context.Context, try int) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(mathrand.N(time.Millisecond << min(try, 6))):
		return nil
	}
}

func (db *DB) once(ctx context.Context, f func(*tx) error) error {
	begun, err := db.sql.BeginTx(ctx, &sql.TxOptions{Isolation: db.dialect.isolation})
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	tx := &tx{ctx: ctx, sql: begun, db: db}
	defer func() { db.prepare(ctx, tx.missed) }()
	if err := f(tx); tx.err == nil {
		tx.err = err
	}
	if tx.err == nil {
		tx.err = ctx.Err() // while it is still certain that nothing is committed
	}
	if tx.err != nil {
		// Where the connection is lost this fails, and the database rolls back by itself.
		begun.Rollback()
		return tx.err
	}
	if err := begun.Commit(); err != nil && !db.dialect.rolledBack(err) {
		return fmt.Errorf("%w: %w", ErrOutcomeUnknown, err)
	} else if err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	return nil
}
