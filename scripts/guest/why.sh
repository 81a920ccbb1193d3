#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0
#
# Records tasks that wait for each other, and for a disk, in known chains, and one that is
# interrupted. whole-path.sh compares what "tring why" makes of the recordings with the times that
# the tasks have written themselves.

. /guest/lib.sh

ring=$tring/instances/why

# records NAME SYSTEM [COUNT] - three times: where the host does something else between a task's
# text and what it tells of, the guest's clock goes on
records() {
	for number in 1 2 3; do
		tring record -B why -e sched -e irq -e $2 -b 8192 -o /results/$1-$number -- \
			/guest/why-chains $ring/trace_marker $3 >/tmp/why.log 2>&1 ||
			{ cat /tmp/why.log; return 1; }
	done
}

# let_real_time_tasks_run RUNTIME FAIR - what they have of a second, in us, and what the fair server
# takes from them since 6.12, in ns: a task without a CPU needs no interrupt for a barrier
let_real_time_tasks_run() {
	echo $1 >/proc/sys/kernel/sched_rt_runtime_us
	for server in /sys/kernel/debug/sched/fair_server/cpu*/runtime; do
		[ ! -e $server ] || echo $2 >$server
	done
}

need_tring
mkdir $ring
# the tasks of the chains are real-time tasks that are busy for longer than a second
let_real_time_tasks_run -1 0
check "chains of waits that are known are recorded" records why timer
# interrupts of one CPU by the other one, whose number is known
check "a storm of interrupts is recorded" records why-storm irq_vectors 1000
let_real_time_tasks_run 950000 50000000
rmdir $ring
