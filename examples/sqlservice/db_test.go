package sqlservice

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"path/filepath"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/ncruces/go-sqlite3"
)

// A broken is a database whose transactions begin, and whose commits and statements fail
// as they are told to. It counts what was asked of it.
type broken struct {
	commit, statement   []error // the first, second, … time; then there is no error
	begun, rolled, done int
}

func (b *broken) Connect(context.Context) (driver.Conn, error) { return b, nil }
func (b *broken) Driver() driver.Driver                        { return nil }
func (b *broken) Prepare(string) (driver.Stmt, error)          { return nil, errors.New("prepares nothing") }
func (b *broken) Close() error                                 { return nil }
func (b *broken) Begin() (driver.Tx, error) {
	return b.BeginTx(context.Background(), driver.TxOptions{})
}
func (b *broken) Rollback() error { b.rolled++; return nil }

func (b *broken) BeginTx(context.Context, driver.TxOptions) (driver.Tx, error) {
	b.begun++
	return b, nil
}

func (b *broken) Commit() error {
	if err := next(&b.commit); err != nil {
		return err
	}
	b.done++
	return nil
}

func (b *broken) ExecContext(context.Context, string, []driver.NamedValue) (driver.Result, error) {
	return driver.ResultNoRows, next(&b.statement)
}

func next(errs *[]error) (err error) {
	if len(*errs) > 0 {
		err, *errs = (*errs)[0], (*errs)[1:]
	}
	return err
}

func TestTransactionsAreTriedAgainOrNot(t *testing.T) {
	busy, lost := error(sqlite3.BUSY), errors.New("connection reset")
	deadlock := &pgconn.PgError{Code: deadlockDetected}
	serialization := &pgconn.PgError{Code: serializationFailure}
	killed := &pgconn.PgError{Code: "57P01"}
	forever := func(err error) (list []error) {
		for range tries {
			list = append(list, err)
		}
		return list
	}
	tests := []struct {
		name, reason string
		dialect      dialect
		database     broken
		want         error // nil if it is done
		unknown      bool
		begun        int
	}{
		{"all goes well", "once is enough", sqlite, broken{}, nil, false, 1},
		{"busy", "nothing was written", sqlite, broken{statement: []error{busy}}, nil, false, 2},
		{"busy at commit", "nothing was written", sqlite, broken{commit: []error{busy, busy}}, nil, false, 3},
		{"busy forever", "there is an end to it", sqlite, broken{statement: forever(busy)}, busy, false, tries},
		{"deadlock", "the other one went on", postgres, broken{statement: []error{deadlock}}, nil, false, 2},
		{"serialization failure at commit", "the database says that it has rolled back", postgres, broken{commit: []error{serialization}}, nil, false, 2},
		{"lost", "nothing was committed", postgres, broken{statement: []error{lost}}, lost, false, 1},
		{"lost at commit", "nobody knows", postgres, broken{commit: []error{lost}}, lost, true, 1},
		{"killed at commit", "it may have been after the commit", postgres, broken{commit: []error{killed}}, killed, true, 1},
		{"another database's deadlock", "it means nothing here", sqlite, broken{statement: []error{deadlock}}, deadlock, false, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			pool := sql.OpenDB(&tt.database)
			defer pool.Close()
			db := &DB{sql: pool, dialect: tt.dialect}
			err := db.write(t.Context(), func(tx *tx) error {
				tx.exec("UPDATE")
				tx.exec("UPDATE what follows an error is not executed")
				return nil
			})
			if !errors.Is(err, tt.want) || errors.Is(err, ErrOutcomeUnknown) != tt.unknown {
				t.Errorf("%v, want %v, unknown %v: %s", err, tt.want, tt.unknown, tt.reason)
			}
			if tt.database.begun != tt.begun || (tt.database.done == 1) != (tt.want == nil) {
				t.Errorf("begun %d times, want %d; done %d times: %s", tt.database.begun, tt.begun, tt.database.done, tt.reason)
			}
		})
	}
}

// What a function says that it does not want is rolled back, and so is what it has no
// time for.
func TestNothingIsWritten(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	refused, late := errors.New("refused"), context.Canceled
	for _, tt := range []struct {
		name string
		f    func(*tx) error
		want error
	}{
		{"nothing to write", func(*tx) error { return errNothing }, nil},
		{"refused", func(*tx) error { return refused }, refused},
		{"too late", func(*tx) error { cancel(); return nil }, late}, // the last: the context has ended then
	} {
		database := broken{}
		db := &DB{sql: sql.OpenDB(&database), dialect: postgres}
		if err := db.write(ctx, tt.f); !errors.Is(err, tt.want) || database.done != 0 || errors.Is(err, ErrOutcomeUnknown) {
			t.Errorf("%s: %v, want %v; committed %d times", tt.name, err, tt.want, database.done)
		}
		db.sql.Close()
		if database.rolled != 1 {
			t.Errorf("%s: rolled back %d times", tt.name, database.rolled)
		}
	}
}

func TestSources(t *testing.T) {
	const settings = "_pragma=busy_timeout(10000)&_pragma=foreign_keys(1)"
	for source, want := range map[string][2]string{
		"postgres://u@h/d?sslmode=disable": {"pgx", "postgres://u@h/d?sslmode=disable"},
		"postgresql://h/d":                 {"pgx", "postgresql://h/d"},
		"tasks.db":                         {"sqlite3", "file:tasks.db?" + settings},
		"/tmp/what?.db":                    {"sqlite3", "file:/tmp/what%3F.db?" + settings},
		"file:tasks.db?vfs=memdb":          {"sqlite3", "file:tasks.db?" + settings + "&vfs=memdb"},
	} {
		if d, name := dialectOf(source); d.driver != want[0] || name != want[1] {
			t.Errorf("%s is opened by %s as %s, want %s", source, d.driver, name, want)
		}
	}
}

// A database that has the tables is opened as it is; one that can't be had is an error.
func TestOpenAgain(t *testing.T) {
	file := filepath.Join(t.TempDir(), "tasks of mine.db")
	var q Request
	for i := range 2 {
		db, err := Open(t.Context(), file)
		if err != nil {
			t.Fatal(err)
		}
		s := New(db, Options{})
		if i == 0 {
			q = ready(t, s, "p")
		} else if d, err := s.Complete(t.Context(), workerA, q); err != nil || !d.Accepted {
			t.Errorf("what was stored is not there any more: %+v, %v", d, err)
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}
	for _, source := range []string{filepath.Join(file, "below", "a file"), "postgres://127.0.0.1:1/none?connect_timeout=1"} {
		if db, err := Open(t.Context(), source); err == nil {
			db.Close()
			t.Errorf("%s was opened", source)
		}
	}
}
