#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# bench.sh - measures the cost of an event in tring, ftrace, LTTng and a ring
# that does the least possible. Instructions are measured in one boot of Debian's
# stock 6.1 and one of its 6.12. QEMU counts them, so the figures do not depend on the machine
# or on its load. See docs/performance.md.
#
# The benchmarks of $parts have scripts of their own and run last. The script
# prints tables, and leaves their data in out/bench/results.json. LTTng is
# downloaded and does not build for every kernel; without it, the script prints
# why and its column is empty.
#
#   TRING_KERNELS  default "6.1 6.12"
#   TRING_ROWS     default "ring size event function source" and all of $parts

. "$(dirname "$0")/lib.sh"

"$top/scripts/build/install-deps.sh" bench
lock_cache
dir=$out/bench
commit=$(git -C "$top" describe --always --dirty 2>/dev/null || say unknown)
# Names of scripts/bench/NAME.sh, which may leave rows in out/bench/NAME-KERNEL.rows.
parts='native reading bursts workloads'
rows=" ${TRING_ROWS:-ring size event function source $parts} "
counted=
for row in ring size event function source; do
	[[ $rows != *" $row "* ]] || counted="$counted $row"
done
mkdir -p "$dir"
find "$dir" -maxdepth 1 -type f -delete
results=()

# count - counts instructions on kernel $release with $modules
count() {
	local boot=$cache/qemu-bench-$release

	with_progress "counting on $release" "$dir/count-$release.log" \
		"$top/scripts/qemu/qemu-run.sh" -i -t 1200 -r "$release" -R "$system" -o "$boot" \
		-e ROWS="$counted" \
		-f "$modules/tring.ko=/bench/tring.ko" \
		-f "$modules/tring_bench.ko=/bench/tring_bench.ko" \
		-f "$dir/user-loop=/bench/user-loop" \
		-b /usr/bin/perf "${lttng_files[@]}" "$top/scripts/guest/bench.sh"
	"$top/scripts/qemu/console-badness.sh" "$boot/console.log"
	results+=("$release=$boot/results/bench.txt")
}

# add_lttng DIR - sets arguments that put LTTng into the guest and into the build of the modules
add_lttng() {
	local lttng=$1 file

	mapfile -t lttng_files <"$lttng/guest-arguments"
	lttng_options=(CONFIG_TRING_BENCHMARK_LTTNG=m "TRING_LTTNG=$lttng"
		"KBUILD_EXTRA_SYMBOLS=$lttng/Module.symvers")
	for file in tring_bench_lttng tring_bench_lttng_event; do
		lttng_files+=(-f "$modules/$file.ko=/bench/$file.ko")
	done
}

with_progress 'a loop of system calls' "$dir/user-loop.log" \
	cc -O2 -Wall -Wextra -static -o "$dir/user-loop" "$top/scripts/guest/user-loop.c"
for kernel in ${TRING_KERNELS:-6.1 6.12}; do
	[ -n "$counted" ] || break
	use_stock "$kernel"
	modules=$cache/module-bench-$kernel
	lttng_files=() lttng_options=()
	if [ "$kernel" != 6.1 ]; then
		say "no LTTng on $kernel: the modules of Debian 12 are older than that"
	elif with_progress "LTTng's modules" "$dir/lttng.log" "$top/scripts/bench/lttng.sh"; then
		grep 'left out$' "$dir/lttng.log" || :
		add_lttng "$(tail -n 1 "$dir/lttng.log")"
	else
		say "no LTTng here: $(tail -n 1 "$dir/lttng.log")"
	fi
	# tring.ko and the benchmark's
	with_progress "the modules for $kernel" "$dir/build-$kernel.log" \
		"$top/scripts/build/build-module.sh" -o "$modules" "$kdir" \
		CONFIG_TRING_BENCHMARK=m "${lttng_options[@]}"
	count
done

for part in $parts; do
	[[ $rows == *" $part "* ]] || continue
	"$top/scripts/bench/$part.sh"
	for file in "$dir/$part"-*.rows; do
		[ -e "$file" ] || continue
		name=${file##*/"$part"-}
		results+=("${name%.rows}=$file")
	done
done
[ "${#results[@]}" != 0 ] || exit 0

"$top/scripts/bench/table.py" --commit "$commit" --json "$dir/results.json" \
	"${results[@]}" | tee "$dir/table.txt"
