package live

import (
	"crypto/rand"
	"database/sql"
	"flag"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	service "sqlservice.example"
)

// The environment variables that say where PostgreSQL is, and that everything is to be
// tested.
const (
	postgresURL = "COMMITPOINT_POSTGRES_URL"
	continuous  = "COMMITPOINT_CI"
)

// sqliteSource returns a new database file. Nothing is synced to the disk: it is the
// interleavings that matter.
func sqliteSource(t *testing.T) string {
	return "file:" + t.TempDir() + "/live.db?_pragma=busy_timeout(10000)&_pragma=synchronous(off)"
}

// postgresSource returns the URL of a new schema, which is dropped when the test ends.
func postgresSource(t *testing.T) string {
	t.Helper()
	address := os.Getenv(postgresURL)
	if address == "" {
		message := postgresURL + " is not set: ../testdata/postgres.sh start DIR prints what to set it to"
		if os.Getenv(continuous) != "" {
			t.Fatalf("%s; %s wants everything tested", message, continuous)
		}
		t.Skip(message)
	}
	source, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	admin, err := sql.Open("pgx", address)
	if err != nil {
		t.Fatal(err)
	}
	schema := "live_" + strings.ToLower(rand.Text())
	if _, err := admin.ExecContext(t.Context(), "CREATE SCHEMA "+schema); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if _, err := admin.Exec("DROP SCHEMA " + schema + " CASCADE"); err != nil {
			t.Error(err)
		}
		admin.Close()
	})
	query := source.Query()
	query.Set("search_path", schema)
	source.RawQuery = query.Encode()
	return source.String()
}

// shaken has connections to PostgreSQL killed and cut, and contexts end; onFile has only
// contexts end.
var (
	shaken = Options{Kill: 12, Cut: 2, Cancel: 30, Patience: 5 * time.Millisecond}
	onFile = Options{Cancel: 20, Patience: 5 * time.Millisecond}
)

// perform runs clients on a variant, and logs what happened.
func perform(t *testing.T, o Options, source, variant string, operations int) Report {
	t.Helper()
	v, err := service.Named(variant)
	if err != nil {
		t.Fatal(err)
	}
	o.Source, o.Variant, o.Operations = source, v, operations
	r, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s: %.0f operations a second, %+v", variant, float64(r.Operations)/r.Took.Seconds(), r.Counts)
	return r
}

// limit is how long a single task's history may be looked at. It takes milliseconds.
const limit = 30 * time.Second

// judge checks all histories, and returns those that are not linearizable.
func judge(t *testing.T, r Report) (illegal []Judgement) {
	t.Helper()
	start := time.Now()
	for _, h := range r.Histories {
		switch j := h.Check(limit); j.Result {
		case porcupine.Illegal:
			illegal = append(illegal, j)
		case porcupine.Unknown:
			t.Errorf("task %q was not judged in %v", j.Task, limit)
		}
	}
	t.Logf("%d of %d tasks are not linearizable, as was found in %v", len(illegal), len(r.Histories), time.Since(start))
	return illegal
}

// rightly fails if a history is not linearizable, with a view of the first few, and for
// everything that does not agree in the tables.
func rightly(t *testing.T, r Report) {
	t.Helper()
	if illegal := judge(t, r); len(illegal) > 0 {
		directory := views(t)
		for i, j := range illegal[:min(len(illegal), 5)] {
			path := filepath.Join(directory, fmt.Sprintf("task-%d.html", i+1))
			if err := j.View(path); err != nil {
				t.Error(err)
			}
			t.Errorf("task %q is not linearizable: see %s", j.Task, path)
		}
	}
	for _, fault := range r.Faults {
		t.Error(fault)
	}
	if want := r.Struck + r.Unknown + 2*r.Tasks; r.Audits != want {
		t.Errorf("there were %d audits, want %d: after each accident, and twice for each task at its end", r.Audits, want)
	}
}

// views returns a directory that is still there when the test has ended.
func views(t *testing.T) string {
	if f := flag.Lookup("test.artifacts"); f != nil && f.Value.String() == "true" {
		return t.ArtifactDir()
	}
	directory, err := os.MkdirTemp("", "live")
	if err != nil {
		t.Fatal(err)
	}
	return directory
}

// The right service on PostgreSQL gives answers that the model would have given, while
// connections are killed, and loses nothing that it has accepted.
func TestPostgres(t *testing.T) {
	r := perform(t, shaken, postgresSource(t), "right", 20000)
	rightly(t, r)
	if r.Operations < 20000 {
		t.Errorf("%d operations were recorded, want 20,000", r.Operations)
	}
	for name, n := range map[string]int{
		"kill of a connection in a transaction": r.KilledBusy, "operation that failed for that": r.Struck,
		"commit that the client was not told of": r.Cut, "commit of unknown outcome": r.UnknownCommits,
		"one of these that had happened": r.Happened, "one of these that had not": r.NotHappened,
	} {
		if n == 0 {
			t.Errorf("there was no %s", name)
		}
	}
	various(t, r, "accepted", "replayed", "active", "caller", "attempt", "lease", "scope", "grant", "contract", "dependencies", "bases")
}

// various fails if the run was too simple to mean something.
func various(t *testing.T, r Report, answers ...string) {
	t.Helper()
	for _, answer := range answers {
		if r.Answers[answer] == 0 {
			t.Errorf("no request was answered %s: %v", answer, r.Answers)
		}
	}
}

// The variant that decides in one transaction and writes in the next is found out by the
// same run.
func TestPostgresSplit(t *testing.T) {
	if len(judge(t, perform(t, shaken, postgresSource(t), "split", 5000))) == 0 {
		t.Error("every history is linearizable")
	}
}

// There are no connections to kill to SQLite, but contexts end.
func TestSQLite(t *testing.T) {
	r := perform(t, onFile, sqliteSource(t), "right", 3000)
	rightly(t, r)
	if r.Struck == 0 {
		t.Error("no operation was interrupted")
	}
	various(t, r, "accepted", "replayed", "active", "caller", "dependencies")
}

// Every other variant is found out, and what is wrong can be looked at. Most are in the
// first run; chance has no say in the tenth.
func TestVariants(t *testing.T) {
	for _, v := range service.Variants()[1:] {
		t.Run(v.Name, func(t *testing.T) {
			var illegal []Judgement
			for run := 0; run < 20 && len(illegal) == 0; run++ {
				o := onFile
				o.Seed = uint64(run)
				illegal = judge(t, perform(t, o, sqliteSource(t), v.Name, 1000))
			}
			if len(illegal) == 0 {
				t.Fatal("every history is linearizable")
			}
			path := filepath.Join(t.TempDir(), "task.html")
			if err := illegal[0].View(path); err != nil {
				t.Fatal(err)
			}
			page, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for _, text := range []string{"<!doctype html>", ":commit", "PartialLinearizations", " → "} {
				if !strings.Contains(string(page), text) {
					t.Errorf("the page does not have %q", text)
				}
			}
		})
	}
}

func TestOptions(t *testing.T) {
	tests := []struct {
		name, reason string
		options      Options
		want         string
	}{
		{"no source", "there is nothing to connect to", Options{}, "Source"},
		{"memory", "every connection would have a database of its own", Options{Source: ":memory:"}, "Source"},
		{"kill", "only PostgreSQL can", Options{Source: "file", Kill: 1}, "PostgreSQL"},
		{"cut", "there is nothing between SQLite and its client", Options{Source: "file", Cut: 1}, "PostgreSQL"},
		{"cancel", "at once would be too early", Options{Source: "file", Cancel: 1}, "Patience"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Run(t.Context(), tt.options)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want one of %s: %s", err, tt.want, tt.reason)
			}
		})
	}
}
