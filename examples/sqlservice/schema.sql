-- Plain enough for SQLite and PostgreSQL alike. Digests are SHA-256 in hexadecimal, moments
-- microseconds since 1970. What is never updated is marked: immutable. A semicolon ends a
-- statement, even in a comment.

-- What tasks share. Whoever changes anything that hangs on a project holds its row.
CREATE TABLE IF NOT EXISTS projects (
	id      TEXT PRIMARY KEY,
	inputs  BIGINT NOT NULL, -- the input's current revision
	members BIGINT NOT NULL, -- version of the directory's membership
	policy  TEXT   NOT NULL  -- the newest default, while tasks stay pinned to their contracts
);

-- Immutable.
CREATE TABLE IF NOT EXISTS inputs (
	project  TEXT   NOT NULL REFERENCES projects ON DELETE CASCADE,
	revision BIGINT NOT NULL,
	value    TEXT   NOT NULL,
	PRIMARY KEY (project, revision)
);

CREATE TABLE IF NOT EXISTS members (
	project TEXT NOT NULL REFERENCES projects ON DELETE CASCADE,
	path    TEXT NOT NULL,
	PRIMARY KEY (project, path)
);

-- Bytes by their digest. Immutable.
CREATE TABLE IF NOT EXISTS contents (
	project TEXT  NOT NULL REFERENCES projects ON DELETE CASCADE,
	digest  TEXT  NOT NULL,
	bytes   BYTEA NOT NULL,
	PRIMARY KEY (project, digest)
);

-- Pointers: which version of a path is current, or which other path an alias leads to.
CREATE TABLE IF NOT EXISTS artifacts (
	project  TEXT   NOT NULL REFERENCES projects ON DELETE CASCADE,
	path     TEXT   NOT NULL, -- clean and in lower case
	revision BIGINT NOT NULL,
	content  TEXT   NOT NULL,
	target   TEXT   NOT NULL, -- of an alias, or empty
	PRIMARY KEY (project, path)
);

-- Every version that was ever current. Immutable.
CREATE TABLE IF NOT EXISTS versions (
	project  TEXT   NOT NULL REFERENCES projects ON DELETE CASCADE,
	path     TEXT   NOT NULL,
	revision BIGINT NOT NULL,
	content  TEXT   NOT NULL,
	writer   TEXT   NOT NULL,
	PRIMARY KEY (project, path, revision)
);

CREATE TABLE IF NOT EXISTS grants (
	project   TEXT NOT NULL REFERENCES projects ON DELETE CASCADE,
	principal TEXT NOT NULL,
	target    TEXT NOT NULL,
	PRIMARY KEY (project, principal, target)
);

-- The admitted checker of each criterion.
CREATE TABLE IF NOT EXISTS checkers (
	project   TEXT   NOT NULL REFERENCES projects ON DELETE CASCADE,
	criterion TEXT   NOT NULL,
	version   BIGINT NOT NULL,
	program   TEXT   NOT NULL,
	PRIMARY KEY (project, criterion)
);

-- Immutable.
CREATE TABLE IF NOT EXISTS contracts (
	project  TEXT NOT NULL REFERENCES projects ON DELETE CASCADE,
	digest   TEXT NOT NULL,
	document TEXT NOT NULL,
	PRIMARY KEY (project, digest)
);

-- Immutable: content, declared paths, declared versions and base revisions, by the digest
-- of all of that.
CREATE TABLE IF NOT EXISTS candidates (
	project  TEXT NOT NULL REFERENCES projects ON DELETE CASCADE,
	digest   TEXT NOT NULL,
	document TEXT NOT NULL,
	PRIMARY KEY (project, digest)
);

-- Whoever changes a task, or anything that hangs on it, holds its row.
CREATE TABLE IF NOT EXISTS tasks (
	id          TEXT PRIMARY KEY,
	project     TEXT   NOT NULL REFERENCES projects ON DELETE CASCADE,
	status      TEXT   NOT NULL,
	contract    TEXT   NOT NULL, -- digest of the pinned one
	outer_id    BIGINT NOT NULL, -- the current attempt
	inner_id    BIGINT NOT NULL,
	fence       BIGINT NOT NULL,
	incarnation BIGINT NOT NULL,
	principal   TEXT   NOT NULL, -- empty if nobody has the task
	lease_until BIGINT NOT NULL,
	last_inner  BIGINT NOT NULL, -- what its authority issued last
	last_fence  BIGINT NOT NULL,
	authority   BIGINT NOT NULL  -- the authority's present incarnation
);

CREATE INDEX IF NOT EXISTS tasks_of_project ON tasks (project);

-- Every assignment. Immutable.
CREATE TABLE IF NOT EXISTS attempts (
	task        TEXT   NOT NULL REFERENCES tasks ON DELETE CASCADE,
	seq         BIGINT NOT NULL,
	outer_id    BIGINT NOT NULL,
	inner_id    BIGINT NOT NULL,
	fence       BIGINT NOT NULL,
	incarnation BIGINT NOT NULL,
	principal   TEXT   NOT NULL,
	granted     TEXT   NOT NULL, -- a JSON list of what it was allowed to write at that moment
	PRIMARY KEY (task, seq)
);

-- The protected store: what checkers observed. Workers can name a receipt, not write one.
-- Immutable.
CREATE TABLE IF NOT EXISTS receipts (
	id          TEXT PRIMARY KEY,
	task        TEXT    NOT NULL REFERENCES tasks ON DELETE CASCADE,
	seq         BIGINT  NOT NULL,
	outer_id    BIGINT  NOT NULL,
	inner_id    BIGINT  NOT NULL,
	fence       BIGINT  NOT NULL,
	incarnation BIGINT  NOT NULL,
	principal   TEXT    NOT NULL,
	contract    TEXT    NOT NULL,
	content     TEXT    NOT NULL,
	inputs      BIGINT  NOT NULL,
	members     BIGINT  NOT NULL,
	criterion   TEXT    NOT NULL,
	version     BIGINT  NOT NULL,
	passed      BOOLEAN NOT NULL,
	UNIQUE (task, seq)
);

-- Requests that completed their task. Immutable.
CREATE TABLE IF NOT EXISTS requests (
	task     TEXT   NOT NULL REFERENCES tasks ON DELETE CASCADE,
	id       TEXT   NOT NULL,
	bound    TEXT   NOT NULL, -- digest of the whole request, its caller included
	seq      BIGINT NOT NULL, -- counts the task's terminal writes
	receipt  TEXT   NOT NULL,
	document TEXT   NOT NULL, -- what the receipt is the digest of
	PRIMARY KEY (task, id),
	UNIQUE (task, seq)
);

-- Append-only: who did what, by which request, with which receipt.
CREATE TABLE IF NOT EXISTS audit (
	task    TEXT   NOT NULL REFERENCES tasks ON DELETE CASCADE,
	seq     BIGINT NOT NULL,
	at      BIGINT NOT NULL,
	caller  TEXT   NOT NULL,
	action  TEXT   NOT NULL,
	request TEXT   NOT NULL,
	receipt TEXT   NOT NULL,
	PRIMARY KEY (task, seq)
);
