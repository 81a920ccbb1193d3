#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0
#
# Runs in the guest of scripts/bench/reading.sh: ftrace and tring record the same
# workload at once.

. /guest/lib.sh

load_tring || exit 1
set -- -e sched -e irq -e timer -e signal -e raw_syscalls
trace-cmd record --file-version 6 -C mono -b 8192 -o /results/trace.dat "$@" \
	tring record -C mono -o /results/trace "$@" \
	-- /guest/workload.sh "$TRING_SECONDS" || exit 1
unload_tring
