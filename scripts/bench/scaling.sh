#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# scaling.sh - measures the cost of an event while many writers write at once, on
# Debian's stock 6.1: in the kernel on 1 to 8 CPUs, and from 2 to 256 threads
# through trace_marker while one consumer drains the rings each half a second. Each
# round checks the account of all events and stops the benchmark if it does not
# balance. docs/performance.md has the method and the results.
#
# Threads are measured twice: in instructions on one CPU, which is exact; and by the
# host's clock on CPUs that run in parallel, which shows contention. Of the latter
# only the ratios within a row are meaningful, up to the number of the host's CPUs.
# The writers in the kernel run in parallel.
#
# Tables go to out/bench/scaling.txt, all rows to out/bench/scaling.json.
#
#   TRING_CPUS     default "1 2 4 8"
#   TRING_THREADS  default "2 4 8 16 32 64 128 256"
#   TRING_ROUNDS   in parallel; the best round of each figure counts; default 5

. "$(dirname "$0")/../lib.sh"

use_stock 6.1
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

# run NAME QEMU-RUN-ARGUMENT... - boots a guest
run() {
	local name=$1 boot=$cache/qemu-scaling-$1

	with_progress "scaling: $name" "$logs/$name.log" \
		"$top/scripts/qemu/qemu-run.sh" -t 1800 -o "$boot" -r "$release" \
		-R "$system" "${@:2}" \
		-e CORES="$cores" -b /usr/bin/dd \
		-f "$modules/tring.ko=/bench/tring.ko" \
		-f "$modules/tring_bench.ko=/bench/tring_bench.ko" \
		-f "$logs/marker-threads=/bench/marker-threads" \
		-f "$top/scripts/guest/bench-lib.sh=/bench/bench-lib.sh" \
		"$top/scripts/guest/bench-scaling.sh"
	"$top/scripts/qemu/console-badness.sh" "$boot/console.log"
	results+=("$release=$boot/results/scaling.txt")
}

with_progress "the modules" "$logs/build.log" \
	"$top/scripts/build/build-module.sh" -o "$modules" "$kdir" \
	CONFIG_TRING_BENCHMARK=m
cc -std=gnu11 -O2 -Wall -Wextra -Wshadow -Werror -pthread -I "$top/uapi" \
	-o "$logs/marker-threads" "$top/scripts/guest/marker-threads.c"

run one-cpu -i -e MODE=counted -e WRITERS=1 -e THREADS="$threads" -e MASK=1 \
	-e LENGTHS="20 64 128 250 500 1000" -e ROUNDS=1 -e MS=1000
# At most as many CPUs as the host has.
run parallel -p -c "$most" -a tsc=reliable -a clocksource=tsc -e MODE=parallel \
	-e WRITERS="$cpus" -e THREADS="$threads" \
	-e MASK="$(printf %x $(((1 << (cores < most ? cores : most)) - 1)))" \
	-e ROUNDS="${TRING_ROUNDS:-5}" -e MS=1000

"$top/scripts/bench/table.py" --commit "$commit" --json "$dir/scaling.json" \
	"${results[@]}" | tee "$dir/scaling.txt"
