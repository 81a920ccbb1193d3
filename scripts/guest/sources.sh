#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0
# shellcheck disable=SC2016 # $arg1 is ftrace's
#
# Tests of events that have no probe: by perf's counters, system calls by name, kprobes and
# uprobes; of all events at once; and of CPUs that come back.

. /guest/lib.sh

last=$(($(nproc) - 1))
sources=/tmp/sources

# source_is EVENT SOURCE
source_is() {
	grep -qx "$1 $2" $sources || { grep "^$1 " $sources; return 1; }
}

# In the kernels of the tests there is none that cannot be recorded.
all_events_are_there() {
	sort $tracefs/available_events >/tmp/ftraces
	sort $tring/available_events >/tmp/tring-events
	cut -d' ' -f1 $sources | sort | cmp - /tmp/tring-events &&
		diff /tmp/ftraces /tmp/tring-events
}

# A file is opened three times by a program of its own.
open_files() {
	for _ in 1 2 3; do
		cat /guest/lib.sh >/dev/null
	done
}

# occurs COUNT PATTERN - so many lines have it
occurs() {
	[ "$(grep -c "$2" /tmp/lines)" = "$1" ] && return
	grep "$2" /tmp/lines | tail -n 5
	return 1
}

system_calls() {
	begin syscalls:sys_enter_openat syscalls:sys_exit_openat || return 1
	sh -c 'exec cat /nowhere/nothing' 2>/dev/null
	end
	# -ENOENT of the file that is not there, and AT_FDCWD. Since 6.19 the event has a copy
	# of the name, by a function that libtraceevent may not know.
	grep -q 'sys_exit_openat: *0xfffffffffffffffe\( (ENOENT)\)\?$' /tmp/lines &&
		grep -qE 'sys_enter_openat: .*dfd(: |=)(0xffffff9c|-100|4294967196)[, ]' /tmp/lines
}

# A call without arguments has its number only, and the next record begins behind it.
call_without_arguments() {
	begin syscalls:sys_enter_getpid syscalls:sys_exit_getpid syscalls:sys_enter_write ||
		return 1
	sh -c 'echo $$ >/dev/null'
	end
	all_balanced $tring && grep -q sys_enter_write /tmp/lines
}

kprobe() {
	echo 'p:tring_open do_sys_openat2 name=+0($arg2):ustring' >$tracefs/kprobe_events ||
		return 1
	begin kprobes:tring_open || return 1
	open_files
	end
	occurs 3 'tring_open: .*name="/guest/lib.sh"' && echo >$tracefs/kprobe_events &&
		! grep -q tring_open $tracefs/kprobe_events
}

# An event of the same name with other fields, and perhaps with the old id: the records of
# the first are dropped.
kprobe_of_the_same_name() {
	echo 'p:tring_same do_sys_openat2 dfd=$arg1:s32' >$tracefs/kprobe_events || return 1
	begin kprobes:tring_same || return 1
	open_files
	echo >$tring/set_event
	uuid=$(uuid_of $tring)
	echo 'p:tring_same do_sys_openat2 dfd=$arg1:u64 how=$arg3:x64' >$tracefs/kprobe_events ||
		return 1
	echo kprobes:tring_same >$tring/set_event || return 1
	open_files
	end
	echo >$tracefs/kprobe_events
	[ "$(uuid_of $tring)" != "$uuid" ] &&
		grep -q 'tring_same: .* how=0x' /tmp/lines &&
		! grep 'tring_same: ' /tmp/lines | grep -v ' how=0x'
}

# ftrace and perf cannot both have a uprobe's event.
uprobe() {
	echo "p:tring_main /bin/busybox:$(main_offset)" >$tracefs/uprobe_events || return 1
	begin uprobes:tring_main || return 1
	cat /guest/lib.sh >/dev/null
	end
	grep -q 'tring_main: ' /tmp/lines || return 1
	echo 1 >$tracefs/events/uprobes/tring_main/enable
	refuses "Device or resource busy" "echo uprobes:tring_main >$tring/set_event"
	echo 0 >$tracefs/events/uprobes/tring_main/enable
	echo >$tracefs/uprobe_events
}

# A counter ends with its CPU and is made again.
cpu_comes_back() {
	begin $by_perf || return 1
	taskset -c "$last" cat /guest/lib.sh >/dev/null
	echo 0 >/sys/devices/system/cpu/cpu"$last"/online || return 1
	echo 1 >/sys/devices/system/cpu/cpu"$last"/online || return 1
	before=$(stat_of $tring/per_cpu/cpu"$last"/stats reserved)
	[ "$before" -gt 0 ] || return 1
	wait_until records_again && end
}

records_again() {
	taskset -c "$last" cat /guest/lib.sh >/dev/null
	[ "$(stat_of $tring/per_cpu/cpu"$last"/stats reserved)" -gt "$before" ]
}

# Two rings record the same event, each with counters of its own.
two_rings() {
	mkdir $tring/instances/other || return 1
	begin $by_perf || return 1
	echo $by_perf >$tring/instances/other/set_event
	taskset -c 0 cat /guest/lib.sh >/dev/null
	end
	[ "$(stat_of $tring/per_cpu/cpu0/stats reserved)" -gt 0 ] &&
		[ "$(stat_of $tring/instances/other/per_cpu/cpu0/stats reserved)" -gt 0 ]
}

# The counters balance.
all_at_once() {
	tring record -q -e all -b 8M --discard -o /tmp/all -- sh -c \
		"wc -l <$tring/set_event >/tmp/count; /guest/workload.sh 0" || return 1
	rm -r /tmp/all
	[ "$(cat /tmp/count)" = "$(wc -l <$tring/available_events)" ] &&
		[ -z "$(cat $tring/set_event)" ] && all_balanced $tring
}

# A signal while events are switched on leaves none on. Where it came too late, which may be when
# the last event is on, the next one comes sooner.
signal_undoes() {
	all=$(wc -l <$tring/available_events)
	for pause in 1000000 500000 250000 120000 60000 30000 10000 1000; do
		(exec sh -c 'echo "*:*" >'$tring/set_event) 2>/dev/null &
		writer=$!
		usleep $pause # time: the moment of the signal
		kill -TERM $writer
		wait $writer
		status=$?
		count=$(wc -l <$tring/set_event)
		echo "status $status, $count events"
		[ "$count" = "$all" ] || break
		echo >$tring/set_event
	done
	[ "$status" != 0 ] && [ "$count" = 0 ]
}

# A stop has the write of the second piece of a word begin again.
stop_splits_no_word() {
	{ printf '[!' && printf '_]*:*\n'; } >$tring/set_event &
	writer=$!
	wait_until grep -q : $tring/set_event || return 1
	kill -STOP $writer && kill -CONT $writer
	wait $writer || return 1
	[ "$(wc -l <$tring/set_event)" = "$(wc -l <$tring/available_events)" ] || return 1
	echo >$tring/set_event
}

# record_dynamic OPTION... - the event exists for the recording only
record_dynamic() {
	tring record -q --kprobe 'p:tring_open do_sys_openat2 name=+0($arg2):ustring' \
		--uprobe "p:group/tring_main /bin/busybox:$(main_offset)" -o /tmp/dynamic -- \
		sh -c 'for _ in 1 2 3; do cat /guest/lib.sh >/dev/null; done' || return 1
	tring report /tmp/dynamic >/tmp/lines || return 1
	occurs 3 'tring_open: .*name="/guest/lib.sh"' && grep -q ' tring_main: ' /tmp/lines &&
		[ -z "$(cat $tracefs/kprobe_events $tracefs/uprobe_events)" ] &&
		[ ! -e $tracefs/events/kprobes/tring_open ]
}

# The kernel's own words stand below, with its mark of the place.
refused_kprobe() {
	says 'kernel refuses it' 1 tring record -q --kprobe 'p:no no_such' -o /tmp/refused &&
		printf '%s\n' "$said" | grep -q '^  Command: p:no no_such$'
}

# What perf drops is counted nowhere, so trace_info names the events that come by perf.
counters_are_marked() {
	echo "$by_perf sched:sched_switch" >$tring/set_event || return 1
	[ "$(grep '^by_counter=' $tring/trace_info)" = by_counter=$by_perf ] || return 1
	echo >$tring/set_event
	! grep '^by_counter=' $tring/trace_info
}

need_tring
make_event_by_perf
cat $tring/event_sources >$sources
check "every event of ftrace's can be recorded" all_events_are_there
check "an event with a probe" source_is sched:sched_switch probe
# A tring that is built in is compiled before the kernel has BTF; the kernel with KASAN has none.
[ -n "${TRING_BUILT_IN-}" ] || [ ! -e /sys/kernel/btf/vmlinux ] ||
	check "an event of structures that no header defines" \
		source_is workqueue:workqueue_queue_work probe
if [ ! -e $tracefs/events/syscalls ]; then
	skip "system calls by name: this kernel has none"
else
	check "a system call's event" source_is syscalls:sys_enter_getpid syscall
	check "system calls by name" system_calls
	check "a system call without arguments" call_without_arguments
fi
check "an event by perf" source_is $by_perf counter
check "trace_info marks it" counters_are_marked
check "a CPU that comes back" cpu_comes_back
check "two rings with one event" two_rings
rmdir $tring/instances/other
check "the event by perf goes" remove_event_by_perf
check "all events at once" all_at_once
check "a signal undoes what was switched on" signal_undoes
check "a stop leaves a word whole that is written in two pieces" stop_splits_no_word
if [ -e $tracefs/kprobe_events ]; then
	check "a kprobe's event" kprobe
	check "a kprobe's event that comes back with other fields" kprobe_of_the_same_name
	check "a kprobe that the kernel refuses" refused_kprobe
	check "a uprobe's event" uprobe
	! in_full || check "events of a recording" record_dynamic
else
	skip "kprobes and uprobes: this kernel has none"
fi
exit 0
