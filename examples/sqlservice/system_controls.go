package sqlservice

import (
	"context"
	"fmt"
	"strconv"
)

// answer returns the right output for what was read.
func answer(r Reading) string {
	n, err := strconv.Atoi(r.Input)
	if err != nil {
		return "nothing was read"
	}
	return strconv.Itoa(2 * n)
}

func (s *studySystem) editArtifact(ctx context.Context) error {
	s.edits++
	return s.service.Publish(ctx, s.project, "another writer", working, fmt.Appendf(nil, "overwritten, edit %d\n", s.edits))
}

// altering returns an event after which something is wrong with A's request.
func (s *studySystem) altering(alter func(q *Request)) func(context.Context) error {
	return func(context.Context) error {
		s.alter = alter
		return nil
	}
}

// verifyOther has the checker look at other bytes that are right as well. The receipt is
// genuine, and A will cite it for its candidate.
func (s *studySystem) verifyOther(ctx context.Context) error {
	other, err := s.service.Amend(ctx, s.project, s.candidate, []byte(answer(s.reading)+"\n"))
	if err != nil {
		return err
	}
	s.evidence, err = s.service.Verify(ctx, Check{Attempt: s.attempt, Candidate: other.Digest(), Criterion: "tests"})
	return err
}

// falsify changes the protected store, behind the service's back.
func (s *studySystem) falsify(ctx context.Context) error {
	return s.db.write(ctx, func(tx *tx) error {
		tx.exec(`UPDATE receipts SET content = $1 WHERE id = $2`, digest([]byte("other bytes")), s.evidence)
		return nil
	})
}

// otherTask creates another task that A has, with an attempt of the same numbers, and
// makes A's request name that.
func (s *studySystem) otherTask(ctx context.Context) error {
	c := s.contract(1)
	c.Task += " of another name"
	other, err := s.service.CreateTask(ctx, s.project, workerA, c)
	s.alter = func(q *Request) { q.Attempt = other }
	return err
}

// wrongAnswer makes 999 A's candidate, and has the admitted checker look at it.
func (s *studySystem) wrongAnswer(ctx context.Context) error {
	if err := s.write(ctx, "999"); err != nil {
		return err
	}
	return s.verify(ctx)
}
