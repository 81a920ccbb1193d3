#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
#
# Runs in the guests of scripts/bench/damaged-rings.sh: STAGE record records the same events
# with ftrace's persistent ring and with tring's, until the machine ends; STAGE read reads what
# the boot before has left, and writes the numbers of events of each CPU to
# /results/events.txt. STAGE texts records numbered texts with tring's alone, for
# scripts/bench/damaged-lttng.sh.

. /guest/lib.sh

boot_map=$tracefs/instances/boot_map

record() {
	[ -e $boot_map ] || { fail "the kernel has no persistent ring"; exit 1; }
	insmod /guest/tring.ko "persist=$PERSIST" || { fail "insmod"; exit 1; }
	check "tring arm" tring arm -q -e sched -b 2M
	echo 1 >$boot_map/events/sched/enable
	echo 1 >$boot_map/tracing_on
	for cpu in $(seq 0 $(($(nproc) - 1))); do
		taskset -c "$cpu" sh -c 'while :; do usleep 100; done' & # time: load
	done
	sleep 6 # time: so long is recorded
	echo "records"
	sleep 1000 # time: the host ends the guest
}

record_texts() {
	insmod /guest/tring.ko "persist=$PERSIST" || { fail "insmod"; exit 1; }
	check "tring arm" tring arm -q -b 1M
	/guest/numbered-markers $tring/trace_marker 1 >/tmp/said &
	wait_until grep -q 'markers are being written' /tmp/said
	sleep 6 # time: so long is recorded
	echo "records"
	sleep 1000 # time: the host ends the guest
}

read_rings() {
	cat $boot_map/trace >/results/ftrace.txt
	dmesg | grep -iE 'ring.?buffer|boot_map' >/results/ftrace.log
	insmod /guest/tring.ko "persist=$PERSIST" || { fail "insmod"; exit 1; }
	tring salvage $tring/last_boot -o /tmp/trace >/results/salvage.txt 2>&1
	tring report /tmp/trace >/tmp/report.txt 2>/results/report.log
	for cpu in $(seq 0 $(($(nproc) - 1))); do
		pattern=$(printf '\[%03d\]' "$cpu")
		echo "cpu $cpu: ftrace $(grep -c "$pattern" /results/ftrace.txt)" \
			"tring $(grep -c "$pattern" /tmp/report.txt)"
	done | tee /results/events.txt
	rm -f /results/ftrace.txt
}

case $STAGE in
read) read_rings ;;
texts) record_texts ;;
*) record ;;
esac
exit $failures
