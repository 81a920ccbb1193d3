#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0
#
# Runs in the guest of scripts/check/cost.sh: what QEMU's plugin counts, from mark to mark. Each
# recording stands between the marks 1 and 4, and its workload between 2 and 3.

. /guest/lib.sh
. /guest/bench-lib.sh

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

# in_memory WORKLOAD TIMES OPTION... - with events recorded into a ring that nothing reads
in_memory() {
	workload=$1 times=$2
	shift 2
	tring start "$@" && $workloads "$workload" "$times" && tring stop
	status=$?
	tring reset
	return $status
}

by_name='-C tsc -e syscalls:sys_enter_getppid -e syscalls:sys_exit_getppid'
count 'the first recording' tring record -e sched -o /tmp/trace -- $workloads nothing
count 'a later recording' tring record -e sched -o /tmp/trace -- $workloads nothing
count 'system calls' $workloads getppid "$CALLS"
count 'system calls, recorded' in_memory getppid "$CALLS" -e raw_syscalls
# shellcheck disable=SC2086
count 'system calls, recorded by name' in_memory getppid "$CALLS" $by_name
count 'switches for the first time, which take more' $workloads pipe "$SWITCHES"
count 'switches' $workloads pipe "$SWITCHES"
count 'switches, recorded' in_memory pipe "$SWITCHES" -C tsc -e sched:sched_switch
count 'switches that a filter lets through' in_memory pipe "$SWITCHES" -e sched:sched_switch \
	-f 'prev_prio < 200'
count 'switches that a filter rejects' in_memory pipe "$SWITCHES" -e sched:sched_switch \
	-f 'prev_prio == 200'
count 'a recording of all events' tring record -e all -o /tmp/trace -- $workloads nothing

load_bench || exit 1
measure ring tsc overwrite
cat $bench/results >/results/ring
