package lifecycle

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"syscall"

	"example.com/commitpoint/harness/session"
)

// A fake is a world without processes, in which everything goes well until a test changes
// what it does.
type fake struct {
	world
	alive    []*double
	starts   int
	removals int
	lists    int // inventories
}

// A double stands for a session.
type double struct {
	of     *fake
	answer session.Answer
	hooks
}

// hooks are what a double does instead of what a session would, where they are set.
type hooks struct {
	query     func() (session.Answer, error)
	bind      func() error
	processes func() ([]session.Process, error)
	remove    func(session.Identity) error
}

var errDown = errors.New("it is down")

func newFake() *fake {
	f := new(fake)
	f.start = func(ctx context.Context, o session.Options) (workload, error) {
		f.starts++
		d := &double{of: f, answer: session.Answer{
			Identity: session.Identity{Run: o.Run, Session: o.Session, Generation: o.Generation}, Build: o.Build,
		}}
		f.alive = append(f.alive, d)
		return d, ctx.Err()
	}
	f.inventory = func(ctx context.Context, run string) (list []session.Process, err error) {
		f.lists++
		for _, d := range f.alive {
			if d.answer.Run == run {
				list = append(list, d.list()...)
			}
		}
		return list, ctx.Err()
	}
	return f
}

// named changes what the session with that name does from its start on.
func (f *fake) named(name string, change func(*double)) {
	begin := f.start
	f.start = func(ctx context.Context, o session.Options) (workload, error) {
		w, err := begin(ctx, o)
		if o.Session == name {
			change(w.(*double))
		}
		return w, err
	}
}

func (d *double) list() []session.Process {
	of := func(role string, pid, leader int) session.Process {
		return session.Process{Identity: d.answer.Identity, Role: role, PID: pid, Leader: leader, Namespace: "pid:[2]"}
	}
	return []session.Process{of("init", 1, 1), of("sleep", 5, 5)}
}

func (d *double) running() bool { return slices.Contains(d.of.alive, d) }

func (d *double) Identity() session.Identity { return d.answer.Identity }

func (d *double) Query(ctx context.Context) (session.Answer, error) {
	switch {
	case d.query != nil:
		return d.query()
	case !d.running():
		return session.Answer{}, errDown
	}
	return d.answer, ctx.Err()
}

func (d *double) Bind(context.Context) error {
	if d.bind != nil {
		return d.bind()
	}
	return fmt.Errorf("bind: %w", syscall.EADDRINUSE)
}

func (d *double) Processes(context.Context) ([]session.Process, error) {
	if d.processes != nil {
		return d.processes()
	}
	return d.list(), nil
}

func (d *double) Remove(ctx context.Context, want session.Identity) error {
	d.of.removals++
	switch {
	case d.remove != nil:
		return d.remove(want)
	case want != d.Identity():
		return session.ErrRefused
	case ctx.Err() != nil:
		return ctx.Err()
	}
	d.gone()
	return nil
}

func (d *double) gone() {
	d.of.alive = slices.DeleteFunc(d.of.alive, func(other *double) bool { return other == d })
}
