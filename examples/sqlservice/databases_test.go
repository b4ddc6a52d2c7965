package sqlservice

import (
	"crypto/rand"
	"database/sql"
	"net/url"
	"os"
	"strings"
	"testing"
)

// postgresURL is the environment variable that names a PostgreSQL database for the tests.
const postgresURL = "COMMITPOINT_POSTGRES_URL"

// onEach runs a test on both databases: on SQLite in memory, and on PostgreSQL in a
// schema of its own, which is dropped afterward, where the environment names one.
func onEach(t *testing.T, test func(t *testing.T, source string)) {
	t.Run("sqlite", func(t *testing.T) { test(t, memory) })
	t.Run("postgres", func(t *testing.T) { test(t, postgresSource(t)) })
}

// postgresSource returns the URL of a new schema.
func postgresSource(t testing.TB) string {
	t.Helper()
	address := os.Getenv(postgresURL)
	if address == "" && os.Getenv("COMMITPOINT_CI") != "" {
		t.Fatalf("%s is not set, and COMMITPOINT_CI wants everything tested", postgresURL)
	}
	if address == "" {
		t.Skipf("%s is not set: testdata/postgres.sh start DIR prints what to set it to", postgresURL)
	}
	source, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	admin, err := sql.Open(postgres.driver, address)
	if err != nil {
		t.Fatal(err)
	}
	schema := "sqlservice_" + strings.ToLower(rand.Text())
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
