package sqlservice

import (
	"context"
	"strings"
)

// A Record is what has been recorded of a task.
type Record struct {
	Status   string   // running, completed, cancelled or failed
	Receipts []string // of the terminal writes, in order

	// Published is how often each path of the project was published, its first version
	// included.
	Published map[string]int64

	// State is the digest of all that a refused request must leave alone: the task, its
	// requests and its audit trail, and the pointers of its project.
	State string
}

// recorded finds all of that in one statement, which sees one moment. Rows are of five
// kinds, and the first has the task's status first.
const recorded = `
	SELECT 'task' AS kind, id AS name, 0 AS seq, status AS value, contract || ' ' || principal || ' ' ||
		CAST(outer_id AS TEXT) || ' ' || CAST(inner_id AS TEXT) || ' ' || CAST(fence AS TEXT) || ' ' || CAST(incarnation AS TEXT) || ' ' ||
		CAST(lease_until AS TEXT) || ' ' || CAST(last_inner AS TEXT) || ' ' || CAST(last_fence AS TEXT) || ' ' || CAST(authority AS TEXT) AS more
	FROM tasks WHERE id = $1
	UNION ALL
	SELECT 'request', id, seq, receipt, bound FROM requests WHERE task = $1
	UNION ALL
	SELECT 'audit', request, seq, receipt, caller || ' ' || action FROM audit WHERE task = $1
	UNION ALL
	SELECT 'artifact', path, revision, content, target FROM artifacts WHERE project = (SELECT project FROM tasks WHERE id = $1)
	ORDER BY kind, seq, name`

// Recorded reads back what has been recorded of a task.
func (s *Service) Recorded(ctx context.Context, id string) (Record, error) {
	r := Record{Receipts: []string{}, Published: map[string]int64{}}
	var state strings.Builder
	err := s.db.rows(ctx, recorded, []any{id}, func(scan func(...any) error) error {
		var kind, name, value, more string
		var seq int64
		if err := scan(&kind, &name, &seq, &value, &more); err != nil {
			return err
		}
		switch kind {
		case "task":
			r.Status = value
		case "request":
			r.Receipts = append(r.Receipts, value)
		case "artifact":
			r.Published[name] = seq
		}
		state.Write(encode([]any{kind, name, seq, value, more}))
		return nil
	})
	if err == nil && r.Status == "" {
		err = ErrUnknown
	}
	r.State = digest([]byte(state.String()))
	return r, wrap(err, "read record of task %q", id)
}
