#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# bench.sh - measures the cost of an event in tring, ftrace, LTTng and a ring
# that does the least possible. Instructions are measured in one boot of Debian's
# stock 6.1 and one of a 6.12. QEMU counts them, so the figures do not depend on the machine
# or on its load. See docs/performance.md.
#
# The benchmarks of $parts have scripts of their own and run last. The script
# prints tables, and leaves their data in out/bench/results.json and a plot in
# out/bench/performance.svg. LTTng is downloaded and does not build for every
# kernel; without it, the script prints why and its column is empty.
#
#   TRING_KERNELS  default "6.1 6.12"; the first run builds the second kernel
#   TRING_ROWS     default "ring size event function source benchmark" and all of $parts;
#                  benchmark on 6.12 only

. "$(dirname "$0")/lib.sh"

"$top/scripts/build/install-deps.sh" bench
lock_cache
use_stock 6.1
dir=$out/bench
commit=$(git -C "$top" describe --always --dirty 2>/dev/null || say unknown)
# Names of scripts/bench/NAME.sh, which may leave rows in out/bench/NAME-KERNEL.rows.
parts='native reading bursts workloads'
rows=" ${TRING_ROWS:-ring size event function source benchmark $parts} "
counted=
for row in ring size event function source benchmark; do
	[[ $rows != *" $row "* ]] || counted="$counted $row"
done
mkdir -p "$dir"
find "$dir" -maxdepth 1 -type f -delete
results=()

# build_modules DIR KDIR [MAKE-ARGUMENT...] - tring.ko and the benchmark's
build_modules() {
	with_progress "the modules for ${1##*-}" "$dir/build-${1##*-}.log" \
		"$top/scripts/build/build-module.sh" -o "$1" "$2" \
		CONFIG_TRING_BENCHMARK=m "${@:3}"
}

# count NAME MODULES QEMU-RUN-ARGUMENT... - counts instructions on kernel NAME
count() {
	local name=$1 modules=$2 boot=$cache/qemu-bench-$1

	with_progress "counting on $name" "$dir/count-$name.log" \
		"$top/scripts/qemu/qemu-run.sh" -i -t 1200 -o "$boot" \
		-e ROWS="$counted" \
		-f "$modules/tring.ko=/bench/tring.ko" \
		-f "$modules/tring_bench.ko=/bench/tring_bench.ko" \
		-f "$top/scripts/guest/bench-lib.sh=/bench/bench-lib.sh" \
		-f "$top/scripts/guest/bench-sources.sh=/bench/bench-sources.sh" \
		-f "$dir/user-loop=/bench/user-loop" \
		-b /usr/bin/perf "${@:3}" "$top/scripts/guest/bench.sh"
	"$top/scripts/qemu/console-badness.sh" "$boot/console.log"
	results+=("$name=$boot/results/bench.txt")
}

# Arguments that put LTTng into the guest and into the build of the modules.
lttng_files=() lttng_options=()
add_lttng() {
	local lttng=$1 modules=$2 file

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
	case $kernel in
	6.1)
		[ -n "$counted" ] || continue
		modules=$cache/module-bench-6.1
		if with_progress "LTTng's modules" "$dir/lttng.log" \
			"$top/scripts/bench/lttng.sh"; then
			grep 'left out$' "$dir/lttng.log" || :
			add_lttng "$(tail -n 1 "$dir/lttng.log")" "$modules"
		else
			say "no LTTng here: $(tail -n 1 "$dir/lttng.log")"
		fi
		build_modules "$modules" "$kdir" "${lttng_options[@]}"
		count "$release" "$modules" -r "$release" -R "$system" "${lttng_files[@]}"
		;;
	6.12)
		[ -n "$counted" ] || continue
		modules=$cache/module-bench-6.12
		with_progress 'a 6.12 kernel' "$dir/kernel.log" \
			"$top/scripts/bench/kernel.sh"
		say 'no LTTng on 6.12: the modules of Debian 12 are older than that'
		kdir=$(tail -n 1 "$dir/kernel.log")
		build_modules "$modules" "$kdir"
		count "$(cat "$kdir/include/config/kernel.release")" "$modules" \
			-k "$kdir/arch/x86/boot/bzImage"
		;;
	*) die "no kernel $kernel: 6.1 or 6.12" ;;
	esac
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
"$top/scripts/bench/plot.py" "$dir/results.json" "$dir/performance.svg"
