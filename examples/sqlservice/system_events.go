package sqlservice

import (
	"context"
	"fmt"
)

// environment returns the events that no worker causes.
func (s *contractSystem) environment() []event {
	return []event{
		{name: "lease-expire", apply: s.expire},
		{name: "renew", apply: func(ctx context.Context) error { return s.service.Renew(ctx, s.owner) }},
		{name: "reclaim", apply: s.reclaim},
		{name: "restage", apply: s.restage},
		{name: "cancel", apply: func(ctx context.Context) error { return s.service.Cancel(ctx, s.task()) }},
		{name: "migrate", apply: s.migrate},
		{name: "revoke", apply: s.revoking(everything...)},
		{name: "revoke-second", apply: s.revoking("out/b")},
		{name: "regrant", apply: func(ctx context.Context) error {
			return s.service.Grant(ctx, s.project, workerA, everything...)
		}},
		{name: "input-edit", apply: s.editInput},
		{name: "file-add", apply: s.addFile},
		{name: "foreign-publish", apply: s.publish},
		{name: "alias-move", apply: func(ctx context.Context) error {
			return s.service.MoveAlias(ctx, s.project, "out/latest", "secret")
		}},
		{name: "withdraw-checker", apply: func(ctx context.Context) error {
			return s.service.ReplaceChecker(ctx, s.project, "review", "doubles")
		}},
		{name: "publish-policy", apply: func(ctx context.Context) error {
			return s.service.PublishPolicy(ctx, s.project, "behavior-v2")
		}},
		{name: "restart-fences", apply: s.restarting(Loss{Fences: true})},
		{name: "restart-attempts", apply: s.restarting(Loss{Attempts: true})},
		{name: "restore", apply: s.restarting(Loss{Fences: true, Attempts: true, Restored: true})},
		{name: "sweep-read", apply: s.look},
		{name: "sweep-write", apply: func(ctx context.Context) error {
			_, err := s.service.Sweep(ctx, s.seen)
			return err
		}},
	}
}

func (s *contractSystem) reclaim(ctx context.Context) error {
	a, err := s.service.Reclaim(ctx, s.task())
	if err == nil {
		s.owner = a
	}
	return err
}

// restage gives worker b the first try, and tells it.
func (s *contractSystem) restage(ctx context.Context) error {
	a, err := s.service.Restage(ctx, s.task(), workerB)
	if err == nil {
		s.owner, s.b.told = a, a
	}
	return err
}

func (s *contractSystem) migrate(ctx context.Context) error {
	s.pinned++
	return s.service.Migrate(ctx, s.contract(s.pinned))
}

func (s *contractSystem) revoking(targets ...string) func(context.Context) error {
	return func(ctx context.Context) error { return s.service.Revoke(ctx, s.project, workerA, targets...) }
}

func (s *contractSystem) editInput(ctx context.Context) error {
	s.inputs++
	return s.service.EditInput(ctx, s.project, inputValue(s.inputs))
}

func (s *contractSystem) addFile(ctx context.Context) error {
	s.files++
	return s.service.AddFile(ctx, s.project, fmt.Sprintf("data/%d", s.files))
}

func (s *contractSystem) publish(ctx context.Context) error {
	s.edits++
	return s.service.Publish(ctx, s.project, "another writer", "out/a", fmt.Appendf(nil, "overwritten, edit %d\n", s.edits))
}

func (s *contractSystem) restarting(lost Loss) func(context.Context) error {
	return func(ctx context.Context) error { return s.service.Restart(ctx, s.task(), lost) }
}

func (s *contractSystem) look(ctx context.Context) (err error) {
	s.seen, err = s.service.Look(ctx, s.task())
	return err
}
