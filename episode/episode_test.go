package episode

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
)

// A call is one call of an episode.
type call func(*Episode) error

func observe(carrier string) call {
	return func(e *Episode) error { _, err := e.Observe(carrier); return err }
}

func admits(in Intent) call { return func(e *Episode) error { _, err := e.Admit(in); return err } }

func reserve(id string) call  { return func(e *Episode) error { return e.Reserve(id) } }
func dispatch(id string) call { return func(e *Episode) error { return e.Dispatch(id) } }
func release(id string) call  { return func(e *Episode) error { return e.Release(id) } }
func report(source, fact, value string) call {
	return func(e *Episode) error { return e.Report(source, fact, value) }
}

func revoke(principal, carrier string) call {
	return func(e *Episode) error { return e.Revoke(principal, carrier) }
}

func govern(version string, forbidden ...string) call {
	return func(e *Episode) error { return e.Govern(version, forbidden...) }
}

func rebound(e *Episode) error {
	return e.Rebound(Entry{Kind: "rebinding", Subject: "till", Value: "a -> b"})
}

func delegate(d Delegation) call { return func(e *Episode) error { return e.Delegate(d) } }

func approve(principal, id string) call {
	return func(e *Episode) error { return e.Approve(principal, id) }
}

func replace(carrier, successor string) call {
	return func(e *Episode) error { return e.Replace(carrier, successor) }
}

func closes(ending Ending) call {
	return func(e *Episode) error { _, err := e.Close(ending); return err }
}

// until are the calls that lead to a dispatch: of n, the first n are made.
func until(n int, in Intent) []call {
	return []call{observe(in.Carrier), admits(in), reserve(in.ID), dispatch(in.ID)}[:n]
}

func to(carrier string) Delegation {
	return Delegation{Principal: "ann", Carrier: carrier, Actions: []string{"buy"}, Budget: 100, Threshold: 40}
}

func owes(id string) Commitment {
	return Commitment{ID: id, Debtor: "shop", Creditor: "ann", Parties: []string{"shop", "ann"}, Due: id + "-done"}
}

var (
	buy    = Intent{ID: "buy", Carrier: "bot", Action: "buy", Cost: 30, Resource: "seat"}
	rival  = Intent{ID: "rival", Carrier: "bob", Action: "buy", Cost: 30, Resource: "seat"}
	dear   = Intent{ID: "dear", Carrier: "bot", Action: "buy", Cost: 50, Final: true}
	second = Intent{ID: "buy", Carrier: "next", Action: "buy", Cost: 30, Resource: "seat"}
)

// begin begins an episode in which "bot" and "bob" may buy, and makes calls that have to work.
func begin(t testing.TB, calls ...call) *Episode {
	t.Helper()
	agreed := owes("refund")
	agreed.Agreed = agreed.Parties
	e, err := Begin(Terms{
		Reconciliation: Reconciliation{Sources: []string{"shop", "bank"}, Reviewer: "judge"},
		Policy:         "p1", Resources: []string{"seat"}, Outcome: []Want{{Fact: "ticket"}}, Mandatory: []string{"receipt"},
		Delegations: []Delegation{to("bot"), to("bob")},
		Commitments: []Commitment{agreed, owes("gift")},
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range calls {
		if err := c(e); err != nil {
			t.Fatalf("call %d: %v", i, err)
		}
	}
	return e
}

const again = "; observe and admit again"

// What the rules forbid at a moment, and what they allow beside that.
func TestRefusals(t *testing.T) {
	revoked := "DENY (authority: ann has revoked the delegation to bot)"
	more := func(before []call, more ...call) []call { return append(slices.Clip(before), more...) }
	late := []call{closes(Failed)}
	tests := []struct {
		name   string
		before []call
		call   call
		want   string // of the refusal; empty if it is none
	}{
		{"admit without a view", nil, admits(buy), `admit "buy": refused: bot has observed nothing; observe first`},
		{"admit on the view of another", []call{observe("bob")}, admits(buy), `admit "buy": refused: bot has observed nothing; observe first`},
		{"admit the action of another", more(until(2, buy), observe("bob")), admits(Intent{ID: "buy", Carrier: "bob", Action: "buy", Cost: 30, Resource: "seat"}),
			`admit "buy": refused: it is the action of bot; use another ID, or replace that carrier first`},
		{"admit the action of a predecessor", more(until(2, buy), replace("bot", "next"), observe("next")), admits(second), ""},
		{"admit the action of a predecessor's predecessor", more(until(2, buy), replace("bot", "mid"), replace("mid", "next"), observe("next")), admits(second), ""},
		{"admit the action of a successor", more(until(2, buy), replace("bot", "next"), observe("next"), admits(second), observe("bot")), admits(buy),
			`admit "buy": refused: it is the action of next; use another ID, or replace that carrier first`},

		{"reserve after ALLOW", until(2, buy), reserve("buy"), ""},
		{"reserve twice", until(3, buy), reserve("buy"), `reserve "buy": refused: it was admitted at version 5, and there is 6` + again},
		{"reserve after a change", more(until(2, buy), report("shop", "news", "x")), reserve("buy"), `reserve "buy": refused: it was admitted at version 5, and there is 6` + again},
		{"reserve after the same news again", more([]call{report("shop", "news", "x")}, more(until(2, buy), report("shop", "news", "x"))...), reserve("buy"), ""},
		{"reserve after another source has agreed", more([]call{report("shop", "news", "x")}, more(until(2, buy), report("bank", "news", "x"))...), reserve("buy"), `reserve "buy": refused: it was admitted at version 6, and there is 7` + again},
		{"reserve after a claim that is new", more(until(2, buy), report("nobody", "news", "x")), reserve("buy"), `reserve "buy": refused: it was admitted at version 5, and there is 6` + again},
		{"reserve after a stale admission", []call{observe("bot"), report("shop", "news", "x"), admits(buy)}, reserve("buy"),
			`reserve "buy": refused: the decision is HOLD (freshness: the view is of version 5, and there is 6); observe and admit again when that has changed`},
		{"reserve after revocation", more(until(2, buy), revoke("ann", "bot")), reserve("buy"), `reserve "buy": refused: it was admitted at version 5, and there is 6` + again},
		{"reserve after a rebinding", more(until(2, buy), rebound), reserve("buy"),
			`reserve "buy": refused: it was admitted at version 5, and there is 6` + again},
		{"reserve what another holds", more(until(2, buy), until(3, rival)...), reserve("buy"), `reserve "buy": refused: seat is reserved for rival` + again},
		{"reserve what another has released", more(until(3, rival), more([]call{release("rival")}, until(2, buy)...)...), reserve("buy"), ""},
		{"reserve on a view of before a release", more(until(3, rival), observe("bot"), release("rival"), admits(buy)), reserve("buy"),
			`reserve "buy": refused: the decision is HOLD (resource: seat is reserved for rival; freshness: the view is of version 6, and there is 7); observe and admit again when that has changed`},
		{"reserve what was escalated", until(2, dear), reserve("dear"),
			`reserve "dear": refused: the decision is ESCALATE (authority: it is final, its cost of 50 is above the threshold of 40, and ann has not approved it); observe and admit again when that has changed`},
		{"reserve what was approved since", more(until(2, dear), approve("ann", "dear"), observe("bot")), reserve("dear"),
			`reserve "dear": refused: the decision is ESCALATE (authority: it is final, its cost of 50 is above the threshold of 40, and ann has not approved it); observe and admit again when that has changed`},
		{"reserve what was approved and admitted since", more(until(2, dear), more([]call{approve("ann", "dear")}, until(2, dear)...)...), reserve("dear"), ""},
		{"reserve what went past by a stranger", more(until(2, buy), func(e *Episode) error { in := buy; in.Carrier = "eve"; return e.Bypass(in) }), reserve("buy"), `reserve "buy": refused: it was admitted at version 5, and there is 7` + again},
		{"admit what went past by a stranger", more(until(2, buy), func(e *Episode) error { in := buy; in.Carrier = "eve"; return e.Bypass(in) }), admits(buy), ""},
		{"admit as a stranger what went past", more(until(2, buy), func(e *Episode) error { in := buy; in.Carrier = "eve"; return e.Bypass(in) }, observe("eve")), admits(Intent{ID: "buy", Carrier: "eve", Action: "buy", Cost: 30, Resource: "seat"}),
			`admit "buy": refused: it is the action of bot; use another ID, or replace that carrier first`},
		{"approve what went past by a stranger", more(until(2, buy), func(e *Episode) error { in := buy; in.Carrier = "eve"; return e.Bypass(in) }), approve("ann", "buy"), ""},
		{"reserve what was never admitted", []call{func(e *Episode) error { return e.Bypass(buy) }}, reserve("buy"),
			`reserve "buy": refused: the decision is missing, since it was never admitted; observe and admit again when that has changed`},

		{"dispatch after reservation", until(3, buy), dispatch("buy"), ""},
		{"dispatch after ALLOW", until(2, buy), dispatch("buy"), `dispatch "buy": refused: it is not reserved under its latest decision, ALLOW; reserve it`},
		{"dispatch twice", until(4, buy), dispatch("buy"), `dispatch "buy": refused: it was dispatched before, and its effect is unknown; find out, and admit again what had none`},
		{"dispatch under an older decision", more(until(3, buy), until(2, buy)...), dispatch("buy"), `dispatch "buy": refused: it is not reserved under its latest decision, ALLOW; reserve it`},
		{"dispatch what was reserved again", more(until(3, buy), until(3, buy)...), dispatch("buy"), ""},
		{"dispatch after release", more(until(3, buy), release("buy")), dispatch("buy"), `dispatch "buy": refused: it is not reserved under its latest decision, ALLOW; reserve it`},
		{"dispatch after a change that no guard minds", more(until(3, buy), report("shop", "news", "x")), dispatch("buy"), ""},
		{"dispatch after revocation", more(until(3, buy), revoke("ann", "bot")), dispatch("buy"), `dispatch "buy": refused: now the decision would be ` + revoked + `; observe and admit again when that has changed`},
		{"dispatch under a new delegation", more(until(3, buy), revoke("ann", "bot"), delegate(to("bot"))), dispatch("buy"), `dispatch "buy": refused: it was admitted under an earlier delegation` + again},
		{"dispatch under a renewed delegation", more(until(3, buy), delegate(to("bot"))), dispatch("buy"), `dispatch "buy": refused: it was admitted under an earlier delegation` + again},
		{"dispatch after a policy that forbids it", more(until(3, buy), govern("p2", "buy")), dispatch("buy"),
			`dispatch "buy": refused: now the decision would be DENY (policy: policy p2 forbids buy); observe and admit again when that has changed`},
		{"dispatch after a policy that allows it", more(until(3, buy), govern("p2")), dispatch("buy"), `dispatch "buy": refused: policy p2 is in force since it was admitted` + again},
		{"dispatch after the same policy again", more(until(3, buy), govern("p1")), dispatch("buy"), `dispatch "buy": refused: policy p1 is in force since it was admitted` + again},
		{"dispatch under the policy of its admission", more([]call{govern("p2")}, until(3, buy)...), dispatch("buy"), ""},
		{"dispatch of what was admitted again under a policy", more(until(3, buy), more([]call{govern("p2")}, until(3, buy)...)...), dispatch("buy"), ""},
		{"dispatch after a rebinding", more(until(3, buy), rebound), dispatch("buy"), `dispatch "buy": refused: an object was rebound since it was admitted` + again},
		{"dispatch after a rebinding and other news", more(until(3, buy), rebound, report("shop", "news", "x")), dispatch("buy"), `dispatch "buy": refused: an object was rebound since it was admitted` + again},
		{"dispatch on the binding of its admission", more([]call{rebound}, until(3, buy)...), dispatch("buy"), ""},
		{"dispatch of what was admitted again on a binding", more(until(3, buy), more([]call{rebound}, until(3, buy)...)...), dispatch("buy"), ""},
		{"dispatch by the replaced", more(until(3, buy), replace("bot", "next")), dispatch("buy"),
			`dispatch "buy": refused: now the decision would be DENY (authority: bot has been replaced by next); observe and admit again when that has changed`},
		{"dispatch by the successor", more(until(3, buy), replace("bot", "next"), delegate(to("next")), observe("next"), admits(second)), dispatch("buy"),
			`dispatch "buy": refused: it is not reserved under its latest decision, ALLOW; reserve it`},
		{"dispatch by the successor on its own reservation", more(until(3, buy), replace("bot", "next"), delegate(to("next")), observe("next"), admits(second), reserve("buy")), dispatch("buy"), ""},
		{"dispatch without the effect of before", more(until(4, buy), more([]call{report("shop", "buy", None)}, until(3, buy)...)...), dispatch("buy"), ""},
		{"dispatch a third time", more(until(4, buy), more([]call{report("shop", "buy", None)}, until(4, buy)...)...), dispatch("buy"),
			`dispatch "buy": refused: it was dispatched before, and its effect is unknown; find out, and admit again what had none`},
		{"dispatch without the effect of before on an old reservation", more(until(4, buy), report("shop", "buy", None)), dispatch("buy"),
			`dispatch "buy": refused: it was dispatched before, and its effect is accepted; find out, and admit again what had none`},
		{"dispatch what went past", more(until(3, buy), func(e *Episode) error { return e.Bypass(buy) }), dispatch("buy"),
			`dispatch "buy": refused: it was dispatched before, and its effect is unknown; find out, and admit again what had none`},

		{"acknowledge what was dispatched", until(4, buy), func(e *Episode) error { return e.Acknowledge("buy") }, ""},
		{"acknowledge what was not", until(3, buy), func(e *Episode) error { return e.Acknowledge("buy") }, `acknowledge "buy": refused: it was not dispatched; find out what was acknowledged`},

		{"release what is reserved", until(3, buy), release("buy"), ""},
		{"release what is not", until(2, buy), release("buy"), `release "buy": refused: it is not reserved; reserve it first`},
		{"release what was dispatched", until(4, buy), release("buy"), `release "buy": refused: it was dispatched, and its effect is unknown; find out first`},
		{"release what had its effect", more(until(4, buy), report("shop", "buy", "done")), release("buy"), `release "buy": refused: it was dispatched, and its effect is accepted; find out first`},
		{"release what is claimed to have had none", more(until(4, buy), report("bot", "buy", None)), release("buy"), `release "buy": refused: it was dispatched, and its effect is claimed; find out first`},
		{"release what had no effect", more(until(4, buy), report("shop", "buy", None)), release("buy"), ""},

		{"approve", until(2, dear), approve("ann", "dear"), ""},
		{"approve for oneself", until(2, dear), approve("bot", "dear"), `approve "bot": refused: it acts for ann, not for "bot"`},
		{"approve after revocation", more(until(2, dear), revoke("ann", "bot")), approve("ann", "dear"), `approve "dear": refused: the delegation to bot is revoked; delegate again first`},
		{"approve without delegation", []call{observe("new"), admits(Intent{ID: "n", Carrier: "new", Action: "buy"})}, approve("ann", "n"), `approve "new": refused: nothing is delegated to new; delegate first`},
		{"approved before another delegation", more(until(2, dear), more([]call{approve("ann", "dear"), delegate(to("bot"))}, until(2, dear)...)...), reserve("dear"),
			`reserve "dear": refused: the decision is ESCALATE (authority: it is final, its cost of 50 is above the threshold of 40, and ann has not approved it); observe and admit again when that has changed`},

		{"revoke for another", nil, revoke("bob", "bot"), `revoke from "bot": refused: it acts for ann, not for "bob"`},
		{"revoke nothing", nil, revoke("ann", "new"), `revoke from "new": refused: nothing is delegated to new; delegate first`},
		{"revoke twice", []call{revoke("ann", "bot")}, revoke("ann", "bot"), ""},
		{"delegate again", nil, delegate(to("bot")), ""},
		{"delegate for another", nil, delegate(Delegation{Principal: "eve", Carrier: "bot"}), `delegate to "bot": refused: eve is no principal in the delegations of the terms; have one of those delegate`},
		{"delegate for another after revocation", []call{revoke("ann", "bot")}, delegate(Delegation{Principal: "eve", Carrier: "bot"}), `delegate to "bot": refused: eve is no principal in the delegations of the terms; have one of those delegate`},
		{"delegate to oneself after revocation", []call{revoke("ann", "bot")}, delegate(Delegation{Principal: "bot", Carrier: "bot"}), `delegate to "bot": refused: it can't give itself authority; have a principal of the terms delegate`},
		{"delegate to oneself as a principal", nil, delegate(Delegation{Principal: "ann", Carrier: "ann"}), `delegate to "ann": refused: it can't give itself authority; have a principal of the terms delegate`},
		{"delegate to oneself as a successor", []call{replace("bot", "next")}, delegate(Delegation{Principal: "next", Carrier: "next"}), `delegate to "next": refused: it can't give itself authority; have a principal of the terms delegate`},
		{"delegate to one another", []call{revoke("ann", "bot")}, delegate(Delegation{Principal: "bob", Carrier: "bot"}), `delegate to "bot": refused: bob is no principal in the delegations of the terms; have one of those delegate`},
		{"delegate to a new carrier", nil, delegate(to("new")), ""},
		{"delegate to the replaced", []call{replace("bot", "next")}, delegate(to("bot")), `delegate to "bot": refused: it has been replaced; delegate to its successor next`},
		{"replace twice", []call{replace("bot", "next")}, replace("bot", "third"), `replace "bot": refused: it or third has been replaced before; replace the present carrier by a new one`},
		{"replace by the replaced", []call{replace("bot", "next")}, replace("next", "bot"), `replace "next": refused: it or bot has been replaced before; replace the present carrier by a new one`},

		{"review by another", nil, func(e *Episode) error { return e.Review("shop", "news", "x") }, `review "news": refused: "shop" is not the reviewer; the reconciliation policy names "judge"`},
		{"agree as no party", nil, func(e *Episode) error { return e.Agree("gift", "bot") }, `agree to "gift": refused: "bot" is no party to it; the parties are ["shop" "ann"]`},
		{"discharge before it is due", nil, func(e *Episode) error { return e.Discharge("refund") }, `discharge "refund": refused: refund-done is unknown; have it reported or reviewed first`},
		{"discharge on a claim", []call{report("bot", "refund-done", "yes")}, func(e *Episode) error { return e.Discharge("refund") }, `discharge "refund": refused: refund-done is claimed (yes); have it reported or reviewed first`},
		{"discharge what did not happen", []call{report("shop", "refund-done", None)}, func(e *Episode) error { return e.Discharge("refund") }, `discharge "refund": refused: refund-done is accepted (none); have it reported or reviewed first`},
		{"discharge", []call{report("shop", "refund-done", "yes")}, func(e *Episode) error { return e.Discharge("refund") }, ""},
		{"discharge twice", []call{report("shop", "refund-done", "yes"), func(e *Episode) error { return e.Discharge("refund") }}, func(e *Episode) error { return e.Discharge("refund") }, `discharge "refund": refused: it is discharged, not owed`},
		{"discharge what nobody agreed to", []call{report("shop", "gift-done", "yes")}, func(e *Episode) error { return e.Discharge("gift") }, `discharge "gift": refused: it is proposed, not owed`},
		{"transfer by the debtor", nil, func(e *Episode) error { return e.Transfer("shop", "refund", "bank") }, `transfer "refund": refused: "shop" is not the creditor, ann, whose word it takes`},
		{"transfer", nil, func(e *Episode) error { return e.Transfer("ann", "refund", "bank") }, ""},
		{"transfer to the creditor", nil, func(e *Episode) error { return e.Transfer("ann", "refund", "ann") }, `transfer "refund": refused: ann would owe it to itself; name another debtor`},
		{"transfer by the debtor to the creditor", nil, func(e *Episode) error { return e.Transfer("shop", "refund", "ann") }, `transfer "refund": refused: "shop" is not the creditor, ann, whose word it takes`},
		{"transfer what was transferred", []call{func(e *Episode) error { return e.Transfer("ann", "refund", "bank") }}, func(e *Episode) error { return e.Transfer("ann", "refund", "eve") }, `transfer "refund": refused: it is transferred, not owed`},

		{"end twice", late, closes(Failed), `close as "failed": refused: the episode has ended (failed); begin another one`},
		{"admit after the end", more([]call{observe("bot")}, late...), admits(buy), `admit "buy": refused: the episode has ended (failed); begin another one`},
		{"reserve after the end", more(until(2, buy), late...), reserve("buy"), `reserve "buy": refused: the episode has ended (failed); begin another one`},
		{"dispatch after the end", more(until(3, buy), late...), dispatch("buy"), `dispatch "buy": refused: the episode has ended (failed); begin another one`},
		{"approve after the end", more(until(2, dear), late...), approve("ann", "dear"), `approve "dear": refused: the episode has ended (failed); begin another one`},
		{"delegate after the end", late, delegate(to("bot")), `delegate to "bot": refused: the episode has ended (failed); begin another one`},
		{"replace after the end", late, replace("bot", "next"), `replace "bot": refused: the episode has ended (failed); begin another one`},
		{"govern after the end", late, govern("p2"), `govern "p2": refused: the episode has ended (failed); begin another one`},
		{"propose after the end", late, func(e *Episode) error { return e.Propose(owes("x")) }, `propose "x": refused: the episode has ended (failed); begin another one`},
		{"agree after the end", late, func(e *Episode) error { return e.Agree("gift", "ann") }, `agree to "gift": refused: the episode has ended (failed); begin another one`},
		{"revoke after the end", late, revoke("ann", "bot"), ""},
		{"report after the end", late, report("shop", "news", "x"), ""},
		{"time out after the end", late, func(e *Episode) error { return e.Timeout("news") }, ""},
		{"review after the end", late, func(e *Episode) error { return e.Review("judge", "news", "x") }, ""},
		{"observe after the end", late, observe("bot"), ""},
		{"acknowledge after the end", more(until(4, buy), late...), func(e *Episode) error { return e.Acknowledge("buy") }, ""},
		{"discharge after the end", more(late, report("shop", "refund-done", "yes")), func(e *Episode) error { return e.Discharge("refund") }, ""},
		{"transfer after the end", late, func(e *Episode) error { return e.Transfer("ann", "refund", "bank") }, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := begin(t, tt.before...)
			version, entries := e.version, len(e.Record())
			err := tt.call(e)
			last := e.Record()[len(e.Record())-1]
			switch {
			case len(e.Record()) != entries+1:
				t.Errorf("it has put %d entries on the record", len(e.Record())-entries)
			case tt.want == "":
				if err != nil || last.Kind == "refusal" {
					t.Errorf("it is refused: %v", err)
				}
			case err == nil || err.Error() != tt.want || !errors.Is(err, ErrRefused):
				t.Errorf("got %v\nwant %s", err, tt.want)
			case last.Kind != "refusal" || !strings.HasSuffix(tt.want, strings.SplitN(last.Value, ": ", 2)[1]):
				t.Errorf("on the record it is %+v", last)
			case e.version != version:
				t.Error("a refusal has changed the state")
			}
		})
	}
}

// Calls that name nothing that is there are errors, and leave no trace.
func TestMisuse(t *testing.T) {
	tests := []struct {
		name string
		call call
		want string
	}{
		{"observe as nobody", observe(""), "observe: the carrier has no name; give it one"},
		{"admit without an ID", admits(Intent{Carrier: "bot", Action: "buy"}), `admit "": the intent has no ID, carrier or action; give all three`},
		{"admit without a carrier", admits(Intent{ID: "x", Action: "buy"}), `admit "x": the intent has no ID, carrier or action; give all three`},
		{"admit without an action", admits(Intent{ID: "x", Carrier: "bot"}), `admit "x": the intent has no ID, carrier or action; give all three`},
		{"admit with no such resource", admits(Intent{ID: "x", Carrier: "bot", Action: "buy", Resource: "room"}),
			`admit "x": guard "resource" gives no answer, since there is no resource room; without one nothing is admitted`},
		{"bypass without an ID", func(e *Episode) error { return e.Bypass(Intent{Carrier: "bot", Action: "buy"}) }, `bypass "": the intent has no ID, carrier or action; give all three`},
		{"reserve", reserve("x"), `reserve "x": there is no such action; admit it first`},
		{"dispatch", dispatch("x"), `dispatch "x": there is no such action; admit it first`},
		{"release", release("x"), `release "x": there is no such action; admit it first`},
		{"acknowledge", func(e *Episode) error { return e.Acknowledge("x") }, `acknowledge "x": there is no such action; admit it first`},
		{"approve", approve("ann", "x"), `approve "x": there is no such action; admit it first`},
		{"report without a source", report("", "x", "y"), `report "x": the source, the fact or the value is empty; give all three`},
		{"report without a fact", report("shop", "", "y"), `report "": the source, the fact or the value is empty; give all three`},
		{"report without a value", report("shop", "x", ""), `report "x": the source, the fact or the value is empty; give all three`},
		{"time out without a fact", func(e *Episode) error { return e.Timeout("") }, "timeout: the fact has no name; give it one"},
		{"rebound by another kind of entry", func(e *Episode) error { return e.Rebound(Entry{Kind: "approval", Subject: "buy", Value: "x"}) }, `rebound: the entry is a "approval" of "buy"; pass the one that Rebind has returned`},
		{"rebound without an object", func(e *Episode) error { return e.Rebound(Entry{Kind: "rebinding", Value: "x"}) }, `rebound: the entry is a "rebinding" of ""; pass the one that Rebind has returned`},
		{"rebound without a value", func(e *Episode) error { return e.Rebound(Entry{Kind: "rebinding", Subject: "till"}) }, `rebound: the entry is a "rebinding" of "till"; pass the one that Rebind has returned`},
		{"review without a value", func(e *Episode) error { return e.Review("judge", "x", "") }, `review "x": the fact or the value is empty; give both`},
		{"review without a fact", func(e *Episode) error { return e.Review("judge", "", "x") }, `review "": the fact or the value is empty; give both`},
		{"delegate from nobody", delegate(Delegation{Carrier: "x"}), `delegate to "x": the principal or the carrier has no name; give both`},
		{"delegate to nobody", delegate(Delegation{Principal: "x"}), `delegate to "": the principal or the carrier has no name; give both`},
		{"delegate what is revoked", delegate(Delegation{Principal: "x", Carrier: "y", Revoked: true}), `delegate to "y": the delegation is revoked from the start; leave it out`},
		{"replace by itself", replace("bot", "bot"), `replace "bot": the successor "bot" is the same, or one has no name; give two names`},
		{"replace by nobody", replace("bot", ""), `replace "bot": the successor "" is the same, or one has no name; give two names`},
		{"replace nobody", replace("", "bot"), `replace "": the successor "bot" is the same, or one has no name; give two names`},
		{"govern without a version", func(e *Episode) error { return e.Govern("", "buy") }, "govern: the policy has no version; give it one"},
		{"agree to nothing", func(e *Episode) error { return e.Agree("x", "ann") }, `agree to "x": there is no such commitment; propose it first`},
		{"discharge nothing", func(e *Episode) error { return e.Discharge("x") }, `discharge "x": there is no such commitment; propose it first`},
		{"transfer nothing", func(e *Episode) error { return e.Transfer("ann", "x", "bank") }, `transfer "x": there is no such commitment; propose it first`},
		{"transfer to nobody", func(e *Episode) error { return e.Transfer("ann", "refund", "") }, `transfer "refund": "" is nobody else than the debtor; name another one`},
		{"transfer to the debtor", func(e *Episode) error { return e.Transfer("ann", "refund", "shop") }, `transfer "refund": "shop" is nobody else than the debtor; name another one`},
		{"propose twice", func(e *Episode) error { return e.Propose(owes("gift")) }, `propose "gift": there is one with that ID; give it another`},
		{"propose what is agreed", func(e *Episode) error { c := owes("x"); c.Agreed = []string{"ann"}; return e.Propose(c) }, `propose "x": it is agreed to already; leave that to Agree`},
		{"propose what is done", func(e *Episode) error { c := owes("x"); c.Discharged = true; return e.Propose(c) }, `propose: commitment "x" is discharged or transferred from the start; leave it out`},
		{"propose without parties", func(e *Episode) error { c := owes("x"); c.Parties = nil; return e.Propose(c) }, `propose: commitment "x" has no party that has to agree, or one without a name; name them`},
		{"propose for who is no party", func(e *Episode) error { c := owes("x"); c.Parties = []string{"ann", "bank"}; return e.Propose(c) },
			`propose: commitment "x" binds shop, which is not among the parties that have to agree; name it there`},
		{"propose without what is due", func(e *Episode) error { c := owes("x"); c.Due = ""; return e.Propose(c) }, `propose: commitment "x" has no ID, debtor, creditor or fact that is due; give all four`},
		{"end as open", closes(Open), `close as open: that is no ending; use one of ["fulfilled" "failed" "cancelled" "breached" "disputed" "unresolved"]`},
		{"end as nothing", closes(Unresolved + 1), `close as Ending(7): that is no ending; use one of ["fulfilled" "failed" "cancelled" "breached" "disputed" "unresolved"]`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := begin(t, observe("bot"))
			before, version := len(e.Record()), e.version
			err := tt.call(e)
			if err == nil || err.Error() != tt.want || errors.Is(err, ErrRefused) {
				t.Errorf("got %v\nwant %s", err, tt.want)
			}
			if len(e.Record()) != before || e.version != version {
				t.Error("it has left a trace")
			}
		})
	}
}

// An action is what it was first said to be: an approval or a reservation is not for
// anything else under its ID.
func TestActionsStayWhatTheyAre(t *testing.T) {
	for i, change := range []func(*Intent){
		func(in *Intent) { in.Action = "sell" },
		func(in *Intent) { in.Cost++ },
		func(in *Intent) { in.Final = true },
		func(in *Intent) { in.Resource = "" },
		func(in *Intent) { in.After = []string{"x"} },
		func(in *Intent) { in.Evidence = []string{"x"} },
	} {
		e := begin(t, until(2, buy)...)
		in := buy
		change(&in)
		want := `admit "buy": there is another action with that ID, which differs; give this one an ID of its own`
		if _, err := e.Admit(in); err == nil || err.Error() != want {
			t.Errorf("change %d: %v", i, err)
		}
	}
}

// C3, with goroutines.
func TestContention(t *testing.T) {
	e := begin(t)
	var calls sync.WaitGroup
	for i := range 8 {
		carrier := fmt.Sprint("bot-", i)
		in := Intent{ID: carrier, Carrier: carrier, Action: "buy", Cost: 30, Resource: "seat"}
		calls.Go(func() {
			// Each may have to observe again, since the others change the state meanwhile.
			_ = e.Delegate(to(carrier))
			for range 100 {
				_, _ = e.Observe(carrier)
				_, _ = e.Admit(in)
				if e.Reserve(carrier) == nil {
					_ = e.Dispatch(carrier)
				}
			}
		})
	}
	calls.Wait()
	n := map[string]int{}
	for _, entry := range e.Record() {
		n[entry.Kind]++
	}
	if n["reservation"] != 1 || n["dispatch"] != 1 {
		t.Errorf("%d reservations and %d dispatches, want 1 of each", n["reservation"], n["dispatch"])
	}
}
