#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# compare-plans.sh [SEED]... - compares what the reader prints with what
# libtraceevent prints, for all event formats of Debian's stock 6.1 kernel. The
# formats come from a guest; the payloads are pseudo-random, a different set for
# each seed. The reader's own tests do the same for a part of the formats.

. "$(dirname "$0")/../lib.sh"

[ $# -gt 0 ] || set -- 1 2 3
dir=$cache/qemu-formats

with_progress 'building the tests' "$out/compare-plans/build.log" \
	make -C "$top/userspace-reader" O="$dir.build" ASAN=1 -j "$jobs" tests
with_progress 'reading the formats of the kernel' "$out/compare-plans/qemu.log" \
	"$top/scripts/qemu/qemu-run.sh" -o "$dir" \
	"$top/scripts/guest/formats.sh"
for seed in "$@"; do
	say "seed $seed:"
	"$dir.build/asan/tests/plan_words" "$dir/results" "$seed" ||
		die "a plan and libtraceevent differ"
done
