package queue_test

import (
	"context"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"example.com/commitpoint/counterexamples/rapidgen"
	"example.com/commitpoint/mechanisms"
	"example.com/commitpoint/model"
	"example.com/commitpoint/study"
	"queue.example"
)

// The rule accepts exactly what is eligible, in every schedule of the study.
func TestComplete(t *testing.T) {
	study.Run(t, mechanisms.Func("queue", queue.Complete))
}

// Beyond the study's bounds there are too many schedules to see all of them: a random
// one has every event of the environment, and some twice.
func TestCompleteBeyondTheBounds(t *testing.T) {
	again := func(k model.Kind) model.Event { return model.Event{Kind: k, N: 2} }
	order, err := study.Order(append(model.Environment(), again(model.InputEdit), again(model.ArtifactEdit), again(model.Revoke))...)
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		schedule := rapidgen.Schedule(order).Draw(t, "schedule")
		d, err := study.Decide(mechanisms.Func("queue", queue.Complete), schedule)
		if err != nil || d.Accepted != d.Verdict.Eligible() {
			t.Fatalf("accepted %v, eligible %v, %v", d.Accepted, d.Verdict.Eligible(), err)
		}
	})
}

// What was wrong with the rule before: one history for each reason.
func Example() {
	traces, err := study.Options{}.Traces(context.Background(), mechanisms.Func("once", queue.CompleteOnce))
	if err != nil {
		fmt.Println(err)
	}
	for _, t := range traces {
		fmt.Println(t.Kind, t.Reason, t.Schedule)
	}
	// Output:
	// unsafe-accept inputs [read candidate trusted-verify preflight input-edit commit]
	// unsafe-accept artifact [read candidate trusted-verify preflight artifact-edit commit]
	// unsafe-accept evidence [read candidate artifact-edit trusted-verify preflight commit]
	// unsafe-accept grant [read candidate trusted-verify preflight revoke commit]
	// unsafe-accept task [read candidate trusted-verify preflight commit]
	// unsafe-accept contract [read candidate trusted-verify preflight commit]
}
