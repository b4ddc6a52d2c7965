package live

import (
	"context"
	"math/rand/v2"

	"example.com/commitpoint/model/contract"
	service "sqlservice.example"
)

var administering = []chance{
	{contract.Revoke, 4}, {contract.RevokeSecond, 3}, {contract.Regrant, 8},
	{contract.Claim, 3}, {contract.Reclaim, 2}, {contract.Restage, 2}, {contract.LeaseExpire, 5},
	{contract.Migrate, 3}, {contract.Withdraw, 1}, {contract.PublishPolicy, 1}, {contract.Cancel, 1},
	{contract.RestartFences, 1}, {contract.RestartAttempts, 2}, {contract.Restore, 1},
}

// administer changes who may do what, who has the task or what has to be met, and looks.
func (t *task) administer(ctx context.Context, random *rand.Rand) {
	in := event(pick(random, administering))
	switch in.Event.Kind {
	case contract.LeaseExpire:
		t.do(ctx, clock, in, func(context.Context) (Answer, error) {
			t.clock.Add(period.Microseconds())
			return Answer{}, nil
		})
		return
	case contract.Claim:
		in.Event.Worker = contract.A + contract.Worker(random.IntN(2))
	case contract.Migrate:
		t.pins++
		in.Contract = t.pins
	}
	t.do(ctx, administrator, in, func(ctx context.Context) (Answer, error) { return t.change(ctx, in) })
	if _, ok := losses[in.Event.Kind]; ok && random.IntN(2) == 0 {
		// What the authority has lost shows in what it issues next.
		t.do(ctx, administrator, event(contract.Reclaim), func(ctx context.Context) (Answer, error) {
			return t.change(ctx, event(contract.Reclaim))
		})
	}
	t.look(ctx, administrator)
}

// change performs an event of the administrator.
func (t *task) change(ctx context.Context, in Input) (Answer, error) {
	s := t.others
	switch in.Event.Kind {
	case contract.Claim:
		a, err := s.Claim(ctx, t.id, in.Event.Worker.String())
		t.tell(in.Event.Worker, a, err)
		return Answer{Told: identity(a)}, err
	case contract.Restage:
		a, err := s.Restage(ctx, t.id, contract.B.String())
		t.tell(contract.B, a, err)
		return Answer{Told: identity(a)}, err
	case contract.Reclaim:
		a, err := s.Reclaim(ctx, t.id)
		return Answer{Told: identity(a)}, err
	case contract.Migrate:
		return Answer{}, s.Migrate(ctx, t.contract(in.Contract))
	case contract.Cancel:
		return Answer{}, s.Cancel(ctx, t.id)
	case contract.Revoke:
		return Answer{}, s.Revoke(ctx, t.project, contract.A.String(), everything...)
	case contract.RevokeSecond:
		return Answer{}, s.Revoke(ctx, t.project, contract.A.String(), contract.OutB.String())
	case contract.Regrant:
		return Answer{}, s.Grant(ctx, t.project, contract.A.String(), everything...)
	case contract.Withdraw:
		return Answer{}, s.ReplaceChecker(ctx, t.project, "review", "doubles")
	case contract.PublishPolicy:
		return Answer{}, s.PublishPolicy(ctx, t.project, "behavior-v2")
	}
	return Answer{}, s.Restart(ctx, t.id, losses[in.Event.Kind])
}

var losses = map[contract.Kind]service.Loss{
	contract.RestartFences:   {Fences: true},
	contract.RestartAttempts: {Attempts: true},
	contract.Restore:         {Fences: true, Attempts: true, Restored: true},
}

// tell leaves a worker a notice that the task was assigned to it, if it was.
func (t *task) tell(w contract.Worker, a service.Attempt, err error) {
	if err == nil {
		t.workers[w-contract.A].notice.Store(&a)
	}
}
