#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0
#
# Runs in the guest of scripts/check/cost.sh: what QEMU's plugin counts, from mark to mark. Each
# recording stands between the marks 1 and 4, and its workload between 2 and 3.

. /guest/lib.sh

workloads=/bench/workloads
load_tring || exit 1

# count NAME COMMAND... - the order of the names is that of the marks 1
count() {
	echo "$1" >>/results/counted
	shift
	$workloads mark 1
	"$@" >>/results/log 2>&1 || exit 1
	$workloads mark 4
}

# in_memory EVENT - system calls, with the event recorded into a ring that nothing reads
in_memory() {
	tring start -e "$1" && $workloads getppid "$CALLS" && tring stop
	status=$?
	tring reset
	return $status
}

count 'the first recording' tring record -e sched -o /tmp/trace -- $workloads nothing
count 'a later recording' tring record -e sched -o /tmp/trace -- $workloads nothing
count 'system calls' $workloads getppid "$CALLS"
count 'system calls, recorded' in_memory raw_syscalls
