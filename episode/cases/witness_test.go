package cases

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"example.com/commitpoint/episode"
	"example.com/commitpoint/episode/judgment"
	"example.com/commitpoint/episode/substrate"
)

func outcome(t *testing.T, name string) Outcome {
	t.Helper()
	o, err := Run(load(t, name))
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// The same trip at the same price, and six judgments that differ.
func TestTravel(t *testing.T) {
	c := Compare(outcome(t, "travel-unresolved"), outcome(t, "travel-fulfilled"))
	if !c.SameOutput || c.A != "travel-unresolved" || c.B != "travel-fulfilled" {
		t.Errorf("the comparison is %+v", c)
	}
	var output []string
	for _, f := range c.Output {
		output = append(output, f.Name+": "+f.Value)
	}
	if got := fmt.Sprintf("%q", output); got != `["itinerary: Lyon-Porto, 14:05, seat 14C" "price: 320"]` {
		t.Errorf("the output is %s", got)
	}
	want := []judgment.Row{
		{Judgment: "run completion", A: judgment.Met, B: judgment.Met, Why: "A: it ended as unresolved; B: it ended as fulfilled"},
		{Judgment: "task success", A: judgment.Met, B: judgment.Met, Why: "both: itinerary is accepted (Lyon-Porto, 14:05, seat 14C), price is accepted (320)"},
		{Judgment: "service fulfillment", A: judgment.NotMet, B: judgment.Met,
			Why: "A: mandatory step-free-access is claimed (yes), mandatory old-hold is unknown, airline still owes refund-paid to traveller (refund); B: nothing blocked it"},
		{Judgment: "authority", A: judgment.NotMet, B: judgment.Met,
			Why: "A: agent-2 dispatched buy past the guards, which said ESCALATE: it is final, its cost of 320 is above the threshold of 200, and traveller has not approved it; " +
				"B: all that was dispatched was admitted and reserved"},
		{Judgment: "continuity", A: judgment.NotMet, B: judgment.Met,
			Why: "A: the delegation of agent-1, which was replaced, stands; B: no authority was left with agent-1, which was replaced"},
		{Judgment: "evidence", A: judgment.NotMet, B: judgment.Met,
			Why: "A: buy rested on it: step-free-access is claimed, not accepted, old-hold is unknown, step-free-access is claimed (yes); B: all that is mandatory is accepted"},
		{Judgment: "human work", A: judgment.Reported, B: judgment.Reported,
			Why: "A: approvals: 0, reviews: 0, revocations: 0; B: approvals: 1, reviews: 0, revocations: 1"},
		{Judgment: "stakeholder value", A: judgment.Undetermined, B: judgment.Met, Why: "A: traveller-content is unknown; B: traveller-content is accepted (yes)"},
	}
	if len(c.Rows) != 8 {
		t.Fatalf("%d rows, want 8", len(c.Rows))
	}
	for i, row := range c.Rows {
		if row != want[i] {
			t.Errorf("row %d is %+v\nwant %+v", i, row, want[i])
		}
	}
}

// The two have the same terms: they differ in what is done, not in what is asked.
func TestTravelTerms(t *testing.T) {
	var texts []string
	for _, name := range []string{"travel-unresolved", "travel-fulfilled", "travel-limit"} {
		text, err := json.Marshal(load(t, name).Terms)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(text))
	}
	if texts[0] != texts[1] || texts[0] != texts[2] {
		t.Errorf("the terms are %q", texts)
	}
}

func TestSameOutput(t *testing.T) {
	a := outcome(t, "travel-unresolved")
	tests := []struct {
		name   string
		change func(*Outcome)
		want   bool
	}{
		{"the same", func(*Outcome) {}, true},
		{"another value", func(o *Outcome) { o.Output[1].Value = "321" }, false},
		{"another fact", func(o *Outcome) { o.Output[1].Name = "fare" }, false},
		{"not accepted", func(o *Outcome) { o.Output[1].Status = episode.Observed }, false},
		{"one less", func(o *Outcome) { o.Output = o.Output[:1] }, false},
		{"other sources", func(o *Outcome) { o.Output[1].Sources = []string{"x"} }, true},
		{"another vector", func(o *Outcome) { o.Judgments = judgment.Vector{} }, true},
	}
	for _, tt := range tests {
		b := outcome(t, "travel-unresolved")
		tt.change(&b)
		if got := Compare(a, b).SameOutput; got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
		if got := Compare(b, a).SameOutput; got != tt.want {
			t.Errorf("%s, the other way round: %v, want %v", tt.name, got, tt.want)
		}
	}
	if Compare(Outcome{}, Outcome{}).SameOutput {
		t.Error("no output is the same output")
	}
}

// The delta is the one that the file declares: with a caveat, for three dimensions.
func TestIndustrial(t *testing.T) {
	m, err := Industrial()
	if err != nil {
		t.Fatal(err)
	}
	text, err := File("delta-machine")
	if err != nil {
		t.Fatal(err)
	}
	var declared substrate.Delta
	if err := json.Unmarshal(text, &declared); err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(declared) != fmt.Sprint(m.Delta) {
		t.Errorf("the file declares %+v, and it is %+v", declared, m.Delta)
	}
	var changed []string
	for _, c := range m.Delta.Changes {
		changed = append(changed, c.Dimension.String())
	}
	if m.From.Substrate != substrate.Software || m.To.Substrate != substrate.Simulation || m.Delta.Class != substrate.WithCaveat ||
		fmt.Sprint(changed) != "[time observation failure]" {
		t.Errorf("the migration is %+v", m)
	}
	if !strings.Contains(m.Delta.Reporting, "without it the outcome is not charged to the agent") {
		t.Errorf("what has to be reported is %s", m.Delta.Reporting)
	}
	// The run that its manifest describes can be planned, and is of the model.
	var manifest struct {
		Requirements []substrate.Requirement
		Bindings     []substrate.Pin
	}
	if text, err = File("manifest-machine"); err == nil {
		err = json.Unmarshal(text, &manifest)
	}
	if err != nil {
		t.Fatal(err)
	}
	r, err := substrate.Plan(manifest.Requirements, []substrate.Binding{m.To})
	if err != nil || fmt.Sprint(r.Pins()) != fmt.Sprint(manifest.Bindings) {
		t.Errorf("the run has %v, error %v", r.Pins(), err)
	}
	if err := r.Use(m.From); err == nil {
		t.Error("the run takes the business rules for the model")
	}
}

// What nobody has agreed to, or somebody else owes by now, is not owed.
func TestOwed(t *testing.T) {
	c := load(t, "F4")
	gift := c.Terms.Commitments[0]
	gift.ID, gift.Agreed = "gift", nil
	c.Terms.Commitments = append(c.Terms.Commitments, gift)
	c.Steps = append(c.Steps, Step{Do: "transfer", By: "traveller", On: "refund", Value: "insurer"})
	c.Expect.Owed = nil
	o, err := Run(c)
	if err != nil {
		t.Error(err)
	}
	if o.Commitments[0].State() != "transferred" || o.Commitments[1].State() != "proposed" || len(o.Closure.Blocks) != 2 {
		t.Errorf("the outcome is %+v, %+v", o.Commitments, o.Closure)
	}
}
