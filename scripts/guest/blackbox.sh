#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
#
# Runs in the guests of scripts/check/blackbox.sh. Records until the machine ends, by a panic or
# from outside, or salvages what the boot before has recorded.
#
# Environment: STAGE, panic, kill or salvage; WORD of numbered-markers; PERSIST, the parameter
# of the module, or nothing.

. /guest/lib.sh

record() {
	insmod /guest/tring.ko ${PERSIST:+"persist=$PERSIST"} buffer_size_kb=2048 ||
		{ fail "insmod"; exit 1; }
	if [ -n "$PERSIST" ]; then
		check "tring arm" tring arm -q -e sched -e irq -e timer
	else
		check "tring start" tring start -q -e sched -e irq -e timer
	fi
	/guest/numbered-markers $tring/trace_marker "$WORD" >/tmp/said 2>&1 &
	wait_until grep -q 'markers are being written' /tmp/said
	echo "records"
	if [ "$STAGE" = panic ]; then
		# The host is no clock, so this is another place each time.
		usleep 1500000
		echo c >/proc/sysrq-trigger
	fi
	sleep 1000
}

# What the boot before has left: it can be read, stays until it was, and is then given up.
salvage() {
	insmod /guest/tring.ko "persist=$PERSIST" || { fail "insmod"; exit 1; }
	check "tring salvage last_boot" tring salvage $tring/last_boot -o /results/last_boot
	check "this boot records in the other half" tring arm -q -e sched -b 1M
	refuses "No data available" "cat $tring/last_boot"
	tring reset
	check "tring wipe" tring wipe
	check "rmmod" unload_tring
}

case $STAGE in
salvage) salvage ;;
*) record ;;
esac
exit $failures
