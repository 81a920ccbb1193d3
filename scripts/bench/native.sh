#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# native.sh - measures the cost of an event in cycles of this machine, in User-mode
# Linux 6.12: in tring's ring, in ftrace's and in one that does the least possible,
# and with the kernel's own benchmark_event. See kmod/bench/native.c. Results are
# noisy; compare them only within one run. Leaves rows in out/bench/.

. "$(dirname "$0")/../lib.sh"

build=$cache/bench-native
dir=$out/bench
commit=$(git -C "$top" describe --always --dirty 2>/dev/null || say unknown)
mkdir -p "$build" "$dir"
lock_cache

tree=$("$top/scripts/build/shadow-tree.sh")
cd "$tree"
with_progress 'building a kernel' "$dir/native-build.log" \
	./tools/testing/kunit/kunit.py build --arch=um --build_dir="$build" \
	--kunitconfig="$top/kmod/bench/native.config" --jobs="$jobs" || {
	grep -aE 'error|rror:' "$dir/native-build.log" | head -n 20 >&2 || :
	exit 1
}
grep -q '^CONFIG_TRING_BENCHMARK_NATIVE=y' "$build/.config" ||
	die "CONFIG_TRING_BENCHMARK_NATIVE is not in $build/.config"
with_progress 'measuring' "$dir/native-console.log" \
	timeout -k 5 300 "$build/linux" mem=512M console=tty || :
grep -q 'native: all accounts balance' "$dir/native-console.log" ||
	die "the benchmark did not come to its end: $dir/native-console.log"
kernel=$(cat "$build/include/config/kernel.release")-um
rows=$dir/native-$kernel.rows
tr -d '\r' <"$dir/native-console.log" |
	sed -n 's/.*native: \(.* [a-z_]*=.*\)/\1/p' >"$rows"
"$top/scripts/bench/table.py" --commit "$commit" --json "$dir/native.json" \
	"$kernel=$rows" | tee "$dir/native.txt"
