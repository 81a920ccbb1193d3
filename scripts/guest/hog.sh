#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0
#
# Tests beside a real-time task that keeps a CPU for itself, and that no throttling stops: what
# its own events ask for, in the middle of it, is done by another CPU. whole-path.sh runs this
# script; qemu-run.sh can run it alone, with -b chrt, -b /usr/bin/dd and two CPUs.

. /guest/lib.sh

rename=$tring/events/task/task_rename/trigger
ftrace=$tracefs/instances/hog
# What ftrace sees. Its file "trace" waits for a grace period of RCU, which may not end before the
# hog does. On PREEMPT_RT nothing that sleeps in "trace_pipe" is woken before either: a thread of
# priority 1 does that, on the CPU of the event. So nothing sleeps there.
: >/tmp/events

# On PREEMPT_RT a thread of priority 1 ends sleeps, too, each on the CPU where it began. So this
# script is on the other CPU before there is a hog. It leaves that one to the work first.
taskset -p 1 $$ >/dev/null
renice -n 19 -p $$ >/dev/null

# as_hog - a task fires its trigger, and then keeps CPU 1 with events that have no short type yet
as_hog() {
	taskset -c 1 chrt -f 50 sh -c \
		'printf firing >/proc/self/comm; while :; do umask 022; done' &
	hog=$!
}

# milliseconds - writes those of the guest's clock from the event to the end of the work to
# /tmp/took, or fails if ftrace has not seen the end yet
milliseconds() {
	/usr/bin/dd if=$ftrace/trace_pipe iflag=nonblock bs=64K >>/tmp/events 2>/dev/null
	awk '
		{ sub(/^.*\] [^ ]+ +/, ""); at = $1 + 0 }
		/ task_rename: .*newcomm=firing/ && !begin { begin = at }
		/ workqueue_execute_end: .* function do_asked_work / && begin && !end { end = at }
		END {
			if (!end)
				exit 1
			printf "%d\n", (end - begin) * 1000
		}' /tmp/events >/tmp/took
}

# asked_by_hog BEFORE DONE - what the hog asks for is done while it runs, within 100 ms. Where the
# host does something else for a while, the guest's clock goes on: so one of some hogs tells how
# long the guest takes. What waits for the end of a hog is never done.
asked_by_hog() {
	for _ in $(seq 100); do
		"$1" || return 1
		: >/tmp/events
		as_hog
		wait_until milliseconds && wait_until "$2"
		status=$?
		kill_task $hog
		[ $status = 0 ] || return 1
		took=$(cat /tmp/took)
		echo "$took ms"
		[ "$took" -ge 100 ] || return 0
	done
	return 1
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

# woken_by_hog - a reader of the hog's CPU sleeps, and gets the hog's events while it runs
woken_by_hog() {
	pipe=$tring/per_cpu/cpu1/trace_pipe_raw_compact
	: >$tring/set_event
	begin
	cat $pipe >/tmp/read &
	reader=$!
	wait_until waits_in $reader $pipe || return 1
	echo sys_enter_umask >$tring/set_event
	as_hog
	wait_until test -s /tmp/read
	status=$?
	kill_task $hog
	kill_task $reader
	return $status
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

check "a snapshot that a hog asks for" asked_by_hog before_snapshot has_snapshot
check "recording that a hog switches off" asked_by_hog before_off true
check "recording that a hog switches on" asked_by_hog before_on true
echo 1 >$tring/tracing_on
check "short types of a hog's events" asked_by_hog before_type has_type
check "a reader of the hog's CPU is woken" woken_by_hog

rmdir $ftrace
echo 950000 >/proc/sys/kernel/sched_rt_runtime_us
: >$tring/set_event
echo 0 >$tring/snapshot
exit 0
