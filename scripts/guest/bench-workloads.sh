#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0
#
# Runs in the guest of scripts/bench/workloads.sh: each tracer records each workload to a file in
# memory, between the marks 1 and 4 that QEMU's plugin counts. A line of /results/runs tells, in
# the order of the marks 1, which events the workload has caused, and which the tracer has
# recorded and has told as lost.

. /guest/lib.sh
. /bench/bench-lib.sh

workloads=/bench/workloads
log=/tmp/log

load_tring || exit 1
ln -s workloads /bench/leaf

# options PREFIX [TEXT] - prints the events as options
options() {
	for event in $events; do
		printf '%s%s ' "$1" "$event"
	done
}

# Prints how many lines of the input are of the workload's events.
matching() {
	grep -cE "$pattern"
}

by_none() {
	"$@" >$log
}

by_tring() {
	# shellcheck disable=SC2046
	tring record $(options '-e ') -o /tmp/trace -- "$@" >$log 2>&1
}

told_tring() {
	recorded=$(tring report /tmp/trace | matching)
	told=$(awk '$1 == "all" { print $NF }' $log)
}

by_trace_cmd() {
	# shellcheck disable=SC2046
	trace-cmd record $(options '-e ') -o /tmp/trace "$@" >$log 2>&1
}

told_trace_cmd() {
	trace-cmd report -N -i /tmp/trace >/tmp/text 2>/dev/null
	recorded=$(matching </tmp/text)
	told=$(sed -n 's/.*\[\([0-9]*\) EVENTS DROPPED\].*/\1/p' /tmp/text |
		awk '{ n += $1 } END { print n + 0 }')
}

by_perf() {
	# shellcheck disable=SC2046
	perf record -q -a $(options '-e ') -o /tmp/trace -- "$@" >$log 2>&1
}

told_perf() {
	perf script --show-lost-events -i /tmp/trace >/tmp/text 2>/dev/null
	recorded=$(matching </tmp/text)
	told=$(sed -n 's/.*PERF_RECORD_LOST lost \([0-9]*\).*/\1/p' /tmp/text |
		awk '{ n += $1 } END { print n + 0 }')
}

by_lttng() {
	{
		lttng create bench --output=/tmp/trace &&
			lttng enable-channel -k -s bench channel &&
			lttng enable-event -k -s bench -c channel $lttng_events &&
			lttng start bench && "$@" && lttng stop bench
	} >$log 2>&1
}

told_lttng() {
	told=$(lttng list bench | sed -n 's/.*Discarded events: \([0-9]*\).*/\1/p')
	lttng destroy bench >>$log
	recorded=$(babeltrace2 /tmp/trace 2>/dev/null | matching)
}

by_bpftrace() {
	bpftrace -q -e "$(options tracepoint: | sed 's/ $//; s/ /,/g')
		/comm == \"$task\"/ { @ = count(); }" -c "$*" >$log 2>&1
}

# bpftrace counts what its program has seen, and its maps lose nothing.
told_bpftrace() {
	recorded=$(sed -n 's/^@: //p' $log)
	told=0
}

# for_each_trigger TEXT - writes a trigger to each of the events
for_each_trigger() {
	for event in $events; do
		echo "$1" >$tracefs/events/"${event%:*}"/"${event#*:}"/trigger || return 1
	done
}

by_hist() {
	for_each_trigger 'hist:keys=common_pid.execname' && "$@" >$log
}

told_hist() {
	recorded=0
	told=0
	for event in $events; do
		cat $tracefs/events/"${event%:*}"/"${event#*:}"/hist
	done >/tmp/text
	recorded=$(awk -v task="$task" '$0 ~ "common_pid: " task " " { n += $NF }
		END { print n + 0 }' /tmp/text)
	told=$(awk '$1 == "Dropped:" { n += $2 } END { print n + 0 }' /tmp/text)
	for_each_trigger '!hist:keys=common_pid.execname'
}

# run TRACER COMMAND... - one line of the table
run() {
	tracer=$1
	shift
	rm -rf /tmp/trace
	$workloads mark 1
	"by_$tracer" "$@" || { cat $log; exit 1; }
	$workloads mark 4
	expected=$(sed -n 's/^expected //p' $log)
	recorded=-
	told=-
	[ "$tracer" = none ] || "told_$tracer"
	echo "$1 $2 $tracer ${expected:--} $recorded $told" | sed 's,^/bench/workloads ,,' |
		tee -a /results/runs
}

# workload NAME TIMES TASK EVENTS PATTERN LTTNG-EVENTS
workload() {
	task=$3
	events=$4
	pattern=$5
	lttng_events=$6
	# the first time it takes more, and is not used
	for tracer in none none $TRACERS; do
		run "$tracer" $workloads "$1" "$2"
	done
}

case $TRACERS in
*lttng*) lttng_daemon sched >/tmp/lttng.log 2>&1 || { cat /tmp/lttng.log; exit 1; } ;;
esac
echo -1 >/proc/sys/kernel/perf_event_paranoid
workload getppid "$CALLS" work 'syscalls:sys_enter_getppid syscalls:sys_exit_getppid' \
	'sys(call)?_(enter|entry|exit)_getppid' '--syscall getppid'
workload pipe $((CALLS / 2)) work sched:sched_switch \
	'sched_switch:.*prev_comm ?= ?"?work[" ]' sched_switch
workload forkexec $((CALLS / 100)) leaf 'sched:sched_process_exec sched:sched_process_exit' \
	'sched_process_exec:.*leaf|sched_process_exit:.*[^_]comm ?= ?"?leaf' \
	'sched_process_exec,sched_process_exit'
