#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0
#
# Runs in the guest of scripts/bench.sh, where QEMU counts instructions: loads the
# benchmark and runs all measurements. The results go to /results/bench.txt.

. /guest/bench-lib.sh
. /guest/lib.sh
. /guest/bench-sources.sh

insmod /bench/tring.ko || exit 1
load_bench || exit 1
if have_lttng; then
	modprobe lttng-tracer || exit 1
	modprobe lttng-ring-buffer-client-overwrite || exit 1
	insmod /bench/tring_bench_lttng.ko || exit 1
	insmod /bench/tring_bench_lttng_event.ko || exit 1
fi

# at_least EVENTS HAS - the tracer must have got the events that were measured
at_least() {
	if [ "$2" -lt "$1" ]; then
		echo "$2 events instead of $1"
		exit 1
	fi
}

# Events that the ring has or has overwritten.
ftrace_events() {
	stats=$tracefs/per_cpu/cpu0/stats
	echo $(($(stat_of $stats entries) + $(stat_of $stats overrun)))
}

bench_event=tring_bench:tring_bench_event
switch=sched:sched_switch

# recorded LEAST WHAT NAME CLOCK EVENT... - measures what the events cost in tring or ftrace, with
# which NAME begins, and looks whether that has got at least so many
recorded() {
	least=$1 what=$2 name=$3 clock=$4 tracer=${3%%-*}
	shift 4
	${tracer}_on "$*" "$clock"
	${measures-measure} "$what" "$name" "$clock"
	${tracer}_off
	if [ "$tracer" = ftrace ]; then
		at_least "$least" "$(ftrace_events)"
		return
	fi
	balanced $tring/per_cpu/cpu0/stats || exit 1
	at_least "$least" "$(stat_of $tring/per_cpu/cpu0/stats committed)"
}

ring_rows() {
	for clock in tsc mono; do
		for mode in overwrite discard; do
			measure ring $clock $mode
		done
	done
}

size_rows() {
	for kib in 64 1024 16384 262144; do
		measure size tsc $kib
	done
}

# tracer_on DIR TRACER CLOCK - TRACER of DIR, tring's or ftrace's, records bench_function().
# ftrace's graph tracer takes its functions from set_ftrace_filter, too.
tracer_on() {
	echo "$3" >"$1/trace_clock"
	echo 1024 >"$1/buffer_size_kb"
	echo 1 >"$1/tracing_on"
	echo bench_function >"$1/set_ftrace_filter"
	[ "$1" != $tring ] || echo bench_function >"$1/set_graph_function"
	echo "$2" >"$1/current_tracer"
}

tracer_off() {
	echo nop >"$1/current_tracer"
	echo >"$1/set_ftrace_filter"
}

# calls TRACER EVENTS - EVENTS is the number of records that the calls make at least
calls() {
	if ! grep -qw "$1" $tring/available_tracers; then
		echo "no $1 on this kernel"
		return
	fi
	measure "$1" disabled none
	for clock in tsc mono; do
		tracer_on $tring "$1" $clock
		measure "$1" tring $clock
		tracer_off $tring
		balanced $tring/per_cpu/cpu0/stats || exit 1
		at_least "$2" "$(stat_of $tring/per_cpu/cpu0/stats committed)"

		[ $clock = mono ] || clock=x86-tsc
		echo >$tracefs/trace
		tracer_on $tracefs "$1" $clock
		measure "$1" ftrace "${clock#x86-}"
		# the other tracer empties ftrace's ring
		at_least "$2" "$(ftrace_events)"
		tracer_off $tracefs
	done
}

function_rows() {
	calls function 120000
	calls function_graph 240000
}

event_rows() {
	measure event disabled none
	measure switch disabled none
	for clock in tsc mono; do
		measure event tring $clock
		recorded 50000 switch tring $clock $switch
		# The module's own event has no probe in tring.ko.
		recorded 120000 event tring-by-perf $clock $bench_event
		recorded 120000 event ftrace $clock $bench_event
		recorded 50000 switch ftrace $clock $switch
	done
	tasks_rows
	stack_rows
	filter_rows
	trigger_rows
	# LTTng has one clock only.
	if have_lttng; then
		lttng_daemon sched || exit 1
		lttng_on tring_bench_event || exit 1
		measure event lttng mono
		lttng_off
		lttng_on sched_switch || exit 1
		measure switch lttng mono
		lttng_off
	fi
}

# What the kernel's stack behind the event costs.
stack_rows() {
	measure event tring-stack tsc
	echo 1 >$tring/options/stacktrace
	echo 1 >$tracefs/options/stacktrace
	recorded 100000 switch tring-stack tsc $switch
	recorded 240000 event tring-by-perf-stack tsc $bench_event
	recorded 240000 event ftrace-stack tsc $bench_event
	recorded 100000 switch ftrace-stack tsc $switch
	echo 0 >$tracefs/options/stacktrace
	echo 0 >$tring/options/stacktrace
}

# The same filters as in kmod/bench/event.c.
filter_rows() {
	filter=$tracefs/events/tring_bench/tring_bench_event/filter
	for kind in passing failing; do
		echo 'what < 1000000' >$filter
		least=120000
		if [ $kind = failing ]; then
			echo 'what == 1000000' >$filter
			least=0
		fi
		for clock in tsc mono; do
			measure event tring-$kind $clock
			recorded $least event ftrace-$kind $clock $bench_event
		done
		echo 0 >$filter
	done
}

# What a trigger costs whose condition fails.
trigger_rows() {
	for dir in $tring $tracefs; do
		echo 'traceoff if prev_prio < 0' >$dir/events/sched/sched_switch/trigger
	done
	for clock in tsc mono; do
		recorded 50000 switch tring-trigger $clock $switch
		recorded 50000 switch ftrace-trigger $clock $switch
	done
	for dir in $tring $tracefs; do
		echo '!traceoff' >$dir/events/sched/sched_switch/trigger
	done
}

# What a list of pids costs, which has the writer or another task.
tasks_rows() {
	for list in listed unlisted; do
		measure event tring-$list tsc
		pid=$$ least=120000
		[ $list = listed ] || pid=1 least=0
		echo $pid >$tracefs/set_event_pid
		recorded $least event ftrace-$list tsc $bench_event
		echo >$tracefs/set_event_pid
	done
	# A switch between tasks that are not in the list, and no event.
	echo 1 >$tring/set_event_pid
	measure switch tring-unlisted tsc
	echo >$tring/set_event_pid
	echo 1 >$tracefs/set_event_pid
	measure switch ftrace-unlisted tsc
	echo >$tracefs/set_event_pid
}

: >$user_results
for row in $ROWS; do
	${row}_rows
done
cat $bench/results $user_results >/results/bench.txt
