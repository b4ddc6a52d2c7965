package sqlservice

import (
	"context"
	"errors"
	"fmt"
)

// A Project is what its tasks share: an input, a directory's membership, artifacts with
// aliases, grants and checkers. A task belongs to one project; tasks that should be
// independent have one each.
type Project struct {
	ID        string
	Policy    string
	Input     string
	Artifacts map[string][]byte // by path
	Aliases   map[string]string // a path, and which it leads to
	Checkers  map[string]string // for each criterion, the name of a program
	Grants    map[string][]string
}

// CreateProject creates a project. Everything in it has revision 1.
func (s *Service) CreateProject(ctx context.Context, p Project) error {
	err := s.db.write(ctx, func(tx *tx) error {
		tx.insert("projects (id, inputs, members, policy)", []any{p.ID, 1, 1, p.Policy})
		tx.insert("inputs (project, revision, value)", []any{p.ID, 1, p.Input})
		tx.first(p)
		var admitted, granted [][]any
		for criterion, program := range p.Checkers {
			tx.mustHave(program)
			admitted = append(admitted, []any{p.ID, criterion, 1, program})
		}
		for principal, targets := range p.Grants {
			for _, target := range targets {
				granted = append(granted, []any{p.ID, principal, clean(target)})
			}
		}
		tx.insert("checkers (project, criterion, version, program)", admitted...)
		tx.insert("grants (project, principal, target)", granted...)
		return nil
	})
	return wrap(err, "create project %q", p.ID)
}

// first publishes what a project begins with.
func (tx *tx) first(p Project) {
	contents := map[string][]byte{}
	var pointers, versions, bytes [][]any
	for path, content := range p.Artifacts {
		d := digest(content)
		contents[d] = append([]byte{}, content...)
		pointers = append(pointers, []any{p.ID, clean(path), 1, d, ""})
		versions = append(versions, []any{p.ID, clean(path), 1, d, ""})
	}
	for alias, path := range p.Aliases {
		pointers = append(pointers, []any{p.ID, clean(alias), 0, "", clean(path)})
	}
	for d, content := range contents {
		bytes = append(bytes, []any{p.ID, d, content})
	}
	tx.insert("contents (project, digest, bytes)", bytes...)
	tx.insert("artifacts (project, path, revision, content, target)", pointers...)
	tx.insert("versions (project, path, revision, content, writer)", versions...)
}

// DeleteProject deletes a project with all of its tasks and everything about them.
func (s *Service) DeleteProject(ctx context.Context, id string) error {
	return s.share(ctx, "delete", id, func(tx *tx, _ project) {
		tx.exec(`DELETE FROM projects WHERE id = $1`, id)
	})
}

// A project is its row.
type project struct {
	id              string
	inputs, members int64
}

// holdProject reads a project and keeps everybody else from changing what its tasks
// share, until the transaction ends. Whoever holds a task as well holds that first.
func (tx *tx) holdProject(id string) project {
	p := project{id: id}
	found := tx.row(`SELECT inputs, members FROM projects WHERE id = $1`+tx.db.dialect.forUpdate, []any{id}, &p.inputs, &p.members)
	if !found && tx.err == nil {
		tx.err = fmt.Errorf("project %q: %w", id, ErrUnknown)
	}
	return p
}

// share changes what a project's tasks share.
func (s *Service) share(ctx context.Context, what, id string, change func(tx *tx, p project)) error {
	err := s.db.write(ctx, func(tx *tx) error {
		if p := tx.holdProject(id); tx.err == nil {
			change(tx, p)
		}
		return nil
	})
	return wrap(err, what+" project %q", id)
}

// EditInput publishes a new revision of the input.
func (s *Service) EditInput(ctx context.Context, id, value string) error {
	return s.share(ctx, "edit input of", id, func(tx *tx, p project) {
		tx.exec(`INSERT INTO inputs (project, revision, value) VALUES ($1, $2, $3)`, id, p.inputs+1, value)
		tx.exec(`UPDATE projects SET inputs = inputs + 1 WHERE id = $1`, id)
	})
}

// AddFile adds a file to the directory on whose membership tasks depend.
func (s *Service) AddFile(ctx context.Context, id, path string) error {
	return s.share(ctx, "add file to", id, func(tx *tx, _ project) {
		tx.exec(`INSERT INTO members (project, path) VALUES ($1, $2)`, id, clean(path))
		tx.exec(`UPDATE projects SET members = members + 1 WHERE id = $1`, id)
	})
}

// Publish makes bytes the current version of what a path leads to. It is for writers that
// have no task, and it asks for no grant; but they too go through versioned pointers.
func (s *Service) Publish(ctx context.Context, id, writer, path string, bytes []byte) error {
	return s.share(ctx, "publish in", id, func(tx *tx, _ project) {
		for _, real := range writes([]string{path}, tx.artifacts(id)) {
			tx.publish(id, real, tx.store(id, bytes), writer)
		}
	})
}

var (
	errFile   = errors.New("a file can't be an alias")
	errCircle = errors.New("an alias can't lead to itself")
)

// MoveAlias makes an alias, which need not exist, lead to another path.
func (s *Service) MoveAlias(ctx context.Context, id, alias, path string) error {
	return s.share(ctx, "move alias of", id, func(tx *tx, _ project) {
		alias, path := clean(alias), clean(path)
		now := tx.artifacts(id)
		file := now[alias].revision > 0
		delete(now, alias) // it will not lead any more to where it does now
		switch {
		case tx.err != nil:
		case file:
			tx.err = fmt.Errorf("%s: %w", alias, errFile)
		case follow(path, now) == alias:
			tx.err = fmt.Errorf("%s to %s: %w", alias, path, errCircle)
		default:
			tx.exec(`INSERT INTO artifacts (project, path, revision, content, target) VALUES ($1, $2, 0, '', $3)
				ON CONFLICT (project, path) DO UPDATE SET target = excluded.target`, id, alias, path)
		}
	})
}

// Grant allows principal to write the targets, from now on.
func (s *Service) Grant(ctx context.Context, id, principal string, targets ...string) error {
	return s.share(ctx, "grant in", id, func(tx *tx, _ project) {
		for _, target := range targets {
			tx.exec(`INSERT INTO grants (project, principal, target) VALUES ($1, $2, $3)
				ON CONFLICT (project, principal, target) DO NOTHING`, id, principal, clean(target))
		}
	})
}

// Revoke takes that back.
func (s *Service) Revoke(ctx context.Context, id, principal string, targets ...string) error {
	return s.share(ctx, "revoke in", id, func(tx *tx, _ project) {
		for _, target := range targets {
			tx.exec(`DELETE FROM grants WHERE project = $1 AND principal = $2 AND target = $3`, id, principal, clean(target))
		}
	})
}

// grants returns what a principal may write.
func (tx *tx) grants(id, principal string) map[string]bool {
	granted := map[string]bool{}
	tx.rows(`SELECT target FROM grants WHERE project = $1 AND principal = $2 ORDER BY target`, []any{id, principal},
		func(scan func(...any) error) error {
			var target string
			err := scan(&target)
			granted[target] = true
			return err
		})
	return granted
}

// ReplaceChecker withdraws the admitted checker version of a criterion and admits a new
// one, which runs the named program. Receipts of the old version stay, and no longer
// count.
func (s *Service) ReplaceChecker(ctx context.Context, id, criterion, program string) error {
	return s.share(ctx, "replace checker of", id, func(tx *tx, _ project) {
		tx.mustHave(program)
		tx.exec(`INSERT INTO checkers (project, criterion, version, program) VALUES ($1, $2, 1, $3)
			ON CONFLICT (project, criterion) DO UPDATE SET version = checkers.version + 1, program = excluded.program`,
			id, criterion, program)
	})
}

// mustHave fails if there is no program of that name.
func (tx *tx) mustHave(program string) {
	if programs[program] == nil && tx.err == nil {
		tx.err = fmt.Errorf("program %q: %w", program, ErrUnknown)
	}
}

// PublishPolicy publishes a new default policy. Tasks stay pinned to their contracts.
func (s *Service) PublishPolicy(ctx context.Context, id, policy string) error {
	return s.share(ctx, "publish policy of", id, func(tx *tx, _ project) {
		tx.exec(`UPDATE projects SET policy = $1 WHERE id = $2`, policy, id)
	})
}
