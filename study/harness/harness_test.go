package harness

import (
	"context"
	"errors"
	"testing"

	"example.com/commitpoint/enumerate"
	"example.com/commitpoint/study/harness/checks"
)

// A computation that is cut short is incomplete, wherever it is, and comes with no result.
func TestIncomplete(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for name, c := range map[string]struct {
		ctx context.Context
		opt enumerate.Options
	}{
		"the context has ended": {ended, enumerate.Options{}},
		"a limit is reached":    {t.Context(), enumerate.Options{MaxNodes: 100}},
	} {
		var incomplete *enumerate.IncompleteError
		if r, err := Compute(c.ctx, c.opt); !errors.As(err, &incomplete) || r.Schema != "" || len(r.Contracts) > 0 {
			t.Errorf("%s: %v, with %d contract checks", name, err, len(r.Contracts))
		}
	}
}

// What is published are the contract checks, and no observation of this machine.
func TestContracts(t *testing.T) {
	cases := checks.Contracts(t.Context())
	if len(cases) != 32 {
		t.Fatalf("%d contract checks", len(cases))
	}
	for _, c := range cases {
		if c.Result != checks.Pass || c.ID[:2] == "LC" {
			t.Errorf("%s is %s: %s", c.ID, c.Result, c.Observation)
		}
	}
}
