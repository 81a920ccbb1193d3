#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0
# shellcheck disable=SC2016 # $arg1 is ftrace's
#
# torture-sources.sh NAME - beside round NAME of the torture, until the file $end is there: a
# ring of its own records from all sources, while what it records is changed. Functions, a
# kprobe, events by perf and by probes, in tasks, interrupts and the NMIs that the torture
# sends; filters, triggers, stacks and lists of tasks. In the end the ring balances, and each
# source has recorded.

. /guest/lib.sh

round=$1
end=/tmp/round-ends
ring=$tring/instances/sources
kprobe=kprobes:torture
last=$(($(nproc) - 1))

mkdir $ring || { fail "$round: mkdir $ring"; exit 1; }
echo 256 >$ring/buffer_size_kb
echo 'p:torture vfs_read count=$arg3' >>$tracefs/kprobe_events

# One that is large enough for all that it gets: NMIs that pass by a filter, with their stacks.
nmis=$tring/instances/nmis
mkdir $nmis || { fail "$round: mkdir $nmis"; exit 1; }
echo 1 >$nmis/options/stacktrace
echo 'delta_ns >= 0 && common_pid >= 0' >$nmis/events/nmi/nmi_handler/filter
echo 1 >$nmis/events/nmi/nmi_handler/enable

# tring() is the user's tool, which keeps what the ring has recorded.
tring record -q -B sources -o /tmp/sources -b 256K -e nmi:nmi_handler,irq,timer \
	-e sched:sched_switch,kmem,workqueue,irq_vectors,$kprobe \
	-e syscalls:sys_enter_read,syscalls:sys_exit_read \
	-p function -l 'nmi_cpu_backtrace*,vfs_*,hrtimer_*,schedule' &
recorder=$!
wait_until [ -s /tmp/sources/tring/trace_info ] || fail "$round: the recorder begins"
: >/tmp/sources-begin
changes=0

# Whatever is changed, what else is set stays.
change() {
	echo $$ >$ring/set_event_pid
	echo 1 >$ring/options/event-fork
	echo 1 >$ring/options/stacktrace
	echo 1 >$ring/options/userstacktrace
	echo 'delta_ns >= 0 && common_pid >= 0' >$ring/events/nmi/nmi_handler/filter
	echo 'prev_prio > 0 || next_comm ~ "s*"' >$ring/events/sched/sched_switch/filter
	echo 'bytes_req < 1000' >$ring/events/kmem/kmem_cache_alloc/filter
	sh -c :
	echo 0 >$ring/options/event-fork
	echo >$ring/set_event_pid
	echo 0 >$ring/events/nmi/nmi_handler/filter
	echo 0 >$ring/options/stacktrace
	echo 0 >$ring/options/userstacktrace
	echo nop >$ring/current_tracer
	echo '!kmem' >>$ring/set_event
	echo snapshot >$ring/events/nmi/nmi_handler/trigger
	echo disable_event:irq:softirq_raise >$ring/events/nmi/nmi_handler/trigger
	echo enable_event:irq:softirq_raise >$ring/events/timer/hrtimer_expire_entry/trigger
	echo 1 >$ring/snapshot
	echo function >$ring/current_tracer
	echo kmem >>$ring/set_event
	echo '!snapshot' >$ring/events/nmi/nmi_handler/trigger
	echo '!disable_event:irq:softirq_raise' >$ring/events/nmi/nmi_handler/trigger
	echo '!enable_event:irq:softirq_raise' >$ring/events/timer/hrtimer_expire_entry/trigger
	echo 0 >$ring/snapshot
}

until [ -e $end ] && [ $changes -gt 2 ]; do
	change
	/bin/cat /proc/self/status >/dev/null
	changes=$((changes + 1))
done
kill -INT $recorder
wait $recorder || fail "$round: the recorder ends with status $?"
echo "# $round: $changes times everything was changed"
tring top events -n 0 /tmp/sources >/tmp/summary || fail "$round: the recording can be read"
for source in kernel_stack function torture kmem_cache_alloc sys_enter_read sched_switch; do
	check "$round: events of $source" grep -qw "$source" /tmp/summary
done
for cpu in $(seq 0 $last); do
	check "$round: CPU $cpu of the ring balances" balanced $ring/per_cpu/cpu$cpu/stats
done
rmdir $ring || fail "$round: rmdir $ring"
for cpu in $(seq 0 $last); do
	check "$round: CPU $cpu has NMIs and their stacks, and balances" \
		eval 'balanced $nmis/per_cpu/cpu$cpu/stats && [ "$committed" -gt 1 ]'
done
rmdir $nmis || fail "$round: rmdir $nmis"
echo '-:torture' >>$tracefs/kprobe_events || fail "$round: the kprobe is free"
