package sqlservice

import (
	"context"
	"database/sql"
	"fmt"
	"strconv"
	"strings"
	"sync"
)

// A tx is a transaction. The first statement that fails ends it: those after it are not
// executed, and write returns its error.
type tx struct {
	ctx    context.Context
	sql    *sql.Tx
	db     *DB
	err    error
	missed []string // statements that were not prepared
}

// exec executes a statement.
func (tx *tx) exec(statement string, args ...any) {
	if tx.err != nil {
		return
	}
	if p := tx.prepared(statement); p != nil {
		_, tx.err = p.ExecContext(tx.ctx, args...)
	} else {
		_, tx.err = tx.sql.ExecContext(tx.ctx, tx.db.dialect.write(statement), args...)
	}
	tx.err = naming(statement, tx.err)
}

// insert inserts rows, given by the values of the columns.
func (tx *tx) insert(columns string, rows ...[]any) {
	if len(rows) == 0 {
		return
	}
	var values []string
	var args []any
	for _, row := range rows {
		var numbers []string
		for _, value := range row {
			args = append(args, value)
			numbers = append(numbers, "$"+strconv.Itoa(len(args)))
		}
		values = append(values, "("+strings.Join(numbers, ", ")+")")
	}
	tx.exec("INSERT INTO "+columns+" VALUES "+strings.Join(values, ", "), args...)
}

// row reads the one row that a query finds into dest, and reports whether there is one.
func (tx *tx) row(query string, args []any, dest ...any) bool {
	found := false
	tx.rows(query, args, func(scan func(...any) error) error {
		found = true
		return scan(dest...)
	})
	return found
}

// rows calls each for every row that a query finds.
func (tx *tx) rows(query string, args []any, each func(scan func(...any) error) error) {
	if tx.err != nil {
		return
	}
	var rows *sql.Rows
	if p := tx.prepared(query); p != nil {
		rows, tx.err = p.QueryContext(tx.ctx, args...)
	} else {
		rows, tx.err = tx.sql.QueryContext(tx.ctx, tx.db.dialect.write(query), args...)
	}
	tx.err = naming(query, eachRow(rows, tx.err, each))
}

// rows is the same outside of a transaction: a single statement sees one moment. It is
// tried again if it has to give way to a transaction before there is a row.
func (db *DB) rows(ctx context.Context, query string, args []any, each func(scan func(...any) error) error) error {
	for try := 1; ; try++ {
		begun := false
		err := db.rowsOnce(ctx, query, args, func(scan func(...any) error) error {
			begun = true
			return each(scan)
		})
		if err == nil || begun || try == tries || !db.dialect.rolledBack(err) {
			return err
		}
		if err := giveWay(ctx, try); err != nil {
			return err
		}
	}
}

func (db *DB) rowsOnce(ctx context.Context, query string, args []any, each func(scan func(...any) error) error) error {
	db.prepare(ctx, []string{query})
	var rows *sql.Rows
	var err error
	if p := db.statements.get(query); p != nil {
		rows, err = p.QueryContext(ctx, args...)
	} else {
		rows, err = db.sql.QueryContext(ctx, db.dialect.write(query), args...)
	}
	return naming(query, eachRow(rows, err, each))
}

func eachRow(rows *sql.Rows, err error, each func(scan func(...any) error) error) error {
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := each(rows.Scan); err != nil {
			return err
		}
	}
	return rows.Err()
}

// naming says which statement an error is of, by its first words.
func naming(statement string, err error) error {
	if err == nil {
		return nil
	}
	words := strings.Fields(statement)
	return fmt.Errorf("%s …: %w", strings.Join(words[:min(len(words), 6)], " "), err)
}

// statements are those that have been prepared, by their text. The SQLite driver keeps
// none, and parsing a statement takes it longer than executing it.
type statements struct {
	mu     sync.Mutex
	byText map[string]*sql.Stmt
}

func (s *statements) get(text string) *sql.Stmt {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.byText[text]
}

// keep keeps a statement, or closes it if somebody else was faster.
func (s *statements) keep(text string, p *sql.Stmt) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.byText[text] != nil {
		p.Close()
		return
	}
	s.byText[text] = p
}

// prepared returns a statement for this transaction, or nil. It prepares none: that would
// take a second connection, and there may be one.
func (tx *tx) prepared(text string) *sql.Stmt {
	p := tx.db.statements.get(text)
	if p == nil {
		tx.missed = append(tx.missed, text)
		return nil
	}
	return tx.sql.StmtContext(tx.ctx, p)
}

// prepare prepares statements for the next time, between transactions. One that can't be
// is executed without.
func (db *DB) prepare(ctx context.Context, texts []string) {
	if db.dialect.keepsStatements {
		return
	}
	for _, text := range texts {
		if db.statements.get(text) != nil {
			continue
		}
		p, err := db.sql.PrepareContext(ctx, db.dialect.write(text))
		if err != nil {
			return
		}
		db.statements.keep(text, p)
	}
}
