#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# scaling.sh - what an event costs where many write at once: 1 to 8 CPUs in
# the kernel, 2 to 256 threads at trace_marker while one consumer drains the
# rings each half a second. Each round ends with the account of all events and
# stops the benchmark if that does not balance. Debian's stock 6.1; how it is
# measured and what it says is in docs/performance.md.
#
# Threads twice: on one CPU whose instructions QEMU counts, which is exact and
# shows what is done for an event; and on CPUs that run in parallel, by the host's
# clock, which shows whether they are in each other's way. Of the latter only
# ratios in one row mean anything, and more CPUs than the host has tell nothing
# new. The CPUs of the kernel's writers run in parallel.
#
# Tables go to out/bench/scaling.txt, and all rows to out/bench/scaling.json.
#
#   TRING_CPUS     default "1 2 4 8"
#   TRING_THREADS  default "2 4 8 16 32 64 128 256"
#   TRING_ROUNDS   in parallel; the best one of each figure counts; default 5

. "$(dirname "$0")/../lib.sh"

release=$(stock_release) || die "no stock 6.1 kernel: run scripts/build/install-deps.sh"
dir=$out/bench
logs=$dir/scaling.logs
modules=$cache/module-bench-6.1
commit=$(git -C "$top" describe --always --dirty 2>/dev/null || say unknown)
cpus=${TRING_CPUS:-1 2 4 8}
threads=${TRING_THREADS:-2 4 8 16 32 64 128 256}
most=$(tr ' ' '\n' <<<"$cpus" | sort -n | tail -n 1)
cores=$(nproc)
mkdir -p "$logs"
rm -f "$dir"/scaling.txt "$dir"/scaling.json "$logs"/*
results=()

# run NAME QEMU-RUN-ARGUMENT... - a boot; its environment is among these
run() {
	local name=$1 boot=$cache/qemu-scaling-$1

	with_progress "scaling: $name" "$logs/$name.log" \
		"$top/scripts/qemu/qemu-run.sh" -t 1800 -o "$boot" -r "$release" "${@:2}" \
		-e CORES="$cores" -b /usr/bin/dd \
		-f "$modules/tring.ko=/bench/tring.ko" \
		-f "$modules/tring_bench.ko=/bench/tring_bench.ko" \
		-f "$logs/marker-threads=/bench/marker-threads" \
		-f "$top/scripts/guest/lib.sh=/guest/lib.sh" \
		-f "$top/scripts/guest/bench-lib.sh=/bench/bench-lib.sh" \
		"$top/scripts/guest/bench-scaling.sh"
	"$top/scripts/qemu/console-badness.sh" "$boot/console.log"
	results+=("$release=$boot/results/scaling.txt")
}

with_progress "the modules" "$logs/build.log" \
	"$top/scripts/build/build-module.sh" -o "$modules" "/lib/modules/$release/build" \
	CONFIG_TRING_BENCHMARK=m
cc -std=gnu11 -O2 -Wall -Wextra -Wshadow -Werror -pthread -I "$top/uapi" \
	-o "$logs/marker-threads" "$top/scripts/guest/marker-threads.c"

run one-cpu -i -e MODE=counted -e WRITERS=1 -e THREADS="$threads" -e MASK=1 \
	-e LENGTHS="20 64 128 250 500 1000" -e ROUNDS=1 -e MS=1000
# As many of the CPUs as the host has for them.
run parallel -p -c "$most" -a tsc=reliable -a clocksource=tsc -e MODE=parallel \
	-e WRITERS="$cpus" -e THREADS="$threads" \
	-e MASK="$(printf %x $(((1 << (cores < most ? cores : most)) - 1)))" \
	-e ROUNDS="${TRING_ROUNDS:-5}" -e MS=1000

"$top/scripts/bench/table.py" --commit "$commit" --json "$dir/scaling.json" \
	"${results[@]}" | tee "$dir/scaling.txt"
