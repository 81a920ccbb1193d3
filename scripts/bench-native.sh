#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# bench-native.sh - what an event costs in tring's ring, in ftrace's and at
# least, in cycles of this machine, in User-mode Linux 6.12: see
# kmod/bench/native.c. The machine is noisy; compare only within one run.

. "$(dirname "$0")/lib.sh"

build=$cache/bench-native
dir=$out/bench-native
mkdir -p "$build" "$dir"
exec 8>"$build.lock"
flock 8

tree=$("$top/scripts/shadow-tree.sh")
cd "$tree"
with_progress 'building a kernel' "$dir/build.log" \
	./tools/testing/kunit/kunit.py build --arch=um --build_dir="$build" \
	--kunitconfig="$top/kmod/bench/native.config" --jobs="$jobs" || {
	grep -aE 'error|rror:' "$dir/build.log" | head -n 20 >&2 || :
	exit 1
}
grep -q '^CONFIG_TRING_BENCHMARK_NATIVE=y' "$build/.config" ||
	die "CONFIG_TRING_BENCHMARK_NATIVE is not in $build/.config"
with_progress 'measuring' "$dir/console.log" \
	timeout -k 5 300 "$build/linux" mem=512M console=tty || :
say "6.12, User-mode Linux, commit $(git -C "$top" describe --always --dirty \
	2>/dev/null || say unknown); cycles for reserve + fill + commit, overwriting"
tr -d '\r' <"$dir/console.log" | sed -n 's/.*native: ring //p' | tee "$dir/results.txt" |
	sed 's/[a-z_]*=//g' | awk '{
		printf "%-7s %-10s %-5s", $1, $2, $3
		printf " best %8s median %8s of the floor: %5s %5s\n", $4, $5, $6, $7
	}'
tr -d '\r' <"$dir/console.log" | grep -q 'native: all accounts balance' ||
	die "the benchmark did not come to its end: $dir/console.log"
