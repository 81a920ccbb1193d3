#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
#
# Tests of loading and unloading the module. Needs a tring that is not loaded.

. /guest/lib.sh

pipe0=$tring/per_cpu/cpu0/trace_pipe_raw_compact

module_in_use() {
	exec 7<$pipe0
	refuses "temporarily unavailable" "rmmod tring"
	exec 7<&-
	# rmmod while recording is either refused or safe.
	echo sched >$tring/set_event
	echo irq >>$tring/set_event
	echo 1 >$tring/tracing_on
	/guest/workload.sh 3 &
	load=$!
	sleep 1
	if rmmod tring; then
		pass "rmmod while recording"
		check "its files are gone" [ ! -e $tring ]
		wait $load
		insmod /guest/tring.ko
	else
		pass "rmmod while recording is refused"
		wait $load
		echo 0 >$tring/tracing_on
		echo >$tring/set_event
	fi
}

load_and_unload() {
	times=$1
	for _ in $(seq "$times"); do
		rmmod tring && [ ! -e $tring ] && insmod /guest/tring.ko || return 1
		echo sched >$tring/set_event
		echo 1 >$tring/tracing_on
		taskset -c 0 true
		# rmmod has to free unread records.
		[ "$(stat_of $tring/per_cpu/cpu0/stats reserved)" -gt 0 ] ||
			return 1
	done
}

insmod /guest/tring.ko
check "a probe that is called with preemption enabled disables it" \
	insmod /guest/tring_preemptible.ko
check "and its module can be unloaded" rmmod tring_preemptible
module_in_use
load_and_unload 2
before=$(free_kb)
check "20 times rmmod and insmod" load_and_unload 20
# 20 leaked rings would take 20 * 1408 KiB for each CPU, 20 leaked modules
# more than 10 MiB; the usual variation is less than 200 KiB.
check "memory is free again" wait_until is_free_again "$before"
check "rmmod" unload_tring
check "nothing is left in tracefs" [ ! -e $tring ]
exit 0
