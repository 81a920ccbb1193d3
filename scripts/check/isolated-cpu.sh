#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# isolated-cpu.sh - records in a guest with Debian's stock 6.1 whose second CPU is isolated and of
# nohz_full=, beside a busy loop there. scripts/guest/isolated-cpu.sh has the tests. The last line
# is "isolated-cpu: N passed, N failed, N skipped".

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/judge.sh"

dir=$out/isolated-cpu
logs=$out/isolated-cpu.logs
mkdir -p "$logs"
lock_cache

build_for_guest 6.1 || { failed=1; count_tests isolated-cpu; }

guest=0
with_progress "isolated-cpu: QEMU" "$logs/qemu.log" \
	env TRING_FOLLOW=1 "$top/scripts/qemu/qemu-run.sh" -r "$release" -R "$system" -o "$dir" \
	-a tsc=unstable -a nohz_full=1 -a isolcpus=1 -f "$module/tring.ko=/guest/tring.ko" \
	-f "$tring=/bin/tring" "$top/scripts/guest/isolated-cpu.sh" || guest=$?
results=$dir/results
judge_guest "$guest" "$results/tests"
# On a busy host the kernel warns that it was late to look after the CPU without a tick. So the
# console is not judged.
count_tests isolated-cpu
