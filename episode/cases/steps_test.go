package cases

import (
	"fmt"
	"strings"
	"testing"

	"example.com/commitpoint/episode"
)

// Each kind of step, and what it leaves on the record: who, what, and with which value.
func TestEveryStep(t *testing.T) {
	c := load(t, "F1")
	in := &episode.Intent{ID: "buy", Carrier: "agent-1", Action: "purchase"}
	promise := &episode.Commitment{ID: "gift", Debtor: "shop", Creditor: "ann", Parties: []string{"shop"}, Due: "given"}
	other := *promise
	other.ID = "other"
	c.Steps = []Step{
		{Do: "govern", Value: "travel-2", Forbidden: []string{"sale"}},
		{Do: "delegate", Delegation: &episode.Delegation{Principal: "traveller", Carrier: "agent-2", Actions: []string{"sale"}}},
		{Do: "observe", By: "agent-1"}, {Do: "admit", Intent: in}, {Do: "approve", By: "traveller", On: "buy"},
		{Do: "observe", By: "agent-1"}, {Do: "admit", Intent: in}, {Do: "reserve", On: "buy"}, {Do: "release", On: "buy"},
		{Do: "observe", By: "agent-1"}, {Do: "admit", Intent: in}, {Do: "reserve", On: "buy"}, {Do: "dispatch", On: "buy"}, {Do: "acknowledge", On: "buy"},
		{Do: "bypass", Intent: &episode.Intent{ID: "sell", Carrier: "agent-2", Action: "sale"}},
		{Do: "report", By: "provider", On: "given", Value: "yes"}, {Do: "timeout", On: "sell"}, {Do: "review", By: "operator", On: "buy", Value: "issued"},
		{Do: "propose", Commitment: promise}, {Do: "agree", By: "shop", On: "gift"}, {Do: "discharge", On: "gift"},
		{Do: "propose", Commitment: &other}, {Do: "agree", By: "shop", On: "other"}, {Do: "transfer", By: "ann", On: "other", Value: "bank"},
		{Do: "replace", On: "agent-1", Value: "agent-3"}, {Do: "revoke", By: "traveller", On: "agent-1"}, {Do: "close", Value: "breached"},
	}
	seen := map[string]bool{}
	for _, s := range c.Steps {
		seen[s.Do] = true
	}
	if len(seen) != len(steps) {
		t.Errorf("%d kinds of steps are made, want %d", len(seen), len(steps))
	}
	o, err := Run(c)
	if o.Case == "" {
		t.Fatal(err)
	}
	var lines []string
	for _, e := range o.Record {
		lines = append(lines, strings.Join(strings.Fields(fmt.Sprintf("%s: %s %s %s", e.Kind, e.Actor, e.Subject, e.Value)), " "))
	}
	want := `delegation: traveller agent-1 ["purchase"] up to 400, final ones above 200 with approval
policy: travel-2 forbids ["sale"]
delegation: traveller agent-2 ["sale"] up to 0, final ones above 0 with approval
observation: agent-1
admission: agent-1 buy ALLOW
approval: traveller buy
observation: agent-1
admission: agent-1 buy ALLOW
reservation: agent-1 buy
release: agent-1 buy
observation: agent-1
admission: agent-1 buy ALLOW
reservation: agent-1 buy
dispatch: agent-1 buy
acknowledgement: buy
bypass: agent-2 sell
report: provider given yes
timeout: sell
review: operator buy issued
proposal: shop gift owes given to ann
agreement: shop gift
discharge: shop gift given
proposal: shop other owes given to ann
agreement: shop other
transfer: ann other bank
replacement: agent-1 agent-1 agent-3
revocation: traveller agent-1
ending: breached`
	if got := strings.Join(lines, "\n"); got != want {
		t.Errorf("the record is\n%s", got)
	}
	if got := o.Record[15].Decision; got.String() != "DENY" || got.Because()[0].Guard != "policy" {
		t.Errorf("the sale was %v because of %v", got, got.Because())
	}
}
