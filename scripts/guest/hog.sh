#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0
#
# Tests beside a real-time task that keeps a CPU for itself, and that no throttling stops: what
# its own events ask for, in the middle of it, is done by another CPU. whole-path.sh runs this
# script; qemu-run.sh can run it alone, with -b chrt and two CPUs.

. /guest/lib.sh

rename=$tring/events/task/task_rename/trigger
ftrace=$tracefs/instances/hog
# What ftrace sees. Its file "trace" waits for a grace period of RCU, which may not end before the
# hog does.
: >/tmp/events

# as_hog - a task fires its trigger, makes an event without a short type, and then keeps CPU 1
as_hog() {
	taskset -c 1 chrt -f 50 sh -c \
		'printf firing >/proc/self/comm; umask 022; while :; do :; done' &
	hog=$!
}

# is_done - ftrace has seen the end of the work
is_done() {
	grep -q "workqueue_execute_end: .* function do_asked_work " /tmp/events
}

# milliseconds - prints those of the guest's clock from the event to the end of the work
milliseconds() {
	awk '
		{ sub(/^.*\] [^ ]+ +/, ""); at = $1 + 0 }
		/ task_rename: .*newcomm=firing/ && !begin { begin = at }
		/ workqueue_execute_end: .* function do_asked_work / && begin && !end { end = at }
		END {
			if (!end)
				exit 1
			printf "%d\n", (end - begin) * 1000
		}' /tmp/events
}

# asked_by_hog BEFORE DONE - what the hog asks for is done while it runs. Where the host does
# something else for a while, the guest's clock goes on: so the best of three tells how long the
# guest takes.
asked_by_hog() {
	best=1000000
	for _ in 1 2 3; do
		"$1" || return 1
		: >/tmp/events
		as_hog
		wait_until is_done
		took=$(milliseconds) && "$2"
		status=$?
		kill_task $hog
		echo "$1: $took ms"
		[ $status = 0 ] || return 1
		[ "$took" -ge "$best" ] || best=$took
	done
	[ "$best" -lt 100 ]
}

# begin [TRIGGER] - nothing is in the ring, and only this trigger is set
begin() {
	: >$tring/trace
	for kind in snapshot traceoff traceon; do
		echo "!$kind" >$rename 2>/dev/null
	done
	[ $# = 0 ] || echo "$1 if newcomm == \"firing\"" >$rename
}

before_snapshot() {
	echo 1 >$tring/tracing_on
	begin snapshot:1
}

before_off() {
	echo 1 >$tring/tracing_on
	begin traceoff:1
}

before_on() {
	echo 0 >$tring/tracing_on
	begin traceon:1
}

# A new trace forgets the short types of events that are not recorded.
before_type() {
	: >$tring/set_event
	begin
	echo sys_enter_umask >$tring/set_event
}

has_snapshot() {
	grep -q "Triggered: [0-9]* times" $tring/snapshot
}

has_type() {
	grep -q "syscalls:sys_enter_umask" $tring/short_ids
}

need_tring
echo -1 >/proc/sys/kernel/sched_rt_runtime_us
mkdir $ftrace
echo mono >$ftrace/trace_clock
echo 1 >$ftrace/events/task/task_rename/enable
echo 1 >$ftrace/events/workqueue/workqueue_execute_end/enable

taskset -c 0 cat $ftrace/trace_pipe >>/tmp/events &
reader=$!

check "a snapshot that a hog asks for" asked_by_hog before_snapshot has_snapshot
check "recording that a hog switches off" asked_by_hog before_off true
check "recording that a hog switches on" asked_by_hog before_on true
echo 1 >$tring/tracing_on
check "short types of a hog's events" asked_by_hog before_type has_type

kill $reader
wait $reader
rmdir $ftrace
echo 950000 >/proc/sys/kernel/sched_rt_runtime_us
: >$tring/set_event
echo 0 >$tring/snapshot
exit 0
