package episode

import (
	"math/bits"
	"strings"
	"testing"

	model "example.com/commitpoint/model/episode"
)

func TestAll(t *testing.T) {
	seen := map[Flaws]bool{}
	for i, m := range All() {
		if n := bits.OnesCount32(uint32(m.Flaws)); n != min(i, 1) || seen[m.Flaws] || m.Meaning == "" {
			t.Errorf("%s has %d flaws, or those of another, and the meaning %q", m.Name, n, m.Meaning)
		}
		seen[m.Flaws] = true
		if got, err := Named(m.Name); err != nil || got != m {
			t.Errorf("Named(%q) = %v, %v", m.Name, got, err)
		}
	}
	if want := bits.Len32(uint32(NeverCloses)) + 1; len(seen) != want {
		t.Errorf("%d mechanisms, want %d", len(seen), want)
	}
	if _, err := Named("lucky"); err == nil || !strings.Contains(err.Error(), `"lucky"`) || !strings.HasSuffix(err.Error(), "never-closes") {
		t.Errorf("the error of an unknown name is %v", err)
	}
}

const shown = model.Seen | model.ShowsAuthority | model.ShowsApproval | model.ShowsEvidence

// What each mechanism does in a situation: the reference, and by name those that differ.
func TestAct(t *testing.T) {
	const (
		ready = model.Approved | model.Evidenced
		sent  = ready | model.Held | model.Sent
		done  = sent | model.Happened | model.Confirmed
	)
	allowed, escalated := model.Desk{View: shown, Decision: model.Allow}, model.Desk{Decision: model.Escalate}
	type desks [2]model.Desk // of the first and its successor
	type differ map[string]model.Act
	tests := []struct {
		name  string
		facts model.Facts
		desks desks
		event string
		want  model.Act
		but   differ
	}{
		{"every guard passes", ready, desks{{View: shown}}, "first:admit", model.Allow, nil},
		{"nothing was observed", ready, desks{}, "first:admit", model.Deny, nil},
		{"revoked since", ready | model.Revoked, desks{{View: shown}}, "first:admit", model.Hold,
			differ{"trusts-views": model.Allow, "hold-is-allow": model.Allow}},
		{"a new version since", ready | model.Moved, desks{{View: shown}}, "first:admit", model.Hold,
			differ{"trusts-views": model.Allow, "hold-is-allow": model.Allow}},
		{"no evidence", model.Approved, desks{{View: shown &^ model.ShowsEvidence}}, "first:admit", model.Hold, differ{"hold-is-allow": model.Allow}},
		{"not approved", model.Evidenced, desks{{View: shown &^ model.ShowsApproval}}, "first:admit", model.Escalate, nil},
		{"revoked", ready | model.Revoked, desks{{View: shown &^ model.ShowsAuthority}}, "first:admit", model.Deny, nil},
		{"a successor without authority", ready | model.Replaced, desks{allowed, {View: shown &^ model.ShowsAuthority}}, "successor:admit", model.Deny,
			differ{"inherits-authority": model.Allow}},
		{"a successor, and what it would inherit is revoked", ready | model.Replaced | model.Revoked, desks{{}, {View: shown &^ model.ShowsAuthority}},
			"successor:admit", model.Deny, nil},
		{"a first that was replaced inherits nothing", ready | model.Replaced, desks{{View: shown &^ model.ShowsAuthority}}, "first:admit", model.Deny, nil},
		{"an authorized successor", ready | model.Replaced | model.Authorized, desks{{}, {View: shown}}, "successor:admit", model.Allow, nil},

		{"reserved", ready, desks{allowed}, "first:reserve", model.Agree, nil},
		{"reserved without a decision", ready, desks{{View: shown}}, "first:reserve", model.Refuse, differ{"reserves-unadmitted": model.Agree}},
		{"reserved on an escalation", ready, desks{escalated}, "first:reserve", model.Refuse, differ{"reserves-unadmitted": model.Agree}},
		{"reserved after a revocation", ready | model.Revoked, desks{allowed}, "first:reserve", model.Refuse,
			differ{"allow-is-forever": model.Agree, "reserves-unadmitted": model.Agree}},
		{"reserved on the first's decision", ready | model.Replaced | model.Authorized, desks{allowed}, "successor:reserve", model.Refuse,
			differ{"reserves-unadmitted": model.Agree}},
		{"reserved without a decision when it is another's", ready | model.Taken, desks{}, "first:reserve", model.Refuse, nil},
		{"reserved when it is another's", ready | model.Taken, desks{allowed}, "first:reserve", model.Refuse, differ{"reserve-twice": model.Agree}},
		{"reserved when it has it", ready | model.Held | model.Replaced | model.Authorized, desks{{}, allowed}, "successor:reserve", model.Agree, nil},
		{"the second reserves", 0, desks{}, "second:reserve", model.Agree, nil},
		{"the second reserves too late", model.Held, desks{}, "second:reserve", model.Refuse, differ{"reserve-twice": model.Agree}},

		{"dispatched", ready | model.Held, desks{allowed}, "first:dispatch", model.Agree, nil},
		{"dispatched without a reservation", ready | model.Taken, desks{allowed}, "first:dispatch", model.Refuse, differ{"dispatch-on-allow": model.Agree}},
		{"dispatched without a decision", ready | model.Held, desks{}, "first:dispatch", model.Refuse, nil},
		{"dispatched after a new version", ready | model.Held | model.Moved, desks{allowed}, "first:dispatch", model.Refuse, differ{"allow-is-forever": model.Agree}},
		{"dispatched by who was replaced", ready | model.Held | model.Replaced, desks{allowed}, "first:dispatch", model.Refuse, differ{"allow-is-forever": model.Agree}},
		{"dispatched again by the successor", sent | model.Replaced | model.Authorized, desks{{}, allowed}, "successor:dispatch", model.Refuse,
			differ{"redispatch-on-silence": model.Agree}},
		{"dispatched again though acknowledged", sent | model.Acked | model.Replaced | model.Authorized, desks{{}, allowed}, "successor:dispatch", model.Refuse, nil},
		{"dispatched again in silence, without a decision", sent, desks{}, "successor:dispatch", model.Refuse, nil},
		{"repeated in silence", sent, desks{}, "repeat", model.Refuse, differ{"redispatch-on-silence": model.Agree}},
		{"repeated after an acknowledgement", sent | model.Acked, desks{}, "repeat", model.Refuse, nil},
		{"repeated after a confirmation", done, desks{}, "repeat", model.Refuse, nil},
		{"repeated after a contradiction", sent | model.Contradicted, desks{}, "repeat", model.Refuse, nil},
		{"repeated after a review", sent | model.Happened | model.Reviewed, desks{}, "repeat", model.Refuse, nil},
		{"nothing to repeat", ready, desks{}, "repeat", model.Nothing, nil},

		{"accepted in silence", sent, desks{}, "accept", model.Refuse, differ{"unknown-is-done": model.Agree}},
		{"accepted on an acknowledgement", sent | model.Acked, desks{}, "accept", model.Refuse,
			differ{"ack-is-effect": model.Agree, "unknown-is-done": model.Agree}},
		{"accepted on a confirmation", done, desks{}, "accept", model.Agree, nil},
		{"accepted against a contradiction", done | model.Contradicted, desks{}, "accept", model.Refuse, differ{"ignores-contradiction": model.Agree}},
		{"accepted when the contradiction was dropped", done | model.Contradicted | model.Overridden, desks{}, "accept", model.Agree, nil},
		{"accepted when the confirmation was dropped", done | model.Contradicted | model.Retracted, desks{}, "accept", model.Refuse, nil},
		{"accepted after a review", done | model.Contradicted | model.Reviewed, desks{}, "accept", model.Agree, nil},
		{"accepted when nothing was dispatched", ready, desks{}, "accept", model.Refuse, nil},

		{"closed", done | model.Accepted | model.Settled, desks{}, "close", model.Agree, differ{"never-closes": model.Refuse}},
		{"closed without acceptance", done | model.Settled, desks{}, "close", model.Refuse,
			differ{"output-is-outcome": model.Agree, "ended-is-fulfilled": model.Agree}},
		{"closed with an obligation", done | model.Accepted, desks{}, "close#2", model.Refuse,
			differ{"closes-with-open-obligation": model.Agree, "ended-is-fulfilled": model.Agree}},
		{"closed with an obligation that was erased", done | model.Accepted | model.Erased, desks{}, "close", model.Agree, differ{"never-closes": model.Refuse}},
		{"closed against a contradiction", done | model.Accepted | model.Settled | model.Contradicted, desks{}, "close", model.Refuse,
			differ{"ignores-contradiction": model.Agree, "ended-is-fulfilled": model.Agree}},
		{"closed with nothing done", 0, desks{}, "close", model.Refuse, differ{"ended-is-fulfilled": model.Agree}},
		{"closed again", done | model.Accepted | model.Settled | model.Fulfilled, desks{}, "close#2", model.Nothing, nil},

		{"approved", 0, desks{escalated}, "approve", model.Nothing, differ{"approval-rewrites": model.Rewrite}},
		{"approved for the successor", 0, desks{{}, escalated}, "approve", model.Nothing, differ{"approval-rewrites": model.Rewrite}},
		{"approved with nothing escalated", 0, desks{{Decision: model.Hold}, {Decision: model.Deny}}, "approve", model.Nothing, nil},
		{"revoked with something owed", ready, desks{}, "revoke", model.Nothing, differ{"revoke-erases": model.Rewrite}},
		{"revoked with nothing owed", model.Settled, desks{}, "revoke", model.Nothing, nil},
		{"confirmed after a contradiction", sent | model.Happened | model.Contradicted, desks{}, "confirm", model.Nothing, differ{"last-word-wins": model.Rewrite}},
		{"confirmed first", sent | model.Happened, desks{}, "confirm", model.Nothing, nil},
		{"nothing to confirm after a contradiction", sent | model.Contradicted, desks{}, "confirm", model.Nothing, nil},
		{"contradicted after a confirmation", done, desks{}, "contradict", model.Nothing, differ{"last-word-wins": model.Rewrite}},
		{"contradicted first", sent | model.Happened, desks{}, "contradict", model.Nothing, nil},
		{"observed", 0, desks{escalated}, "first:observe", model.Nothing, nil},
		{"the provider's own step", sent, desks{}, "effect", model.Nothing, nil},
	}
	names := map[string]bool{}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if names[tt.name] {
				t.Fatal("the name is used twice")
			}
			names[tt.name] = true
			s := model.State{Facts: tt.facts}
			*s.Desk(model.First), *s.Desk(model.Successor) = tt.desks[0], tt.desks[1]
			e, err := model.ParseEvent(tt.event)
			if err != nil {
				t.Fatal(err)
			}
			for name := range tt.but {
				if _, err := Named(name); err != nil {
					t.Error(err)
				}
			}
			for _, m := range All() {
				want, ok := tt.but[m.Name]
				if !ok {
					want = tt.want
				}
				if got := m.Act(&s, e); got != want {
					t.Errorf("%s: %v, want %v", m.Name, got, want)
				}
			}
		})
	}
}
