package episode

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var states = cmp.AllowUnexported(State{})

func TestEventText(t *testing.T) {
	seen := map[string]bool{}
	for a := range Agent(len(agents)) {
		for k := range kinds {
			for _, n := range []uint8{0, 2} {
				if (k <= Dispatch) == (a == Nobody) {
					continue
				}
				e := Event{a, k, n}
				got, err := ParseEvent(e.String())
				if err != nil || got != e || seen[e.String()] {
					t.Errorf("ParseEvent(%q) = %#v, %v; seen before: %t", e.String(), got, err, seen[e.String()])
				}
				seen[e.String()] = true
				if e.Actor() == "" || !strings.HasPrefix(e.Object(), "the ") {
					t.Errorf("%v is caused by %q and about %q", e, e.Actor(), e.Object())
				}
			}
		}
	}
	if want := 2 * (3*4 + 17); len(seen) != want || !seen["first:admit#2"] || !seen["revoke"] {
		t.Errorf("%d texts, want %d", len(seen), want)
	}
}

func TestParseEventRefuses(t *testing.T) {
	for _, text := range []string{"", "observe", "first", "first:", "first:revoke", ":revoke", "first:fly", "third:observe", "nobody:revoke",
		"first:admit#1", "first:admit#3", "first:admit#", "first:admit#2#2", "First:admit", "first :admit", "admit:first", "first:first:admit"} {
		if e, err := ParseEvent(text); !errors.Is(err, ErrUnknownEvent) || !strings.Contains(err.Error(), `"`+text+`"`) || e != (Event{}) {
			t.Errorf("ParseEvent(%q) = %#v, %v", text, e, err)
		}
	}
	if _, err := ParseEvent("fly"); !strings.Contains(err.Error(), "first, successor, second") ||
		!strings.Contains(err.Error(), "observe, admit, reserve, dispatch)") || !strings.HasSuffix(err.Error(), "close, end") {
		t.Errorf("the error does not say what there is: %v", err)
	}
}

func TestActors(t *testing.T) {
	want := map[Kind]string{
		Observe: "successor", Admit: "successor", Reserve: "successor", Dispatch: "successor", Replace: "service", Authorize: "principal",
		Approve: "principal", Revoke: "principal", Evidence: "world", Expire: "world", Effect: "provider", Ack: "provider", Repeat: "scheduler",
		Confirm: "provider", Contradict: "source", Review: "reviewer", Accept: "reviewer", Discharge: "service", Transfer: "service",
		Close: "service", End: "service",
	}
	got := map[Kind]string{}
	for k := range kinds {
		e := Event{Kind: k}
		if k <= Dispatch {
			e.Agent = Successor
		}
		got[k] = e.Actor()
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

const everything = Retracted<<1 - 1

// Each event with each act changes what it says, and nothing else.
func TestStep(t *testing.T) {
	const shown = Seen | ShowsAuthority | ShowsApproval | ShowsEvidence
	allowed, escalated := Desk{shown, Allow}, Desk{0, Escalate}
	tests := []struct {
		name   string
		facts  Facts
		desks  [2]Desk // of the first and its successor
		event  string
		act    Act
		want   Facts // added
		become [2]Desk
	}{
		{"a first look", 0, [2]Desk{}, "first:observe", Nothing, 0, [2]Desk{{Seen | ShowsAuthority, Nothing}}},
		{"a look at everything", Approved | Evidenced | Moved, [2]Desk{}, "first:observe", Nothing, 0, [2]Desk{{shown | ShowsSecond, Nothing}}},
		{"a look leaves the decision behind", Approved | Evidenced, [2]Desk{allowed, allowed}, "first:observe", Nothing, 0, [2]Desk{{shown, Nothing}, allowed}},
		{"the successor's look", 0, [2]Desk{allowed}, "successor:observe", Nothing, 0, [2]Desk{allowed, {Seen, Nothing}}},
		{"allowed", 0, [2]Desk{{shown, Nothing}}, "first:admit", Allow, 0, [2]Desk{allowed}},
		{"held", 0, [2]Desk{{shown, Nothing}}, "first:admit", Hold, 0, [2]Desk{{0, Hold}}},
		{"escalated", 0, [2]Desk{{shown, Nothing}}, "first:admit", Escalate, 0, [2]Desk{escalated}},
		{"denied", 0, [2]Desk{allowed, allowed}, "successor:admit", Deny, 0, [2]Desk{allowed, {0, Deny}}},
		{"reserved", 0, [2]Desk{allowed}, "first:reserve", Agree, Held, [2]Desk{allowed}},
		{"reserved by the successor", 0, [2]Desk{}, "successor:reserve", Agree, Held, [2]Desk{}},
		{"reserved by the second", 0, [2]Desk{allowed}, "second:reserve", Agree, Taken, [2]Desk{allowed}},
		{"not reserved", 0, [2]Desk{allowed}, "first:reserve", Refuse, 0, [2]Desk{allowed}},
		{"dispatched", Held, [2]Desk{allowed, allowed}, "first:dispatch", Agree, Sent, [2]Desk{{}, allowed}},
		{"dispatched again", Sent, [2]Desk{allowed, allowed}, "successor:dispatch", Agree, Twice, [2]Desk{allowed}},
		{"not dispatched, and the decision is gone", Held, [2]Desk{allowed}, "first:dispatch", Refuse, 0, [2]Desk{}},
		{"repeated", Sent, [2]Desk{}, "repeat", Agree, Twice, [2]Desk{}},
		{"not repeated", Sent, [2]Desk{}, "repeat", Refuse, 0, [2]Desk{}},
		{"nothing to repeat", 0, [2]Desk{}, "repeat", Nothing, 0, [2]Desk{}},

		{"replaced", 0, [2]Desk{allowed}, "replace", Nothing, Replaced, [2]Desk{allowed}},
		{"authorized", 0, [2]Desk{}, "authorize", Nothing, Authorized, [2]Desk{}},
		{"approved", 0, [2]Desk{escalated, escalated}, "approve", Nothing, Approved, [2]Desk{escalated, escalated}},
		{"approved, and rewritten", Evidenced, [2]Desk{escalated, {0, Hold}}, "approve", Rewrite, Approved, [2]Desk{allowed, {0, Hold}}},
		{"approved, and the successor's rewritten", Authorized | Evidenced, [2]Desk{{0, Deny}, escalated}, "approve", Rewrite, Approved, [2]Desk{{0, Deny}, allowed}},
		{"revoked", 0, [2]Desk{allowed}, "revoke", Nothing, Revoked, [2]Desk{allowed}},
		{"revoked with the successor's", Authorized, [2]Desk{}, "revoke", Nothing, Revoked | Withdrawn, [2]Desk{}},
		{"revoked, and erased", 0, [2]Desk{}, "revoke", Rewrite, Revoked | Erased, [2]Desk{}},
		{"authorized after a revocation", Revoked, [2]Desk{}, "authorize", Nothing, Authorized, [2]Desk{}},
		{"evidence", 0, [2]Desk{}, "evidence", Nothing, Evidenced, [2]Desk{}},
		{"a new version", 0, [2]Desk{allowed}, "expire", Nothing, Moved, [2]Desk{allowed}},

		{"takes effect", Sent, [2]Desk{}, "effect", Nothing, Happened, [2]Desk{}},
		{"has no effect unless dispatched", Held, [2]Desk{}, "effect", Nothing, 0, [2]Desk{}},
		{"acknowledged", Sent, [2]Desk{}, "ack", Nothing, Acked, [2]Desk{}},
		{"nothing to acknowledge", Held, [2]Desk{}, "ack", Nothing, 0, [2]Desk{}},
		{"confirmed", Sent | Happened, [2]Desk{}, "confirm", Nothing, Confirmed, [2]Desk{}},
		{"confirmed only if it happened", Sent | Acked, [2]Desk{}, "confirm", Nothing, 0, [2]Desk{}},
		{"confirmed, and the contradiction dropped", Sent | Happened | Contradicted, [2]Desk{}, "confirm", Rewrite, Confirmed | Overridden, [2]Desk{}},
		{"contradicted", Sent, [2]Desk{}, "contradict", Nothing, Contradicted, [2]Desk{}},
		{"nothing to contradict", Held, [2]Desk{}, "contradict", Nothing, 0, [2]Desk{}},
		{"contradicted, and the confirmation dropped", Sent | Happened | Confirmed, [2]Desk{}, "contradict", Rewrite, Contradicted | Retracted, [2]Desk{}},
		{"reviewed", Sent | Happened, [2]Desk{}, "review", Nothing, Reviewed, [2]Desk{}},
		{"reviewed too early", Sent | Contradicted, [2]Desk{}, "review", Nothing, 0, [2]Desk{}},

		{"accepted", 0, [2]Desk{}, "accept", Agree, Accepted, [2]Desk{}},
		{"not accepted", Confirmed, [2]Desk{}, "accept", Refuse, 0, [2]Desk{}},
		{"discharged", Sent | Happened, [2]Desk{}, "discharge", Nothing, Settled, [2]Desk{}},
		{"nothing to discharge with", Sent, [2]Desk{}, "discharge", Nothing, 0, [2]Desk{}},
		{"transferred", 0, [2]Desk{}, "transfer", Nothing, Settled, [2]Desk{}},
		{"closed", 0, [2]Desk{}, "close", Agree, Fulfilled, [2]Desk{}},
		{"closed later", 0, [2]Desk{}, "close#2", Agree, Fulfilled, [2]Desk{}},
		{"not closed", Accepted | Settled, [2]Desk{}, "close", Refuse, 0, [2]Desk{}},
		{"the end", 0, [2]Desk{allowed}, "end", Nothing, 0, [2]Desk{allowed}},
	}
	names := map[string]bool{}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if names[tt.name] {
				t.Fatal("the name is used twice")
			}
			names[tt.name] = true
			e, err := ParseEvent(tt.event)
			if err != nil {
				t.Fatal(err)
			}
			s := State{tt.facts, tt.desks}
			s.Step(e, tt.act)
			if d := cmp.Diff(State{tt.facts | tt.want, tt.become}, s, states); d != "" {
				t.Error(d)
			}
		})
	}
}

// No event takes a fact away, whatever the service does at it.
func TestRecordGrows(t *testing.T) {
	for a := range Agent(len(agents)) {
		for k := range kinds {
			if (k <= Dispatch) == (a == Nobody) || a == Second && k != Reserve {
				continue
			}
			for act := range Act(len(acts)) {
				for _, f := range []Facts{0, everything, Sent, Held | Approved, Happened | Confirmed | Accepted} {
					s := State{Facts: f}
					if s.Step(Event{Agent: a, Kind: k}, act); !s.Is(f) {
						t.Errorf("%v with %v takes away %b", Event{Agent: a, Kind: k}, act, f&^s.Facts)
					}
				}
			}
		}
	}
}

// What an agent sees, for all combinations of the facts that matter to it, by a second
// formulation; and nothing else matters.
func TestLook(t *testing.T) {
	relevant := []Facts{Replaced, Authorized, Approved, Revoked, Withdrawn, Evidenced, Moved}
	for bits := range 1 << len(relevant) {
		has := map[Facts]bool{}
		var f Facts
		for i, r := range relevant {
			if has[r] = bits>>i&1 != 0; has[r] {
				f |= r
			}
		}
		mine := map[Agent]bool{First: !has[Replaced] && !has[Revoked], Successor: has[Authorized] && !has[Withdrawn]}
		for a, authority := range mine {
			words := []string{"version 1"}
			if has[Moved] {
				words = []string{"version 2"}
			}
			if authority {
				words = append(words, "authority")
			}
			if has[Approved] {
				words = append(words, "approval")
			}
			if has[Evidenced] {
				words = append(words, "evidence")
			}
			rest := everything
			for _, r := range relevant {
				rest &^= r
			}
			for _, other := range []Facts{0, rest} {
				s := State{Facts: f | other}
				if got, want := s.Look(a).String(), strings.Join(words, ", "); got != want || s.Authority(a) != authority {
					t.Errorf("with %b the %v sees %q, want %q; it has authority: %t", s.Facts, a, got, want, s.Authority(a))
				}
			}
		}
	}
}

func TestFields(t *testing.T) {
	s := State{Facts: Revoked | Approved | Held | Sent | Happened | Confirmed | Contradicted | Erased}
	*s.Desk(First) = Desk{Seen | ShowsAuthority | ShowsEvidence, Allow}
	want := map[string]string{
		"first acts on": "ALLOW on version 1, authority, evidence", "authority": "revoked", "guards": "approved", "version": "1",
		"resource": "reserved", "purchase": "dispatched, in effect", "heard": "confirmed, contradicted", "outcome": "not accepted",
		"obligation": "erased", "episode": "open",
	}
	if d := cmp.Diff(want, maps.Collect(s.Fields([]Agent{Nobody, First, First, Second}))); d != "" {
		t.Error(d)
	}
	want = map[string]string{
		"first acts on": "nothing", "successor acts on": "nothing",
		"authority": "as delegated", "guards": "nothing there", "version": "1", "resource": "free", "purchase": "not dispatched", "heard": "nothing",
		"outcome": "not accepted", "obligation": "open", "episode": "open",
	}
	if d := cmp.Diff(want, maps.Collect(State{}.Fields([]Agent{Successor, First}))); d != "" {
		t.Error(d)
	}
	for d, want := range map[Desk]string{{Seen, Nothing}: "version 1", {Seen | ShowsSecond, Hold}: "HOLD", {0, Escalate}: "ESCALATE", {0, Deny}: "DENY"} {
		if d.String() != want {
			t.Errorf("the desk %d is %q, want %q", d, d, want)
		}
	}
	for stop := range 12 {
		n := 0
		for range s.Fields([]Agent{First}) {
			if n++; n > stop {
				break // a caller may stop anywhere
			}
		}
	}
}

// Every fact is in some field, by a text of its own.
func TestFieldsHaveAllFacts(t *testing.T) {
	var texts []string
	for f := Facts(1); f <= everything; f <<= 1 {
		n := 0
		for _, field := range fields {
			if text := f.say(field); text != field.none {
				texts, n = append(texts, text), n+1
			}
		}
		if n != 1 {
			t.Errorf("fact %b is in %d fields", f, n)
		}
	}
	if slices.Sort(texts); len(slices.Compact(texts)) != 22 {
		t.Errorf("the texts are %v", texts)
	}
}
