package sqlservice

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"example.com/commitpoint/conformance"
	"example.com/commitpoint/mechanisms"
	"example.com/commitpoint/model"
)

// counterparts are the service's predicates that a check of the study stands for.
var counterparts = map[model.Checks][]string{
	model.Attempt:  {"attempt", "caller"},
	model.Fence:    {"fence", "incarnation"},
	model.Lease:    {"lease"},
	model.Grant:    {"grant"},
	model.Inputs:   {"dependencies"},
	model.Artifact: {"bases"},
	model.Evidence: {"binding", "criteria"},
	model.Contract: {"contract"},
}

// In random histories, in which the study's chain is mixed with any number of events of
// its environment and followed by more commits and retries, the service and the model
// decide alike, and a refusal names a check that fails.
func TestStudyLikeTheModel(t *testing.T) {
	system := open(t, StudySystem, memory, right)
	random := rand.New(rand.NewPCG(3, 4))
	seen := map[string]int{}
	for n := range 3000 {
		history := history(random)
		if err := system.Reset(t.Context()); err != nil {
			t.Fatal(err)
		}
		if difference := replay(t.Context(), system, history, seen); difference != "" {
			t.Fatalf("history %d, %v: %s", n, history, difference)
		}
	}
	for _, outcome := range []string{"accepted", "again", "caller", "lease", "grant", "dependencies", "bases"} {
		if seen[outcome] == 0 {
			t.Errorf("%s was never seen: %v", outcome, seen)
		}
	}
}

// history returns the chain with events of the environment between, few of them mostly.
func history(random *rand.Rand) []model.Event {
	list := model.Chain()
	environment := model.Environment()
	for n := range random.IntN(6) * random.IntN(2) {
		e := environment[random.IntN(len(environment))]
		e.N = uint8(n + 2)
		list = slices.Insert(list, random.IntN(len(list)+1), e)
	}
	for range random.IntN(3) {
		list = append(list, environment[random.IntN(len(environment))], model.Event{Kind: model.Commit})
	}
	return list
}

// replay runs a history on the model and the system, and says how they differ.
func replay(ctx context.Context, system conformance.System, history []model.Event, seen map[string]int) string {
	s := model.Initial()
	receipt := ""
	for _, e := range history {
		if e.Kind != model.Commit {
			s.Step(e)
			if err := system.Apply(ctx, e.String()); err != nil {
				return err.Error()
			}
			continue
		}
		r := s.Request()
		failed := mechanisms.Failed(s, r) & model.All
		was := s.Ledger.Writes
		var recorded bool
		s.Ledger, _, recorded = s.Ledger.Complete(r, failed == 0)
		got, err := system.Submit(ctx, e.String())
		switch {
		case err != nil:
			return err.Error()
		case got.Accepted != recorded:
			return fmt.Sprintf("decided %+v, want accepted %v; fails: %v", got, recorded, failed)
		case !recorded && !named(failed, got.Refusal):
			return fmt.Sprintf("refused for %s, but what fails is %v", got.Refusal, failed)
		case recorded && was > 0 && got.Receipt != receipt:
			return fmt.Sprintf("answered %s, want the original receipt %s", got.Receipt, receipt)
		case recorded && was > 0:
			seen["again"]++
		case recorded:
			seen["accepted"]++
		default:
			seen[got.Refusal]++
		}
		if recorded {
			receipt = got.Receipt
		}
		if difference := sameRecord(ctx, system, s, receipt); difference != "" {
			return difference
		}
	}
	return ""
}

// named reports whether a refusal is a counterpart of a check that failed.
func named(failed model.Checks, refusal string) bool {
	return slices.ContainsFunc(failed.Each(), func(c model.Checks) bool { return slices.Contains(counterparts[c], refusal) })
}

// sameRecord says how what is recorded differs from the model's ledger.
func sameRecord(ctx context.Context, system conformance.System, s model.State, receipt string) string {
	got, err := system.Recorded(ctx)
	if err != nil {
		return err.Error()
	}
	status, want := "running", []string{}
	if s.Ledger.Writes > 0 {
		status, want = "completed", []string{receipt}
	}
	if got.Status != status || !slices.Equal(got.Receipts, want) || got.Published != nil {
		return fmt.Sprintf("recorded %+v, want %s, %s", got, status, want)
	}
	return ""
}

// The seven directed controls, and the two retries: what each of them meets.
func TestControls(t *testing.T) {
	const chain = "read candidate trusted-verify"
	tests := []struct{ name, reason, before, submit, refusal string }{
		{"forged-receipt", "there is no such receipt", chain + " forged-receipt preflight", "commit", "criteria"},
		{"other-candidate", "the receipt is genuine, for other bytes", chain + " other-candidate preflight", "commit", "binding"},
		{"other-digest", "the receipt is about other bytes now", chain + " other-digest preflight", "commit", "binding"},
		{"other-task", "A has that too, under another contract", chain + " other-task preflight", "commit", "contract"},
		{"other-contract", "the task is pinned to another one", chain + " other-contract preflight", "commit", "contract"},
		{"checker-rejected", "the checker said no", chain + " checker-rejected preflight", "commit", "criteria"},
		{"inadequate-checker", "the checker is admitted, whatever it is worth", chain + " inadequate-checker preflight", "commit", ""},
		{"retry", "it is the same request", chain + " commit revoke reassign", "retry", ""},
		{"retry of what was refused", "nothing has changed for it", chain + " revoke commit", "retry", "grant"},
		{"retry-other", "the id belongs to another request", chain + " commit", "retry-other", "identity"},
		{"retry-other of what was refused", "it was never verified", chain + " lease-expire commit reassign", "retry-other", "caller"},
		{"retry-other without commit", "it was never verified", chain, "retry-other", "binding"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			system := open(t, StudySystem, memory, right)
			got := run(t, system, strings.Fields(tt.before+" "+tt.submit))
			if got.Accepted != (tt.refusal == "") || got.Refusal != tt.refusal {
				t.Errorf("decided %+v, want refusal %q: %s", got, tt.refusal, tt.reason)
			}
		})
	}
}

// run resets the system, performs the events and returns the last decision.
func run(t *testing.T, system conformance.System, events []string) (last conformance.Decision) {
	t.Helper()
	if err := system.Reset(t.Context()); err != nil {
		t.Fatal(err)
	}
	return perform(t, system, events)
}

// perform performs events and returns the last decision.
func perform(t *testing.T, system conformance.System, events []string) (last conformance.Decision) {
	t.Helper()
	for _, e := range events {
		_, what, ok := strings.Cut(e, ":")
		if !ok {
			what = e
		}
		var err error
		if slices.Contains([]string{"commit", "retry", "retry-other", "impersonate"}, what) {
			last, err = system.Submit(t.Context(), e)
		} else {
			err = system.Apply(t.Context(), e)
		}
		if err != nil {
			t.Fatalf("%s: %v", e, err)
		}
	}
	return last
}
