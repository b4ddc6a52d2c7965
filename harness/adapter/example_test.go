package adapter_test

import (
	"fmt"

	"example.com/commitpoint/harness"
	"example.com/commitpoint/harness/adapter"
)

// An adapter of one's own: the supervisor's exit reports, beside what the worker printed.
func ExampleRegistry_Register() {
	changes := map[string]harness.Effect{"all": harness.Full, "some": harness.Partial, "none": harness.NoEffect}
	claims := map[uint64]harness.Claim{0: harness.Completed, 1: harness.Failed}

	registry := adapter.Fixtures()
	err := registry.Register("supervisor", func(report adapter.Value) (r harness.Receipt) {
		report.Key("printed").Ignore()
		exit := report.Key("exit")
		claim, known := claims[exit.Uint()]
		if !known {
			exit.Refuse("it is no exit status of a worker", "send 0 or 1")
		}
		r.Claim = claim
		r.Verified = report.Key("tests_pass").Bool()
		r.Effect = adapter.OneOf(report.Key("changes"), changes)
		r.Captured = true // the supervisor is the only way out
		return r
	})
	if err != nil {
		panic(err)
	}
	for _, report := range []string{
		`{"exit": 0, "printed": "all done!", "tests_pass": false, "changes": "all"}`,
		`{"exit": 0, "printed": "all done!", "tests_pass": true, "changes": "all"}`,
		`{"exit": 0, "printed": "all done!", "tests_pass": true, "changes": "a few"}`,
	} {
		receipt, err := registry.Normalize("supervisor", []byte(report))
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(harness.Classify(receipt))
	}
	// Output:
	// reconcile
	// advance
	// adapter "supervisor": $.changes: it is "a few"; use one of: all, none, some
}
