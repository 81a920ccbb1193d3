#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
#
# Runs in the guest of scripts/bench.sh: loads the benchmark, and has it measure
# what there is. What it says goes to /results/bench.txt.

bench=/sys/kernel/debug/tring_bench

address=$(awk '$3 == "ring_buffer_set_clock" { print "0x" $1 }' /proc/kallsyms)
if [ -z "$address" ]; then
	echo 'the kernel has no ring_buffer_set_clock'
	exit 1
fi
insmod /bench/tring.ko || exit 1
insmod /bench/tring_bench.ko "set_clock_address=$address" || exit 1
if [ -e /bench/lttng/order ]; then
	while read -r module; do
		insmod "/bench/lttng/$module" || exit 1
	done </bench/lttng/order
	insmod /bench/tring_bench_lttng.ko || exit 1
fi

# measure COMMAND... - one command of the benchmark
measure() {
	if ! echo "$*" >$bench/run; then
		echo "failed: $*"
		exit 1
	fi
}

for clock in tsc mono; do
	for mode in overwrite discard; do
		measure ring $clock $mode
	done
done
cat $bench/results >/results/bench.txt
