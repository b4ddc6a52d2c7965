package budget

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"example.com/commitpoint/model/harness/budget"
)

// A step is an event of a history, and what the ledger did at it.
type step struct {
	event budget.Event
	act   budget.Act
}

var acts = map[string]budget.Act{
	"": budget.Nothing, "+": budget.Admit, "share": budget.Share, "-": budget.Refuse, "go": budget.Proceed, "free": budget.Free,
	"book": budget.Settle, "hoard": budget.Hoard,
}

// history reads steps as in "original:write=+ original:run".
func history(t *testing.T, text string) []step {
	t.Helper()
	var steps []step
	for word := range strings.FieldsSeq(text) {
		name, act, _ := strings.Cut(word, "=")
		e, err := budget.ParseEvent(name)
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

// What is asked at an event, and what stands against a yes.
func TestAsk(t *testing.T) {
	const sent = "original:write=+ original:dispatch=go "
	tests := []struct {
		name, before, event string
		question            Question
		against             Reasons
	}{
		{"a first request", "", "original:write", Admission, 0},
		{"a request that fills the cap", "r1:write=+ r2:write=+", "r3:write", Admission, 0},
		{"a request above the cap", "r1:write=+ r2:write=+ r3:write=+", "r4:write", Admission, OverCap},
		{"denied requests leave no trace", "original:write=- retry:write=-", "original:write#2", Admission, 0},
		{"a share counts as much as a reservation", "original:write=share", "fallback:write", Admission, OverCap},
		{"the same operation again", "original:write=+", "original:write#2", Admission, Duplicate | OverCap},
		{"the same operation after it is idle", "original:write=+ original:cancel=free", "original:write#2", Admission, Duplicate},
		{"no price", "", "unpriced:write", Admission, Unpriced},
		{"no accounting", "down", "original:write", Admission, Unavailable},
		{"accounting is back", "down up", "original:write", Admission, 0},
		{"a charge in place of a bound makes room", sent + "original:run original:charge=book", "retry:write", Admission, 0},
		{"and no more than that", sent + "original:run original:charge=book retry:write=+", "fallback:write", Admission, OverCap},
		{"a charge that was dropped is known", sent + "original:run original:charge=-", "retry:write", Admission, 0},
		{"a charge while accounting is away is not", sent + "original:run down original:charge up", "retry:write", Admission, OverCap},
		{"a charge above the bound says nothing", sent + "original:run original:overcharge=book", "fallback:write", Admission, OverCap},
		{"a wrong release makes no room", sent + "original:timeout=free", "fallback:write", Admission, OverCap},
		{"a release that was due and refused makes no room before the dispatch", "original:write=+ original:cancel=-", "fallback:write", Admission, OverCap},
		{"and does after it", sent + "original:cancel=- original:confirm=-", "fallback:write", Admission, 0},

		{"cancelled before the dispatch", "original:write=+", "original:cancel", Release, 0},
		{"cancelled after it", sent, "original:cancel", Release, Unknown},
		{"cancelled while accounting is away", "original:write=+ down", "original:cancel", Release, Unavailable},
		{"nothing to cancel", "original:write=-", "original:cancel", None, 0},
		{"nothing left to cancel", sent + "original:run original:charge=book", "original:cancel", None, 0},
		{"given back before", "original:write=+ original:cancel=free", "original:confirm", None, 0},
		{"confirmed: in time", sent + "original:cancel=-", "original:confirm", Release, 0},
		{"confirmed: too late", sent + "original:run original:cancel=-", "original:confirm", Release, Unknown},
		{"confirmed: never heard of it", "original:write=+ down original:cancel up", "original:confirm", Release, 0},
		{"silence", sent, "original:timeout", Release, Unknown},
		{"silence about what was stopped", sent + "original:cancel=-", "original:timeout", Release, Unknown},
		{"no silence", sent + "original:ack", "original:timeout", None, 0},
		{"nobody waits", "original:write=+ original:ack", "original:timeout", None, 0},
		{"reconciled: in flight", sent, "original:reconcile", Release, Unknown},
		{"reconciled: stopped", sent + "original:cancel=-", "original:reconcile", Release, 0},
		{"reconciled: never dispatched", "original:write=+ original:dispatch", "original:reconcile", Release, 0},
		{"reconciled: it ran", sent + "original:run", "original:reconcile", Charge, 0},

		{"a charge", sent + "original:run", "original:charge", Charge, 0},
		{"a charge after a wrong release", sent + "original:timeout=free original:run", "original:charge", Charge, 0},
		{"a charge of what was stopped", sent + "original:cancel=- original:run", "original:charge", None, 0},
		{"a charge of what was not dispatched", "original:write=+ original:run", "original:charge", None, 0},
		{"the charge again", sent + "original:run original:charge=book", "original:charge#2", Charge, Repeated},
		{"the charge again after it was dropped", sent + "original:run original:charge=-", "original:charge#2", Charge, 0},
		{"hoarding is booking", sent + "original:run original:charge=hoard", "original:reconcile", Charge, Repeated},
		{"a charge while accounting is away", sent + "original:run down", "original:charge", Charge, Unavailable},
		{"a charge above the bound", sent + "original:run", "original:overcharge", Charge, AboveBound},
		{"above the bound, and again", sent + "original:run original:charge=book", "original:overcharge", Charge, AboveBound | Repeated},

		{"a dispatch", "original:write=+", "original:dispatch", Dispatch, 0},
		{"a dispatch of what was denied", "original:write=-", "original:dispatch", Dispatch, NotAdmitted},
		{"a dispatch of what was given back", "original:write=+ original:cancel=free", "original:dispatch", Dispatch, NotAdmitted},
		{"a dispatch without a price", "unpriced:write=share", "unpriced:dispatch", Dispatch, Unpriced},
		{"a dispatch while accounting is away", "original:write=+ down", "original:dispatch", Dispatch, Unavailable},
		{"what was given back and dispatched can cost", "original:write=+ original:cancel=free original:dispatch=go", "fallback:write", Admission, OverCap},
		{"what was denied and dispatched can cost", "original:write=- original:dispatch=go", "fallback:write", Admission, OverCap},
		{"a read", "", "original:read", None, 0},
		{"accounting's own", "", "down", None, 0},
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
	const sent = "original:write=+ original:dispatch=go "
	tests := []struct {
		name, steps string
		want        Properties
		reused      bool
	}{
		{"nothing", sent + "original:run original:charge=book original:charge#2=- retry:write=+ fallback:write=-", 0, true},
		{"what was given back is used", "original:write=+ original:cancel=free fallback:write=+", 0, true},
		{"what was free all along is no reuse", "r1:write=+ r2:write=+ r3:write=+", 0, false},
		{"above the cap", "original:write=+ fallback:write=+", ExceedsCap, false},
		{"above the cap, by a share", "original:write=+ fallback:write=share", ExceedsCap, false},
		{"above the cap for a while", "original:write=+ fallback:write=+ original:cancel=free", ExceedsCap, false},
		{"what has no price is admitted", "unpriced:write=share", 0, false},
		{"and dispatched", "unpriced:write=share unpriced:dispatch=go", DispatchesUnpriced, false},
		{"and not dispatched", "unpriced:write=share unpriced:dispatch", 0, false},
		{"admitted while accounting is away", "down original:write=+", AdmitsUnaccounted, false},
		{"dispatched while accounting is away", "original:write=+ down original:dispatch=go", AdmitsUnaccounted, false},
		{"dispatched after it was denied", "original:write=- original:dispatch=go", DispatchesUnadmitted | WastesCapacity, false},
		{"given back, its room used, and dispatched", "original:write=+ original:cancel=free fallback:write=+ original:dispatch=go", DispatchesUnadmitted | ExceedsCap, true},
		{"denied while accounting is away", "down original:write=-", 0, false},
		{"settled twice", sent + "original:run original:charge=book original:charge#2=book", SettlesNotOnce, false},
		{"settled never", sent + "original:run original:charge=-", SettlesNotOnce, false},
		{"not settled while accounting is away", sent + "original:run down original:charge", 0, false},
		{"freed in silence", sent + "original:timeout=free", LosesReservation, false},
		{"freed when cancelled", sent + "original:cancel=free", LosesReservation, false},
		{"booked above the bound", sent + "original:run original:overcharge=book", LosesReservation, false},
		{"a release that is due is refused", "original:write=+ original:cancel=-", 0, false},
		{"what fits is denied", "original:write=-", WastesCapacity, false},
		{"what does not fit is denied", "original:write=+ fallback:write=-", 0, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if h := fold(history(t, tt.steps)); h.Broken != tt.want || h.Reused != tt.reused {
				t.Errorf("breaks %q, reused %t; want %q, %t", h.Broken.Names(), h.Reused, tt.want.Names(), tt.reused)
			}
		})
	}
}

// The fold agrees with a second judgement, which looks at the whole history each time: for
// events in any order and ledgers that do anything.
func TestFoldAgreesWithWholeHistory(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var all []budget.Event
	for _, op := range []string{"original", "retry", "fallback", "unpriced"} {
		for _, what := range []string{"write", "dispatch", "run", "ack", "timeout", "cancel", "confirm", "overcharge", "charge", "reconcile", "write#2", "charge#2"} {
			e, err := budget.ParseEvent(op + ":" + what)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, e)
		}
	}
	all = append(all, budget.Event{Kind: budget.Down}, budget.Event{Kind: budget.Up})
	asked := map[Question]int{}
	for range 20_000 {
		var h History
		var steps []step
		for _, e := range nearly(random, all) {
			q, against := h.Ask(e)
			wholeQ, wholeAgainst := whole(steps, e)
			if q != wholeQ || against != wholeAgainst {
				t.Fatalf("after %v, %v asks %v against %q; by the whole history %v against %q", steps, e, q, against, wholeQ, wholeAgainst)
			}
			asked[q]++
			act := anyAct(random, steps, e)
			steps = append(steps, step{e, act})
			h.Step(e, act)
		}
	}
	if asked[Admission] == 0 || asked[Release] < 1000 || asked[Charge] < 1000 {
		t.Errorf("asked %v: too little", asked)
	}
}

// nearly returns most of the events, not far from the order in which they make sense.
func nearly(random *rand.Rand, all []budget.Event) []budget.Event {
	when := map[budget.Event]float64{}
	var chosen []budget.Event
	for i, e := range all {
		if random.IntN(4) > 0 {
			chosen = append(chosen, e)
			when[e] = float64(i%12) + 6*random.Float64()
		}
	}
	slices.SortStableFunc(chosen, func(a, b budget.Event) int { return cmp.Compare(when[a], when[b]) })
	return chosen
}

// anyAct is what some ledger might do, right or wrong.
func anyAct(random *rand.Rand, steps []step, e budget.Event) budget.Act {
	q, _ := whole(steps, e)
	yes := map[Question][]budget.Act{Admission: {budget.Admit, budget.Share}, Release: {budget.Free}, Charge: {budget.Settle, budget.Hoard}}[q]
	if e.Kind == budget.Dispatch {
		yes = []budget.Act{budget.Proceed, budget.Proceed, budget.Proceed}
	}
	choices := append([]budget.Act{budget.Refuse}, yes...)
	if e.Kind == budget.Dispatch || q == None {
		choices[0] = budget.Nothing
	}
	return choices[random.IntN(len(choices))]
}

func admits(a budget.Act) bool { return a == budget.Admit || a == budget.Share }
func frees(a budget.Act) bool  { return a == budget.Free }
func books(a budget.Act) bool  { return a == budget.Settle || a == budget.Hoard }
func sends(a budget.Act) bool  { return a == budget.Proceed }

// did reports whether an operation had an event of a kind (0, which is a read, for any) at
// which the ledger acted in a way.
func did(steps []step, op budget.Op, k budget.Kind, how func(budget.Act) bool) bool {
	return slices.ContainsFunc(steps, func(s step) bool { return s.event.Op == op && (k == 0 || s.event.Kind == k) && how(s.act) })
}

// whole judges an event after a history, from the list of its steps.
func whole(steps []step, e budget.Event) (Question, Reasons) {
	away := false
	for _, s := range steps {
		away = s.event.Kind == budget.Down || away && s.event.Kind != budget.Up
	}
	add := func(r Reasons, holds bool, of Reasons) Reasons {
		if holds {
			return r | of
		}
		return r
	}
	if e.Op == budget.Accounting {
		return None, 0
	}
	sent, ran, stopped := fate(steps, e.Op)
	against := add(0, away, Unavailable)
	switch e.Kind {
	case budget.Write:
		bound := int(budget.Of(e.Op).Bound)
		against = add(against, bound == 0, Unpriced)
		against = add(against, did(steps, e.Op, budget.Write, admits), Duplicate)
		return Admission, add(against, liable(steps)+bound > budget.Cap, OverCap)
	case budget.Dispatch:
		against = add(against, budget.Of(e.Op).Bound == 0, Unpriced)
		return Dispatch, add(against, !did(steps, e.Op, budget.Write, admits) || did(steps, e.Op, 0, frees), NotAdmitted)
	case budget.Charge, budget.Overcharge, budget.Reconcile:
		if ran {
			against = add(against, did(steps, e.Op, 0, books), Repeated)
			return Charge, add(against, e.Kind == budget.Overcharge, AboveBound)
		}
	}
	releases := []budget.Kind{budget.Cancel, budget.Confirm, budget.Timeout, budget.Reconcile}
	waits := sent && !wasAcked(steps, e.Op)
	if !slices.Contains(releases, e.Kind) || !did(steps, e.Op, budget.Write, admits) || did(steps, e.Op, 0, frees) ||
		did(steps, e.Op, 0, books) || e.Kind == budget.Timeout && !waits {
		return None, 0
	}
	tells := e.Kind == budget.Confirm || e.Kind == budget.Reconcile
	return Release, add(against, sent && !(tells && stopped), Unknown)
}

// fate returns what has become of an operation in the world.
func fate(steps []step, op budget.Op) (sent, ran, stopped bool) {
	for _, s := range steps {
		if s.event.Op != op {
			continue
		}
		sent = sent || s.act == budget.Proceed
		ran = ran || s.event.Kind == budget.Run && sent && !stopped
		stopped = stopped || s.event.Kind == budget.Cancel && sent && !ran
	}
	return sent, ran, stopped
}

// wasAcked reports whether an acknowledgement arrived of something that had been sent.
func wasAcked(steps []step, op budget.Op) bool {
	for i, s := range steps {
		if s.event.Op == op && s.event.Kind == budget.Ack && did(steps[:i], op, budget.Dispatch, sends) {
			return true
		}
	}
	return false
}

// liable returns what all operations can cost, by what is known.
func liable(steps []step) (sum int) {
	for _, op := range []budget.Op{budget.Original, budget.Retry, budget.Fallback, budget.Unpriced} {
		if !did(steps, op, budget.Write, admits) && !did(steps, op, budget.Dispatch, sends) {
			continue
		}
		o := budget.Of(op)
		cost, away := int(o.Bound), false
		for i, s := range steps {
			away = s.event.Kind == budget.Down || away && s.event.Kind != budget.Up
			if s.event.Op != op {
				continue
			}
			sent, ran, stopped := fate(steps[:i], op)
			tells := s.event.Kind == budget.Confirm || s.event.Kind == budget.Reconcile
			switch {
			case s.act == budget.Proceed:
				cost = int(o.Bound)
			case !away && ran && (s.event.Kind == budget.Charge || s.event.Kind == budget.Reconcile):
				cost = int(o.Charge)
			case s.act == budget.Free && !sent, !away && tells && stopped:
				cost = 0
			}
		}
		sum += cost
	}
	return sum
}

func TestNames(t *testing.T) {
	all := Reasons(1<<NumReasons - 1)
	if got, want := all.String(), "over-cap, unpriced, unavailable, duplicate, unknown-outcome, settled-before, above-bound, not-admitted"; got != want {
		t.Errorf("the reasons are %q, want %q", got, want)
	}
	if NotAdmitted != 1<<(NumReasons-1) || WastesCapacity != 1<<(len(PropertyNames)-1) {
		t.Error("a reason or a property has no name")
	}
	for q, want := range map[Question]string{None: "none", Admission: "admission", Dispatch: "dispatch", Release: "release", Charge: "charge"} {
		if q.String() != want {
			t.Errorf("question %d is %q, want %q", q, q, want)
		}
	}
	if got := fold(nil).Broken.Names(); got == nil || len(got) > 0 {
		t.Errorf("no property broken has the names %#v", got)
	}
}
