package budget

import (
	"errors"
	"fmt"
	"testing"

	"example.com/commitpoint/enumerate"
	ledger "example.com/commitpoint/harness/budget"
	mechanisms "example.com/commitpoint/mechanisms/harness/budget"
	model "example.com/commitpoint/model/harness/budget"
)

// A real is the ledger that schedulers import, driven by the events of the model.
type real struct{ *ledger.Ledger }

// do tells the ledger of an event, as a scheduler would that knows what the event says. It
// returns what the ledger answers; nothing if it isn't told anything.
func (l real) do(before *model.State, e model.Event) (err error, told bool) {
	switch e.Kind {
	case model.Down, model.Up:
		l.SetAvailable(e.Kind == model.Up)
	}
	if e.Op == model.Accounting {
		return nil, false
	}
	o, entry := model.Of(e.Op), *before.Entry(e.Op)
	switch e.Kind {
	case model.Write:
		bound := ledger.Units(o.Bound)
		if bound == 0 {
			bound = 1 // what has no price has no bound that anybody knows
		}
		return l.Reserve(o.Name, o.Route, bound), true
	case model.Dispatch:
		return l.Dispatch(o.Name), true
	case model.Ack: // in the model of the dispatch; the ledger is told when it says more
		if entry.Is(model.Ran) {
			return l.Acknowledge(o.Name), true
		}
	case model.Cancel:
		return l.Cancel(o.Name, ledger.Unknown), true
	case model.Confirm:
		if entry.Is(model.Stopped) || !entry.Is(model.Dispatched) {
			return l.Cancel(o.Name, ledger.Confirmed), true
		}
	case model.Overcharge:
		if entry.Is(model.Ran) {
			return l.Settle(o.Name, model.Over), true
		}
	case model.Charge:
		if entry.Is(model.Ran) {
			return l.Settle(o.Name, ledger.Units(o.Charge)), true
		}
	case model.Reconcile:
		if entry.Is(model.Ran) {
			return l.Reconcile(o.Name, ledger.Units(o.Charge)), true
		}
		if !entry.InFlight() {
			return l.Reconcile(o.Name, 0), true
		}
	}
	return nil, false
}

// figures are those that a ledger and the model have to agree about.
type figures struct {
	settled, pending int
	dispatched       int
}

func (l real) figures() figures {
	b := l.Balance()
	return figures{int(b.Settled), int(b.Pending), b.Dispatched}
}

func figuresOf(s *model.State) (f figures) {
	for _, e := range s.Entries {
		f.settled += int(e.Settled)
		f.pending += int(e.Held)
		if e.Is(model.Dispatched) {
			f.dispatched++
		}
	}
	return f
}

// follow runs a schedule on the model with the reference and on the real ledger, and
// returns how they differ.
func follow(schedule []model.Event) (refused map[error]int, err error) {
	made, err := ledger.New(model.Cap, "a", "b")
	if err != nil {
		return nil, err
	}
	l, s := real{made}, state{}
	refused = map[error]int{}
	for i, e := range schedule {
		before := s.model
		act := mechanisms.Atomic.Act(&before, e)
		s = machine{mechanisms.Atomic}.Next(s, e)
		answer, told := l.do(&before, e)
		if got, want := l.figures(), figuresOf(&s.model); got != want {
			return nil, fmt.Errorf("after %v the ledger has %+v and the model %+v (%v)", schedule[:i+1], got, want, answer)
		}
		if accepted := act != model.Refuse && act != model.Nothing; told && accepted && answer != nil {
			return nil, fmt.Errorf("after %v the ledger refuses what the model does: %w", schedule[:i+1], answer)
		}
		for _, kind := range refusals {
			if errors.Is(answer, kind) {
				refused[kind]++
			}
		}
	}
	return refused, nil
}

var refusals = []error{ledger.ErrUnavailable, ledger.ErrDuplicate, ledger.ErrUnpriced, ledger.ErrOverCap, ledger.ErrUnknown, ledger.ErrState, ledger.ErrBound, ledger.ErrSettled}

// The ledger of the library does what the reference does: on the fewest schedules that take
// every step of the parts, and on drawn schedules of a whole life.
func TestRealLedger(t *testing.T) {
	covering, err := enumerate.Cover(t.Context(), parts(t)[:1], machine{mechanisms.Atomic}, enumerate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range parts(t)[1:] {
		more, err := enumerate.Cover(t.Context(), []enumerate.Order[model.Event]{o}, machine{mechanisms.Atomic}, enumerate.Options{})
		if err != nil {
			t.Fatal(err)
		}
		covering = append(covering, more...)
	}
	drawn, err := enumerate.Draw(t.Context(), []enumerate.Order[model.Event]{order(life(), precedes)}, 5_000, 1, enumerate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	refused := map[error]int{}
	for _, schedule := range append(covering, drawn...) {
		seen, err := follow(schedule)
		if err != nil {
			t.Fatal(err)
		}
		for kind, n := range seen {
			refused[kind] += n
		}
	}
	for _, kind := range refusals {
		if refused[kind] == 0 {
			t.Errorf("the ledger never refused anything with %v", kind)
		}
	}
	t.Logf("%d covering schedules and %d drawn ones; refused: %v", len(covering), len(drawn), refused)
}
