package sqlservice

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

// onEachShared is onEach for tests that do several things at once: there is a database of
// SQLite with one connection, and one that is a file with several.
func onEachShared(t *testing.T, test func(t *testing.T, db *DB)) {
	opened := func(t *testing.T, source string) {
		db, err := Open(t.Context(), source)
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		test(t, db)
	}
	t.Run("memory", func(t *testing.T) { opened(t, memory) })
	t.Run("sqlite", func(t *testing.T) {
		opened(t, "file:"+filepath.Join(t.TempDir(), "tasks.db")+"?_pragma=synchronous(off)")
	})
	t.Run("postgres", func(t *testing.T) { opened(t, postgresSource(t)) })
}

// ready returns a task in a project of its own and a request that is eligible.
func ready(t *testing.T, s *Service, project string) Request {
	t.Helper()
	ctx := t.Context()
	err := s.CreateProject(ctx, Project{
		ID: project, Input: "21", Artifacts: map[string][]byte{"out/a": []byte("draft\n")},
		Checkers: map[string]string{"tests": "doubles"}, Grants: map[string][]string{workerA: {"out/a"}, workerB: {"out/a"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return readyIn(t, s, project, project+" task")
}

// readyIn is ready for another task of a project.
func readyIn(t *testing.T, s *Service, project, task string) Request {
	t.Helper()
	ctx := t.Context()
	a, err := s.CreateTask(ctx, project, workerA, Contract{Task: task, Criteria: []string{"tests"}, Scope: "out"})
	if err != nil {
		t.Fatal(err)
	}
	now, err := s.Read(ctx, task)
	if err != nil {
		t.Fatal(err)
	}
	c, err := s.Prepare(ctx, project, Draft{Bytes: []byte("42"), Paths: []string{"out/a"}, Inputs: now.Inputs, Members: now.Members})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Verify(ctx, Check{Attempt: a, Candidate: c.Digest(), Criterion: "tests"}); err != nil {
		t.Fatal(err)
	}
	return Request{ID: "request", Attempt: a, Contract: now.Contract, Candidate: c.Digest()}
}

// together runs functions at the same time.
func together(n int, f func(i int)) {
	var all sync.WaitGroup
	begin := make(chan struct{})
	for i := range n {
		all.Go(func() {
			<-begin
			f(i)
		})
	}
	close(begin)
	all.Wait()
}

// The same request, sent eight times at once, completes the task once, and all are
// answered with its receipt.
func TestOneRequestManyTimes(t *testing.T) {
	onEachShared(t, func(t *testing.T, db *DB) {
		s := New(db, Options{})
		for round := range 10 {
			q := ready(t, s, fmt.Sprintf("p%d", round))
			decisions, errs := make([]Decision, 8), make([]error, 8)
			together(8, func(i int) { decisions[i], errs[i] = s.Complete(t.Context(), workerA, q) })
			written := 0
			for i, d := range decisions {
				if errs[i] != nil || !d.Accepted || d.Receipt != decisions[0].Receipt {
					t.Fatalf("one is answered %+v, %v, another %+v", d, errs[i], decisions[0])
				}
				if !d.Replayed {
					written++
				}
			}
			if r, err := s.Recorded(t.Context(), q.Attempt.Task); err != nil || written != 1 || len(r.Receipts) != 1 {
				t.Fatalf("%d said that they wrote, recorded %+v, %v", written, r, err)
			}
		}
	})
}

// Four tasks of one project have candidates for the same target, and others publish it
// too. One of the tasks is completed at most, and what it published follows right upon
// the revision that its candidate is based on.
func TestNobodyPublishesBetween(t *testing.T) {
	onEachShared(t, func(t *testing.T, db *DB) {
		s := New(db, Options{})
		accepted := 0
		for round := range 25 {
			project := fmt.Sprintf("p%d", round)
			requests := []Request{ready(t, s, project)}
			for i := range 3 {
				requests = append(requests, readyIn(t, s, project, fmt.Sprintf("%s task %d", project, i)))
			}
			decisions := make([]Decision, len(requests))
			together(len(requests)+1, func(i int) {
				var err error
				if i == len(requests) {
					time.Sleep(time.Duration(round) * 50 * time.Microsecond) // sooner or later
					err = s.Publish(t.Context(), project, "another writer", "out/a", []byte("overwritten"))
				} else {
					decisions[i], err = s.Complete(t.Context(), workerA, requests[i])
				}
				if err != nil {
					t.Error(err)
				}
			})
			completions := 0
			for i, d := range decisions {
				if d.Accepted {
					completions++
					if got := published(t, db, requests[i]); got != 2 {
						t.Errorf("a candidate based on revision 1 became revision %d", got)
					}
				}
			}
			if accepted += completions; completions > 1 {
				t.Errorf("%d tasks published on the same base", completions)
			}
		}
		if accepted == 0 {
			t.Error("nothing was ever accepted")
		}
	})
}

// published returns the revision that a completion says it has published.
func published(t *testing.T, db *DB, q Request) int64 {
	t.Helper()
	var done completion
	err := db.rows(t.Context(), `SELECT document FROM requests WHERE task = $1`, []any{q.Attempt.Task}, func(scan func(...any) error) error {
		var text string
		if err := scan(&text); err != nil {
			return err
		}
		return json.Unmarshal([]byte(text), &done)
	})
	if err != nil {
		t.Fatal(err)
	}
	return done.Published["out/a"]
}

// Tasks of several projects are completed, reassigned and cancelled at once, and no
// operation fails for the others' sake. Every task has ended in one way.
func TestManyTasksAtOnce(t *testing.T) {
	onEachShared(t, func(t *testing.T, db *DB) {
		s := New(db, Options{})
		var requests []Request
		for i := range 12 {
			requests = append(requests, ready(t, s, fmt.Sprintf("p%d", i)))
		}
		together(3*len(requests), func(i int) {
			q := requests[i/3]
			var err error
			switch i % 3 {
			case 0:
				_, err = s.Complete(t.Context(), workerA, q)
			case 1:
				_, err = s.Claim(t.Context(), q.Attempt.Task, workerB)
			case 2:
				err = s.Cancel(t.Context(), q.Attempt.Task)
			}
			if err != nil && !errors.Is(err, ErrEnded) {
				t.Error(err)
			}
		})
		for _, q := range requests {
			r, err := s.Recorded(t.Context(), q.Attempt.Task)
			if err != nil || r.Status == running || (r.Status == completed) != (len(r.Receipts) == 1) {
				t.Errorf("recorded %+v, %v", r, err)
			}
		}
	})
}

// A request whose context ends at any moment is completed as a whole or not at all: if
// the error is not that the outcome is unknown, nothing was written; and the same request
// again settles it.
func TestContextEnds(t *testing.T) {
	onEachShared(t, func(t *testing.T, db *DB) {
		s := New(db, Options{})
		for round := range 40 {
			q := ready(t, s, fmt.Sprintf("p%d", round))
			ctx, cancel := context.WithTimeout(t.Context(), time.Duration(round)*100*time.Microsecond)
			d, err := s.Complete(ctx, workerA, q)
			cancel()
			settle(t, s, q, d, err)
		}
	})
}

// settle asserts what follows from how Complete returned.
func settle(t *testing.T, s *Service, q Request, d Decision, err error) {
	t.Helper()
	before, failure := s.Recorded(t.Context(), q.Attempt.Task)
	if failure != nil {
		t.Fatal(failure)
	}
	again, failure := s.Complete(t.Context(), workerA, q)
	if failure != nil || !again.Accepted {
		t.Fatalf("the same request again: %+v, %v", again, failure)
	}
	after, failure := s.Recorded(t.Context(), q.Attempt.Task)
	if failure != nil || len(after.Receipts) != 1 || after.Receipts[0] != again.Receipt {
		t.Fatalf("recorded %+v, %v; the receipt is %s", after, failure, again.Receipt)
	}
	switch {
	case err == nil && (!d.Accepted || d.Receipt != again.Receipt || !again.Replayed):
		t.Fatalf("answered %+v, and then %+v", d, again)
	case err != nil && !errors.Is(err, ErrOutcomeUnknown) && before.Status != running:
		t.Fatalf("nothing was to be written: %v; but the task is %s", err, before.Status)
	}
}

// The same for connections that an administrator kills.
func TestConnectionsAreKilled(t *testing.T) {
	source := postgresSource(t)
	db, err := Open(t.Context(), source)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	victims, err := Open(t.Context(), source+"&application_name=victim")
	if err != nil {
		t.Fatal(err)
	}
	defer victims.Close()
	s, victim := New(db, Options{}), New(victims, Options{})
	died := 0
	for round := range 60 {
		q := ready(t, s, fmt.Sprintf("p%d", round))
		var d Decision
		var err error
		together(2, func(i int) {
			if i == 0 {
				d, err = victim.Complete(t.Context(), workerA, q)
				return
			}
			time.Sleep(time.Duration(round) * 50 * time.Microsecond)
			kill(t, db)
		})
		if err != nil {
			died++
		}
		settle(t, s, q, d, err)
	}
	if died == 0 {
		t.Error("no connection died in the middle of a request")
	}
}

func kill(t *testing.T, db *DB) {
	_, err := db.sql.ExecContext(t.Context(), `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'victim'`)
	if err != nil {
		t.Error(err)
	}
}
