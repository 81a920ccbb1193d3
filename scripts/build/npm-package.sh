#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# npm-package.sh duckdb|eslint|speedscope - prints where the package is, for NODE_PATH. Installs it
# into the cache with npm if it is not there. Fails with a reason if there is no npm, or npm's
# registry cannot be reached; a test is skipped without it.

. "$(dirname "$0")/../lib.sh"

case ${1-} in
duckdb)
	package=@duckdb/node-api version=1.5.6-r.1 file=$package
	;;
eslint)
	package=eslint version=9.17.0 file=$package
	;;
speedscope)
	package=speedscope version=1.25.0 file=$package/package.json
	;;
*)
	die "usage: npm-package.sh duckdb|eslint|speedscope"
	;;
esac
dir=$cache/$1-$version
log=$cache/$1.log

# npm is told to give up soon: without a network it would try for minutes.
install_package() {
	rm -rf "$dir"
	mkdir -p "$dir"
	npm install --prefix "$dir" --no-audit --no-fund --ignore-scripts --no-package-lock \
		--fetch-retries=1 --fetch-timeout=60000 "$package@$version" &&
		NODE_PATH=$dir/node_modules node -e "require('$file')" &&
		touch "$dir/.complete"
}

exec 9>"$dir.lock"
flock 9
if [ ! -e "$dir/.complete" ]; then
	command -v npm >/dev/null || die "no $1: npm is not installed"
	with_progress "npm install $1" "$log" install_package >&2 || {
		grep -i '^npm err' "$log" | head -n 3 >&2 || :
		die "no $1: npm cannot install it, see $log"
	}
fi
say "$dir/node_modules"
