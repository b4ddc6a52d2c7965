package sqlservice

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"
)

// onService runs a test with the right service, on both databases, and a clock that the
// test can move.
func onService(t *testing.T, test func(t *testing.T, s *Service, clock *time.Time)) {
	onEach(t, func(t *testing.T, source string) {
		db, err := Open(t.Context(), source)
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		clock := time.UnixMicro(1)
		test(t, New(db, Options{Now: func() time.Time { return clock }}), &clock)
	})
}

// text returns what a query finds, a line each.
func text(t *testing.T, s *Service, query string, args ...any) string {
	t.Helper()
	var lines []string
	err := s.db.rows(t.Context(), query, args, func(scan func(...any) error) error {
		var line string
		err := scan(&line)
		lines = append(lines, line)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(lines, "\n")
}

// A completion makes the candidate's bytes the current version of its target, keeps the
// old version, and leaves an audit event that names the receipt.
func TestCompletionPublishesAndIsAudited(t *testing.T) {
	onService(t, func(t *testing.T, s *Service, _ *time.Time) {
		q := ready(t, s, "p")
		d, err := s.Complete(t.Context(), workerA, q)
		if err != nil || !d.Accepted {
			t.Fatalf("%+v, %v", d, err)
		}
		current := text(t, s, `SELECT CAST(a.revision AS TEXT) || ' ' || a.content FROM artifacts a WHERE a.path = 'out/a'`)
		if want := "2 " + digest([]byte("42")); current != want {
			t.Errorf("the target is at %s, want %s", current, want)
		}
		versions := text(t, s, `SELECT CAST(revision AS TEXT) || ' by ' || writer || ' ' || content FROM versions ORDER BY revision`)
		if want := "1 by  " + digest([]byte("draft\n")) + "\n2 by a " + digest([]byte("42")); versions != want {
			t.Errorf("the versions are\n%s\nwant\n%s", versions, want)
		}
		audit := text(t, s, `SELECT CAST(seq AS TEXT) || ' ' || caller || ' ' || action || ' ' || request || ' ' || receipt FROM audit`)
		if want := "1 a completed request " + d.Receipt; audit != want {
			t.Errorf("audited %s, want %s", audit, want)
		}
		document := text(t, s, `SELECT document FROM requests`)
		if digest([]byte(document)) != d.Receipt || !strings.Contains(document, q.Candidate) || !strings.Contains(document, "p task observation 1") {
			t.Errorf("the receipt %s is not the digest of what it is about: %s", d.Receipt, document)
		}
	})
}

// A candidate can be published as a file that does not exist yet, if it may be: and only
// as long as nobody else creates it.
func TestNewFile(t *testing.T) {
	onService(t, func(t *testing.T, s *Service, _ *time.Time) {
		for _, created := range []bool{false, true} {
			project := map[bool]string{false: "p", true: "q"}[created]
			q := ready(t, s, project)
			c, err := s.Prepare(t.Context(), project, Draft{Bytes: []byte("42"), Paths: []string{"out/new"}, Inputs: 1, Members: 1})
			if err != nil {
				t.Fatal(err)
			}
			q.Candidate = c.Digest()
			if d, err := s.Complete(t.Context(), workerA, q); err != nil || d.Refusal != "grant" {
				t.Errorf("decided %+v, %v; a has no grant for the new file", d, err)
			}
			if err := s.Grant(t.Context(), project, workerA, "Out/New"); err != nil {
				t.Fatal(err)
			}
			if created {
				if err := s.Publish(t.Context(), project, "another writer", "out/new", nil); err != nil {
					t.Fatal(err)
				}
			}
			d, err := s.Complete(t.Context(), workerA, q)
			if want := map[bool]string{false: "", true: "bases"}[created]; err != nil || d.Refusal != want {
				t.Errorf("created by another %v: decided %+v, %v", created, d, err)
			}
		}
	})
}

// An alias that leads somewhere else since a candidate was prepared leads to a target
// whose revision the candidate does not know: even if there is none.
func TestAliasMovedToNewFile(t *testing.T) {
	onService(t, func(t *testing.T, s *Service, _ *time.Time) {
		q := ready(t, s, "p")
		ctx := t.Context()
		if err := s.MoveAlias(ctx, "p", "out/latest", "out/a"); err != nil {
			t.Fatal(err)
		}
		c, err := s.Prepare(ctx, "p", Draft{Bytes: []byte("42"), Paths: []string{"out/latest"}, Inputs: 1, Members: 1})
		if err != nil {
			t.Fatal(err)
		}
		q.Candidate = c.Digest()
		if err := errors.Join(s.Grant(ctx, "p", workerA, "out/new"), s.MoveAlias(ctx, "p", "out/latest", "out/new")); err != nil {
			t.Fatal(err)
		}
		if d, err := s.Complete(ctx, workerA, q); err != nil || d.Refusal != "bases" {
			t.Errorf("decided %+v, %v", d, err)
		}
	})
}

func TestAliasesLeadToFiles(t *testing.T) {
	onService(t, func(t *testing.T, s *Service, _ *time.Time) {
		ready(t, s, "p")
		for _, move := range []struct {
			alias, path string
			want        error
		}{
			{"out/latest", "out/a", nil},
			{"Latest", "./OUT/latest", nil},
			{"out/latest", "latest", errCircle},
			{"out/latest", "out/latest", errCircle},
			{"out/a", "out/b", errFile},
		} {
			if err := s.MoveAlias(t.Context(), "p", move.alias, move.path); !errors.Is(err, move.want) {
				t.Errorf("%s to %s: %v, want %v", move.alias, move.path, err, move.want)
			}
		}
		if err := s.Publish(t.Context(), "p", "b", "latest", []byte("through two aliases")); err != nil {
			t.Fatal(err)
		}
		if got := text(t, s, `SELECT path FROM artifacts WHERE revision > 0`) + text(t, s, `SELECT path FROM versions WHERE revision = 2`); got != "out/aout/a" {
			t.Errorf("published %s", got)
		}
	})
}

// Receipts count for the task that they are about, whoever cites them; several can be
// cited, and those of which there is none are nothing.
func TestCitedReceipts(t *testing.T) {
	onService(t, func(t *testing.T, s *Service, _ *time.Time) {
		q := ready(t, s, "p")
		other := readyIn(t, s, "p", "another task")
		for _, tt := range []struct {
			reason   string
			evidence []string
			refusal  string
		}{
			{"it was never issued", []string{"forged"}, "criteria"},
			{"it is about another task, with the same candidate", []string{other.Attempt.Task + " observation 1"}, "binding"},
			{"one of them is good", []string{"forged", "p task observation 1"}, ""},
		} {
			q.Evidence = tt.evidence
			if d, err := s.Preflight(t.Context(), workerA, q); err != nil || d.Refusal != tt.refusal {
				t.Errorf("%q: %+v, %v, want %q: %s", tt.evidence, d, err, tt.refusal, tt.reason)
			}
		}
	})
}

// A checker sees the candidate or, if it is asked to, what the target holds now; and the
// receipt says which bytes it saw.
func TestVerifyInPlace(t *testing.T) {
	onService(t, func(t *testing.T, s *Service, _ *time.Time) {
		ctx := t.Context()
		q := ready(t, s, "p")
		for _, tt := range []struct {
			working        bool
			content, wrong string
		}{{false, "42", ""}, {true, "43", " not"}} {
			if err := s.Publish(ctx, "p", "another writer", "out/a", []byte("43")); err != nil {
				t.Fatal(err)
			}
			id, err := s.Verify(ctx, Check{Attempt: q.Attempt, Candidate: q.Candidate, Criterion: "tests", Working: tt.working})
			if err != nil {
				t.Fatal(err)
			}
			got := text(t, s, `SELECT content || CASE WHEN passed THEN '' ELSE ' not' END FROM receipts WHERE id = $1`, id)
			if want := digest([]byte(tt.content)) + tt.wrong; got != want {
				t.Errorf("in place %v: observed %s, want %s", tt.working, got, want)
			}
		}
	})
}

// A lease lasts as long as it says, on the service's clock, and can be renewed by its
// holder until then.
func TestLeases(t *testing.T) {
	onService(t, func(t *testing.T, s *Service, clock *time.Time) {
		q := ready(t, s, "p")
		lease := func(want string) {
			t.Helper()
			if d, err := s.Preflight(t.Context(), workerA, q); err != nil || d.Refusal != want {
				t.Errorf("%+v, %v, want %q", d, err, want)
			}
		}
		*clock = clock.Add(time.Minute - time.Microsecond)
		lease("")
		other := q.Attempt
		other.Principal = workerB
		if err := s.Renew(t.Context(), other); !errors.Is(err, ErrLost) {
			t.Errorf("b has renewed a's lease: %v", err)
		}
		if err := s.Renew(t.Context(), q.Attempt); err != nil {
			t.Error(err)
		}
		*clock = clock.Add(time.Minute)
		lease("")
		*clock = clock.Add(time.Microsecond)
		lease("lease")
		if err := s.Renew(t.Context(), q.Attempt); !errors.Is(err, ErrLost) {
			t.Errorf("a dead lease was renewed: %v", err)
		}
	})
}

// Once a task has ended, nothing changes how; and only the owner ends it as failed.
func TestEndsOnce(t *testing.T) {
	onService(t, func(t *testing.T, s *Service, clock *time.Time) {
		ctx := t.Context()
		q := ready(t, s, "p")
		id := q.Attempt.Task
		stale := q.Attempt
		now, err := s.Claim(ctx, id, workerB)
		if err != nil {
			t.Fatal(err)
		}
		for _, report := range []struct {
			caller string
			a      Attempt
		}{{workerA, stale}, {workerB, stale}, {workerA, now}} {
			if err := s.Fail(ctx, report.caller, report.a); !errors.Is(err, ErrLost) {
				t.Errorf("%s has reported a failure of %+v: %v", report.caller, report.a, err)
			}
		}
		if err := s.Fail(ctx, workerB, now); err != nil {
			t.Error(err)
		}
		seen, err := s.Look(ctx, id)
		if err != nil || seen.Running {
			t.Errorf("seen %+v, %v", seen, err)
		}
		*clock = clock.Add(time.Hour)
		swept, err := s.Sweep(ctx, Sighting{Running: true, Attempt: now})
		if err != nil || swept {
			t.Errorf("a task that has ended was swept: %v, %v", swept, err)
		}
		for what, err := range map[string]error{
			"cancel": s.Cancel(ctx, id), "fail": s.Fail(ctx, workerB, now), "renew": s.Renew(ctx, now),
			"migrate": s.Migrate(ctx, Contract{Task: id}),
			"claim":   second(s.Claim(ctx, id, workerA)), "reclaim": second(s.Reclaim(ctx, id)), "restage": second(s.Restage(ctx, id, workerA)),
		} {
			if !errors.Is(err, ErrEnded) && !errors.Is(err, ErrLost) {
				t.Errorf("%s: %v", what, err)
			}
		}
		if r, err := s.Recorded(ctx, id); err != nil || r.Status != failed {
			t.Errorf("recorded %+v, %v", r, err)
		}
	})
}

func second(_ Attempt, err error) error { return err }

// A sweeper takes a task from nobody who still has it; one that is nobody's can only be
// claimed.
func TestSweep(t *testing.T) {
	onService(t, func(t *testing.T, s *Service, clock *time.Time) {
		ctx := t.Context()
		id := ready(t, s, "p").Attempt.Task
		seen, err := s.Look(ctx, id)
		if err != nil || !seen.Running {
			t.Fatalf("seen %+v, %v", seen, err)
		}
		sweep := func(want bool, reason string) {
			t.Helper()
			if got, err := s.Sweep(ctx, seen); err != nil || got != want {
				t.Errorf("swept %v, %v: %s", got, err, reason)
			}
		}
		sweep(false, "the lease is live")
		*clock = clock.Add(time.Minute)
		if _, err := s.Reclaim(ctx, id); err != nil {
			t.Fatal(err)
		}
		*clock = clock.Add(time.Minute)
		sweep(false, "another attempt was seen")
		if seen, err = s.Look(ctx, id); err != nil {
			t.Fatal(err)
		}
		sweep(true, "the lease has run out")
		sweep(false, "it was swept already")
		if _, err := s.Reclaim(ctx, id); !errors.Is(err, ErrLost) {
			t.Errorf("nobody has claimed it again: %v", err)
		}
		if a, err := s.Claim(ctx, id, workerB); err != nil || a.Fence != 4 || a.Inner != 4 {
			t.Errorf("claimed as %+v, %v", a, err)
		}
	})
}

// What there is not is an error, or a refusal if it is asked to be completed.
func TestWhatThereIsNot(t *testing.T) {
	onService(t, func(t *testing.T, s *Service, _ *time.Time) {
		ctx := t.Context()
		q := ready(t, s, "p")
		none := Attempt{Task: "none"}
		_, prepared := s.Prepare(ctx, "none", Draft{})
		_, verified := s.Verify(ctx, Check{Attempt: q.Attempt, Candidate: "none", Criterion: "tests"})
		_, criterion := s.Verify(ctx, Check{Attempt: q.Attempt, Candidate: q.Candidate, Criterion: "none"})
		_, read := s.Read(ctx, "none")
		_, recorded := s.Recorded(ctx, "none")
		for what, err := range map[string]error{
			"claim": second(s.Claim(ctx, "none", workerA)), "renew": s.Renew(ctx, none), "read": read, "recorded": recorded,
			"verify": verified, "criterion": criterion, "edit input": s.EditInput(ctx, "none", "1"),
			"checker": s.ReplaceChecker(ctx, "p", "tests", "none"), "delete": s.DeleteProject(ctx, "none"),
		} {
			if !errors.Is(err, ErrUnknown) {
				t.Errorf("%s: %v, want %v", what, err, ErrUnknown)
			}
		}
		if prepared == nil {
			t.Error("a candidate was prepared in no project")
		}
		if d, err := s.Complete(ctx, workerA, Request{ID: "request", Attempt: none}); err != nil || d.Refusal != "active" {
			t.Errorf("no task: %+v, %v", d, err)
		}
		if q.Candidate = "none"; true {
			if d, err := s.Complete(ctx, workerA, q); err != nil || d.Refusal != "dependencies" {
				t.Errorf("no candidate: %+v, %v", d, err)
			}
		}
	})
}

// A project takes everything of its own with it, and nothing else.
func TestDeleteProject(t *testing.T) {
	onService(t, func(t *testing.T, s *Service, _ *time.Time) {
		q, other := ready(t, s, "p"), ready(t, s, "q")
		if d, err := s.Complete(t.Context(), workerA, q); err != nil || !d.Accepted {
			t.Fatalf("%+v, %v", d, err)
		}
		if err := s.DeleteProject(t.Context(), "p"); err != nil {
			t.Fatal(err)
		}
		for _, table := range []string{"projects", "inputs", "members", "contents", "artifacts", "versions", "grants", "checkers", "contracts", "candidates", "tasks"} {
			column := map[bool]string{true: "id", false: "project"}[table == "projects"]
			if left := text(t, s, `SELECT DISTINCT `+column+` FROM `+table); left != "q" && table != "members" {
				t.Errorf("%s of %q are left", table, left)
			}
		}
		for _, table := range []string{"attempts", "receipts", "requests", "audit"} {
			if left := text(t, s, `SELECT DISTINCT task FROM `+table); strings.Contains(left, "p task") {
				t.Errorf("%s of %q are left", table, left)
			}
		}
		if d, err := s.Complete(t.Context(), workerA, other); err != nil || !d.Accepted {
			t.Errorf("the other project: %+v, %v", d, err)
		}
	})
}

func TestVariantsAreNamed(t *testing.T) {
	var names []string
	for _, v := range Variants() {
		names = append(names, v.Name)
		if got, err := Named(v.Name); err != nil || got.Name != v.Name || v.Meaning == "" {
			t.Errorf("%s: %+v, %v", v.Name, got, err)
		}
	}
	if want := []string{"right", "split", "unguarded", "cached-grant", "id-alone", "any-receipt"}; !slices.Equal(names, want) {
		t.Errorf("the variants are %q, want %q", names, want)
	}
	if _, err := Named("perfect"); err == nil || !strings.Contains(err.Error(), `"perfect": the variants are right, split,`) {
		t.Errorf("%v", err)
	}
}
