#!/usr/bin/env bash
# A PostgreSQL server for tests, on loopback, with a data directory of its own.
#
#   postgres.sh start DIR   makes DIR, which must not exist, and prints the server's URL
#   postgres.sh stop DIR    stops that server, and deletes DIR
#
# The server doesn't run as root: called by root, it belongs to the user postgres, or else
# nobody, who must be able to reach DIR. Every connection is trusted and nothing is
# synced to disk: it is not for data that matter.
set -euo pipefail

fail() { printf 'postgres.sh: %s\n' "$*" >&2; exit 1; }

[ $# = 2 ] || fail "usage: postgres.sh start|stop DIR"
command=$1 dir=$(realpath -m -- "$2") data=$(realpath -m -- "$2")/data

# Where the programs are: Debian does not have them in PATH.
bin() {
	local found
	found=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1)
	if [ -z "$found" ] && command -v pg_ctl >/dev/null; then
		found=$(dirname "$(command -v pg_ctl)")
	fi
	printf '%s' "$found"
}

# Install it where that is possible.
programs=$(bin)
if [ -z "$programs" ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
	{ apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends postgresql; } >&2
	programs=$(bin)
fi
[ -n "$programs" ] || fail "there is no PostgreSQL: install Debian's package postgresql, or have pg_ctl in PATH"

# Who the server belongs to, and how to be them.
owner=$(id -un) as=()
if [ "$(id -u)" = 0 ]; then
	owner=postgres
	id -u postgres >/dev/null 2>&1 || owner=nobody
	as=(setpriv --reuid "$owner" --regid "$(id -g "$owner")" --clear-groups --)
fi

# Their own working directory need not be readable for them.
as_owner() { (cd / && exec env HOME=/ "${as[@]}" "$@"); }

start() {
	[ ! -e "$dir" ] || fail "$dir exists already"
	mkdir -p "$dir"
	trap 'rm -rf -- "$dir"' EXIT # unless the server starts
	[ "$(id -u)" != 0 ] || chown "$owner" "$dir"
	as_owner test -w "$dir" || fail "the user $owner can't reach $dir"
	as_owner "$programs/initdb" --pgdata "$data" --username postgres --auth trust --encoding UTF8 --locale C --no-sync \
		>"$dir/initdb.log" 2>&1 || { cat "$dir/initdb.log" >&2; fail "initdb failed"; }
	cat >>"$data/postgresql.conf" <<-'END'
		listen_addresses = '127.0.0.1'
		unix_socket_directories = ''
		fsync = off
		synchronous_commit = off
		full_page_writes = off
	END
	# A port is free if the server can start there.
	local port
	for _ in {1..20}; do
		port=$((20000 + RANDOM % 12000))
		if as_owner "$programs/pg_ctl" start --pgdata "$data" --log "$dir/server.log" --wait --silent -o "-p $port" >/dev/null 2>&1; then
			trap - EXIT
			printf 'postgres://postgres@127.0.0.1:%d/postgres?sslmode=disable\n' "$port"
			return
		fi
	done
	cat "$dir/server.log" >&2
	fail "the server does not start"
}

stop() {
	[ -f "$data/PG_VERSION" ] || fail "$dir is not a directory that start has made"
	if as_owner "$programs/pg_ctl" status --pgdata "$data" >/dev/null; then
		as_owner "$programs/pg_ctl" stop --pgdata "$data" --mode fast --wait --silent >&2
	fi
	rm -rf -- "$dir"
}

case $command in
start | stop) "$command" ;;
*) fail "usage: postgres.sh start|stop DIR" ;;
esac
