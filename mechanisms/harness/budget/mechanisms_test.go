package budget

import (
	"math/bits"
	"strings"
	"testing"

	"example.com/commitpoint/model/harness/budget"
)

func TestAll(t *testing.T) {
	seen := map[Flaws]bool{}
	for i, m := range All() {
		if n := bits.OnesCount16(uint16(m.Flaws)); n != min(i, 1) || seen[m.Flaws] || m.Meaning == "" {
			t.Errorf("%s has %d flaws, or those of another, and the meaning %q", m.Name, n, m.Meaning)
		}
		seen[m.Flaws] = true
		if got, err := Named(m.Name); err != nil || got != m {
			t.Errorf("Named(%q) = %v, %v", m.Name, got, err)
		}
	}
	if want := bits.Len16(uint16(DispatchesFreed)) + 1; len(seen) != want {
		t.Errorf("%d mechanisms, want %d", len(seen), want)
	}
	if _, err := Named("lucky"); err == nil || !strings.Contains(err.Error(), `"lucky"`) || !strings.Contains(err.Error(), "never-gives-back") {
		t.Errorf("the error of an unknown name is %v", err)
	}
}

const admitted = budget.Known | budget.Cleared

// What each mechanism does in a situation: the reference, and by name those that differ.
func TestAct(t *testing.T) {
	var (
		held   = budget.Entry{Held: 6, Facts: admitted}
		sent   = budget.Entry{Held: 6, Facts: admitted | budget.Dispatched}
		heard  = budget.Entry{Held: 6, Facts: admitted | budget.Dispatched | budget.Acked}
		done   = budget.Entry{Held: 6, Facts: admitted | budget.Dispatched | budget.Ran}
		stop   = budget.Entry{Held: 6, Facts: admitted | budget.Dispatched | budget.Stopped}
		booked = budget.Entry{Settled: 4, Facts: admitted | budget.Dispatched | budget.Ran}
		freed  = budget.Entry{Facts: budget.Known}
	)
	type entries map[budget.Op]budget.Entry
	type differ map[string]budget.Act
	tests := []struct {
		name  string
		state entries
		away  bool
		event string
		want  budget.Act
		but   differ
	}{
		{"a request on an empty ledger", nil, false, "original:write", budget.Admit,
			differ{"check-then-act": budget.Refuse}}, // nothing was read
		{"a request that was compared in favour", entries{budget.Retry: held, budget.Original: {Facts: budget.Willing}}, false, "original:write", budget.Refuse,
			differ{"check-then-act": budget.Admit, "idempotent-by-amount": budget.Share, "settled-only": budget.Admit}},
		{"a request on another route, over the cap", entries{budget.Original: held}, false, "fallback:write", budget.Refuse,
			differ{"settled-only": budget.Admit, "per-route-caps": budget.Admit}},
		{"a request over what is settled", entries{budget.Original: booked, budget.Fallback: {Settled: 5, Facts: admitted}}, false, "retry:write", budget.Refuse,
			differ{"per-route-caps": budget.Admit}},
		{"exactly the cap", entries{budget.Original: booked}, false, "retry:write", budget.Admit, differ{"check-then-act": budget.Refuse}},
		{"one more than the cap", entries{budget.Original: {Held: 6, Facts: admitted}}, false, "fallback:write", budget.Refuse,
			differ{"settled-only": budget.Admit, "per-route-caps": budget.Admit}},
		{"asked again", entries{budget.Original: held}, false, "original:write#2", budget.Refuse, nil},
		{"asked again after it was given back", entries{budget.Original: freed}, false, "original:write#2", budget.Refuse, nil},
		{"asked again after it was denied", nil, false, "original:write#2", budget.Admit, nil},
		{"a route without a price", nil, false, "unpriced:write", budget.Refuse, differ{"unpriced-is-free": budget.Share}},
		{"a request while accounting is away", nil, true, "original:write", budget.Refuse, differ{"fail-open": budget.Share}},

		{"a comparison", nil, false, "original:decide", budget.Nothing, differ{"check-then-act": budget.Admit}},
		{"a comparison of what was read", entries{budget.Original: {Seen: 5}}, false, "original:decide", budget.Nothing, nil},
		{"a comparison with just enough room", entries{budget.Original: {Seen: 4}}, false, "original:decide", budget.Nothing, differ{"check-then-act": budget.Admit}},

		{"dispatch", entries{budget.Original: held}, false, "original:dispatch", budget.Proceed, nil},
		{"dispatch of what was denied", nil, false, "original:dispatch", budget.Nothing, nil},
		{"dispatch of what was given back", entries{budget.Original: freed}, false, "original:dispatch", budget.Nothing, differ{"dispatches-freed": budget.Proceed}},
		{"a request while accounting is away, over the cap", entries{budget.Original: held}, true, "fallback:write", budget.Refuse, differ{"fail-open": budget.Share}},
		{"the same operation while accounting is away", entries{budget.Original: held}, true, "original:write#2", budget.Refuse, nil},
		{"dispatch while accounting is away", entries{budget.Original: held}, true, "original:dispatch", budget.Nothing, differ{"fail-open": budget.Proceed}},

		{"silence", entries{budget.Original: sent}, false, "original:timeout", budget.Refuse, differ{"release-on-timeout": budget.Free}},
		{"no silence", entries{budget.Original: heard}, false, "original:timeout", budget.Nothing, nil},
		{"nobody waits", entries{budget.Original: held}, false, "original:timeout", budget.Nothing, nil},
		{"silence while accounting is away", entries{budget.Original: sent}, true, "original:timeout", budget.Nothing, nil},

		{"a cancellation before the dispatch", entries{budget.Original: held}, false, "original:cancel", budget.Free, differ{"never-gives-back": budget.Refuse}},
		{"a cancellation after it", entries{budget.Original: sent}, false, "original:cancel", budget.Refuse, differ{"release-on-unknown": budget.Free}},
		{"a cancellation of nothing", nil, false, "original:cancel", budget.Nothing, nil},
		{"a cancellation of what is settled", entries{budget.Original: booked}, false, "original:cancel", budget.Nothing, nil},
		{"confirmed", entries{budget.Original: stop}, false, "original:confirm", budget.Free, differ{"never-gives-back": budget.Refuse}},
		{"answered: too late", entries{budget.Original: done}, false, "original:confirm", budget.Refuse, nil},
		{"answered: never heard of it", entries{budget.Original: held}, false, "original:confirm", budget.Free, differ{"never-gives-back": budget.Refuse}},
		{"confirmed while accounting is away", entries{budget.Original: stop}, true, "original:confirm", budget.Nothing, nil},

		{"a charge", entries{budget.Original: done}, false, "original:charge", budget.Settle, differ{"never-gives-back": budget.Hoard}},
		{"a charge of what did not run", entries{budget.Original: sent}, false, "original:charge", budget.Nothing, nil},
		{"a charge again", entries{budget.Original: booked}, false, "original:charge#2", budget.Refuse, differ{"settle-again": budget.Settle}},
		{"a charge like another's", entries{budget.Original: booked, budget.Retry: done}, false, "retry:charge", budget.Settle,
			differ{"idempotent-by-amount": budget.Refuse, "never-gives-back": budget.Hoard}},
		{"a charge that is less than another's", entries{budget.Fallback: {Settled: 5, Facts: admitted}, budget.Original: done}, false, "original:charge", budget.Settle,
			differ{"never-gives-back": budget.Hoard}},
		{"a charge above the bound", entries{budget.Original: done}, false, "original:overcharge", budget.Refuse, differ{"trusts-charges": budget.Settle}},
		{"above the bound, and settled", entries{budget.Original: booked}, false, "original:overcharge", budget.Refuse, nil},
		{"a charge while accounting is away", entries{budget.Original: done}, true, "original:charge", budget.Nothing, nil},

		{"reconciled: it ran", entries{budget.Original: done}, false, "original:reconcile", budget.Settle, differ{"never-gives-back": budget.Hoard}},
		{"reconciled: it may still run", entries{budget.Original: sent}, false, "original:reconcile", budget.Refuse, nil},
		{"reconciled: it was stopped", entries{budget.Original: stop}, false, "original:reconcile", budget.Free, differ{"never-gives-back": budget.Refuse}},
		{"reconciled: it was never sent", entries{budget.Original: held}, false, "original:reconcile", budget.Free, differ{"never-gives-back": budget.Refuse}},
		{"reconciled, and settled", entries{budget.Original: booked}, false, "original:reconcile", budget.Refuse, differ{"settle-again": budget.Settle}},

		{"the provider's own step", entries{budget.Original: sent}, false, "original:run", budget.Nothing, nil},
		{"accounting's own step", nil, false, "down", budget.Nothing, nil},
	}
	names := map[string]bool{}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if names[tt.name] {
				t.Fatal("the name is used twice")
			}
			names[tt.name] = true
			s := budget.State{Away: tt.away}
			for op, e := range tt.state {
				*s.Entry(op) = e
			}
			e, err := budget.ParseEvent(tt.event)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range All() {
				want, ok := tt.but[m.Name]
				if !ok {
					want = tt.want
				}
				if got := m.Act(&s, e); got != want {
					t.Errorf("%s: act %d, want %d", m.Name, got, want)
				}
			}
		})
	}
}

// A read is remembered by the one that decides by it; what it counts is a mechanism's.
func TestSeen(t *testing.T) {
	s := budget.State{}
	*s.Entry(budget.Original) = budget.Entry{Held: 2, Settled: 4, Facts: admitted}
	*s.Entry(budget.Fallback) = budget.Entry{Held: 3, Facts: admitted}
	read, write := budget.Event{Op: budget.Retry, Kind: budget.Read}, budget.Event{Op: budget.Retry, Kind: budget.Write}
	for _, m := range All() {
		want := uint8(0)
		if m.Name == "check-then-act" {
			want = 9
		}
		if got := m.Seen(&s, read); got != want {
			t.Errorf("%s remembers %d, want %d", m.Name, got, want)
		}
		if got := m.Seen(&s, write); got != 0 {
			t.Errorf("%s remembers %d when it writes", m.Name, got)
		}
	}
	for flaws, want := range map[Flaws]uint8{0: 9, IgnoresPending: 4, CapsRoutes: 6, IgnoresPending | CapsRoutes: 4} {
		if got := (Mechanism{Flaws: flaws}).used(&s, budget.Retry); got != want {
			t.Errorf("with flaws %b, %d units are used, want %d", flaws, got, want)
		}
	}
}
