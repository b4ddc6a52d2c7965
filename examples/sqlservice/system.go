package sqlservice

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"time"

	"example.com/commitpoint/conformance"
)

// A stage is what both systems play on: a service on a database of its own connections,
// with a clock that moves when it is told to, and one project with one task at a time.
type stage struct {
	db      *DB
	service *Service
	clock   int64 // microseconds
	space   string
	resets  int
	project string // empty before the first Reset

	// What is of one kind of system:
	criteria []string
	events   []event
	start    func(first Attempt) // forgets what the workers had
}

// An event is what happens in one, by its name: it is applied, or submits a request.
type event struct {
	name   string
	apply  func(context.Context) error
	submit func(context.Context) (Decision, error)
}

// period is how long a lease lasts on the stage's clock: when it moves by that, a lease
// that was not renewed runs out.
const period = time.Second

func newStage(ctx context.Context, source string, v Variant) (*stage, error) {
	db, err := Open(ctx, source)
	if err != nil {
		return nil, err
	}
	s := &stage{db: db, clock: 1, space: rand.Text()[:8]}
	s.service = New(db, Options{Variant: v, Lease: period, Now: func() time.Time { return time.UnixMicro(s.clock) }})
	return s, nil
}

// The workers, and what each may write at the start.
const (
	workerA = "a"
	workerB = "b"
)

var everything = []string{"out/a", "out/b", "secret"}

// Reset begins with a project and a task that nobody has seen before, so that whatever an
// earlier schedule has left cannot matter; and deletes the last one, so that the tables
// stay small.
func (s *stage) Reset(ctx context.Context) error {
	if err := s.leave(ctx); err != nil {
		return err
	}
	s.resets++
	s.project = fmt.Sprintf("%s %d", s.space, s.resets)
	err := s.service.CreateProject(ctx, Project{
		ID: s.project, Policy: "behavior-v1", Input: inputValue(1),
		Artifacts: map[string][]byte{"out/a": []byte("draft\n"), "out/b": []byte("draft\n"), "secret": []byte("secret\n")},
		Aliases:   map[string]string{"out/latest": "out/a"},
		Checkers:  map[string]string{"tests": "doubles", "review": "doubles"},
		Grants:    map[string][]string{workerA: everything, workerB: everything},
	})
	if err != nil {
		return err
	}
	first, err := s.service.CreateTask(ctx, s.project, workerA, s.contract(1))
	s.start(first)
	return err
}

func (s *stage) leave(ctx context.Context) error {
	if s.project == "" {
		return nil
	}
	err := s.service.DeleteProject(ctx, s.project)
	s.project = ""
	return err
}

// Close removes what is left in the database and closes the connections.
func (s *stage) Close() error {
	return errors.Join(s.leave(context.Background()), s.db.Close())
}

// contract returns a version of the task's contract.
func (s *stage) contract(version int) Contract {
	return Contract{Task: s.task(), Policy: fmt.Sprintf("behavior-v%d", version), Criteria: s.criteria, Scope: "out"}
}

func (s *stage) task() string { return s.project + " task" }

// inputValue returns the value that a revision of the input has.
func inputValue(revision int64) string { return fmt.Sprint(20 + revision) }

// expire lets one lease period pass.
func (s *stage) expire(context.Context) error {
	s.clock += period.Microseconds()
	return nil
}

// name is what reports call the system.
func (s *stage) name(of string) string { return "sqlservice " + s.service.variant.Name + ", " + of }

// names returns the events of the stage.
func (s *stage) names() []string {
	var names []string
	for _, e := range s.events {
		names = append(names, e.name)
	}
	return names
}

// named returns the event of a name, which may have a number, as in reclaim#2.
func (s *stage) named(name string) (event, error) {
	name, _, _ = strings.Cut(name, "#")
	for _, e := range s.events {
		if e.name == name {
			return e, nil
		}
	}
	return event{}, fmt.Errorf("event %q: %w", name, ErrUnknown)
}

// Apply performs an event that submits nothing.
func (s *stage) Apply(ctx context.Context, name string) error {
	e, err := s.named(name)
	if err == nil && e.apply == nil {
		err = fmt.Errorf("event %q submits a request", name)
	}
	if err != nil {
		return err
	}
	return unlessMoot(e.apply(ctx))
}

// unlessMoot drops an error that says that something cannot be done any more, to a task
// that has ended or an attempt that is not current: an event that changes nothing then.
func unlessMoot(err error) error {
	if errors.Is(err, ErrEnded) || errors.Is(err, ErrLost) {
		return nil
	}
	return err
}

// Submit performs an event that submits a request.
func (s *stage) Submit(ctx context.Context, name string) (conformance.Decision, error) {
	e, err := s.named(name)
	if err == nil && e.submit == nil {
		err = fmt.Errorf("event %q submits nothing", name)
	}
	if err != nil {
		return conformance.Decision{}, err
	}
	d, err := e.submit(ctx)
	return conformance.Decision{Accepted: d.Accepted, Receipt: d.Receipt, Refusal: d.Refusal}, err
}

// Recorded reads the task's record.
func (s *stage) Recorded(ctx context.Context) (conformance.Record, error) {
	r, err := s.service.Recorded(ctx, s.task())
	record := conformance.Record{Receipts: r.Receipts, Status: r.Status, State: r.State, Published: map[string]int{}}
	for _, path := range everything {
		record.Published[path] = int(r.Published[path]) - 1 // the first was there at the start
	}
	return record, err
}
