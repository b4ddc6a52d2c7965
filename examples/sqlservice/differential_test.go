package sqlservice

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"example.com/commitpoint/conformance"
	judge "example.com/commitpoint/mechanisms/contract"
	model "example.com/commitpoint/model/contract"
)

// right is the variant that does everything.
var right = variants[0]

// open returns a system that is closed when the test ends.
func open(t testing.TB, newSystem func(context.Context, string, Variant) (conformance.System, error), source string, v Variant) conformance.System {
	t.Helper()
	system, err := newSystem(t.Context(), source, v)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := system.(io.Closer).Close(); err != nil {
			t.Error(err)
		}
	})
	return system
}

// In random sequences of all events of the contract, whatever their order, the service
// and the model decide alike, for the same first reason, and have the same recorded.
func TestContractLikeTheModel(t *testing.T) {
	const sequences, length = 1500, 40
	system := open(t, ContractSystem, memory, right)
	names := system.(*contractSystem).names()
	likely := weights(names)
	random := rand.New(rand.NewPCG(1, 2))
	seen := map[string]int{}
	for n := range sequences {
		if err := system.Reset(t.Context()); err != nil {
			t.Fatal(err)
		}
		m := modeled{State: model.Initial(model.Setup{})}
		var history []string
		for range 1 + random.IntN(length) {
			name := likely[random.IntN(len(likely))]
			history = append(history, name)
			if difference := m.step(t.Context(), system, name, seen); difference != "" {
				t.Fatalf("sequence %d, %s: %s", n, strings.Join(history, " "), difference)
			}
		}
	}
	for _, outcome := range append(model.All.Names(), "accepted", "replayed", "identity", "completed", "cancelled", "failed") {
		if seen[outcome] == 0 {
			t.Errorf("%s was never seen: %v", outcome, seen)
		}
	}
}

// weights returns the names, those that make a completion likely several times.
func weights(names []string) []string {
	often := map[string]int{"read": 12, "candidate": 12, "candidate-pair": 4, "verify": 14, "verify-tests": 2, "verify-review": 2, "commit": 12, "retry": 3}
	var list []string
	for _, name := range names {
		who, what, _ := strings.Cut(name, ":")
		times := 1
		if n := often[what]; n > 0 {
			times = n
			if who == workerB {
				times = n/4 + 1
			}
		}
		list = append(list, slices.Repeat([]string{name}, times)...)
	}
	return list
}

// A modeled is the model beside the service.
type modeled struct {
	model.State
	receipt string
}

// step performs an event on both, and says how they differ afterward.
func (m *modeled) step(ctx context.Context, system conformance.System, name string, seen map[string]int) string {
	e, err := model.ParseEvent(name)
	if err != nil {
		return err.Error()
	}
	before := m.State
	if !e.Kind.Decides() {
		m.Step(e)
		if err := system.Apply(ctx, name); err != nil {
			return err.Error()
		}
		return m.compare(ctx, system, seen)
	}
	r := m.Request(e)
	want := judge.Complete.Decide(&m.State, &r, model.All)
	got, err := system.Submit(ctx, name)
	if err != nil {
		return err.Error()
	}
	if want.Accepted && !want.Replayed {
		m.Complete(r, false)
		m.receipt = got.Receipt
	}
	m.Step(e)
	if got.Accepted != want.Accepted || got.Receipt != "" != want.Accepted || want.Accepted && got.Receipt != m.receipt {
		return fmt.Sprintf("decided %+v, want %+v, receipt %s\n%+v", got, want, m.receipt, before)
	}
	reason := outcome(want)
	seen[reason]++
	if !want.Accepted && got.Refusal != reason && r.Content.Bytes.Writer != 0 {
		return fmt.Sprintf("refused for %q, want %q\n%+v", got.Refusal, reason, before)
	}
	return m.compare(ctx, system, seen)
}

// outcome says in a word what was decided.
func outcome(d judge.Decision) string {
	switch {
	case d.Replayed:
		return "replayed"
	case d.Accepted:
		return "accepted"
	case d.Mismatch:
		return "identity"
	}
	return d.Failed.Names()[0]
}

// compare says how what is recorded differs.
func (m *modeled) compare(ctx context.Context, system conformance.System, seen map[string]int) string {
	got, err := system.Recorded(ctx)
	if err != nil {
		return err.Error()
	}
	seen[got.Status]++
	if got.Status != m.Status.String() {
		return fmt.Sprintf("status %s, want %v", got.Status, m.Status)
	}
	want := []string{}
	if m.Ledger.Writes > 0 {
		want = []string{m.receipt}
	}
	if !slices.Equal(got.Receipts, want) {
		return fmt.Sprintf("receipts %q, want %q", got.Receipts, want)
	}
	for target, revision := range m.Revisions {
		if path := model.Target(target).String(); got.Published[path] != int(revision)-1 {
			return fmt.Sprintf("%s was published %d times, want %d", path, got.Published[path], revision-1)
		}
	}
	return ""
}
