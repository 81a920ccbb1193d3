#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# eslint.sh - prints where eslint is. Installs it into the cache with npm if it is not there. Fails
# with a reason if there is no npm, or npm's registry cannot be reached.

. "$(dirname "$0")/../lib.sh"

version=9.17.0
dir=$cache/eslint-$version

install_eslint() {
	rm -rf "$dir"
	mkdir -p "$dir"
	npm install --prefix "$dir" --no-audit --no-fund --ignore-scripts --no-package-lock \
		--fetch-retries=1 --fetch-timeout=60000 "eslint@$version" &&
		"$dir/node_modules/.bin/eslint" --version && touch "$dir/.complete"
}

exec 9>"$dir.lock"
flock 9
if [ ! -e "$dir/.complete" ]; then
	command -v npm >/dev/null || die "no eslint: npm is not installed"
	with_progress "npm install eslint" "$cache/eslint.log" install_eslint >&2 ||
		die "no eslint: npm cannot install it, see $cache/eslint.log"
fi
say "$dir/node_modules/.bin/eslint"
