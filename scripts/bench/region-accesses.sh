#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# region-accesses.sh [EVENT]... - counts how often writers load from and store to memory that
# outlives the kernel, on stock 6.1. Default: raw_syscalls:sys_enter sched:sched_switch. QEMU
# counts, so the figures do not depend on the machine; they tell nothing of time. The lines go to
# out/bench/region-accesses.txt.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../check/crash.sh"

[ $# != 0 ] || set -- raw_syscalls:sys_enter sched:sched_switch
logs=$out/bench
dir=$cache/bench-region-accesses
plugin=$dir/count-accesses.so
mkdir -p "$logs" "$dir"
lock_cache

build_for_crash 6.1
gcc -std=gnu11 -O2 -Wall -Wextra -shared -fPIC -fvisibility=hidden -o "$plugin" \
	"$top/scripts/qemu/count-accesses.c"

for event; do
	rm -f "$dir/counts"
	"$top/scripts/qemu/qemu-run.sh" -r "$release" -R "$system" -o "$dir/run" -m 512 -t 600 \
		-P "$plugin,out=$dir/counts,first=0x10000000,last=0x11ffffff" \
		-a "memmap=32M\$0x10000000" -e PERSIST=0x10000000,32M -e "EVENT=$event" \
		-f "$module/tring.ko=/guest/tring.ko" -f "$tring=/bin/tring" \
		-b /usr/bin/dd \
		"$top/scripts/guest/region-accesses.sh"
	"$top/scripts/bench/region-accesses.py" "$event" "$dir/counts" \
		"$dir/run/results/kallsyms" "$dir/run/results/stats"
done | tee "$logs/region-accesses.txt"
