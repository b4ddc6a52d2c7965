package live

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"sync"
	"sync/atomic"
	"time"

	"github.com/anishathalye/porcupine"

	"example.com/commitpoint/model/contract"
	service "sqlservice.example"
)

// A task is one that several clients work on at a time, with everything of its own: a
// project, a clock, and several services, which could be processes of their own.
type task struct {
	run     *run
	id      string
	project string
	clock   atomic.Int64 // microseconds
	workers [2]*worker
	others  *service.Service
	users   int // who may still act on it, counted by the run

	// What is only one client's.
	seen  service.Sighting // the sweeper's
	edits int64            // the editor's
	pins  uint8            // the administrator's: versions of the contract

	mu         sync.Mutex
	versions   map[string]uint8 // of the contract, by digest
	operations []porcupine.Operation
	end        int             // how many operations it may have
	given      map[string]bool // the receipts that clients were given
}

// period is how long a lease lasts on a task's clock.
const period = time.Second

// Who has grants, and for what.
var everything = []string{contract.OutA.String(), contract.OutB.String(), contract.Secret.String()}

// newTask creates a task for worker a, as the model has it at the start.
func (r *run) newTask(ctx context.Context, number int) (*task, error) {
	t := &task{
		run: r, project: fmt.Sprintf("project %d of %s", number, r.name), pins: 1,
		versions: map[string]uint8{}, end: length, given: map[string]bool{},
	}
	t.id = t.project + ", task"
	t.clock.Store(1)
	setup := t.service(r.steady)
	err := setup.CreateProject(ctx, service.Project{
		ID: t.project, Policy: "behavior-v1", Input: "21",
		Artifacts: map[string][]byte{"out/a": []byte("draft\n"), "out/b": []byte("draft\n"), "secret": []byte("secret\n")},
		Aliases:   map[string]string{"out/latest": "out/a"},
		Checkers:  map[string]string{"tests": "doubles", "review": "doubles"},
		Grants:    map[string][]string{"a": everything, "b": everything},
	})
	if err != nil {
		return nil, err
	}
	first, err := setup.CreateTask(ctx, t.project, "a", t.contract(1))
	if err != nil {
		return nil, err
	}
	t.others = t.service(r.shaken[number%(pools-1)]) // the last pool is for requests
	for i := range t.workers {
		submits := t.service(r.shaken[(2*number+i)%pools])
		t.workers[i] = &worker{task: t, who: contract.A + contract.Worker(i), service: t.others, submits: submits}
	}
	t.workers[0].take(first)
	t.workers[1].told = service.Attempt{Task: t.id, Principal: "b"} // it was never told
	return t, nil
}

// service returns a service that goes by the task's clock.
func (t *task) service(db *service.DB) *service.Service {
	return service.New(db, service.Options{
		Variant: t.run.options.Variant, Lease: period,
		Now: func() time.Time { return time.UnixMicro(t.clock.Load()) },
	})
}

// contract returns a version of the task's contract.
func (t *task) contract(version uint8) service.Contract {
	c := service.Contract{Task: t.id, Policy: fmt.Sprintf("behavior-v%d", version), Criteria: []string{"tests", "review"}, Scope: "out"}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.versions[c.Digest()] = version
	return c
}

// version returns which version a contract is, by its digest; 0 if it is none.
func (t *task) version(digest string) uint8 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.versions[digest]
}

// over reports whether enough was done to the task.
func (t *task) over() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.operations) >= t.end
}

// afterwards is how many operations follow on the one by which the task has ended: what
// is said of the past counts too.
const afterwards = 10

// An outcome is what a client can know of its operation.
type outcome uint8

const (
	answered outcome = iota
	unknown          // it happened or not
	struck           // it did not happen
)

// do performs an operation and records it, unless it is certain not to have happened.
func (t *task) do(ctx context.Context, client int, in Input, call func(context.Context) (Answer, error)) (Answer, outcome) {
	bounded, cancel := t.run.bound(ctx)
	defer cancel()
	called := t.run.elapsed()
	answer, err := call(bounded)
	returned := t.run.elapsed()
	switch {
	case err == nil:
	case errors.Is(err, service.ErrOutcomeUnknown):
		t.record(porcupine.Operation{ClientId: client, Input: in, Call: called, Output: Output{Unknown: true}, Return: never})
		t.run.failed(ctx, bounded, t, in, err)
		return Answer{}, unknown
	case errors.Is(err, service.ErrEnded):
		answer = Answer{Refusal: ended}
	case errors.Is(err, service.ErrLost):
		answer = Answer{Refusal: lost}
	default:
		t.run.failed(ctx, bounded, t, in, err)
		return Answer{}, struck
	}
	t.record(porcupine.Operation{ClientId: client, Input: in, Call: called, Output: Output{Answer: answer}, Return: returned})
	return answer, answered
}

// record adds an operation to the task's history.
func (t *task) record(op porcupine.Operation) {
	in, out := op.Input.(Input), op.Output.(Output)
	t.mu.Lock()
	t.operations = append(t.operations, op)
	if out.Receipt != "" {
		t.given[out.Receipt] = true
	}
	if out.ends() {
		t.end = min(t.end, len(t.operations)+afterwards)
	}
	t.mu.Unlock()
	t.run.recorded(in, out)
}

// decision says in a word what was decided.
func (o Output) decision() string {
	switch {
	case o.Unknown:
		return "unknown"
	case o.Replayed:
		return "replayed"
	case o.Accepted:
		return "accepted"
	}
	return o.Refusal
}

// ends reports whether an answer shows that the task has ended.
func (a Answer) ends() bool {
	return a.Receipt != "" || a.Refusal == ended || a.Refusal == contract.Active.String() || a.Status != contract.Running
}

// history returns what was recorded.
func (t *task) history() History {
	t.mu.Lock()
	defer t.mu.Unlock()
	return History{t.id, t.operations}
}

// receipts returns those that clients were given so far.
func (t *task) receipts() map[string]bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return maps.Clone(t.given)
}
