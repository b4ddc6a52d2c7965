package sqlservice

import (
	"testing"
	"time"
)

// A request that has to wait for somebody is decided on what is true after that: nothing
// that the decision looks at is from before.
func TestDecisionsAreOfWhenTheWaitIsOver(t *testing.T) {
	tests := []struct {
		refusal, reason string
		change          func(tx *tx, project, task string)
	}{
		{"", "somebody has held the rows, and changed nothing", func(tx *tx, project, task string) { tx.hold(task); tx.holdProject(project) }},
		{"active", "the task was cancelled", func(tx *tx, _, task string) {
			tx.hold(task)
			tx.exec(`UPDATE tasks SET status = 'cancelled' WHERE id = $1`, task)
		}},
		{"attempt", "the task was claimed", func(tx *tx, _, task string) {
			now, _ := tx.hold(task)
			now.lastInner++
			now.renumber()
			tx.update(now)
		}},
		{"lease", "it ran out meanwhile", func(tx *tx, project, _ string) { tx.holdProject(project) }},
		{"grant", "it was revoked", func(tx *tx, project, _ string) {
			tx.holdProject(project)
			tx.exec(`DELETE FROM grants WHERE project = $1 AND principal = 'a'`, project)
		}},
		{"dependencies", "the input was edited", func(tx *tx, project, _ string) {
			tx.holdProject(project)
			tx.exec(`UPDATE projects SET inputs = inputs + 1 WHERE id = $1`, project)
		}},
		{"bases", "the target was published", func(tx *tx, project, _ string) {
			tx.holdProject(project)
			tx.publish(project, "out/a", tx.store(project, nil), "another writer")
		}},
		{"criteria", "the checker was withdrawn", func(tx *tx, project, _ string) {
			tx.holdProject(project)
			tx.exec(`UPDATE checkers SET version = version + 1 WHERE project = $1`, project)
		}},
	}
	onEachShared(t, func(t *testing.T, db *DB) {
		for _, tt := range tests {
			clock := make(chan time.Time, 1) // holds the time
			clock <- time.UnixMicro(1)
			s := New(db, Options{Now: func() time.Time {
				now := <-clock
				clock <- now
				return now
			}})
			project := "p " + tt.reason
			q := ready(t, s, project)
			decided := make(chan Decision)
			begun := false
			err := db.write(t.Context(), func(tx *tx) error {
				tt.change(tx, project, q.Attempt.Task)
				if begun {
					return nil // this is another try
				}
				begun = true
				go func() {
					d, err := s.Complete(t.Context(), workerA, q)
					if err != nil {
						t.Error(err)
					}
					decided <- d
				}()
				time.Sleep(30 * time.Millisecond) // time enough to begin to wait
				if tt.refusal == "lease" {
					clock <- (<-clock).Add(time.Hour)
				}
				return nil
			})
			if d := <-decided; err != nil || d.Refusal != tt.refusal || d.Accepted != (tt.refusal == "") {
				t.Errorf("%s: decided %+v, %v, want %q", tt.reason, d, err, tt.refusal)
			}
		}
	})
}
