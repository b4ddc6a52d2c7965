package episode

import (
	"slices"
	"testing"
)

// The table has every branch of every guard, with the boundary on both sides.
func TestGuards(t *testing.T) {
	const most = 1<<64 - 1
	plain := View{Version: 3, Latest: 3, Carrier: "agent", Policy: "p1", Resources: []string{"seat"},
		Delegation: Delegation{Principal: "ann", Carrier: "agent", Actions: []string{"buy"}, Budget: 100, Threshold: 40}}
	intent := Intent{ID: "x", Carrier: "agent", Action: "buy", Cost: 30}
	type change func(*View, *Intent)
	holds := func(all ...Reservation) change { return func(v *View, _ *Intent) { v.Holds = all } }
	costs := func(cost uint64, final bool) change {
		return func(_ *View, in *Intent) { in.Cost, in.Final = cost, final }
	}
	needs := func(status Status, value string, names ...string) change {
		return func(v *View, in *Intent) {
			v.Facts = []Fact{{Name: "other", Status: Accepted}, {Name: "fare", Status: status, Value: value}}
			in.Evidence = names
		}
	}
	said := func(status Status, value string, dispatched ...string) change {
		return func(v *View, _ *Intent) {
			v.Facts, v.Dispatched = []Fact{{Name: "x", Status: status, Value: value}}, dispatched
		}
	}
	effect := func(status Status, value string) change { return said(status, value, "w", "x") }
	both := func(changes ...change) change {
		return func(v *View, in *Intent) {
			for _, c := range changes {
				c(v, in)
			}
		}
	}
	tests := []struct {
		guard, name string
		change      change
		want        Answer
		why         string
	}{
		{"authority", "delegated", nil, Pass, "ann has delegated it to agent"},
		{"authority", "nothing delegated", func(v *View, _ *Intent) { v.Delegation = Delegation{} }, Deny, "nothing is delegated to agent"},
		{"authority", "revoked", func(v *View, _ *Intent) { v.Delegation.Revoked = true }, Deny, "ann has revoked the delegation to agent"},
		{"authority", "replaced", func(v *View, _ *Intent) { v.Successor = "next" }, Deny, "agent has been replaced by next"},
		{"authority", "another action", func(_ *View, in *Intent) { in.Action = "sell" }, Deny, "the delegation to agent does not cover sell"},
		{"authority", "view of another", func(v *View, _ *Intent) { v.Carrier = "other" }, NoAnswer, `the view is not of agent, but of "other" with a delegation to "agent"`},
		{"authority", "delegation of another", func(v *View, _ *Intent) { v.Delegation.Carrier = "other" }, NoAnswer, `the view is not of agent, but of "agent" with a delegation to "other"`},
		{"authority", "all of the budget", costs(100, false), Pass, "ann has delegated it to agent"},
		{"authority", "above the budget", costs(101, false), Deny, "the cost of 101 is above what is left of the budget, 100 of 100"},
		{"authority", "final at the threshold", costs(40, true), Pass, "ann has delegated it to agent"},
		{"authority", "final above the threshold", costs(41, true), Escalate, "it is final, its cost of 41 is above the threshold of 40, and ann has not approved it"},
		{"authority", "not final above the threshold", costs(41, false), Pass, "ann has delegated it to agent"},
		{"authority", "approved", both(costs(41, true), func(v *View, _ *Intent) { v.Approved = []string{"w", "x"} }), Pass, "ann has delegated it to agent"},
		{"authority", "another one approved", both(costs(41, true), func(v *View, _ *Intent) { v.Approved = []string{"w"} }), Escalate, "it is final, its cost of 41 is above the threshold of 40, and ann has not approved it"},
		{"authority", "approved above the budget", both(costs(101, true), func(v *View, _ *Intent) { v.Approved = []string{"x"} }), Deny, "the cost of 101 is above what is left of the budget, 100 of 100"},
		{"authority", "just enough left", holds(Reservation{Action: "w", Carrier: "agent", Cost: 70}), Pass, "ann has delegated it to agent"},
		{"authority", "not enough left", holds(Reservation{Action: "w", Carrier: "agent", Cost: 71}), Deny, "the cost of 30 is above what is left of the budget, 29 of 100"},
		{"authority", "held for itself", holds(Reservation{Action: "x", Carrier: "agent", Cost: 90}), Pass, "ann has delegated it to agent"},
		{"authority", "held by another", holds(Reservation{Action: "w", Carrier: "other", Cost: 90}), Pass, "ann has delegated it to agent"},
		{"authority", "held twice", holds(Reservation{Action: "v", Carrier: "agent", Cost: 40}, Reservation{Action: "w", Carrier: "agent", Cost: 40}), Deny, "the cost of 30 is above what is left of the budget, 20 of 100"},
		{"authority", "holds that overflow", holds(Reservation{Action: "v", Carrier: "agent", Cost: most}, Reservation{Action: "w", Carrier: "agent", Cost: 2}), Deny, "the cost of 30 is above what is left of the budget, 0 of 100"},

		{"prerequisites", "none", nil, Pass, "all prerequisites are met (0)"},
		{"prerequisites", "met", func(v *View, in *Intent) { in.After, v.Met = []string{"a", "b"}, []string{"b", "c", "a"} }, Pass, "all prerequisites are met (2)"},
		{"prerequisites", "one not met", func(v *View, in *Intent) { in.After, v.Met = []string{"a", "b"}, []string{"a"} }, Hold, "the prerequisite b is not met"},

		{"policy", "allowed", func(v *View, _ *Intent) { v.Forbidden = []string{"sell"} }, Pass, "policy p1 does not forbid it"},
		{"policy", "forbidden", func(v *View, _ *Intent) { v.Forbidden = []string{"sell", "buy"} }, Deny, "policy p1 forbids buy"},
		{"policy", "none", func(v *View, _ *Intent) { v.Policy, v.Forbidden = "", []string{"buy"} }, NoAnswer, "no policy is in force"},

		{"resource", "none needed", holds(Reservation{Action: "w", Resource: ""}), Pass, "it needs no resource"},
		{"resource", "free", func(_ *View, in *Intent) { in.Resource = "seat" }, Pass, "nobody else holds seat"},
		{"resource", "unknown", func(_ *View, in *Intent) { in.Resource = "room" }, NoAnswer, "there is no resource room"},
		{"resource", "held", both(holds(Reservation{Action: "w", Carrier: "agent", Resource: "seat"}), func(_ *View, in *Intent) { in.Resource = "seat" }), Hold, "seat is reserved for w"},
		{"resource", "held for itself", both(holds(Reservation{Action: "x", Carrier: "other", Resource: "seat"}), func(_ *View, in *Intent) { in.Resource = "seat" }), Pass, "nobody else holds seat"},
		{"resource", "another one held", both(holds(Reservation{Action: "w", Resource: "room"}), func(_ *View, in *Intent) { in.Resource = "seat" }), Pass, "nobody else holds seat"},

		{"evidence", "none needed", nil, Pass, "all that it needs is accepted (0)"},
		{"evidence", "accepted", needs(Accepted, "9", "fare", "other"), Pass, "all that it needs is accepted (2)"},
		{"evidence", "accepted that there is none", needs(Accepted, None, "fare"), Pass, "all that it needs is accepted (1)"},
		{"evidence", "observed", needs(Observed, "9", "fare"), Hold, "fare is observed, not accepted"},
		{"evidence", "claimed", needs(Claimed, "9", "other", "fare"), Hold, "fare is claimed, not accepted"},
		{"evidence", "unknown", needs(Unknown, "", "fare"), Hold, "fare is unknown, not accepted"},
		{"evidence", "contested", needs(Contested, "", "fare"), Escalate, "fare is contested, not accepted"},
		{"evidence", "never mentioned", needs(Accepted, "9", "price"), Hold, "price is unknown, not accepted"},
		{"evidence", "contested behind unknown", needs(Contested, "", "price", "fare"), Escalate, "fare is contested, not accepted"},
		{"evidence", "unknown behind contested", needs(Contested, "", "fare", "price"), Escalate, "fare is contested, not accepted"},
		{"evidence", "own effect", effect(Accepted, "done"), Deny, "it has had its effect already (done)"},
		{"evidence", "own effect known to be none", effect(Accepted, None), Pass, "all that it needs is accepted (0)"},
		{"evidence", "own effect unknown", effect(Unknown, ""), Hold, "its own effect is unknown: it is not dispatched again before that is known"},
		{"evidence", "own effect claimed to be none", effect(Claimed, None), Hold, "its own effect is claimed: it is not dispatched again before that is known"},
		{"evidence", "own effect contested", effect(Contested, ""), Escalate, "its own effect is contested: it is not dispatched again before that is known"},
		{"evidence", "own effect never mentioned", func(v *View, _ *Intent) { v.Dispatched = []string{"x"} }, Hold, "its own effect is unknown: it is not dispatched again before that is known"},
		{"evidence", "claimed, and not dispatched", said(Claimed, "done"), Pass, "all that it needs is accepted (0)"},
		{"evidence", "claimed, and another one dispatched", said(Claimed, "done", "w"), Pass, "all that it needs is accepted (0)"},
		{"evidence", "observed, and not dispatched", said(Observed, "done"), Pass, "all that it needs is accepted (0)"},
		{"evidence", "waited for, and not dispatched", said(Unknown, ""), Pass, "all that it needs is accepted (0)"},
		{"evidence", "contested, and not dispatched", said(Contested, ""), Escalate, "its own effect is contested, though it was not dispatched"},
		{"evidence", "accepted, and not dispatched", said(Accepted, "done"), Deny, "it has had its effect already (done)"},
		{"evidence", "accepted as none, and not dispatched", said(Accepted, None), Pass, "all that it needs is accepted (0)"},

		{"freshness", "latest", nil, Pass, "the view is of version 3, the latest"},
		{"freshness", "stale", func(v *View, _ *Intent) { v.Latest = 4 }, Hold, "the view is of version 3, and there is 4"},
		{"freshness", "none", func(v *View, _ *Intent) { v.Version = 0 }, NoAnswer, "version 0 has not been observed (the latest is 3)"},
		{"freshness", "of the future", func(v *View, _ *Intent) { v.Version = 4 }, NoAnswer, "version 4 has not been observed (the latest is 3)"},
	}
	guards := Guards()
	var names []string
	for _, g := range guards {
		names = append(names, g.Name)
	}
	if want := []string{"authority", "prerequisites", "policy", "resource", "evidence", "freshness"}; !slices.Equal(names, want) {
		t.Fatalf("the guards are %q, want %q", names, want)
	}
	for _, tt := range tests {
		t.Run(tt.guard+"/"+tt.name, func(t *testing.T) {
			v, in := plain.clone(), intent.clone()
			if tt.change != nil {
				tt.change(&v, &in)
			}
			got, why := guards[slices.Index(names, tt.guard)].Check(v, in)
			if got != tt.want || why != tt.why {
				t.Errorf("%v since %s, want %v since %s", got, why, tt.want, tt.why)
			}
		})
	}
	// Nothing that is empty passes all of them.
	if d, err := Admit(View{}, Intent{}, guards...); err == nil {
		t.Errorf("the zero view and intent give %v", d)
	}
}
