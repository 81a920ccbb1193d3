#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0
#
# Tests beside a CPU that hangs with interrupts off: what the others have recorded can be read,
# and nothing waits for that CPU. whole-path.sh runs this script; qemu-run.sh can run it alone,
# with tring_hung_cpu.ko and two CPUs.

. /guest/lib.sh

hang=/sys/module/tring_hung_cpu/parameters
cpu0=$tring/per_cpu/cpu0
cpu1=$tring/per_cpu/cpu1
newtask=$tring/events/task/task_newtask

# ended_or_late PID - the process has ended, or the two seconds that it may take are over
ended_or_late() {
	has_ended "$1" || [ $(($(hundredths) - began)) -gt 200 ]
}

# is_in_time PID - the process ends within two seconds, whatever it returns
is_in_time() {
	began=$(hundredths)
	wait_until ended_or_late "$1"
	has_ended "$1" && echo "ended after $(($(hundredths) - began)) hundredths of a second"
}

# in_time COMMAND - the shell command ends within two seconds, and succeeds. What does not end is
# left to the end of the hang.
in_time() {
	sh -c "$1" >/tmp/said 2>&1 &
	is_in_time $! && wait $!
}

begin_hang() {
	echo 1 >$hang/hang && wait_until grep -q Y $hang/hangs
}

# The report has the other CPU's events, and says one thing.
only_cpu1_is_missing() {
	tring report /results/hung >/tmp/report 2>/tmp/missing
	cat /tmp/missing
	grep -q ' \[000\] ' /tmp/report && [ "$(wc -l </tmp/missing)" = 1 ] &&
		grep -q 'cpu1: .* recorded events are missing' /tmp/missing
}

no_events() {
	[ -z "$(cat $tring/set_event)" ]
}

# on CPU COMMAND
on() {
	taskset -c "$1" sh -c "$2"
}

begin() {
	echo 0 >$tring/tracing_on
	: >$tring/trace
	echo 1 >$tring/tracing_on
	on 0 "echo before on cpu0 >$tring/trace_marker"
	on 1 "echo before on cpu1 >$tring/trace_marker"
}

# What modules need for their loading alone is gone. The kernel frees it a while later, and waits
# for all CPUs then, in a busy loop: for one that hangs, too.
modules_are_loaded() {
	[ "$(grep -c load_module /proc/vmallocinfo)" = "$(wc -l </proc/modules)" ]
}

# read_behind_hang - the ring is read on when its CPU goes on, though no memory is switched and
# recording goes on. What the CPU records from then on is in the memory behind the one that it left.
read_behind_hang() {
	cat $cpu1/trace_pipe_raw_compact >/tmp/late &
	late=$!
	wait_until grep -q 'before on cpu1' /tmp/late
	echo -1 >$hang/hang
	on 1 "echo 'later on cpu1' >$tring/trace_marker"
	wait_until grep -q 'later on cpu1' /tmp/late
	status=$?
	kill $late
	return $status
}

need_tring
insmod /guest/tring_hung_cpu.ko || exit 1
wait_until modules_are_loaded
# A task that is on the CPU that hangs could not go on.
taskset -p 1 $$ >/dev/null

begin
echo task_newtask >$tring/set_event
echo 'pid > 0' >$newtask/filter
echo 1 >$tring/set_event_pid
check "a CPU hangs" begin_hang
echo during >$tring/trace_marker
check "stats" in_time "cat $cpu0/stats $cpu1/stats"
check "trace_info" in_time "cat $tring/trace_info"
check "reading what the other CPU has" in_time "dd if=$cpu0/trace_pipe_raw_compact bs=64k count=1 |
	grep -q during"
check "peeking at the CPU that hangs" in_time "grep -q 'before on cpu1' $cpu1/trace_raw_compact"
check "a snapshot" in_time "echo 1 >$tring/snapshot"
echo "after the snapshot" >$tring/trace_marker
check "another snapshot" in_time "echo 1 >$tring/snapshot"
check "the snapshot has the other CPU's events" \
	eval "cat $cpu0/snapshot_raw_compact | grep -q 'after the snapshot'"
check "recording ends" in_time "echo 0 >$tring/tracing_on && [ \$(cat $tring/tracing_on) = 0 ]"
check "what was recorded is read to its end" in_time "cat $cpu0/trace_pipe_raw_compact >/dev/null"
check "stats says which CPU has not answered" eval "[ $(stat_of $cpu0/stats unanswered) = 0 ] &&
	[ $(stat_of $cpu1/stats unanswered) -gt 0 ]"
check "the log names it" eval "dmesg | grep -q 'tring: CPU 1 does not answer'"
check "recording begins again" in_time "echo 1 >$tring/tracing_on"
check "another size of the ring is refused" \
	in_time "! echo 64 >$cpu1/buffer_size_kb && [ \$(cat $cpu1/buffer_size_kb) != 64 ]"
check "a new trace is refused" in_time "! true >$tring/trace"
check "the other CPU records" in_time "echo still >$tring/trace_marker &&
	grep -q still $cpu0/trace_raw_compact"
sh -c "echo task >$tring/set_event" &
events=$!
check "the other CPU works while a task waits to switch events" in_time "cat $cpu0/stats"
kill -KILL $events
check "that task can be killed" is_in_time $events
check "another filter" in_time "echo 'pid > 1' >$newtask/filter"
check "a list of pids ends" in_time ": >$tring/set_event_pid"
check "trace_info behind these" in_time "cat $tring/trace_info"
echo -1 >$hang/hang

check "the CPU that hung records" on 1 "echo again on cpu1 >$tring/trace_marker &&
	cat $cpu1/trace_raw_compact | grep -q 'again on cpu1'"
check "its ring has another size" eval "echo 64 >$cpu1/buffer_size_kb"
check "a snapshot of all CPUs" eval "echo 1 >$tring/snapshot &&
	cat $cpu1/snapshot_raw_compact | grep -q 'again on cpu1'"
check "its ring has the usual size" eval "echo 1408 >$cpu1/buffer_size_kb"
echo 0 >$newtask/filter
: >$tring/set_event

begin
echo 1 >$hang/hang_in_switch
check "a snapshot in which a CPU hangs" in_time "echo 1 >$tring/snapshot"
check "the CPU hangs" grep -q Y $hang/hangs
check "its ring is read on when it goes on" read_behind_hang
echo 0 >$tring/snapshot
check "the counters balance" all_balanced $tring

tring record -e task -o /results/hung >/tmp/recorder 2>&1 &
recorder=$!
wait_until grep -q 'Ctrl-C ends it' /tmp/recorder
wait_until more_than reserved $tring 0
on 1 "echo last words >$tring/trace_marker"
check "a CPU hangs during a recording" begin_hang
kill -INT $recorder
check "tring record ends" is_in_time $recorder
wait $recorder
echo "status $?"
cat /tmp/recorder
check "it tells what is missing" grep -q 'cpu1 hangs with interrupts off' /tmp/recorder
check "its trace is whole, but for that" only_cpu1_is_missing
echo -1 >$hang/hang
check "its events are switched off when the CPU goes on" wait_until no_events

rmmod tring_hung_cpu
exit 0
