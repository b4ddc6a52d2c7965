package lifecycle

import (
	"context"

	"example.com/commitpoint/harness/session"
)

// A workload is a session, as far as the checks use it.
type workload interface {
	Identity() session.Identity
	Query(context.Context) (session.Answer, error)
	Bind(context.Context) error
	Processes(context.Context) ([]session.Process, error)
	Remove(ctx context.Context, want session.Identity) error
}

// A world is everything that the checks do and see. What they conclude is not in it, so that
// a test can show them what this machine would hardly ever, such as a failing inventory.
type world struct {
	start     func(context.Context, session.Options) (workload, error)
	inventory func(ctx context.Context, run string) ([]session.Process, error)
}

// real is the machine.
var real = world{
	start: func(ctx context.Context, o session.Options) (workload, error) {
		s, err := session.Start(ctx, o)
		if err != nil {
			return nil, err // and not a workload that holds no session
		}
		return s, nil
	},
	inventory: session.Inventory,
}
