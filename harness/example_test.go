package harness_test

import (
	"context"
	"fmt"
	"time"

	"example.com/commitpoint/harness"
)

// The worker says in both cases that it is done.
func ExampleClassify() {
	seen := harness.Receipt{Claim: harness.Completed, Verified: true, Captured: true, Effect: harness.Full}
	fmt.Printf("%v (%s)\n", harness.Classify(seen), seen.Why())

	seen.Effect = harness.Partial
	fmt.Printf("%v (%s)\n", harness.Classify(seen), seen.Why())
	// Output:
	// advance (verified, effect captured in full)
	// reconcile (partial effect)
}

// An approval that comes when the service should be gone does not bring it back.
func ExampleLease_Check() {
	web := harness.Identity{Run: "r1", Owner: "session-a", Workload: "web", Generation: 3}
	noon := time.Date(2026, 10, 1, 12, 0, 0, 0, time.UTC)
	lease := harness.Lease{
		Identity:    web,
		Approved:    noon.Add(-time.Minute),
		PriorExpiry: noon.Add(-2 * time.Minute),
		Expiry:      noon.Add(time.Hour),
	}
	fmt.Println(lease.Check(web, noon))
	// Output:
	// check lease of "r1"/"session-a"/"web" generation 3 for "r1"/"session-a"/"web" generation 3: it was not approved before the prior expiry; treat the workload as expired
}

// The second attempt has an effect, and there is no third.
func ExampleRetry_Run() {
	effects := []harness.Effect{harness.NoEffect, harness.Partial}
	attempts, decision, err := harness.Retry{}.Run(context.Background(), func(_ context.Context, number int) harness.Outcome {
		return harness.Outcome{
			Class:   harness.Transient,
			Receipt: harness.Receipt{Claim: harness.Failed, Captured: true, Effect: effects[number-1]},
		}
	})
	fmt.Println(attempts, decision, err)
	// Output: 2 reconcile <nil>
}
