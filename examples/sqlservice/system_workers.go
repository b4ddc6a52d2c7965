package sqlservice

import (
	"context"
	"fmt"
	"strconv"
)

// workers returns the events of a worker. Those that prepare a candidate differ in what
// it declares to write.
func (s *contractSystem) workers(w, other *worker) []event {
	list := []event{
		{name: "claim", apply: func(ctx context.Context) error { return s.claim(ctx, w) }},
		{name: "read", apply: func(ctx context.Context) error { return s.read(ctx, w) }},
		{name: "candidate", apply: s.preparing(w, "out/a")},
		{name: "candidate-pair", apply: s.preparing(w, "out/a", "out/b")},
		{name: "candidate-alias", apply: s.preparing(w, "out/latest")},
		{name: "candidate-unclean", apply: s.preparing(w, "out/../secret")},
		{name: "candidate-case", apply: s.preparing(w, "Out/A/")},
		{name: "verify", apply: s.verifying(w, s.criteria...)},
		{name: "verify-tests", apply: s.verifying(w, "tests")},
		{name: "verify-review", apply: s.verifying(w, "review")},
		{name: "preflight", apply: func(ctx context.Context) error {
			_, err := s.service.Preflight(ctx, w.name, w.request().Request)
			return err
		}},
		{name: "commit", submit: func(ctx context.Context) (Decision, error) { return s.send(ctx, w, w.request()) }},
		{name: "refresh", apply: func(ctx context.Context) error { return s.refresh(ctx, w) }},
		{name: "replace", apply: func(ctx context.Context) error { return s.replace(ctx, w) }},
		{name: "retry", submit: func(ctx context.Context) (Decision, error) { return s.send(ctx, w, w.again()) }},
		{name: "retry-other", submit: func(ctx context.Context) (Decision, error) { return s.retryOther(ctx, w) }},
		{name: "report-failure", apply: func(ctx context.Context) error { return s.service.Fail(ctx, w.name, w.told) }},
		{name: "impersonate", submit: func(ctx context.Context) (Decision, error) {
			return s.service.Complete(ctx, other.name, w.again().Request)
		}},
	}
	for i := range list {
		list[i].name = w.name + ":" + list[i].name
	}
	return list
}

// request returns what the worker would submit now.
func (w *worker) request() sent {
	q := Request{ID: "request of " + w.name, Attempt: w.told, Contract: w.contract}
	if w.made != nil {
		q.Candidate = w.made.Digest()
	}
	return sent{q, w.made}
}

// again returns what the worker submitted first.
func (w *worker) again() sent {
	if w.sent == nil {
		return w.request()
	}
	return *w.sent
}

func (s *contractSystem) send(ctx context.Context, w *worker, q sent) (Decision, error) {
	if w.sent == nil {
		w.sent = &q
	}
	return s.service.Complete(ctx, w.name, q.Request)
}

func (s *contractSystem) retryOther(ctx context.Context, w *worker) (Decision, error) {
	q := w.again()
	if q.made != nil {
		other, err := s.service.Amend(ctx, s.project, q.made.Candidate, w.output(q.made.from, "another"))
		if err != nil {
			return Decision{}, err
		}
		q.Candidate = other.Digest()
	}
	return s.service.Complete(ctx, w.name, q.Request)
}

func (s *contractSystem) claim(ctx context.Context, w *worker) error {
	a, err := s.service.Claim(ctx, s.task(), w.name)
	if err == nil {
		w.told, s.owner = a, a
	}
	return err
}

func (s *contractSystem) read(ctx context.Context, w *worker) (err error) {
	w.reading, err = s.service.Read(ctx, s.task())
	w.contract = w.reading.Contract
	return err
}

func (s *contractSystem) refresh(ctx context.Context, w *worker) error {
	now, err := s.service.Read(ctx, s.task())
	w.contract = now.Contract
	return err
}

// output returns a version of what the worker makes of a reading: all of them are right.
// Who has read nothing makes something all the same.
func (w *worker) output(from Reading, version string) []byte {
	n, _ := strconv.Atoi(from.Input)
	return fmt.Appendf(nil, "%d\n%s version by %s\n", 2*n, version, w.name)
}

func (s *contractSystem) preparing(w *worker, paths ...string) func(context.Context) error {
	return func(ctx context.Context) error {
		c, err := s.service.Prepare(ctx, s.project, Draft{
			Bytes: w.output(w.reading, "first"), Paths: paths, Inputs: w.reading.Inputs, Members: w.reading.Members,
		})
		if err == nil {
			w.made = &made{c, w.reading}
		}
		return err
	}
}

func (s *contractSystem) replace(ctx context.Context, w *worker) error {
	if w.made == nil {
		return nil
	}
	c, err := s.service.Amend(ctx, s.project, w.made.Candidate, w.output(w.made.from, "second"))
	if err == nil {
		w.made = &made{c, w.made.from}
	}
	return err
}

func (s *contractSystem) verifying(w *worker, criteria ...string) func(context.Context) error {
	return func(ctx context.Context) error {
		for _, criterion := range criteria {
			if w.made == nil {
				return nil
			}
			if _, err := s.service.Verify(ctx, Check{Attempt: w.told, Candidate: w.made.Digest(), Criterion: criterion}); err != nil {
				return err
			}
		}
		return nil
	}
}
