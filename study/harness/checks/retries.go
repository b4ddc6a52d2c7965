package checks

import (
	"context"
	"fmt"

	"example.com/commitpoint/harness"
)

// What attempts come to.
var (
	failed   = harness.Receipt{Claim: harness.Failed, Captured: true, Effect: harness.NoEffect}
	affected = harness.Receipt{Claim: harness.Failed, Captured: true, Effect: harness.Full}
)

// retryRows are RT-01 to RT-04: every attempt has the same outcome.
var retryRows = []struct {
	id, situation string
	outcome       harness.Outcome
	want          string
}{
	{"RT-01", "terminal policy refusal",
		harness.Outcome{Class: harness.Terminal, Receipt: failed}, "1 attempt, stop_policy"},
	{"RT-02", "transient errors, each confirmed without effect",
		harness.Outcome{Class: harness.Transient, Receipt: failed}, "3 attempts, exhausted"},
	{"RT-03", "unknown outcome", harness.Outcome{}, "1 attempt, reconcile"},
	{"RT-04", "labelled transient, effect confirmed",
		harness.Outcome{Class: harness.Transient, Receipt: affected}, "1 attempt, reconcile"},
}

// tooMany attempts are the sign of a policy without an end.
const tooMany = 10

func retryChecks() []contract {
	var list []contract
	for _, row := range retryRows {
		list = append(list, contract{Check{row.id, row.situation, row.want},
			func(ctx context.Context, l library) (seen, detail string) {
				made := 0 // counted where they are made, too
				counted, decision, err := l.attempts(ctx, func(context.Context, int) harness.Outcome {
					if made++; made >= tooMany {
						panic(fmt.Sprintf("%d attempts, and no end", made))
					}
					return row.outcome
				})
				if err != nil {
					return "no decision", line(err)
				}
				if counted != made {
					detail = fmt.Sprintf("%d were made", made)
				}
				return fmt.Sprintf("%s, %v", plural(counted, "attempt"), decision), detail
			}})
	}
	return list
}

// plural returns a count of things.
func plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
