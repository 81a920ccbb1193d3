#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0
#
# Runs in the guest of scripts/demo.sh: records a small workload.

. /guest/lib.sh

load_tring || exit 1
tring record -e sched -e irq -e timer -e signal -e raw_syscalls \
	-o /results/trace -- /guest/workload.sh "${TRING_SECONDS:-3}" >/results/said || exit 1
unload_tring
