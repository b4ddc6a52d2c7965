package sqlservice

import (
	"context"
	"encoding/json"
)

// Complete decides a completion request and, if it is accepted, publishes the candidate
// and records the completion, the request and an audit event, in the same transaction.
// Who calls is known from the transport. A refused request leaves nothing behind.
//
// A request that completed the task before is answered with its receipt, whatever has
// happened since: it asks for a past result, not for a new decision. It has to be the same
// in everything, the caller included; another request under the same id is refused.
//
// Why it is atomic: all that the decision looks at hangs on the task or on its project,
// and whoever changes any of it holds the row of that. The transaction takes the task's
// row and then the project's before it reads anything else, and keeps them until it
// ends; SQLite lets a single writer in anyway. So what was read is still true when the
// completion becomes visible, and every other operation comes before or after the whole of
// it. The lease is compared with a time that is read when the rows are held: the moment at
// which they are is the one of the decision.
func (s *Service) Complete(ctx context.Context, caller string, q Request) (Decision, error) {
	if s.variant.trustsEarly {
		return s.completeLate(ctx, caller, q)
	}
	var d Decision
	err := s.db.write(ctx, func(tx *tx) error {
		l := s.look(tx, caller, q)
		if d = l.decision; !d.Accepted || d.Replayed {
			return errNothing
		}
		d.Receipt = s.record(tx, l)
		return nil
	})
	return settled(d, err, "complete task %q", q.Attempt.Task)
}

// Preflight answers what Complete would, and records nothing.
func (s *Service) Preflight(ctx context.Context, caller string, q Request) (Decision, error) {
	l, err := s.early(ctx, caller, q)
	if err == nil && s.variant.trustsEarly {
		s.mu.Lock()
		s.looked[q.bound(caller)] = l
		s.mu.Unlock()
	}
	return settled(l.decision, err, "preflight of task %q", q.Attempt.Task)
}

// early looks in a transaction of its own.
func (s *Service) early(ctx context.Context, caller string, q Request) (l look, err error) {
	err = s.db.write(ctx, func(tx *tx) error {
		l = s.look(tx, caller, q)
		return errNothing
	})
	return l, err
}

// settled keeps a decision from being believed that was not committed.
func settled(d Decision, err error, what string, args ...any) (Decision, error) {
	if err != nil {
		return Decision{}, wrap(err, what, args...)
	}
	return d, nil
}

// completeLate trusts what was found at preflight or, if this request was not looked at
// then, in a first transaction; and writes in another one.
func (s *Service) completeLate(ctx context.Context, caller string, q Request) (Decision, error) {
	bound := q.bound(caller)
	s.mu.Lock()
	l, done := s.looked[bound]
	delete(s.looked, bound)
	s.mu.Unlock()
	if !done {
		var err error
		if l, err = s.early(ctx, caller, q); err != nil {
			return settled(Decision{}, err, "look at task %q", q.Attempt.Task)
		}
	}
	var d Decision
	err := s.db.write(ctx, func(tx *tx) error {
		tx.hold(q.Attempt.Task)
		var known bool
		if d, known = s.recall(tx, caller, q); known {
			return errNothing
		}
		if d = l.decision; !d.Accepted {
			return errNothing
		}
		d.Receipt = s.record(tx, l)
		return nil
	})
	return settled(d, err, "complete task %q", q.Attempt.Task)
}

// A look is a decision and what it was made from.
type look struct {
	decision Decision
	view     view
}

// look decides a request on what is true now, and keeps it true until the transaction
// ends.
func (s *Service) look(tx *tx, caller string, q Request) look {
	t, found := tx.hold(q.Attempt.Task)
	if !found {
		return look{decision: Decision{Refusal: predicates[0].name}} // no such task is active
	}
	if d, known := s.recall(tx, caller, q); known {
		return look{decision: d}
	}
	v := s.read(tx, t, caller, q)
	if tx.err != nil {
		return look{} // what could not be read decides nothing
	}
	refusal := v.refusal(s.variant)
	return look{Decision{Accepted: refusal == "", Refusal: refusal}, v}
}

// recall answers a request whose id completed the task.
func (s *Service) recall(tx *tx, caller string, q Request) (d Decision, known bool) {
	var bound, receipt string
	if !tx.row(`SELECT bound, receipt FROM requests WHERE task = $1 AND id = $2`, []any{q.Attempt.Task, q.ID}, &bound, &receipt) {
		return Decision{}, false
	}
	if bound != q.bound(caller) && !s.variant.idAlone {
		return Decision{Refusal: "identity"}, true
	}
	return Decision{Accepted: true, Replayed: true, Receipt: receipt}, true
}

// read reads what the predicates look at. The task's row is held already.
func (s *Service) read(tx *tx, t task, caller string, q Request) view {
	p := tx.holdProject(t.project)
	v := view{
		caller: caller, request: q, task: t, inputs: p.inputs, members: p.members,
		now:       s.now().UnixMicro(),
		candidate: tx.candidate(t.project, q.Candidate),
		artifacts: tx.artifacts(t.project),
		granted:   tx.granted(t, caller, s.variant),
		receipts:  tx.supporting(q, s.variant),
		admitted:  tx.admitted(t.project),
	}
	tx.document(`SELECT document FROM contracts WHERE project = $1 AND digest = $2`, []any{t.project, t.contract}, &v.contract)
	v.writes = writes(v.candidate.Paths, v.artifacts)
	return v
}

// granted returns what the caller may write.
func (tx *tx) granted(t task, caller string, v Variant) map[string]bool {
	if !v.grantsAtTurn {
		return tx.grants(t.project, caller)
	}
	var list []string
	tx.document(`SELECT granted FROM attempts WHERE task = $1 AND principal = $2 ORDER BY seq DESC LIMIT 1`, []any{t.id, caller}, &list)
	return setOf(list...)
}

// A completion is what a receipt is the digest of.
type completion struct {
	Task      string           `json:"task"`
	Request   string           `json:"request"` // digest of the bound request
	Attempt   Attempt          `json:"attempt"`
	Contract  string           `json:"contract"`
	Candidate string           `json:"candidate"`
	Evidence  []string         `json:"evidence"`
	Published map[string]int64 `json:"published"` // the revision that each path got
	Version   int64            `json:"version"`   // counts the task's terminal writes
}

// record publishes the candidate of an accepted request and records that it completed the
// task. The caller holds what the publication changes.
func (s *Service) record(tx *tx, l look) (receipt string) {
	v, q := l.view, l.view.request
	done := completion{
		Task: v.task.id, Request: q.bound(v.caller), Attempt: q.Attempt, Contract: q.Contract, Candidate: q.Candidate,
		Evidence: []string{}, Published: map[string]int64{},
	}
	for _, path := range v.writes {
		done.Published[path] = tx.publish(v.task.project, path, v.candidate.Content, v.caller)
	}
	for _, criterion := range v.contract.Criteria {
		done.Evidence = append(done.Evidence, v.receipts[criterion].id)
	}
	tx.row(`SELECT COUNT(*) + 1 FROM requests WHERE task = $1`, []any{v.task.id}, &done.Version)
	document, err := json.Marshal(done)
	if err != nil {
		tx.err = err
	}
	receipt = digest(document)
	tx.exec(`UPDATE tasks SET status = $1 WHERE id = $2`, completed, v.task.id)
	tx.exec(`INSERT INTO requests (task, id, bound, seq, receipt, document) VALUES ($1, $2, $3, $4, $5, $6)`,
		v.task.id, q.ID, done.Request, done.Version, receipt, string(document))
	tx.exec(`INSERT INTO audit (task, seq, at, caller, action, request, receipt)
		VALUES ($1, (SELECT COUNT(*) + 1 FROM audit WHERE task = $1), $2, $3, $4, $5, $6)`,
		v.task.id, v.now, v.caller, completed, q.ID, receipt)
	return receipt
}
