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

percpu_kb() {
	sed -n 's/^Percpu: *\([0-9]*\) kB/\1/p' /proc/meminfo
}

# Before the first ring records, tring is called at no task's end, and a CPU has no memory for
# events that are examined.
idle_costs_nothing() {
	before=$(percpu_kb)
	insmod /guest/tring.ko || return 1
	more=$(($(percpu_kb) - before))
	sh -c 'echo idle >/proc/self/comm'
	[ -z "$(cat $tring/saved_cmdlines)" ] || { cat $tring/saved_cmdlines; return 1; }
	echo "$more KiB for all CPUs"
	[ $more -lt 16 ] || return 1
	echo signal:signal_generate >$tring/set_event
	sh -c 'printf named >/proc/self/comm; read -r x </proc/self/stat'
	sh -c 'printf "two\n1 lines" >/proc/self/comm; read -r x </proc/self/stat'
	echo >$tring/set_event
	# a name is no line of another task
	grep -q ' two?1 lines$' $tring/saved_cmdlines && grep -q ' named$' $tring/saved_cmdlines
}

check "a tring that records nothing costs nothing" idle_costs_nothing
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
