#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0
#
# Tests of tring record on a machine with many possible CPUs, some of which go offline
# and come online during the recording: each event is in the trace of the CPU that wrote
# it, and the counters balance. It is the part of the whole path's kind many-cpus.
#
#   ONLINE    number of CPUs that are online
#   POSSIBLE  number of CPUs that may be

. /guest/lib.sh

last=$((ONLINE - 1))
# Online at the start, and offline at the end.
leaves=$((last - 1))
# Online at the start and at the end, and offline between.
returns=$((last - 2))
trace=/results/trace

# switch_cpu CPU VALUE
switch_cpu() {
	echo "$2" >"/sys/devices/system/cpu/cpu$1/online" || exit 1
	[ "$(cat "/sys/devices/system/cpu/cpu$1/online")" = "$2" ] || exit 1
}

# say_on CPU TEXT - the CPU writes TEXT to its ring; /tmp/wanted has all texts with their CPUs, in
# this order
say_on() {
	taskset -c "$1" sh -c "echo $2 >$tring/trace_marker" || exit 1
	echo "$1 $2" >>/tmp/wanted
}

# The command of the recording. The last CPU is offline at its start.
work() {
	for cpu in $(seq 0 $((last - 1))); do
		say_on "$cpu" "first of $cpu"
	done
	switch_cpu "$last" 1
	say_on "$last" "first of $last"
	# These texts are read while the CPUs that wrote them are offline.
	say_on $leaves "last of $leaves"
	switch_cpu $leaves 0
	say_on $returns "middle of $returns"
	switch_cpu $returns 0
	say_on 0 "middle of 0"
	switch_cpu $returns 1
	for cpu in 0 $returns "$last"; do
		say_on "$cpu" "last of $cpu"
	done
}

recorded_texts() {
	sed -n 's/.* \[0*\([0-9][0-9]*\)\] .* tracing_mark_write: /\1 /p' /tmp/report
}

as_many_cpus_as_asked() {
	[ "$(nproc)" = "$ONLINE" ] &&
		[ "$(find $tring/per_cpu -name 'cpu*' | wc -l)" = "$POSSIBLE" ]
}

texts_are_recorded() {
	tring report $trace >/tmp/report || return 1
	recorded_texts >/tmp/texts
	[ "$(wc -l </tmp/wanted)" = $((last + 7)) ] || return 1
	cmp /tmp/texts /tmp/wanted || { cat /tmp/texts; return 1; }
}

# events_of CPU - prints the number of events in the CPU's ring that were read
events_of() {
	stat_of "$tring/per_cpu/cpu$1/stats" read
}

# The table has a line for each CPU: its number first, then that of its events.
report_agrees() {
	tring top cpu -n 0 $trace >/tmp/summary || return 1
	for cpu in $(seq 0 "$last"); do
		in_trace=$(awk -v cpu="$cpu" '$1 == cpu { print $2; exit }' /tmp/summary)
		if [ "$in_trace" != "$(events_of "$cpu")" ]; then
			echo "cpu$cpu: $in_trace events, read: $(events_of "$cpu")"
			cat /tmp/summary
			return 1
		fi
	done
}

only_online_cpus_have_files() {
	for cpu in $(seq "$ONLINE" $((POSSIBLE - 1))); do
		[ ! -e "$trace/cpu$cpu" ] || return 1
		[ "$(events_of "$cpu")" = 0 ] || return 1
	done
	[ "$(find $trace -maxdepth 1 -name 'cpu*' | wc -l)" = "$ONLINE" ]
}

if [ "${1-}" = work ]; then
	work
	exit
fi
load_tring || exit 1
check "$ONLINE CPUs are online and $POSSIBLE possible" as_many_cpus_as_asked
switch_cpu "$last" 0
check "record while CPUs come and go" \
	tring record -e sched,irq -o $trace -- "$0" work
check "each text is in the trace of its CPU, in order" texts_are_recorded
check "report and the rings agree on each CPU's events" report_agrees
check "a CPU that was never online has no file" only_online_cpus_have_files
check "the counters of all possible CPUs balance" all_balanced $tring
exit 0
