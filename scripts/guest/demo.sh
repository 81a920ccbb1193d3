#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
#
# Runs in the guest of scripts/demo.sh: records a small workload.

. /guest/lib.sh

load_tring || exit 1
tring record -e sched -e irq -e timer -e signal -e raw_syscalls \
	-o /results/trace -- /guest/workload.sh "${TRING_SECONDS:-3}" || exit 1
for cpu in $(seq 0 $(($(nproc) - 1))); do
	{ echo "cpu: $cpu"; cat $tring/per_cpu/cpu$cpu/stats; } \
		>/results/cpu$cpu.stats
done
unload_tring
