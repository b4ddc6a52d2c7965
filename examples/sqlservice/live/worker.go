package live

import (
	"context"
	"fmt"
	"sync/atomic"

	"example.com/commitpoint/model/contract"
	service "sqlservice.example"
)

// A worker is one of a task's two, played by whichever goroutine has its turn. It holds
// everything twice: as the service gave it, and as the model has it.
type worker struct {
	task    *task
	who     contract.Worker
	service *service.Service                // for everything else
	submits *service.Service                // for requests, over connections of which some are cut
	notice  atomic.Pointer[service.Attempt] // of an assignment that it did not ask for

	own     contract.Slot
	told    service.Attempt
	reading service.Reading
	made    made
	sent    service.Request // the last one
	named   made            // in that

	plan     []contract.Kind // what it is going to do next
	doubtful bool            // its last commit was not answered
	lost     bool            // it knows that its attempt is not the current one
	finished bool            // it knows that the task has ended
}

// A made is a candidate, and what the worker had read when it made it.
type made struct {
	candidate service.Candidate
	from      service.Reading
}

// act performs an event, and returns what the service answered, if there is no error.
func (w *worker) act(ctx context.Context, k contract.Kind) (Answer, error) {
	switch k {
	case contract.Claim:
		a, err := w.service.Claim(ctx, w.task.id, w.who.String())
		if err == nil {
			w.take(a)
		}
		return Answer{Told: identity(a)}, err
	case contract.Read, contract.Refresh:
		return w.read(ctx, k)
	case contract.VerifyTests:
		return w.verify(ctx, "tests")
	case contract.VerifyReview:
		return w.verify(ctx, "review")
	case contract.Replace:
		return Answer{}, w.replace(ctx)
	case contract.Renew:
		return Answer{}, w.service.Renew(ctx, w.told)
	case contract.Report:
		return Answer{}, w.service.Fail(ctx, w.who.String(), w.told)
	case contract.Preflight:
		d, err := w.submits.Preflight(ctx, w.who.String(), w.request())
		return decided(d), err
	case contract.Commit, contract.Retry, contract.Impersonate:
		return w.complete(ctx, k, w.sent)
	case contract.RetryOther:
		return w.retryOther(ctx)
	}
	m, _ := k.Manifest()
	return w.prepare(ctx, m)
}

// take notes what the worker was told when the task was assigned to it.
func (w *worker) take(a service.Attempt) {
	w.told, w.own.Told, w.lost = a, identity(a), false
}

func (w *worker) read(ctx context.Context, k contract.Kind) (Answer, error) {
	r, err := w.service.Read(ctx, w.task.id)
	if err != nil {
		return Answer{}, err
	}
	w.own.Contract = w.task.version(r.Contract)
	w.reading.Contract = r.Contract
	if k == contract.Refresh {
		return Answer{Contract: w.own.Contract}, nil
	}
	w.reading, w.own.Inputs, w.own.Members = r, small(r.Inputs), small(r.Members)
	return Answer{Inputs: w.own.Inputs, Members: w.own.Members, Contract: w.own.Contract}, nil
}

// output returns a version of what the worker makes of what it read. All are right.
func (w *worker) output(from service.Reading, version string) []byte {
	var n int
	fmt.Sscan(from.Input, &n)
	return fmt.Appendf(nil, "%d\n%s version by %v\n", 2*n, version, w.who)
}

func (w *worker) prepare(ctx context.Context, m contract.Manifest) (Answer, error) {
	c, err := w.service.Prepare(ctx, w.task.project, service.Draft{
		Bytes: w.output(w.reading, "first"), Paths: m.Declared(), Inputs: w.reading.Inputs, Members: w.reading.Members,
	})
	if err != nil {
		return Answer{}, err
	}
	w.made = made{c, w.reading}
	w.own.Candidate = contract.Candidate{
		Bytes:    contract.Bytes{Writer: uint8(w.who), Inputs: w.own.Inputs},
		Manifest: m, Inputs: w.own.Inputs, Members: w.own.Members,
	}
	for t := range w.own.Candidate.Bases {
		w.own.Candidate.Bases[t] = small(c.Bases[contract.Target(t).String()])
	}
	return Answer{Bases: w.own.Candidate.Bases}, nil
}

func (w *worker) replace(ctx context.Context) error {
	c, err := w.service.Amend(ctx, w.task.project, w.made.candidate, w.output(w.made.from, "second"))
	if err == nil {
		w.made.candidate = c
		w.own.Candidate.Bytes.Variant = 1 // as the model has it
	}
	return err
}

func (w *worker) verify(ctx context.Context, criterion string) (Answer, error) {
	_, err := w.service.Verify(ctx, service.Check{Attempt: w.told, Candidate: w.made.candidate.Digest(), Criterion: criterion})
	return Answer{}, err
}

// request returns what the worker would submit now.
func (w *worker) request() service.Request {
	return service.Request{
		ID: "request of " + w.who.String(), Attempt: w.told, Contract: w.reading.Contract, Candidate: w.made.candidate.Digest(),
	}
}

// submit makes what the worker would submit now what it has submitted last.
func (w *worker) submit() {
	var s contract.State
	*s.Of(w.who) = w.own
	w.sent, w.named, w.own.Sent = w.request(), w.made, s.Request(contract.Event{Worker: w.who, Kind: contract.Commit})
}

func (w *worker) complete(ctx context.Context, k contract.Kind, q service.Request) (Answer, error) {
	caller := w.who
	if k == contract.Impersonate {
		caller = caller.Other()
	}
	d, err := w.submits.Complete(ctx, caller.String(), q)
	return decided(d), err
}

// retryOther sends the last request once more, for other bytes.
func (w *worker) retryOther(ctx context.Context) (Answer, error) {
	other, err := w.service.Amend(ctx, w.task.project, w.named.candidate, w.output(w.named.from, "another"))
	if err != nil {
		return Answer{}, fmt.Errorf("nothing was sent: %v", err) // whatever became of the bytes
	}
	q := w.sent
	q.Candidate = other.Digest()
	return w.complete(ctx, contract.RetryOther, q)
}

func decided(d service.Decision) Answer {
	return Answer{Refusal: d.Refusal, Accepted: d.Accepted, Replayed: d.Replayed, Receipt: d.Receipt}
}

// identity returns an attempt as the model has it.
func identity(a service.Attempt) contract.Identity {
	return contract.Identity{Outer: small(a.Outer), Inner: small(a.Inner), Fence: small(a.Fence), Incarnation: small(a.Incarnation)}
}

// small returns a number as the model has it. The service's are counted up from 1 by one
// event at a time, of which no history has that many.
func small(n int64) uint8 {
	if n < 0 || n > 255 {
		panic(fmt.Sprintf("%d is no number of a history of this length", n))
	}
	return uint8(n)
}
