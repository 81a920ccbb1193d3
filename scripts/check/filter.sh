#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# filter.sh [-s SEED] [COUNT] - builds the compiler of filters in user space, with ASAN and UBSAN,
# and tests it: by rows, by the table in the kernel's source, by COUNT (50,000) random filters and
# records beside a reference, and by damaged texts. See kunit-tests/filter/main.c.

. "$(dirname "$0")/../lib.sh"

seed=1
if [ "${1-}" = -s ]; then
	seed=${2-}
	shift 2
fi
count=${1:-50000}
[[ "$seed $count" =~ ^[0-9]+\ [1-9][0-9]*$ ]] || die "usage: filter.sh [-s SEED] [COUNT]"

tree=$("$top/scripts/build/shadow-tree.sh")
# Objects know their sources by path.
build=$cache/filter/$(printf '%s' "$top" | cksum | cut -d' ' -f1)
mkdir -p "$build"
exec 8>"$build.lock"
flock 8
make -s -j"$jobs" -C "$top/kunit-tests/filter" O="$build" SOURCE="$top" \
	TABLE="$tree/kernel/trace/trace_events_filter.c" >&2 || {
	say "not ok - the compiler of filters does not build in user space"
	say "filter: 0 passed, 1 failed, 0 skipped"
	exit 1
}
say "filter.sh -s $seed $count"
"$build/filter" "$seed" "$count"
