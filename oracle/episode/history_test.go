package episode

import (
	"strings"
	"testing"

	"example.com/commitpoint/model/episode"
)

// A step is an event of a history, and what the service did at it.
type step struct {
	event episode.Event
	act   episode.Act
}

var acts = map[string]episode.Act{
	"": episode.Nothing, "ALLOW": episode.Allow, "HOLD": episode.Hold, "ESCALATE": episode.Escalate, "DENY": episode.Deny,
	"+": episode.Agree, "-": episode.Refuse, "rewrite": episode.Rewrite,
}

// history reads steps as in "first:observe first:admit=ALLOW".
func history(t *testing.T, text string) []step {
	t.Helper()
	var steps []step
	for word := range strings.FieldsSeq(text) {
		name, act, _ := strings.Cut(word, "=")
		e, err := episode.ParseEvent(name)
		if _, ok := acts[act]; err != nil || !ok {
			t.Fatalf("step %q: %v", word, err)
		}
		steps = append(steps, step{e, acts[act]})
	}
	return steps
}

func fold(steps []step) (h History) {
	for _, s := range steps {
		h.Step(s.event, s.act)
	}
	return h
}

// The beginnings of the histories below: all that is needed to go on.
const (
	toObserve  = "approve evidence "
	toReserve  = toObserve + "first:observe first:admit=ALLOW "
	toDispatch = toReserve + "first:reserve=+ "
	toHear     = toDispatch + "first:dispatch=+ "
	toAccept   = toHear + "effect confirm "
	successor  = "replace authorize successor:observe successor:admit=ALLOW "
)

// What is asked at an event, and what stands against a yes.
func TestAsk(t *testing.T) {
	tests := []struct {
		name, before, event string
		question            Question
		against             Reasons
	}{
		{"every guard passes", toObserve + "first:observe", "first:admit", Admission, 0},
		{"nothing was observed", toObserve, "first:admit", Admission, StaleView},
		{"no guard passes", "revoke first:observe", "first:admit", Admission, Revoked | NotApproved | NoEvidence},
		{"approved since", "evidence first:observe approve", "first:admit", Admission, StaleView},
		{"evidence since", "approve first:observe evidence", "first:admit", Admission, StaleView},
		{"a new version since", toObserve + "first:observe expire", "first:admit", Admission, StaleView},
		{"a new version before", toObserve + "expire first:observe", "first:admit", Admission, 0},
		{"revoked since", toObserve + "first:observe revoke", "first:admit", Admission, Revoked | StaleView},
		{"replaced", toObserve + "replace first:observe", "first:admit", Admission, Replaced},
		{"replaced since", toObserve + "first:observe replace", "first:admit", Admission, Replaced | StaleView},
		{"revoked after it was replaced, which it does not see", toObserve + "replace first:observe revoke", "first:admit", Admission, Revoked | Replaced},
		{"authorized and revoked since, which it does not see", toObserve + "replace successor:observe authorize revoke", "successor:admit", Admission, NoFreshAuthority},
		{"observed anew", toObserve + "first:observe expire first:observe#2", "first:admit", Admission, 0},
		{"admitted again from the same view", toReserve, "first:admit#2", Admission, 0},
		{"not admitted, and again without a look", toObserve + "first:observe first:admit=HOLD", "first:admit#2", Admission, StaleView},
		{"the other one observed", toObserve + "replace authorize first:observe", "successor:admit", Admission, StaleView},
		{"a successor", toObserve + "replace authorize successor:observe", "successor:admit", Admission, 0},
		{"a successor without authority", toObserve + "replace successor:observe", "successor:admit", Admission, NoFreshAuthority},
		{"a successor that was authorized since", toObserve + "replace successor:observe authorize", "successor:admit", Admission, StaleView},
		{"a successor that was revoked", toObserve + "replace authorize revoke successor:observe", "successor:admit", Admission, NoFreshAuthority},
		{"a successor that was authorized after a revocation", toObserve + "revoke replace authorize successor:observe", "successor:admit", Admission, 0},
		{"a revocation before does not concern its view", toObserve + "replace successor:observe revoke", "successor:admit", Admission, NoFreshAuthority},

		{"reserved", toReserve, "first:reserve", Reservation, 0},
		{"reserved without ALLOW", toObserve + "first:observe first:admit=ESCALATE", "first:reserve", Reservation, NoDecision},
		{"reserved without a decision", toObserve + "first:observe", "first:reserve", Reservation, NoDecision},
		{"reserved after another look", toReserve + "first:observe#2", "first:reserve", Reservation, NoDecision},
		{"reserved on a later decision", toObserve + "first:observe first:admit=HOLD first:observe#2 first:admit#2=ALLOW", "first:reserve", Reservation, 0},
		{"reserved when a later decision is no ALLOW", toReserve + "first:admit#2=HOLD", "first:reserve", Reservation, NoDecision},
		{"reserved after a revocation", toReserve + "revoke", "first:reserve", Reservation, Revoked | StaleView},
		{"reserved after a new version", toReserve + "expire", "first:reserve", Reservation, StaleView},
		{"reserved on ALLOW from nothing", toObserve + "first:admit=ALLOW", "first:reserve", Reservation, StaleView},
		{"reserved on ALLOW from an old view", toObserve + "first:observe expire first:admit=ALLOW", "first:reserve", Reservation, StaleView},
		{"reserved on ALLOW against the guards", "first:observe first:admit=ALLOW", "first:reserve", Reservation, NotApproved | NoEvidence},
		{"reserved by another", "second:reserve=+ " + toReserve, "first:reserve", Reservation, ByAnother},
		{"not reserved by another", "second:reserve=- " + toReserve, "first:reserve", Reservation, 0},
		{"the second reserves", toReserve, "second:reserve", Reservation, 0},
		{"the second reserves too late", toDispatch, "second:reserve", Reservation, ByAnother},
		{"the successor has what the first reserved", toDispatch + successor, "successor:reserve", Reservation, 0},
		{"the second may not have it then, either", toDispatch + "replace", "second:reserve", Reservation, ByAnother},
		{"what was reserved twice is the second's no more", "second:reserve=+ " + toDispatch, "second:reserve", Reservation, 0},

		{"dispatched", toDispatch, "first:dispatch", Dispatch, 0},
		{"dispatched without a reservation", toReserve, "first:dispatch", Dispatch, NoReservation},
		{"dispatched on a reservation of what was another's", "second:reserve=+ " + toDispatch, "first:dispatch", Dispatch, NoReservation},
		{"dispatched on the second's reservation", toReserve + "second:reserve=+", "first:dispatch", Dispatch, NoReservation},
		{"dispatched after a revocation", toDispatch + "revoke", "first:dispatch", Dispatch, Revoked | StaleView},
		{"dispatched by who was replaced", toDispatch + "replace", "first:dispatch", Dispatch, Replaced | StaleView},
		{"dispatched by the successor on the first's decision", toDispatch + "replace authorize", "successor:dispatch", Dispatch, NoDecision},
		{"dispatched by the successor", toDispatch + successor, "successor:dispatch", Dispatch, 0},
		{"dispatched again by the successor", toHear + successor, "successor:dispatch", Dispatch, UnknownEffect},
		{"dispatched again by the first", toHear, "first:dispatch", Dispatch, NoDecision | UnknownEffect},
		{"dispatched before the effect was known", toAccept + successor, "successor:dispatch", Dispatch, KnownEffect},
		{"dispatched again when contested", toHear + "contradict " + successor, "successor:dispatch", Dispatch, Contested},
		{"repeated in silence", toHear, "repeat", Dispatch, UnknownEffect},
		{"repeated after an acknowledgement", toHear + "ack", "repeat", Dispatch, UnknownEffect},
		{"repeated after a confirmation", toAccept, "repeat", Dispatch, KnownEffect},
		{"repeated after a contradiction", toHear + "contradict", "repeat", Dispatch, Contested},
		{"nothing to repeat", toDispatch + "first:dispatch=-", "repeat", None, 0},

		{"accepted", toAccept, "accept", Acceptance, 0},
		{"accepted on an acknowledgement", toHear + "ack effect", "accept", Acceptance, UnknownEffect},
		{"accepted against a contradiction", toAccept + "contradict", "accept", Acceptance, Contested},
		{"accepted against a contradiction alone", toHear + "contradict", "accept", Acceptance, Contested},
		{"accepted after a dropped contradiction", toHear + "effect contradict confirm=rewrite", "accept", Acceptance, Contested},
		{"accepted after a review", toHear + "effect contradict review", "accept", Acceptance, 0},
		{"accepted after a review that came too early", toHear + "contradict review effect confirm", "accept", Acceptance, Contested},
		{"confirmed only if it happened", toHear + "confirm", "accept", Acceptance, UnknownEffect},
		{"it happens only if it was dispatched", toDispatch + "effect confirm", "accept", Acceptance, UnknownEffect},
		{"contradicted only if it was dispatched", "contradict " + toAccept, "accept", Acceptance, 0},
		{"reviewed only if it happened", "review " + toHear + "effect", "accept", Acceptance, UnknownEffect},

		{"closed", toAccept + "discharge accept=+", "close", Closure, 0},
		{"closed when it was taken over", "transfer " + toAccept + "accept=+", "close", Closure, 0},
		{"closed with nothing done", "", "close", Closure, UnknownEffect | NotAccepted | OpenObligation},
		{"closed without acceptance", toAccept + "discharge accept=-", "close", Closure, NotAccepted},
		{"closed with an obligation", toAccept + "accept=+", "close", Closure, OpenObligation},
		{"closed with an obligation that was erased", toAccept + "accept=+ revoke=rewrite", "close", Closure, OpenObligation},
		{"discharged with nothing", "discharge " + toAccept + "accept=+", "close", Closure, OpenObligation},
		{"closed on a wrong acceptance", toHear + "ack effect accept=+ confirm transfer", "close", Closure, NotAccepted},
		{"contradicted after it was accepted", toAccept + "discharge accept=+ contradict", "close", Closure, Contested},
		{"and reviewed", toAccept + "discharge accept=+ contradict review", "close", Closure, 0},
		{"closed after a revocation", toAccept + "discharge accept=+ revoke", "close", Closure, 0},
		{"closed a second time", toAccept + "discharge accept=+ close=-", "close#2", Closure, 0},
		{"closed already", toAccept + "discharge accept=+ close=+", "close#2", None, 0},
		{"closed already, wrongly", "close=+", "close#2", None, 0},

		{"a look", "", "first:observe", None, 0},
		{"an approval", "", "approve", None, 0},
		{"an effect", toHear, "effect", None, 0},
		{"the end", toAccept, "end", None, 0},
	}
	names := map[string]bool{}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if names[tt.name] {
				t.Fatal("the name is used twice")
			}
			names[tt.name] = true
			h := fold(history(t, tt.before))
			if q, against := h.Ask(history(t, tt.event)[0].event); q != tt.question || against != tt.against {
				t.Errorf("asks %v, against it %q; want %v, %q", q, against, tt.question, tt.against)
			}
		})
	}
}

// Which properties a history breaks.
func TestBroken(t *testing.T) {
	tests := []struct {
		name, steps string
		want        Properties
	}{
		{"nothing", toAccept + "repeat=- contradict accept=- review accept=+ close=- transfer close#2=+", 0},
		{"allowed against the guards", "first:observe first:admit=ALLOW", AllowsUnguarded},
		{"allowed from an old view", toObserve + "first:observe expire first:admit=ALLOW", AllowsUnguarded},
		{"not allowed against the guards", "first:observe first:admit=ESCALATE", 0},
		{"dispatched without a reservation", toReserve + "first:dispatch=+", DispatchesUncovered},
		{"dispatched after a new version", toDispatch + "expire first:dispatch=+", DispatchesUncovered},
		{"not dispatched after a new version", toDispatch + "expire first:dispatch=-", 0},
		{"dispatched without ALLOW", toObserve + "first:observe first:admit=ALLOW first:reserve=+ first:observe#2 first:dispatch=+", DispatchesUncovered},
		{"dispatched after a revocation", toDispatch + "revoke first:dispatch=+", DispatchesUncovered},
		{"dispatched by a successor that was revoked", toDispatch + successor + "revoke successor:dispatch=+", DispatchesUncovered | DispatchesUnauthorized},
		{"reserved without a decision", toObserve + "first:observe first:reserve=+", ReservesUncovered},
		{"reserved on an escalation", "evidence first:observe first:admit=ESCALATE approve first:reserve=+", ReservesUncovered},
		{"reserved after a revocation", toReserve + "revoke first:reserve=+", ReservesUncovered},
		{"reserved by who was replaced", toReserve + "replace first:reserve=+", ReservesUncovered},
		{"reserved after a new version", toReserve + "expire first:reserve=+", ReservesUncovered},
		{"reserved on an ALLOW without evidence", "approve first:observe first:admit=ALLOW first:reserve=+", AllowsUnguarded | ReservesUncovered},
		{"reserved on an ALLOW without approval", "evidence first:observe first:admit=ALLOW first:reserve=+", AllowsUnguarded | ReservesUncovered},
		{"reserved on the first's decision", toReserve + "replace authorize successor:reserve=+", ReservesUncovered},
		{"reserved without a decision, and another's", "second:reserve=+ " + toObserve + "first:observe first:reserve=+", ReservesUncovered | ReservesTwice},
		{"not reserved without a decision", toObserve + "first:observe first:reserve=-", 0},
		{"the second's ALLOW is of another episode", "second:reserve=+", 0},
		{"dispatched on ALLOW, after a reservation without", toObserve + "first:observe first:reserve=+ first:admit=ALLOW first:dispatch=+", ReservesUncovered},
		{"reserved by a successor that was revoked", toReserve + successor + "revoke successor:reserve=+", ReservesUncovered},
		{"dispatched by a successor on the first's decision", toDispatch + "replace authorize successor:dispatch=+", DispatchesUncovered},
		{"a decision is rewritten", "first:observe first:admit=ESCALATE approve=rewrite", RewritesDecision},
		{"an obligation is erased", "revoke=rewrite", ErasesObligation},
		{"a confirmation is dropped", toAccept + "contradict=rewrite", RewritesHistory},
		{"a contradiction is dropped", toHear + "effect contradict confirm=rewrite", RewritesHistory},
		{"reserved twice", "second:reserve=+ " + toDispatch, ReservesTwice},
		{"reserved twice, the second last", toDispatch + "second:reserve=+", ReservesTwice},
		{"reserved once, with nothing observed", "first:reserve=+", ReservesUncovered},
		{"fulfilled with nothing done", "close=+", FulfillsFalsely},
		{"fulfilled against a contradiction", toAccept + "discharge accept=+ contradict close=+", FulfillsFalsely},
		{"accepted wrongly", toHear + "accept=+", 0},
		{"dispatched again in silence", toHear + "repeat=+", DispatchesAgain},
		{"dispatched again when done", toAccept + "repeat=+", DispatchesAgain},
		{"dispatched again when contested", toHear + "contradict repeat=+", DispatchesAgain},
		{"dispatched again by the successor", toHear + successor + "successor:dispatch=+", DispatchesAgain},
		{"what may be allowed is not", toObserve + "first:observe first:admit=DENY", RefusesDue},
		{"what is free is not reserved", "second:reserve=-", RefusesDue},
		{"what may be dispatched is not", toDispatch + "first:dispatch=-", RefusesDue},
		{"what is known is not accepted", toAccept + "accept=-", RefusesDue},
		{"what is fulfilled is not closed", toAccept + "discharge accept=+ close=-", RefusesDue},
		{"broken stays broken", "close=+ " + toReserve, FulfillsFalsely},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if h := fold(history(t, tt.steps)); h.Broken != tt.want {
				t.Errorf("breaks %q, want %q", h.Broken.Names(), tt.want.Names())
			}
		})
	}
}

func TestNames(t *testing.T) {
	all := Reasons(1<<NumReasons - 1)
	const want = "revoked, replaced, no-fresh-authority, not-approved, no-evidence, stale-view, no-decision, reserved-by-another, no-reservation, " +
		"unknown-effect, known-effect, contested, no-accepted-evidence, open-obligation"
	if got := all.String(); got != want {
		t.Errorf("the reasons are %q, want %q", got, want)
	}
	if OpenObligation != 1<<(NumReasons-1) || RefusesDue != 1<<(len(PropertyNames)-1) {
		t.Error("a reason or a property has no name")
	}
	said := map[string]bool{}
	for _, name := range Properties(1<<len(PropertyNames) - 1).Names() {
		said[name] = true
	}
	if len(said) != 11 {
		t.Errorf("%d properties have a name of their own", len(said))
	}
	for q, want := range []string{"none", "admission", "reservation", "dispatch", "acceptance", "closure"} {
		if got := Question(q).String(); got != want {
			t.Errorf("question %d is %q, want %q", q, got, want)
		}
	}
	if got := fold(nil).Broken.Names(); got == nil || len(got) > 0 {
		t.Errorf("no property broken has the names %#v", got)
	}
}

// ALLOW is a yes to an admission and to nothing else, and agreeing to everything else.
func TestAccepts(t *testing.T) {
	for q := None; q <= Closure; q++ {
		for _, a := range acts {
			want := q == Admission && a == episode.Allow || q > Admission && a == episode.Agree
			if q.Accepts(a) != want {
				t.Errorf("%v accepts %v: %t", q, a, !want)
			}
		}
	}
}
