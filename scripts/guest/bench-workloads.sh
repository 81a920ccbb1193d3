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

# options PREFIX SUFFIX - prints the events as options; SUFFIX stands behind a whole system
options() {
	for event in $events; do
		case $event in
		*:* | all) printf '%s%s ' "$1" "$event" ;;
		*) printf '%s%s%s ' "$1" "$event" "$2" ;;
		esac
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
	tring record ${small:+-b 64} $(options '-e ') -o /tmp/trace -- "$@" >$log 2>&1
}

told_tring() {
	recorded=$(tring report /tmp/trace | matching)
	told=$(awk '$1 == "all" { print $NF }' $log)
}

by_trace_cmd() {
	# shellcheck disable=SC2046
	trace-cmd record ${small:+-b 64} $(options '-e ') -o /tmp/trace "$@" >$log 2>&1
}

told_trace_cmd() {
	trace-cmd report -N -i /tmp/trace >/tmp/text 2>/dev/null
	recorded=$(matching </tmp/text)
	told=$(sed -n 's/.*\[\([0-9]*\) EVENTS DROPPED\].*/\1/p' /tmp/text |
		awk '{ n += $1 } END { print n + 0 }')
}

by_perf() {
	# shellcheck disable=SC2046
	perf record -q -a ${small:+-m 64K} $(options '-e ' ':*') -o /tmp/trace -- "$@" >$log 2>&1
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
			lttng enable-channel -k -s bench $small_lttng channel &&
			lttng enable-event -k -s bench -c channel $lttng_events &&
			lttng start bench && "$@" && lttng stop bench
	} >$log 2>&1
}

# Sets what babeltrace2 prints, and warns of.
read_lttng() {
	lttng destroy bench >>$log
	babeltrace2 /tmp/trace >/tmp/text 2>/tmp/warnings
	recorded=$(matching </tmp/text)
	told=$(sed -n 's/.*[Dd]iscarded \([0-9]*\) event.*/\1/p' /tmp/warnings |
		awk '{ n += $1 } END { print n + 0 }')
}

told_lttng() {
	read_lttng
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

# The same in memory: rings that overwrite and that nothing reads, saved behind the mark 4.
by_tring_mem() {
	# shellcheck disable=SC2046
	tring start $(options '-e ') >$log 2>&1 && "$@" >>$log && tring stop >>$log 2>&1
}

told_tring_mem() {
	tring extract -o /tmp/trace >>$log 2>&1
	tring reset >>$log 2>&1
	recorded=$(tring report /tmp/trace | matching)
	told=$(awk '$1 == "all" { print $NF }' $log)
}

by_trace_cmd_mem() {
	# shellcheck disable=SC2046
	trace-cmd start $(options '-e ') >$log 2>&1 && "$@" >>$log && trace-cmd stop >>$log 2>&1
}

told_trace_cmd_mem() {
	told=$(sed -n 's/^overrun: //p' $tracefs/per_cpu/cpu0/stats)
	trace-cmd extract -o /tmp/trace >>$log 2>&1
	trace-cmd reset >>$log 2>&1
	recorded=$(trace-cmd report -N -i /tmp/trace 2>/dev/null | matching)
}

by_lttng_mem() {
	# shellcheck disable=SC2086
	{
		lttng create bench --snapshot --output=/tmp/trace &&
			lttng enable-channel -k -s bench --overwrite channel &&
			lttng enable-event -k -s bench -c channel $lttng_events &&
			lttng start bench && "$@" && lttng stop bench
	} >$log 2>&1
}

told_lttng_mem() {
	lttng snapshot record -s bench >>$log 2>&1
	read_lttng
}

# Sets how the names of the programs of a tracer begin.
find_recorder() {
	case $1 in
	tring | perf | lttng | bpftrace) RECORDER=$1 ;;
	trace_cmd) RECORDER=trace-cmd ;;
	*) RECORDER= ;;
	esac
	export RECORDER
}

# said NAME - prints what the workload has said
said() {
	value=$(sed -n "s/^$1 //p" $log)
	echo "${value:--}"
}

# run TRACER COMMAND... - one line of the table
run() {
	tracer=$1
	shift
	rm -rf /tmp/trace
	find_recorder "$tracer"
	$workloads mark 1
	"by_$tracer" "$@" || { cat $log; exit 1; }
	$workloads mark 4
	expected=-
	[ ${#pattern} = 1 ] || expected=$(said expected)
	used="- -"
	[ -z "$RECORDER" ] || used="$(said share) $(said resident)"
	# "T: 0 (  123) P:90 I:500 C:   2000 Min:      1 Act:    2 Avg:    2 Max:       9"
	latency=$(sed -n 's,.* Avg: *\([0-9]*\) Max: *\([0-9]*\).*,\1/\2,p' $log)
	recorded=-
	told=-
	[ "$tracer" = none ] || "told_$tracer"
	[ "$pattern" != - ] || recorded=-
	echo "$name $tracer $expected $recorded $told $used ${latency:--}" | tee -a /results/runs
}

# workload NAME "TRACER..." TASK EVENTS PATTERN LTTNG-EVENTS COMMAND... - of the tracers those that
# are asked for. Where nothing is known of the events, PATTERN is . to count all that were
# recorded, or -.
workload() {
	name=$1
	suited=$2
	task=$3
	events=$4
	pattern=$5
	lttng_events=$6
	shift 6
	case " $ROWS " in
	*" $name "*) ;;
	*) return ;;
	esac
	# the first time it takes more, and is not used
	run none "$@"
	run none "$@"
	for tracer in $suited; do
		case " $TRACERS " in
		*" ${tracer%_mem} "*) run "$tracer" "$@" ;;
		esac
	done
}

# The longest time for which a task of a high priority waits while a tracer starts and ends.
wait_beside() {
	tracer=$1
	find_recorder none
	rm -rf /tmp/trace
	cyclictest -q -i 200 -p 90 -l 100000 >/tmp/latency 2>&1 &
	waiting=$!
	for _ in 1 2 3; do
		"by_$tracer" $workloads nothing || { cat $log; exit 1; }
		[ "$tracer" != lttng ] || lttng destroy bench >>$log
		[ "$tracer" != hist ] || for_each_trigger '!hist:keys=common_pid.execname'
		rm -rf /tmp/trace
	done
	kill -INT $waiting
	wait $waiting
	latency=$(sed -n 's,.* Avg: *\([0-9]*\) Max: *\([0-9]*\).*,\1/\2,p' /tmp/latency)
	echo "start-stop $tracer - - - - - ${latency:--}" | tee -a /results/waits
}

case $TRACERS in
*lttng*)
	lttng_daemon sched >/tmp/lttng.log 2>&1 || { cat /tmp/lttng.log; exit 1; }
	;;
esac
echo -1 >/proc/sys/kernel/perf_event_paranoid
all='tring trace_cmd perf lttng bpftrace hist tring_mem trace_cmd_mem lttng_mem'
files='tring trace_cmd perf lttng'
workload getppid "$all" work 'syscalls:sys_enter_getppid syscalls:sys_exit_getppid' \
	'sys(call)?_(enter|entry|exit)_getppid' '--syscall getppid' $workloads getppid "$CALLS"
workload writev "$all" work 'syscalls:sys_enter_writev syscalls:sys_exit_writev' \
	'sys(call)?_(enter|entry|exit)_writev' '--syscall writev' $workloads writev "$CALLS"
workload pipe "$all" work sched:sched_switch \
	'sched_switch:.*prev_comm ?= ?"?work[" ]' sched_switch $workloads pipe $((CALLS / 2))
workload forkexec "$all" leaf 'sched:sched_process_exec sched:sched_process_exit' \
	'sched_process_exec:.*leaf|sched_process_exit:.*[^_]comm ?= ?"?leaf' \
	'sched_process_exec,sched_process_exit' $workloads forkexec $((CALLS / 100))
workload stat 'tring trace_cmd perf tring_mem trace_cmd_mem' work kmem . - \
	$workloads stat "$CALLS"
workload forkkmem 'tring trace_cmd perf tring_mem trace_cmd_mem' leaf \
	'sched task exceptions kmem' . - $workloads forkexec $((CALLS / 100))
workload all 'tring trace_cmd tring_mem trace_cmd_mem' leaf all . - \
	$workloads forkexec $((CALLS / 200))
workload hackbench "$files" hackbench sched . 'sched_*' \
	$workloads run hackbench -g 1 -l $((CALLS / 200))
workload cyclictest "$files" cyclictest sched - 'sched_*' \
	$workloads run cyclictest -q -i 500 -p 90 -l $((CALLS / 10))
small=yes
small_lttng='--subbuf-size 16k --num-subbuf 4'
workload burst "$files" work 'syscalls:sys_enter_getppid syscalls:sys_exit_getppid' \
	'sys(call)?_(enter|entry|exit)_getppid' '--syscall getppid' $workloads getppid 50000
small=
small_lttng=
case " $ROWS " in
*' start-stop '*)
	events=sched:sched_switch
	lttng_events=sched_switch
	for tracer in $TRACERS; do
		wait_beside "$tracer"
	done
	;;
esac
