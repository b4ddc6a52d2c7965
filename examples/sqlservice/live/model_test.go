package live

import (
	"math/rand/v2"
	"testing"

	mechanisms "example.com/commitpoint/mechanisms/contract"
	"example.com/commitpoint/model/contract"
)

// A telling is the plain model, whose workers always know what they have caused, beside
// the machine that histories are compared with.
type telling struct {
	plain   contract.State
	machine state
}

// input returns an event as who causes it would ask for it.
func (b *telling) input(e contract.Event) Input {
	in := Input{Event: e}
	if e.Worker != 0 {
		in.Own = *b.plain.Of(e.Worker)
	}
	switch e.Kind {
	case contract.Migrate:
		in.Contract = b.plain.Contract + 1
	case contract.Renew:
		in.By, in.Own.Told = b.plain.Owner.Principal, b.plain.Owner.Identity
	case contract.SweepWrite:
		in.Seen = b.plain.Swept
	}
	return in
}

// step has both perform an event, and returns the machine's answer and the model's
// decision, if it is one.
func (b *telling) step(e contract.Event) (got Answer, want mechanisms.Decision) {
	in := b.input(e)
	if e.Kind.Decides() || e.Kind == contract.Preflight {
		asked := e
		if e.Kind == contract.Preflight {
			asked.Kind = contract.Commit
		}
		r := b.plain.Request(asked)
		want = mechanisms.Complete.Decide(&b.plain, &r, 0)
		if want.Accepted && !want.Replayed && e.Kind != contract.Preflight {
			b.plain.Complete(r, false)
		}
	}
	b.plain.Step(e)
	b.machine.load(in)
	got, _ = b.machine.perform(in)
	b.machine.unload()
	return got, want
}

// Where every client is answered, the machine decides as the model does, and has the same
// in its state but for what the clients hold.
func TestMachineLikeTheModel(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	accepted, replayed := 0, 0
	for n := range 3000 {
		b := telling{contract.Initial(contract.Setup{}), initial()}
		var history []contract.Event
		for range 1 + random.IntN(40) {
			e := anyEvent(random)
			if e.Kind == contract.Renew && b.plain.Status != contract.Running {
				continue // the model prolongs what the service calls lost; nobody can tell
			}
			history = append(history, e)
			got, want := b.step(e)
			if got.Accepted != want.Accepted || got.Replayed != want.Replayed || want.Mismatch != (got.Refusal == "identity") {
				t.Fatalf("sequence %d, %v: answered %v, want %+v", n, history, got, want)
			}
			if want.Failed != 0 && got.Refusal != want.Failed.Names()[0] {
				t.Fatalf("sequence %d, %v: refused for %s, want the first of %v", n, history, got.Refusal, want.Failed)
			}
			same := state{State: b.plain}
			same.unload()
			if same.State != b.machine.State {
				t.Fatalf("sequence %d, %v: the machine is in\n%+v\nwant\n%+v", n, history, b.machine.State, same.State)
			}
			accepted += count(want.Accepted && !want.Replayed)
			replayed += count(want.Replayed)
		}
	}
	if accepted < 100 || replayed < 100 {
		t.Errorf("%d requests were accepted and %d replayed, which is too few to mean something", accepted, replayed)
	}
}

// anyEvent returns an event of the model, mostly one that brings a completion nearer.
func anyEvent(random *rand.Rand) contract.Event {
	chain := [...]contract.Kind{contract.Read, contract.Prepare, contract.Verify, contract.Preflight, contract.Commit, contract.Retry}
	e := contract.Event{Worker: contract.A, Kind: chain[random.IntN(len(chain))]}
	if random.IntN(3) == 0 {
		e.Kind = contract.Claim + contract.Kind(random.IntN(int(contract.SweepWrite)))
	}
	switch {
	case !e.Kind.ByWorker():
		e.Worker = 0
	case random.IntN(6) == 0:
		e.Worker = contract.B
	}
	return e
}

func count(is bool) int {
	if is {
		return 1
	}
	return 0
}
