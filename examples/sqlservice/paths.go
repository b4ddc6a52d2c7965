package sqlservice

import (
	"path"
	"strings"
)

// clean returns the one spelling under which a path is kept: without ., .. and double or
// final slashes, and in lower case, since files that differ in case alone are one file
// here. A path that leaves the project keeps its .. or / at the beginning, and is in no
// scope.
func clean(p string) string { return strings.ToLower(path.Clean(p)) }

// inside reports whether a clean path lies in a directory.
func inside(directory, p string) bool { return strings.HasPrefix(p, clean(directory)+"/") }

// An artifact is what a path points to now. One that does not exist has revision 0.
type artifact struct {
	revision int64
	target   string // of an alias, or empty
}

// writes returns what declared paths really write, as aliases are now, each path once.
func writes(declared []string, now map[string]artifact) []string {
	var real []string
	seen := map[string]bool{}
	for _, p := range declared {
		if p = follow(clean(p), now); !seen[p] {
			seen[p] = true
			real = append(real, p)
		}
	}
	return real
}

// follow returns where a clean path leads: aliases can lead to aliases.
func follow(p string, now map[string]artifact) string {
	for range now { // so that a circle ends, if somebody should have made one
		if now[p].target == "" {
			break
		}
		p = now[p].target
	}
	return p
}

// artifacts reads all pointers of a project: one statement, so that they are of one
// moment.
func (tx *tx) artifacts(project string) map[string]artifact {
	now := map[string]artifact{}
	tx.rows(`SELECT path, revision, target FROM artifacts WHERE project = $1`, []any{project}, func(scan func(...any) error) error {
		var p string
		var a artifact
		err := scan(&p, &a.revision, &a.target)
		now[p] = a
		return err
	})
	return now
}

// publish makes content the current version of a clean path, which need not exist. The
// caller holds the project's row.
func (tx *tx) publish(project, p, content, writer string) (revision int64) {
	tx.row(`INSERT INTO artifacts (project, path, revision, content, target) VALUES ($1, $2, 1, $3, '')
		ON CONFLICT (project, path) DO UPDATE SET revision = artifacts.revision + 1, content = excluded.content
		RETURNING revision`, []any{project, p, content}, &revision)
	tx.exec(`INSERT INTO versions (project, path, revision, content, writer) VALUES ($1, $2, $3, $4, $5)`,
		project, p, revision, content, writer)
	return revision
}

// store keeps bytes, of which there may be none, and returns their digest.
func (tx *tx) store(project string, bytes []byte) string {
	d := digest(bytes)
	if bytes == nil {
		bytes = []byte{} // to a driver nil is no value at all
	}
	tx.exec(`INSERT INTO contents (project, digest, bytes) VALUES ($1, $2, $3) ON CONFLICT (project, digest) DO NOTHING`, project, d, bytes)
	return d
}
