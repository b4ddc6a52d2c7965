package live

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strconv"

	"example.com/commitpoint/model/contract"
	service "sqlservice.example"
)

// look reads what is recorded of the task.
func (t *task) look(ctx context.Context, client int) {
	t.do(ctx, client, Input{}, func(ctx context.Context) (Answer, error) {
		r, err := t.others.Recorded(ctx, t.id)
		if err != nil {
			return Answer{}, err
		}
		a := Answer{Status: statuses[r.Status], Writes: small(int64(len(r.Receipts)))}
		if len(r.Receipts) > 0 {
			a.Receipt = r.Receipts[0]
		}
		for i := range a.Revisions {
			a.Revisions[i] = small(r.Published[contract.Target(i).String()])
		}
		return a, nil
	})
}

// statuses are the model's, by what the service calls them.
var statuses = func() map[string]contract.Status {
	names := map[string]contract.Status{}
	for s := contract.Running; s <= contract.Failed; s++ {
		names[s.String()] = s
	}
	return names
}()

// sweep looks at the task, or puts it back into the queue if nothing has become of the
// attempt that was last seen running: that may be a while ago.
func (t *task) sweep(ctx context.Context, random *rand.Rand) {
	if random.IntN(2) == 0 {
		t.do(ctx, sweeper, event(contract.SweepRead), func(ctx context.Context) (Answer, error) {
			seen, err := t.others.Look(ctx, t.id)
			if err == nil && seen.Running {
				t.seen = seen
			}
			return Answer{Seen: sighted(seen), Principal: principal(seen.Attempt.Principal)}, err
		})
		return
	}
	in := event(contract.SweepWrite)
	in.Seen = sighted(t.seen)
	t.do(ctx, sweeper, in, func(ctx context.Context) (Answer, error) {
		swept, err := t.others.Sweep(ctx, t.seen)
		return Answer{Swept: swept}, err
	})
	t.look(ctx, sweeper)
}

// sighted returns what a sweeper saw as the model has it.
func sighted(s service.Sighting) contract.Sweep {
	return contract.Sweep{Running: s.Running, Attempt: identity(s.Attempt)}
}

func event(k contract.Kind) Input { return Input{Event: contract.Event{Kind: k}} }

// principal returns the worker of a name.
func principal(name string) contract.Worker {
	for _, w := range []contract.Worker{contract.A, contract.B} {
		if w.String() == name {
			return w
		}
	}
	return 0
}

// edit changes something that the task depends on, and looks.
func (t *task) edit(ctx context.Context, random *rand.Rand) {
	t.edits++
	n, k, s := t.edits, pick(random, editing), t.others
	t.do(ctx, editor, event(k), func(ctx context.Context) (Answer, error) {
		switch k {
		case contract.InputEdit:
			return Answer{}, s.EditInput(ctx, t.project, strconv.FormatInt(21+n, 10))
		case contract.FileAdd:
			return Answer{}, s.AddFile(ctx, t.project, fmt.Sprintf("data/%d", n))
		case contract.ForeignPublish:
			return Answer{}, s.Publish(ctx, t.project, "another writer", "out/a", fmt.Appendf(nil, "edit %d\n", n))
		}
		return Answer{}, s.MoveAlias(ctx, t.project, "out/latest", "secret")
	})
	t.look(ctx, editor)
}

// A chance is how often an event is chosen among others.
type chance struct {
	kind  contract.Kind
	times int
}

var editing = []chance{{contract.InputEdit, 3}, {contract.FileAdd, 1}, {contract.ForeignPublish, 3}, {contract.AliasMove, 1}}

func pick(random *rand.Rand, from []chance) contract.Kind {
	all := 0
	for _, c := range from {
		all += c.times
	}
	n := random.IntN(all)
	for _, c := range from {
		if n -= c.times; n < 0 {
			return c.kind
		}
	}
	panic("unreachable: the chances add up")
}
