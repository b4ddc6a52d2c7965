package judgment

import (
	"encoding/json"
	"fmt"
	"reflect"
	"testing"

	"example.com/commitpoint/episode"
)

type call func(*episode.Episode) error

var buy = episode.Intent{ID: "buy", Carrier: "bot", Action: "buy", Cost: 30, Evidence: []string{"fare"}}

func observe(e *episode.Episode) error  { _, err := e.Observe("bot"); return err }
func admit(e *episode.Episode) error    { _, err := e.Admit(buy); return err }
func reserve(e *episode.Episode) error  { return e.Reserve("buy") }
func dispatch(e *episode.Episode) error { return e.Dispatch("buy") }
func bypass(e *episode.Episode) error   { return e.Bypass(buy) }
func approve(e *episode.Episode) error  { return e.Approve("ann", "buy") }
func revoke(e *episode.Episode) error   { return e.Revoke("ann", "bot") }
func replace(e *episode.Episode) error  { return e.Replace("bot", "next") }

func report(source, fact, value string) call {
	return func(e *episode.Episode) error { return e.Report(source, fact, value) }
}

func closes(as episode.Ending) call {
	return func(e *episode.Episode) error { _, err := e.Close(as); return err }
}

func delegate(to string) call {
	return func(e *episode.Episode) error {
		return e.Delegate(episode.Delegation{Principal: "ann", Carrier: to, Actions: []string{"buy"}, Budget: 100})
	}
}

// bought are the calls of a purchase that keeps all rules, up to its effect.
func bought() []call {
	return []call{report("shop", "fare", "30"), observe, admit, reserve, dispatch, report("shop", "buy", "done")}
}

func judged(t *testing.T, terms func(*episode.Terms), calls ...call) Vector {
	t.Helper()
	x := episode.Terms{Reconciliation: episode.Reconciliation{Sources: []string{"shop", "bank", "ann"}, Reviewer: "judge"}, Policy: "p1",
		Outcome:     []episode.Want{{Fact: "ticket", Value: "12A"}, {Fact: "bag"}},
		Delegations: []episode.Delegation{{Principal: "ann", Carrier: "bot", Actions: []string{"buy"}, Budget: 100}}}
	if terms != nil {
		terms(&x)
	}
	e, err := episode.Begin(x)
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range calls {
		if err := c(e); err != nil {
			t.Fatalf("call %d: %v", i, err)
		}
	}
	before := fmt.Sprint(e.Record())
	v := Of(e)
	if fmt.Sprint(e.Record()) != before {
		t.Error("the judgment is on the record")
	}
	return v
}

func TestOf(t *testing.T) {
	all := func(parts ...any) (calls []call) {
		for _, p := range parts {
			switch p := p.(type) {
			case []call:
				calls = append(calls, p...)
			case call:
				calls = append(calls, p)
			case func(*episode.Episode) error:
				calls = append(calls, p)
			}
		}
		return calls
	}
	ticket, bag := report("shop", "ticket", "12A"), report("shop", "bag", "yes")
	value := func(t *episode.Terms) { t.Value = []episode.Want{{Fact: "content", Value: "yes"}} }
	owed := func(t *episode.Terms) {
		t.Commitments = []episode.Commitment{{ID: "refund", Debtor: "shop", Creditor: "ann", Parties: []string{"shop"}, Agreed: []string{"shop"}, Due: "paid"}}
	}
	paid := all(ticket, bag, report("shop", "paid", "yes"), func(e *episode.Episode) error { return e.Discharge("refund") })
	mandatory := func(t *episode.Terms) { t.Mandatory = []string{"receipt"} }
	tests := []struct {
		judgment, name string
		terms          func(*episode.Terms)
		calls          []call
		want           Judgment
	}{
		{"run completion", "open", nil, nil, Judgment{NotMet, "it has not ended"}},
		{"run completion", "failed", nil, all(closes(episode.Failed)), Judgment{Met, "it ended as failed"}},

		{"task success", "nothing known", nil, nil, Judgment{Undetermined, "ticket is unknown, bag is unknown"}},
		{"task success", "reached", nil, all(ticket, bag), Judgment{Met, "ticket is accepted (12A), bag is accepted (yes)"}},
		{"task success", "reached past the episode", nil, all(bypass, ticket, bag), Judgment{Met, "ticket is accepted (12A), bag is accepted (yes)"}},
		{"task success", "half known", nil, all(bag), Judgment{Undetermined, "ticket is unknown, bag is accepted (yes)"}},
		{"task success", "another value", nil, all(report("shop", "ticket", "9F"), bag), Judgment{NotMet, "ticket is accepted (9F), bag is accepted (yes)"}},
		{"task success", "known to have failed, and the rest unknown", nil, all(report("shop", "ticket", "9F")), Judgment{NotMet, "ticket is accepted (9F), bag is unknown"}},
		{"task success", "the rest known to have failed", nil, all(report("shop", "bag", episode.None)), Judgment{NotMet, "ticket is unknown, bag is accepted (none)"}},
		{"task success", "claimed", nil, all(report("bot", "ticket", "12A"), bag), Judgment{Undetermined, "ticket is claimed (12A), bag is accepted (yes)"}},

		{"service fulfillment", "open", nil, all(ticket, bag), Judgment{Undetermined, "it has not ended"}},
		{"service fulfillment", "fulfilled", nil, all(ticket, bag, closes(episode.Fulfilled)), Judgment{Met, "nothing blocked it"}},
		{"service fulfillment", "could have been", nil, all(ticket, bag, closes(episode.Cancelled)), Judgment{NotMet, "it ended as cancelled, though nothing blocked it"}},
		{"service fulfillment", "blocked", nil, all(closes(episode.Cancelled)), Judgment{NotMet, "outcome ticket is unknown, outcome bag is unknown"}},

		{"authority", "nothing dispatched", nil, all(observe, admit), Judgment{NotJudged, "nothing was dispatched"}},
		{"authority", "admitted and reserved", nil, bought(), Judgment{Met, "all that was dispatched was admitted and reserved"}},
		{"authority", "refused", nil, all(bought(), func(e *episode.Episode) error {
			if e.Dispatch("buy") == nil {
				return fmt.Errorf("it is dispatched twice")
			}
			return nil
		}), Judgment{Met, "all that was dispatched was admitted and reserved"}},
		{"authority", "past the guards", nil, all(revoke, bypass), Judgment{NotMet, "bot dispatched buy past the guards, which said DENY: ann has revoked the delegation to bot"}},
		{"authority", "past the guards, which would have passed", nil, all(report("shop", "fare", "30"), bypass), Judgment{NotMet, "bot dispatched buy past the guards, which said ALLOW: without a reservation"}},
		{"authority", "past guards that can't answer", nil, all(func(e *episode.Episode) error {
			return e.Bypass(episode.Intent{ID: "odd", Carrier: "bot", Action: "buy", Resource: "room"})
		}), Judgment{NotMet, "bot dispatched odd past the guards, which said nothing, since not all of them could answer"}},
		{"authority", "one of two past the guards", nil, all(bought(), func(e *episode.Episode) error {
			return e.Bypass(episode.Intent{ID: "odd", Carrier: "bot", Action: "sell"})
		}), Judgment{NotMet, "bot dispatched odd past the guards, which said DENY: the delegation to bot does not cover sell"}},

		{"continuity", "nobody replaced", nil, all(revoke), Judgment{NotJudged, "no carrier was replaced"}},
		{"continuity", "authority left", nil, all(replace), Judgment{NotMet, "the delegation of bot, which was replaced, stands"}},
		{"continuity", "revoked before", nil, all(revoke, replace), Judgment{Met, "no authority was left with bot, which was replaced"}},
		{"continuity", "revoked after", nil, all(replace, revoke), Judgment{Met, "no authority was left with bot, which was replaced"}},
		{"continuity", "delegated again", nil, all(revoke, delegate("bot"), replace), Judgment{NotMet, "the delegation of bot, which was replaced, stands"}},
		{"continuity", "one of two left", nil, all(delegate("next"), revoke, replace, func(e *episode.Episode) error { return e.Replace("next", "third") }),
			Judgment{NotMet, "the delegation of next, which was replaced, stands"}},
		{"continuity", "never had any", nil, all(func(e *episode.Episode) error { return e.Replace("old", "new") }), Judgment{Met, "no authority was left with old, which was replaced"}},

		{"evidence", "all accepted", mandatory, all(bought(), ticket, bag, report("shop", "receipt", "r1")), Judgment{Met, "all that is mandatory is accepted"}},
		{"evidence", "missing while open", mandatory, all(ticket, bag), Judgment{Undetermined, "receipt is unknown"}},
		{"evidence", "missing at the end", mandatory, all(ticket, bag, closes(episode.Failed)), Judgment{NotMet, "receipt is unknown"}},
		{"evidence", "outcome missing", nil, all(closes(episode.Failed)), Judgment{NotMet, "bag is unknown, ticket is unknown"}},
		{"evidence", "effect contested", nil, all(bought(), ticket, bag, report("bank", "buy", episode.None)), Judgment{Undetermined, "buy is contested"}},
		{"evidence", "rested on a claim", nil, all(report("bot", "fare", "30"), bypass, report("shop", "buy", "done"), ticket, bag), Judgment{NotMet, "buy rested on it: fare is claimed, not accepted"}},
		{"evidence", "rested on a claim, and missing", nil, all(report("bot", "fare", "30"), bypass, ticket, bag), Judgment{NotMet, "buy rested on it: fare is claimed, not accepted, buy is unknown"}},
		{"evidence", "past the guards on good evidence", nil, all(report("shop", "fare", "30"), bypass, report("shop", "buy", "done"), ticket, bag), Judgment{Met, "all that is mandatory is accepted"}},

		{"evidence", "debt", owed, all(ticket, bag), Judgment{Met, "all that is mandatory is accepted"}},
		{"evidence", "discharge", owed, paid, Judgment{Met, "all that is mandatory is accepted"}},
		{"evidence", "discharge contested since", owed, all(paid, report("bank", "paid", "no")), Judgment{Undetermined, "the discharge of refund no longer holds: paid is contested"}},
		{"evidence", "discharge contested at the end", owed, all(paid, report("bank", "paid", "no"), closes(episode.Disputed)),
			Judgment{NotMet, "the discharge of refund no longer holds: paid is contested"}},
		{"evidence", "discharge reviewed as none", owed, all(paid, func(e *episode.Episode) error { return e.Review("judge", "paid", episode.None) }),
			Judgment{Undetermined, "the discharge of refund no longer holds: paid is accepted (none)"}},

		{"human work", "none", nil, nil, Judgment{Reported, "approvals: 0, reviews: 0, revocations: 0"}},
		{"human work", "some", nil, all(observe, admit, approve, approve, revoke, func(e *episode.Episode) error { return e.Review("judge", "x", "y") }), Judgment{Reported, "approvals: 2, reviews: 1, revocations: 1"}},

		{"stakeholder value", "none declared", nil, all(report("ann", "content", "yes")), Judgment{NotJudged, "no stakeholder has declared any"}},
		{"stakeholder value", "reached", value, all(report("ann", "content", "yes")), Judgment{Met, "content is accepted (yes)"}},
		{"stakeholder value", "not reached", value, all(report("ann", "content", "no")), Judgment{NotMet, "content is accepted (no)"}},
		{"stakeholder value", "not asked", value, nil, Judgment{Undetermined, "content is unknown"}},
	}
	for _, tt := range tests {
		t.Run(tt.judgment+"/"+tt.name, func(t *testing.T) {
			v := judged(t, tt.terms, tt.calls...)
			for _, f := range fields {
				if got := f.of(v); f.name == tt.judgment && got != tt.want {
					t.Errorf("got %v, want %v", got, tt.want)
				}
			}
		})
	}
}

// The rows are the eight fields, in order, and each says what its field says.
func TestCompare(t *testing.T) {
	if n := reflect.TypeFor[Vector]().NumField(); n != 8 || len(fields) != 8 {
		t.Fatalf("%d judgments and %d rows, want 8", n, len(fields))
	}
	var a, b Vector
	for i := range 8 {
		reflect.ValueOf(&a).Elem().Field(i).Set(reflect.ValueOf(Judgment{Met, fmt.Sprint("reason ", i)}))
		reflect.ValueOf(&b).Elem().Field(i).Set(reflect.ValueOf(Judgment{NotMet, fmt.Sprint("reason ", i)}))
	}
	b.Continuity.Reason = "other"
	want := []Row{
		{"run completion", Met, NotMet, "both: reason 0"},
		{"task success", Met, NotMet, "both: reason 1"},
		{"service fulfillment", Met, NotMet, "both: reason 2"},
		{"authority", Met, NotMet, "both: reason 3"},
		{"continuity", Met, NotMet, "A: reason 4; B: other"},
		{"evidence", Met, NotMet, "both: reason 5"},
		{"human work", Met, NotMet, "both: reason 6"},
		{"stakeholder value", Met, NotMet, "both: reason 7"},
	}
	if got := Compare(a, b); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v", got)
	}
}

// There is no score, and nothing that could be taken for one.
func TestNoScore(t *testing.T) {
	for _, of := range []reflect.Type{reflect.TypeFor[Vector](), reflect.TypeFor[Judgment](), reflect.TypeFor[Row]()} {
		if of.NumMethod() != 0 {
			t.Errorf("%v has methods", of)
		}
		for _, f := range reflect.VisibleFields(of) {
			switch f.Type.Kind() {
			case reflect.String, reflect.Uint8, reflect.Struct:
			default:
				t.Errorf("%v.%s is a %v", of, f.Name, f.Type)
			}
		}
	}
}

func TestGradeTexts(t *testing.T) {
	got, err := json.Marshal([]Grade{NotJudged, Met, NotMet, Undetermined, Reported})
	if want := `["not judged","met","not met","undetermined","reported"]`; err != nil || string(got) != want {
		t.Errorf("got %s, %v", got, err)
	}
	if text, err := json.Marshal(Reported + 1); err == nil {
		t.Errorf("a grade that there is not is written as %s", text)
	}
	if got := Grade(200).String(); got != "Grade(200)" {
		t.Errorf("got %s", got)
	}
	var g Grade
	if err := json.Unmarshal([]byte(`"not met"`), &g); err != nil || g != NotMet {
		t.Errorf("read %v, %v", g, err)
	}
	if err := json.Unmarshal([]byte(`"Met"`), &g); err == nil || err.Error() != `read grade: "Met" is none; use one of not judged, met, not met, undetermined, reported` {
		t.Errorf("got %v", err)
	}
}
