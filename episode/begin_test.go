package episode

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

func TestBeginRefuses(t *testing.T) {
	tests := []struct {
		name   string
		change func(*Terms)
		want   string
	}{
		{"no sources", func(t *Terms) { t.Reconciliation.Sources = nil }, "the reconciliation policy has no source, or one without a name; name those whose reports count"},
		{"a source without a name", func(t *Terms) { t.Reconciliation.Sources = []string{"a", ""} }, "the reconciliation policy has no source, or one without a name; name those whose reports count"},
		{"a source twice", func(t *Terms) { t.Reconciliation.Sources = []string{"a", "b", "a"} }, "the reconciliation policy names source a twice; it can agree with itself no better; name it once"},
		{"a quorum above the sources", func(t *Terms) { t.Reconciliation.Quorum = 2 }, "the reconciliation policy wants 2 of 1 sources to agree; use at least 1, or 0 for 1, and at most all"},
		{"a quorum below 0", func(t *Terms) { t.Reconciliation.Quorum = -1 }, "the reconciliation policy wants -1 of 1 sources to agree; use at least 1, or 0 for 1, and at most all"},
		{"no policy", func(t *Terms) { t.Policy = "" }, "no policy is in force; name its version"},
		{"no outcome", func(t *Terms) { t.Outcome = nil }, "there is no outcome; name a fact that the episode is for"},
		{"an outcome without a name", func(t *Terms) { t.Outcome = []Want{{Value: "x"}} }, "a fact that is wanted or mandatory has no name; give it one"},
		{"a value without a name", func(t *Terms) { t.Value = []Want{{Value: "x"}} }, "a fact that is wanted or mandatory has no name; give it one"},
		{"a mandatory fact without a name", func(t *Terms) { t.Mandatory = []string{""} }, "a fact that is wanted or mandatory has no name; give it one"},
		{"a guard without a name", func(t *Terms) { t.Guards = []Guard{{}} }, "guard 7 has no name; give it one"},
		{"a guard of R1 again", func(t *Terms) { t.Guards = []Guard{always("policy", Pass)} }, `there are two guards "policy"; rename one`},
		{"a delegation to nobody", func(t *Terms) { t.Delegations = []Delegation{{Principal: "ann"}} }, `delegate to "": the principal or the carrier has no name; give both`},
		{"delegations of two principals", func(t *Terms) {
			t.Delegations = []Delegation{{Principal: "ann", Carrier: "bot"}, {Principal: "eve", Carrier: "bot"}}
		}, `delegate to "bot": refused: it acts for ann, who has to revoke that first`},
		{"a delegation to oneself", func(t *Terms) { t.Delegations = []Delegation{{Principal: "ann", Carrier: "ann"}} }, `delegate to "ann": refused: it can't give itself authority; have a principal of the terms delegate`},
		{"a commitment that its debtor is no party to", func(t *Terms) {
			c := owes("x")
			c.Parties, c.Agreed = []string{"ann"}, []string{"ann"}
			t.Commitments = []Commitment{c}
		}, `commitment "x" binds shop, which is not among the parties that have to agree; name it there`},
		{"a commitment without ID", func(t *Terms) { t.Commitments = []Commitment{owes("x"), {}} }, `commitment "" has no ID, debtor, creditor or fact that is due; give all four`},
		{"a commitment without a party's name", func(t *Terms) {
			c := owes("x")
			c.Parties = []string{"ann", ""}
			t.Commitments = []Commitment{c}
		}, `commitment "x" has no party that has to agree, or one without a name; name them`},
		{"a commitment agreed to by a stranger", func(t *Terms) {
			c := owes("x")
			c.Agreed = []string{"ann", "eve"}
			t.Commitments = []Commitment{c}
		}, `commitment "x" is agreed to by "eve", which is no party to it; name it among the parties`},
		{"a commitment that is transferred", func(t *Terms) {
			c := owes("x")
			c.Transferred = "bank"
			t.Commitments = []Commitment{c}
		}, `commitment "x" is discharged or transferred from the start; leave it out`},
		{"a commitment twice", func(t *Terms) { t.Commitments = []Commitment{owes("x"), owes("x")} }, `propose "x": there is one with that ID; give it another`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			terms := Terms{Reconciliation: Reconciliation{Sources: []string{"a"}}, Policy: "p1", Outcome: []Want{{Fact: "x"}}}
			if _, err := Begin(terms); err != nil {
				t.Fatal(err)
			}
			tt.change(&terms)
			if _, err := Begin(terms); err == nil || err.Error() != "begin an episode: "+tt.want {
				t.Errorf("got %v\nwant begin an episode: %s", err, tt.want)
			}
		})
	}
}

// Whatever goes in or comes out can be written to without an effect on the episode.
func TestEpisodeCopies(t *testing.T) {
	c := owes("refund")
	c.Agreed = []string{"shop"}
	terms := Terms{Reconciliation: Reconciliation{Sources: []string{"a"}}, Policy: "p1", Outcome: []Want{{Fact: "x"}}, Value: []Want{{Fact: "y"}},
		Forbidden: []string{"sell"}, Resources: []string{"seat"}, Mandatory: []string{"m"}, Delegations: []Delegation{to("bot")}, Commitments: []Commitment{c}}
	e, err := Begin(terms)
	if err != nil {
		t.Fatal(err)
	}
	in := Intent{ID: "buy", Carrier: "bot", Action: "buy", Resource: "seat", After: []string{"p"}, Evidence: []string{"x"}}
	past := Intent{ID: "past", Carrier: "bot", Action: "buy"}
	for _, f := range []call{report("a", "x", "1"), observe("bot"), admits(in), func(e *Episode) error { return e.Bypass(past) }} {
		if err := f(e); err != nil {
			t.Fatal(err)
		}
	}
	all := func() string {
		view, err := e.Observe("bot")
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprintf("%#v %#v %#v %#v %#v %#v", view, e.Terms(), e.Facts(), e.Commitments(), e.Closure(), e.Record()[:12]) // not by String, which leaves findings out
	}
	for range 12 {
		_, _ = e.Observe("x")
	}
	want := all()
	spoil := func(lists ...[]string) {
		for _, l := range lists {
			l[0] = "spoilt"
		}
	}
	for _, t := range []Terms{terms, e.Terms()} {
		spoil(t.Reconciliation.Sources, t.Forbidden, t.Resources, t.Mandatory, t.Delegations[0].Actions, t.Commitments[0].Parties, t.Commitments[0].Agreed)
		t.Delegations[0].Carrier, t.Outcome[0].Fact, t.Value[0].Fact = "spoilt", "spoilt", "spoilt"
	}
	spoil(in.After, in.Evidence)
	view, _ := e.Observe("bot")
	spoil(view.Forbidden, view.Resources, view.Delegation.Actions, view.Facts[0].Sources, view.Dispatched)
	facts, commitments, closure := e.Facts(), e.Commitments(), e.Closure()
	spoil(facts[0].Sources, commitments[0].Parties, commitments[0].Agreed, closure.Blocks)
	facts[0].Name, commitments[0].ID = "spoilt", "spoilt"
	d, err := e.Admit(Intent{ID: "other", Carrier: "bot", Action: "buy"})
	if err != nil {
		t.Fatal(err)
	}
	d.Findings[0].Answer = Deny
	if got := e.actions["other"].decision.Answer; got != Pass {
		t.Errorf("the decision has become %v", got)
	}
	if got := e.actions["other"].decision.Findings[0].Answer; got != Pass {
		t.Errorf("the finding has become %v", got)
	}
	if got := all(); got != want {
		t.Errorf("it was\n%s\nand is\n%s", want, got)
	}
	if got := fmt.Sprint(e.actions["buy"].intent); strings.Contains(got, "spoilt") {
		t.Errorf("the intent has become %s", got)
	}
}

// The texts are published.
func TestTexts(t *testing.T) {
	got, err := json.Marshal([]any{
		[]Answer{NoAnswer, Pass, Hold, Escalate, Deny}, []Status{Unknown, Claimed, Observed, Accepted, Contested},
		[]Ending{Open, Fulfilled, Failed, Cancelled, Breached, Disputed, Unresolved},
	})
	want := `[["NO ANSWER","PASS","HOLD","ESCALATE","DENY"],["unknown","claimed","observed","accepted","contested"],` +
		`["open","fulfilled","failed","cancelled","breached","disputed","unresolved"]]`
	if err != nil || string(got) != want {
		t.Errorf("got %s, %v", got, err)
	}
	for _, v := range []any{Deny + 1, Contested + 1, Unresolved + 1} {
		if text, err := json.Marshal(v); err == nil {
			t.Errorf("%v is written as %s", v, text)
		}
	}
	if got, want := fmt.Sprint(Answer(200), Status(200), Ending(200)), "Answer(200) Status(200) Ending(200)"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	var a Answer
	var s Status
	var e Ending
	if err := json.Unmarshal([]byte(`["ESCALATE","observed","disputed"]`), &[]any{&a, &s, &e}); err != nil || a != Escalate || s != Observed || e != Disputed {
		t.Errorf("read %v %v %v, %v", a, s, e, err)
	}
	for _, text := range []string{`"escalate"`, `""`, `"Answer(200)"`} {
		if err := json.Unmarshal([]byte(text), &a); err == nil || !strings.Contains(err.Error(), "is none; use one of NO ANSWER, PASS, HOLD, ESCALATE, DENY") {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestCommitmentStates(t *testing.T) {
	tests := []struct {
		agreed     []string
		discharged bool
		to         string
		want       string
		effective  bool
	}{
		{nil, false, "", "proposed", false},
		{[]string{"ann"}, false, "", "proposed", false},
		{[]string{"eve", "bob"}, false, "", "proposed", false},
		{[]string{"ann", "shop"}, false, "", "owed", true},
		{[]string{"ann", "shop"}, true, "", "discharged", true},
		{[]string{"ann", "shop"}, false, "bank", "transferred", true},
	}
	for _, tt := range tests {
		c := owes("x")
		c.Agreed, c.Discharged, c.Transferred = tt.agreed, tt.discharged, tt.to
		if c.State() != tt.want || c.Effective() != tt.effective || c.Owed() != (tt.want == "owed") {
			t.Errorf("%+v is %s, effective %v, owed %v", c, c.State(), c.Effective(), c.Owed())
		}
	}
}
