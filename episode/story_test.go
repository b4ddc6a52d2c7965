package episode

import (
	"fmt"
	"strings"
	"testing"
)

// What the record of a whole episode looks like.
func TestStory(t *testing.T) {
	calls := append([]call{
		func(e *Episode) error { return e.Agree("gift", "ann") },
		func(e *Episode) error { return e.Agree("gift", "shop") },
	}, done()...)
	calls = append(calls, func(e *Episode) error { return e.Acknowledge("buy") }, func(e *Episode) error { return e.Timeout("gift-done") },
		func(e *Episode) error { return e.Review("judge", "gift-done", "yes") }, func(e *Episode) error { return e.Transfer("ann", "gift", "bank") },
		func(e *Episode) error { return e.Govern("p2", "sell") }, observe("bot"), admits(dear), approve("ann", "dear"),
		replace("bot", "next"), revoke("ann", "bot"), closes(Fulfilled))
	e := begin(t, calls...)
	var lines []string
	for _, entry := range e.Record() {
		lines = append(lines, fmt.Sprintf("%d v%d %s by %q on %q: %q follows %d, %d findings", entry.Seq, entry.Version, entry.Kind, entry.Actor,
			entry.Subject, entry.Value, entry.Follows, len(entry.Decision.Findings)))
	}
	want := strings.TrimPrefix(`
1 v2 delegation by "ann" on "bot": "[\"buy\"] up to 100, final ones above 40 with approval" follows 0, 0 findings
2 v3 delegation by "ann" on "bob": "[\"buy\"] up to 100, final ones above 40 with approval" follows 0, 0 findings
3 v3 proposal by "shop" on "refund": "owes refund-done to ann" follows 0, 0 findings
4 v4 agreement by "shop" on "refund": "" follows 0, 0 findings
5 v5 agreement by "ann" on "refund": "" follows 0, 0 findings
6 v5 proposal by "shop" on "gift": "owes gift-done to ann" follows 0, 0 findings
7 v6 agreement by "ann" on "gift": "" follows 0, 0 findings
8 v7 agreement by "shop" on "gift": "" follows 0, 0 findings
9 v7 observation by "bot" on "": "" follows 0, 0 findings
10 v7 admission by "bot" on "buy": "ALLOW" follows 9, 6 findings
11 v8 reservation by "bot" on "buy": "seat" follows 10, 0 findings
12 v9 dispatch by "bot" on "buy": "" follows 11, 6 findings
13 v11 report by "shop" on "buy": "done" follows 0, 0 findings
14 v12 report by "shop" on "ticket": "t1" follows 0, 0 findings
15 v13 report by "shop" on "receipt": "r1" follows 0, 0 findings
16 v14 report by "shop" on "refund-done": "yes" follows 0, 0 findings
17 v14 discharge by "shop" on "refund": "refund-done" follows 0, 0 findings
18 v14 acknowledgement by "" on "buy": "" follows 12, 0 findings
19 v15 timeout by "" on "gift-done": "" follows 0, 0 findings
20 v16 review by "judge" on "gift-done": "yes" follows 0, 0 findings
21 v16 transfer by "ann" on "gift": "bank" follows 0, 0 findings
22 v17 policy by "" on "p2": "forbids [\"sell\"]" follows 0, 0 findings
23 v17 observation by "bot" on "": "" follows 0, 0 findings
24 v17 admission by "bot" on "dear": "ESCALATE" follows 23, 6 findings
25 v18 approval by "ann" on "dear": "" follows 24, 0 findings
26 v19 replacement by "bot" on "bot": "next" follows 0, 0 findings
27 v20 revocation by "ann" on "bot": "" follows 1, 0 findings
28 v20 ending by "" on "": "fulfilled" follows 0, 0 findings
`, "\n")
	if got := strings.Join(lines, "\n") + "\n"; got != want {
		t.Errorf("the record is\n%s", got)
	}
}

// R2: what is promised, and not agreed to by all, is no ground to act on; nor is an action
// whose effect is not accepted.
func TestPrerequisites(t *testing.T) {
	agree := func(party string) call { return func(e *Episode) error { return e.Agree("gift", party) } }
	discharge := func(e *Episode) error { return e.Discharge("gift") }
	tests := []struct {
		name   string
		before []call
		after  string
		want   string
	}{
		{"a proposal", nil, "gift", "HOLD"},
		{"a proposal that one has agreed to", []call{agree("ann"), agree("ann")}, "gift", "HOLD"},
		{"a commitment", []call{agree("ann"), agree("shop")}, "gift", "ALLOW"},
		{"a commitment that is discharged", []call{agree("ann"), agree("shop"), report("shop", "gift-done", "yes"), discharge}, "gift", "ALLOW"},
		{"an action", until(4, rival), "rival", "HOLD"},
		{"an action that was acknowledged", append(until(4, rival), func(e *Episode) error { return e.Acknowledge("rival") }), "rival", "HOLD"},
		{"an action that had an effect", append(until(4, rival), report("shop", "rival", "done")), "rival", "ALLOW"},
		{"an action that had none", append(until(4, rival), report("shop", "rival", None)), "rival", "HOLD"},
		{"an action that is only said to have had one", append(until(4, rival), report("bob", "rival", "done")), "rival", "HOLD"},
		{"a fact", []call{report("shop", "news", "x")}, "news", "HOLD"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := begin(t, append(tt.before, observe("bot"))...)
			d, err := e.Admit(Intent{ID: "then", Carrier: "bot", Action: "buy", After: []string{tt.after}})
			if err != nil || d.String() != tt.want {
				t.Errorf("it is %v, error %v, want %s", d, err, tt.want)
			}
		})
	}
}

// R3: what was owed before a revocation is owed after it, and nobody else loses authority.
func TestRevocationErasesNothing(t *testing.T) {
	e := begin(t, until(4, buy)...)
	before := fmt.Sprintf("%#v %#v %#v", e.Commitments(), e.Facts(), e.Record())
	n := len(e.Record())
	if err := e.Revoke("ann", "bot"); err != nil {
		t.Fatal(err)
	}
	if after := fmt.Sprintf("%#v %#v %#v", e.Commitments(), e.Facts(), e.Record()[:n]); after != before {
		t.Errorf("it was\n%s\nand is\n%s", before, after)
	}
	other := Intent{ID: "other", Carrier: "bob", Action: "buy"}
	if err := firstError(e, until(4, other)...); err != nil {
		t.Errorf("another carrier: %v", err)
	}
}

// What is reserved counts against the budget, whatever is dispatched of it.
func TestBudget(t *testing.T) {
	e := begin(t, until(3, dear)[:2]...)
	if err := firstError(e, approve("ann", "dear")); err != nil {
		t.Fatal(err)
	}
	if err := firstError(e, until(4, dear)...); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		id   string
		cost uint64
		want string
	}{{"just", 50, "ALLOW"}, {"over", 51, "DENY"}} {
		d, err := e.Admit(Intent{ID: tt.id, Carrier: "bot", Action: "buy", Cost: tt.cost})
		if err == nil && d.Answer == Hold { // the view of before the dispatch
			_, _ = e.Observe("bot")
			d, err = e.Admit(Intent{ID: tt.id, Carrier: "bot", Action: "buy", Cost: tt.cost})
		}
		if err != nil || d.String() != tt.want {
			t.Errorf("%s: it is %v, error %v, want %s", tt.id, d, err, tt.want)
		}
	}
}

// A guard of one's own is asked at admission, and again at dispatch.
func TestOwnGuards(t *testing.T) {
	quiet, asked := false, 0
	own := Guard{Name: "quiet hours", Applies: func(in Intent) bool { return in.Action == "buy" }, Check: func(View, Intent) (Answer, string) {
		asked++
		if quiet {
			return Hold, "it is late"
		}
		return Pass, "it is day"
	}}
	terms := begin(t).Terms()
	terms.Guards = []Guard{own}
	e, err := Begin(terms)
	if err != nil {
		t.Fatal(err)
	}
	if err := firstError(e, until(3, buy)...); err != nil {
		t.Fatal(err)
	}
	quiet = true
	want := `dispatch "buy": refused: now the decision would be HOLD (quiet hours: it is late); observe and admit again when that has changed`
	if err := e.Dispatch("buy"); err == nil || err.Error() != want {
		t.Errorf("got %v\nwant %s", err, want)
	}
	quiet = false
	if err := e.Dispatch("buy"); err != nil || asked != 3 {
		t.Errorf("it was asked %d times, error %v", asked, err)
	}
}

// What is said of an action that was never dispatched, by whoever, does not hold it; what
// went past does.
func TestOnlyWhatWasDispatchedIsHeld(t *testing.T) {
	past := func(e *Episode) error { return e.Bypass(buy) }
	timeout := func(e *Episode) error { return e.Timeout("buy") }
	tests := []struct {
		name   string
		before []call
		want   string
	}{
		{"a claim", []call{report("eve", "buy", "done")}, "ALLOW"},
		{"a timeout", []call{timeout}, "ALLOW"},
		{"an accepted effect", []call{report("shop", "buy", "done")}, "DENY"},
		{"a contested effect", []call{report("shop", "buy", "done"), report("bank", "buy", None)}, "ESCALATE"},
		{"dispatched", until(4, buy), "HOLD"},
		{"dispatched, and a claim", append(until(4, buy), report("eve", "buy", None)), "HOLD"},
		{"gone past", []call{past}, "HOLD"},
		{"gone past, and without effect", []call{past, report("shop", "buy", None)}, "ALLOW"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := begin(t, append(tt.before, observe("bot"))...)
			if d, err := e.Admit(buy); err != nil || d.String() != tt.want {
				t.Errorf("it is %v, error %v, want %s", d, err, tt.want)
			}
		})
	}
}

// Who dispatches somebody else's action past the episode gets nothing of it: the record has
// the name, and the action, with what it holds, stays its carrier's.
func TestBypassByAStranger(t *testing.T) {
	e := begin(t, until(3, buy)...)
	in := buy
	in.Carrier = "eve"
	if err := e.Bypass(in); err != nil {
		t.Fatal(err)
	}
	last := e.Record()[len(e.Record())-1]
	if last.Kind != "bypass" || last.Actor != "eve" || last.Decision.Carrier != "eve" || last.Decision.String() != "DENY" {
		t.Errorf("on the record it is %+v", last)
	}
	if a := e.actions["buy"]; a.intent.Carrier != "bot" || a.hold.Carrier != "bot" {
		t.Errorf("the action is %+v", a)
	}
	in = Intent{ID: "new", Carrier: "eve", Action: "buy"}
	if err := e.Bypass(in); err != nil || e.actions["new"].intent.Carrier != "eve" {
		t.Errorf("an action that nobody knew is %+v, error %v", e.actions["new"], err)
	}
}

// Principals are those of the terms, and one has to revoke before another delegates.
func TestPrincipals(t *testing.T) {
	terms := begin(t).Terms()
	terms.Delegations = append(terms.Delegations, Delegation{Principal: "dan", Carrier: "other"})
	e, err := Begin(terms)
	if err != nil {
		t.Fatal(err)
	}
	d := to("bot")
	d.Principal = "dan"
	want := `delegate to "bot": refused: it acts for ann, who has to revoke that first`
	if err := e.Delegate(d); err == nil || err.Error() != want {
		t.Errorf("got %v\nwant %s", err, want)
	}
	if err := firstError(e, revoke("ann", "bot"), delegate(d)); err != nil {
		t.Error(err)
	}
}

// What went past the episode has on the record what the guards would have said, as far as
// they all answer.
func TestBypass(t *testing.T) {
	e := begin(t, revoke("ann", "bot"))
	for _, in := range []Intent{buy, {ID: "odd", Carrier: "bot", Action: "buy", Resource: "room"}} {
		if err := e.Bypass(in); err != nil {
			t.Fatal(err)
		}
	}
	all := e.Record()
	if got := all[len(all)-2].Decision; got.String() != "DENY" || len(got.Findings) != 6 {
		t.Errorf("the decision is %+v", got)
	}
	if got := all[len(all)-1].Decision; got.Answer != NoAnswer || got.Findings != nil {
		t.Errorf("the decision is %+v", got)
	}
	if got := fmt.Sprint(e.Facts()); got != "[{buy  unknown []} {odd  unknown []}]" {
		t.Errorf("the facts are %s", got)
	}
}
