package budget

import (
	"errors"
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestEventText(t *testing.T) {
	seen := map[string]bool{}
	for op := range Op(len(operations)) {
		for k := range kinds {
			for _, n := range []uint8{0, 2} {
				if (k >= Down) != (op == Accounting) {
					continue
				}
				e := Event{op, k, n}
				got, err := ParseEvent(e.String())
				if err != nil || got != e || seen[e.String()] {
					t.Errorf("ParseEvent(%q) = %#v, %v; seen before: %t", e.String(), got, err, seen[e.String()])
				}
				seen[e.String()] = true
				if e.Actor() == "" || !strings.HasSuffix(e.Object(), Of(op).Name) {
					t.Errorf("%v is caused by %q and about %q", e, e.Actor(), e.Object())
				}
			}
		}
	}
	if want := 2 * (12*12 + 3); len(seen) != want {
		t.Errorf("%d texts, want %d", len(seen), want)
	}
}

func TestParseEventRefuses(t *testing.T) {
	for _, text := range []string{"", "read", "original:", "original:down", ":down", "down:original", "r0:read", "r9:read", "nobody:read",
		"original:write#1", "original:write#3", "original:write#", "original:write#2#2", "Original:write", "original:end", "original :write"} {
		if e, err := ParseEvent(text); !errors.Is(err, ErrUnknownEvent) || text != "" && !strings.Contains(err.Error(), `"`+text+`"`) {
			t.Errorf("ParseEvent(%q) = %#v, %v", text, e, err)
		}
	}
}

func TestActors(t *testing.T) {
	want := map[Kind]string{
		Read: "ledger", Decide: "ledger", Write: "ledger", Dispatch: "scheduler", Run: "provider", Ack: "provider", Timeout: "scheduler",
		Cancel: "scheduler", Confirm: "provider", Overcharge: "provider", Charge: "provider", Reconcile: "scheduler",
		Down: "service", Up: "service", End: "service",
	}
	got := map[Kind]string{}
	for k := range kinds {
		got[k] = Event{Kind: k}.Actor()
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// Each event with each act changes what it says, and nothing else.
func TestStep(t *testing.T) {
	const admitted = Known | Cleared
	tests := []struct {
		name   string
		before Entry
		kind   Kind
		act    Act
		seen   uint8
		want   Entry
	}{
		{"a read remembers", Entry{}, Read, Nothing, 7, Entry{Seen: 7}},
		{"a comparison in favour", Entry{Seen: 4}, Decide, Admit, 0, Entry{Facts: Willing}},
		{"a comparison against", Entry{Seen: 5}, Decide, Nothing, 0, Entry{}},
		{"admitted", Entry{Facts: Willing}, Write, Admit, 0, Entry{Held: 6, Facts: admitted}},
		{"admitted beside another's reservation", Entry{}, Write, Share, 0, Entry{Facts: admitted}},
		{"denied", Entry{Facts: Willing}, Write, Refuse, 0, Entry{}},
		{"denied again", Entry{Held: 6, Facts: admitted | Dispatched}, Write, Refuse, 0, Entry{Held: 6, Facts: admitted | Dispatched}},
		{"dispatched", Entry{Held: 6, Facts: admitted}, Dispatch, Proceed, 0, Entry{Held: 6, Facts: admitted | Dispatched}},
		{"not dispatched", Entry{Held: 6, Facts: admitted}, Dispatch, Nothing, 0, Entry{Held: 6, Facts: admitted}},
		{"runs", Entry{Held: 6, Facts: admitted | Dispatched}, Run, Nothing, 0, Entry{Held: 6, Facts: admitted | Dispatched | Ran}},
		{"does not run unless dispatched", Entry{Held: 6, Facts: admitted}, Run, Nothing, 0, Entry{Held: 6, Facts: admitted}},
		{"does not run when stopped", Entry{Facts: Dispatched | Stopped}, Run, Nothing, 0, Entry{Facts: Dispatched | Stopped}},
		{"runs though its reservation is gone", Entry{Facts: Known | Dispatched}, Run, Nothing, 0, Entry{Facts: Known | Dispatched | Ran}},
		{"acknowledged", Entry{Facts: Dispatched}, Ack, Nothing, 0, Entry{Facts: Dispatched | Acked}},
		{"nothing to acknowledge", Entry{Facts: admitted}, Ack, Nothing, 0, Entry{Facts: admitted}},
		{"a timeout in silence", Entry{Held: 6, Facts: admitted | Dispatched}, Timeout, Refuse, 0, Entry{Held: 6, Facts: admitted | Dispatched}},
		{"a timeout that frees", Entry{Held: 6, Facts: admitted | Dispatched}, Timeout, Free, 0, Entry{Facts: Known | Dispatched}},
		{"cancelled in time", Entry{Held: 6, Facts: admitted | Dispatched}, Cancel, Refuse, 0, Entry{Held: 6, Facts: admitted | Dispatched | Stopped}},
		{"cancelled too late", Entry{Held: 6, Facts: admitted | Dispatched | Ran}, Cancel, Refuse, 0, Entry{Held: 6, Facts: admitted | Dispatched | Ran}},
		{"cancelled before it was dispatched", Entry{Held: 6, Facts: admitted}, Cancel, Free, 0, Entry{Facts: Known}},
		{"confirmed", Entry{Held: 6, Facts: admitted | Dispatched | Stopped}, Confirm, Free, 0, Entry{Facts: Known | Dispatched | Stopped}},
		{"charged", Entry{Held: 6, Facts: admitted | Ran}, Charge, Settle, 0, Entry{Settled: 4, Facts: admitted | Ran}},
		{"charged, and the rest kept", Entry{Held: 6, Facts: admitted | Ran}, Charge, Hoard, 0, Entry{Held: 2, Settled: 4, Facts: admitted | Ran}},
		{"charged twice", Entry{Settled: 4, Facts: admitted | Ran}, Charge, Settle, 0, Entry{Settled: 8, Facts: admitted | Ran}},
		{"hoarding more than there is", Entry{Held: 2, Facts: admitted | Ran}, Charge, Hoard, 0, Entry{Settled: 4, Facts: admitted | Ran}},
		{"a charge that is turned down", Entry{Held: 6, Facts: admitted | Ran}, Charge, Refuse, 0, Entry{Held: 6, Facts: admitted | Ran}},
		{"above the bound", Entry{Held: 6, Facts: admitted | Ran}, Overcharge, Settle, 0, Entry{Settled: Over, Facts: admitted | Ran}},
		{"reconciled: it ran", Entry{Held: 6, Facts: admitted | Ran}, Reconcile, Settle, 0, Entry{Settled: 4, Facts: admitted | Ran}},
		{"reconciled: it will not", Entry{Held: 6, Facts: admitted}, Reconcile, Free, 0, Entry{Facts: Known}},
	}
	names := map[string]bool{}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if names[tt.name] {
				t.Fatal("the name is used twice")
			}
			names[tt.name] = true
			s, want := State{}, State{}
			*s.Entry(Original), *want.Entry(Original) = tt.before, tt.want
			*s.Entry(Fallback), *want.Entry(Fallback) = Entry{Held: 5, Facts: admitted}, Entry{Held: 5, Facts: admitted}
			s.Step(Event{Op: Original, Kind: tt.kind}, tt.act, tt.seen)
			if d := cmp.Diff(want, s); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestAccounting(t *testing.T) {
	s := State{}
	for _, step := range []struct {
		kind Kind
		away bool
	}{{End, false}, {Down, true}, {End, true}, {Up, false}} {
		s.Step(Event{Kind: step.kind}, Nothing, 0)
		if want := (State{Away: step.away}); s != want {
			t.Errorf("after %v: %v, want %v", step.kind, s, want)
		}
	}
}

// Racers have entries of their own, and At names the operation of each.
func TestPlaces(t *testing.T) {
	s := State{}
	for i := range Op(Racers) {
		s.Entry(Racer + i).Held = uint8(i) + 1
	}
	for i, e := range s.Entries {
		if name := At(i, Racer).Name; int(e.Held) != i+1 || name != Of(Racer+Op(i)).Name {
			t.Errorf("place %d is held by %d and called %s", i, e.Held, name)
		}
	}
	for op := Original; op < Racer; op++ {
		if got := At(int(op-Original), Retry); got != Of(op) {
			t.Errorf("At has %v for %v", got, Of(op))
		}
	}
}

func TestFields(t *testing.T) {
	s := State{Away: true}
	*s.Entry(Original) = Entry{Held: 6, Facts: Known | Cleared | Dispatched | Acked}
	*s.Entry(Retry) = Entry{Settled: 4, Facts: Known | Dispatched | Ran}
	*s.Entry(Fallback) = Entry{Facts: Willing}
	*s.Entry(Unpriced) = Entry{Facts: Known | Cleared | Dispatched | Stopped}
	want := map[string]string{
		"accounting": "away",
		"original":   "admitted, dispatched, acknowledged", "original pending": "6", "original settled": "0",
		"retry": "given back, dispatched, done", "retry pending": "0", "retry settled": "4",
		"fallback": "to be admitted", "fallback pending": "0", "fallback settled": "0",
		"unpriced": "admitted, dispatched, stopped", "unpriced pending": "0", "unpriced settled": "0",
	}
	all := []Op{Original, Retry, Fallback, Unpriced}
	if d := cmp.Diff(want, maps.Collect(s.Fields(all))); d != "" {
		t.Error(d)
	}
	for name, value := range (State{}).Fields(all) {
		want := "0"
		if name == "accounting" {
			want = "available"
		} else if !strings.Contains(name, " ") {
			want = "not admitted"
		}
		if value != want {
			t.Errorf("at first %s is %q, want %q", name, value, want)
		}
		break
	}
	n := 0
	for range s.Fields(all) {
		if n++; n == 3 {
			break // a caller may stop anywhere
		}
	}
}
