package live

import (
	"context"
	"slices"
	"strings"
	"testing"

	"example.com/commitpoint/model/contract"
	service "sqlservice.example"
)

// completedTask has worker a complete a task on SQLite, with a candidate of two targets,
// and returns an auditor of it.
func completedTask(t *testing.T) (*auditor, *task) {
	t.Helper()
	source := sqliteSource(t)
	r, err := newRun(t.Context(), Options{Source: source, Variant: service.Variants()[0]}, func(err error) { t.Error(err) })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.close(); err != nil {
			t.Error(err)
		}
	})
	k, err := r.newTask(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	w := k.workers[0]
	for _, e := range strings.Fields("read candidate-pair verify-tests verify-review commit") {
		event, err := contract.ParseEvent("a:" + e)
		if err != nil {
			t.Fatal(err)
		}
		w.submit()
		answer, outcome := k.do(t.Context(), 0, Input{Event: event}, func(ctx context.Context) (Answer, error) { return w.act(ctx, event.Kind) })
		if outcome != answered || answer.Refusal != "" {
			t.Fatalf("%v was answered %v", event, answer)
		}
	}
	return r.auditor, k
}

// Whatever somebody changes in the tables, the audit finds it.
func TestAudit(t *testing.T) {
	auditor, k := completedTask(t)
	tests := []struct{ name, reason, change, want string }{
		{"nothing", "the service has written it", "", ""},
		{"no task", "it was there", `DELETE FROM tasks`, "there is no such task"},
		{"status", "the completion is lost", `UPDATE tasks SET status = 'running'`, "the task is running, with 1 requests"},
		{"cancelled", "the completion is lost", `UPDATE tasks SET status = 'cancelled'`, "the task is cancelled, with 1 completions"},
		{"no request", "a retry would not find it", `DELETE FROM requests`, "with 0 requests"},
		{"no audit", "nobody knows who it was", `DELETE FROM audit`, "with 0 completions"},
		{"two requests", "it was completed twice", `INSERT INTO requests SELECT task, 'another', bound, 2, receipt, document FROM requests`, "with 2 requests"},
		{"two events", "it was completed twice", `INSERT INTO audit SELECT task, 2, at, caller, action, request, receipt FROM audit`, "with 2 completions"},
		{"receipt", "the client has another", `UPDATE requests SET receipt = 'another'`, "a client was given the receipt"},
		{"document", "the receipt is its digest", `UPDATE requests SET document = document || ' '`, "not its document's digest"},
		{"audit of another", "the trail has to lead to the request", `UPDATE audit SET receipt = 'another'`, "another completion"},
		{"audit of another request", "the trail has to lead to the request", `UPDATE audit SET request = 'another'`, "another completion"},
		{"caller", "who published is who completed", `UPDATE audit SET caller = 'b'`, "not by who completed the task"},
		{"pointer back", "a published target is lost", `UPDATE artifacts SET revision = 1 WHERE path = 'out/b'`, "out/b points to revision 1, and the last one is 2"},
		{"pointer elsewhere", "the bytes are not the candidate's", `UPDATE artifacts SET content = 'another' WHERE path = 'out/a'`, "out/a points to"},
		{"version lost", "a target was not published", `DELETE FROM versions WHERE path = 'out/b' AND revision = 2`, "out/b revision 2 is recorded, and was not published"},
		{"version of others", "the worker's is lost", `UPDATE versions SET writer = 'x' WHERE path = 'out/b' AND revision = 2`, "out/b revision 2 is recorded, and was not published"},
		{"bytes", "others were verified", `UPDATE versions SET content = 'another' WHERE path = 'out/b' AND revision = 2`, "out/b revision 2 is not the candidate"},
		{"published twice", "once is enough", `INSERT INTO versions SELECT project, path, 3, content, writer FROM versions WHERE path = 'out/a' AND revision = 2`, "out/a revision 3 is by worker a, and not recorded"},
		{"published elsewhere", "it is no target", `INSERT INTO versions SELECT project, 'secret', 2, content, writer FROM versions WHERE path = 'out/a' AND revision = 2`, "secret revision 2 is by worker a"},
		{"gap", "a revision is missing", `DELETE FROM versions WHERE path = 'secret'`, "secret points to revision 1, and the last one is 0"},
		{"hole", "a revision is missing", `DELETE FROM versions WHERE path = 'out/a' AND revision = 1`, "out/a has a revision 2 after 0"},
		{"base", "the candidate was based on something else", `UPDATE candidates SET document = replace(document, '"out/a":1', '"out/a":3')`, "out/a was published as revision 2, on revision 3"},
		{"target", "the candidate has only one", `UPDATE candidates SET document = replace(document, '"out/a":1,', '')`, "of 1 targets 2 were published"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			faults := tampered(t, auditor, k, tt.change)
			found := slices.ContainsFunc(faults, func(f string) bool { return strings.Contains(f, tt.want) })
			if tt.want == "" && faults != nil || tt.want != "" && !found {
				t.Errorf("faults %q, want %q: %s", faults, tt.want, tt.reason)
			}
		})
	}
}

// tampered audits a task after a change, which is taken back.
func tampered(t *testing.T, a *auditor, k *task, change string) []string {
	t.Helper()
	tx, err := a.db.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(t.Context(), change); err != nil {
		t.Fatal(err)
	}
	s, err := readIn(t.Context(), tx, k.id)
	if err != nil {
		t.Fatal(err)
	}
	return s.faults(k.receipts())
}
