#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# duckdb.sh - prints where DuckDB's module for node is, for NODE_PATH. Installs it into the
# cache with npm if it is not there. Fails with a reason if there is no npm, or npm's registry
# cannot be reached; a test is skipped without it.

. "$(dirname "$0")/../lib.sh"

version=1.5.6-r.1
dir=$cache/duckdb-$version
log=$cache/duckdb.log

# npm is told to give up soon: without a network it would try for minutes.
install_duckdb() {
	rm -rf "$dir"
	mkdir -p "$dir"
	npm install --prefix "$dir" --no-audit --no-fund --ignore-scripts --no-package-lock \
		--fetch-retries=1 --fetch-timeout=60000 "@duckdb/node-api@$version" &&
		NODE_PATH=$dir/node_modules node -e "require('@duckdb/node-api')" &&
		touch "$dir/.complete"
}

exec 9>"$dir.lock"
flock 9
if [ ! -e "$dir/.complete" ]; then
	command -v npm >/dev/null || die "no DuckDB: npm is not installed"
	with_progress "npm install DuckDB" "$log" install_duckdb >&2 || {
		grep -i '^npm err' "$log" | head -n 3 >&2 || :
		die "no DuckDB: npm cannot install it, see $log"
	}
fi
say "$dir/node_modules"
