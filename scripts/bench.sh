#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# bench.sh - what an event costs in tring's ring and in ftrace's, in
# instructions, on Debian's stock 6.1 kernel. QEMU counts them, so that the
# figures do not depend on the machine or on what else runs there.

. "$(dirname "$0")/lib.sh"

release=$(stock_release) || die "no stock 6.1 kernel: run scripts/install-deps.sh"
dir=$cache/module-bench
commit=$(git -C "$top" describe --always --dirty 2>/dev/null || say unknown)
mkdir -p "$out/bench"

with_progress 'building the modules' "$out/bench/build.log" \
	"$top/scripts/build-module.sh" -o "$dir" "/lib/modules/$release/build" \
	CONFIG_TRING_BENCHMARK=m
with_progress 'counting' "$out/bench/qemu.log" \
	"$top/scripts/qemu-run.sh" -i -t 600 -o "$cache/qemu-bench" \
	-f "$dir/tring.ko=/tring.ko" -f "$dir/tring_bench.ko=/tring_bench.ko" \
	"$top/scripts/guest/bench.sh"

{
	say "kernel $release, commit $commit"
	say 'instructions for reserve + fill + commit of one event, overwrite,'
	say '1 MiB a CPU, wrapped; page crossings included, the loop not'
	cat "$cache/qemu-bench/results/bench.txt"
} | tee "$out/bench/instructions.txt"
grep -q ': balanced$' "$out/bench/instructions.txt" || die 'the counters do not balance'
