#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0
#
# The short test of a kernel: loads the module, records a workload into the ring and into
# an instance, takes a snapshot, unloads the module while events are enabled, and loads it
# again. The host compares the counts: scripts/check/kernels.sh.

. /guest/lib.sh

systems="sched irq timer signal raw_syscalls task kmem syscalls"

# keep_stats NAME DIR - keeps the counters of each CPU, and checks them
keep_stats() {
	mkdir -p "/results/$1.stats"
	for cpu in $(seq 0 $(($(nproc) - 1))); do
		cat "$2/per_cpu/cpu$cpu/stats" >"/results/$1.stats/cpu$cpu"
	done
	all_balanced "$2"
}

# record NAME OPTION... - records the workload
record() {
	name=$1
	shift
	for system in $systems; do
		set -- "$@" -e "$system"
	done
	tring record -q "$@" -b 8192 --discard -o "/results/$name" -- \
		/guest/workload.sh 2
}

# Enables events, whose records the snapshot then has. The counters need not balance while
# events are recorded.
snapshot() {
	echo sched >$tring/set_event
	echo 1 >$tring/tracing_on
	taskset -c 0 true
	wait_until more_than committed $tring 0
	echo 1 >$tring/snapshot || return 1
	bytes=$(cat $tring/per_cpu/cpu*/snapshot_raw_compact | wc -c)
	echo "the snapshot has $bytes bytes"
	echo 0 >$tring/tracing_on
	all_balanced $tring || return 1
	echo 1 >$tring/tracing_on
	[ "$bytes" -gt 0 ]
}

# An unloading with events enabled, a loading, and a whole life without a record.
unload_and_load() {
	[ "$(wc -l <$tring/set_event)" -gt 10 ] || return 1
	rmmod tring && [ ! -e $tring ] && insmod /guest/tring.ko && [ -e $tring ] &&
		[ ! -s $tring/set_event ] && rmmod tring && insmod /guest/tring.ko &&
		rmmod tring && [ ! -e $tring ]
}

check "insmod" load_tring
awk '{ sources[$2]++ } END { printf "%d, %d, %d\n", NR, sources["probe"],
	sources["syscall"] }' $tring/event_sources >/results/events
check "no word that the kernel is newer than tested" \
	sh -c '! dmesg | grep "newer than tested"'
check "a recording into the ring" record ring
check "the counters of the ring balance" keep_stats ring $tring
mkdir $tring/instances/smoke
check "a recording into an instance" record instance -B smoke
check "the counters of the instance balance" keep_stats instance $tring/instances/smoke
check "rmdir of the instance" rmdir $tring/instances/smoke
check "a snapshot" snapshot
check "rmmod with events enabled, insmod and rmmod twice" unload_and_load
echo "end" >>/results/tests
exit 0
