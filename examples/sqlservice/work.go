package sqlservice

import (
	"context"
	"encoding/json"
	"fmt"
)

// A Reading is what a worker goes by: an input, and what it will have to declare.
type Reading struct {
	Input    string
	Inputs   int64  // revision of the input
	Members  int64  // version of the directory's membership
	Contract string // digest of the pinned contract
}

// Read returns what the task's worker has to know now. One statement sees one moment.
func (s *Service) Read(ctx context.Context, id string) (Reading, error) {
	var r Reading
	err := error(ErrUnknown)
	failure := s.db.rows(ctx, `SELECT i.value, p.inputs, p.members, t.contract
		FROM tasks t JOIN projects p ON p.id = t.project JOIN inputs i ON i.project = p.id AND i.revision = p.inputs
		WHERE t.id = $1`, []any{id}, func(scan func(...any) error) error {
		err = nil
		return scan(&r.Input, &r.Inputs, &r.Members, &r.Contract)
	})
	if failure != nil {
		err = failure
	}
	return r, wrap(err, "read task %q", id)
}

// A Draft is output that is to become a candidate.
type Draft struct {
	Bytes   []byte
	Paths   []string // where to publish it
	Inputs  int64    // what it was made from, as read
	Members int64
}

// Prepare stores a candidate. Its bases are the revisions that what it would write has at
// this moment: the service resolves the paths, whatever they look like.
func (s *Service) Prepare(ctx context.Context, project string, d Draft) (Candidate, error) {
	var c Candidate
	err := s.db.write(ctx, func(tx *tx) error {
		now := tx.artifacts(project)
		c = Candidate{Content: tx.store(project, d.Bytes), Paths: d.Paths, Inputs: d.Inputs, Members: d.Members, Bases: map[string]int64{}}
		for _, path := range writes(d.Paths, now) {
			c.Bases[path] = now[path].revision
		}
		tx.keep(project, c)
		return nil
	})
	return c, wrap(err, "prepare candidate in project %q", project)
}

// Amend stores a candidate with other bytes: what it declares and its bases stay what
// they were.
func (s *Service) Amend(ctx context.Context, project string, c Candidate, bytes []byte) (Candidate, error) {
	err := s.db.write(ctx, func(tx *tx) error {
		c.Content = tx.store(project, bytes)
		tx.keep(project, c)
		return nil
	})
	return c, wrap(err, "amend candidate in project %q", project)
}

func (tx *tx) keep(project string, c Candidate) {
	tx.exec(`INSERT INTO candidates (project, digest, document) VALUES ($1, $2, $3) ON CONFLICT (project, digest) DO NOTHING`,
		project, c.Digest(), string(encode(c)))
}

// candidate reads a candidate; one that there is not is the zero Candidate.
func (tx *tx) candidate(project, digest string) (c Candidate) {
	tx.document(`SELECT document FROM candidates WHERE project = $1 AND digest = $2`, []any{project, digest}, &c)
	return c
}

// document reads a JSON document, if the query finds one.
func (tx *tx) document(query string, args []any, into any) {
	var text string
	if !tx.row(query, args, &text) {
		return
	}
	if err := json.Unmarshal([]byte(text), into); err != nil {
		tx.err = naming(query, err)
	}
}

// A Check asks for a verification.
type Check struct {
	Attempt   Attempt // whose candidate it is
	Candidate string  // by its digest
	Criterion string

	// Working has the checker look at what the candidate's first target holds now,
	// instead of at the candidate: for workers that write in place.
	Working bool
}

// Verify has the admitted checker of a criterion look at a candidate, and returns the id
// of the receipt, whatever the result: it is what was observed. A checker here takes
// microseconds and runs in the transaction; one that takes minutes would run before it,
// on the candidate's immutable bytes, and only what it observed be recorded here.
func (s *Service) Verify(ctx context.Context, c Check) (id string, err error) {
	err = s.db.write(ctx, func(tx *tx) error {
		t := tx.holdKnown(c.Attempt.Task)
		tx.holdProject(t.project) // the checker and the working artifact stay what they are
		candidate := tx.candidate(t.project, c.Candidate)
		if candidate.Content == "" && tx.err == nil {
			return fmt.Errorf("candidate %q: %w", c.Candidate, ErrUnknown)
		}
		r := receipt{
			attempt: c.Attempt, contract: t.contract, criterion: c.Criterion,
			content: candidate.Content, inputs: candidate.Inputs, members: candidate.Members,
		}
		if c.Working {
			r.content = tx.working(t.project, candidate)
		}
		r.passed, r.version = tx.check(t.project, r)
		id = tx.observe(r)
		return nil
	})
	return id, wrap(err, "verify %s of task %q", c.Criterion, c.Attempt.Task)
}

// working returns the digest of what a candidate's first target holds now.
func (tx *tx) working(project string, c Candidate) (content string) {
	for _, path := range writes(c.Paths, tx.artifacts(project)) {
		tx.row(`SELECT content FROM artifacts WHERE project = $1 AND path = $2`, []any{project, path}, &content)
		break
	}
	return content
}

// check runs the admitted checker on what a receipt is about.
func (tx *tx) check(project string, r receipt) (passed bool, version int64) {
	var program, input string
	var bytes []byte
	if !tx.row(`SELECT version, program FROM checkers WHERE project = $1 AND criterion = $2`, []any{project, r.criterion}, &version, &program) {
		if tx.err == nil {
			tx.err = fmt.Errorf("criterion %q: %w", r.criterion, ErrUnknown)
		}
		return false, 0
	}
	known := tx.row(`SELECT value FROM inputs WHERE project = $1 AND revision = $2`, []any{project, r.inputs}, &input)
	present := tx.row(`SELECT bytes FROM contents WHERE project = $1 AND digest = $2`, []any{project, r.content}, &bytes)
	run := programs[program]
	return known && present && run != nil && run(input, bytes), version
}
