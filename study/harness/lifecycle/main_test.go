package lifecycle

import (
	"os"
	"testing"

	"example.com/commitpoint/harness/session"
)

func TestMain(m *testing.M) {
	session.Enter()
	os.Exit(m.Run())
}
