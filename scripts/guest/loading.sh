#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0
#
# Tests of loading and unloading the module. Needs a tring that is not loaded.

. /guest/lib.sh

rmmod_while_recording() {
	echo sched >$tring/set_event
	echo irq >>$tring/set_event
	echo 1 >$tring/tracing_on
	wait_until more_than reserved $tring 1000 && rmmod tring && [ ! -e $tring ]
}

load_and_unload() {
	rmmod tring && [ ! -e $tring ] && insmod /guest/tring.ko || return 1
	echo sched >$tring/set_event
	echo 1 >$tring/tracing_on
	taskset -c 0 true
	# rmmod has to free unread records.
	[ "$(stat_of $tring/per_cpu/cpu0/stats reserved)" -gt 0 ]
}

insmod /guest/tring.ko
check "a probe that is called with preemption enabled disables it" \
	insmod /guest/tring_preemptible.ko
check "and its module can be unloaded" rmmod tring_preemptible
exec 7<$tring/per_cpu/cpu0/trace_pipe_raw_compact
refuses "temporarily unavailable" "rmmod tring"
exec 7<&-
check "rmmod while recording" under_load rmmod_while_recording
load_tring
check "rmmod and insmod again and again leak nothing" leaks_nothing 10 load_and_unload
check "rmmod" unload_tring
check "nothing is left in tracefs" [ ! -e $tring ]
exit 0
