#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0
# shellcheck disable=SC2016 # $arg2 is ftrace's
#
# Tests of filters: the file "filter" of an event and the option -f of tring record. Texts that
# the kernel takes and that it refuses are written to ftrace's file, too. Events of each source
# are recorded together with ftrace, which has the same filters; the host compares them.

. /guest/lib.sh
. /guest/side-by-side.sh

work=/tmp/filters
switch=events/sched/sched_switch/filter
long=$(printf '%0200d' 0 | tr 0 x)

# texts EVENT - ftrace and tring do the same with each text of stdin, one a line
texts() {
	while IFS= read -r text; do
		both "events/$1/filter" 'printf "%s\n" "$text" >$file' ||
			{ echo "$text"; return 1; }
	done
	both "events/$1/filter" 'echo 0 >$file' && has_line none "$tring/events/$1/filter"
}

numbers() {
	texts sched/sched_switch <<-'END'
		prev_prio < 100
		prev_prio<100
		(prev_prio < 100) && !(next_pid == 0 || prev_state & 0x10)
		prev_prio == 0x64 && next_prio == 0144
		prev_prio == -1
		common_pid != 0 && common_flags & 1 && common_preempt_count > 0
		cpu == 1 || CPU == 0
		COMM == "sh"
		0
		prev_prio <
		prev_prio < nonsense
		prev_prio < 99999999999999999999
		prev_prio ~ "1*"
		prev_prio = 1
		nonsense < 1
		prev_prio < 100 &&
		prev_prio < 100 & next_prio < 100
		(prev_prio < 100
		prev_prio < 100)
		prev_prio < 100 || || next_prio < 100
		!
		!!(prev_prio < 100)
		&&
		cpu == 9999
		cpu & 3
		cpus & CPUS{0}
		target.function == 1
		prev_comm.ustring == "sh"
		prev_prio.ustring < 100
		prev_prio < 100 && !
		!
		! ! prev_prio < 100
		()
		!()
		(prev_prio < 100))(
		((prev_prio < 100) && (next_prio < 100)
		prev_prio == 000000000000000000000001
		prev_state & -1
		next_prio & 3 && (prev_pid > 0 || !(next_pid == 0 && prev_prio < 100)) || CPU < 4
		prev_prio < 100 next_prio
		0x
		00
		 0
		0 0
	END
}

strings() {
	texts sched/sched_switch <<-END || return 1
		prev_comm == "sh"
		prev_comm == sh
		prev_comm ~ "a*"
		prev_comm ~ "*a*"
		prev_comm ~ "?a[b-d]"
		prev_comm != 'sh'
		prev_comm ~ "$long"
		prev_comm == "$long$long"
		prev_comm < "sh"
		prev_comm == "sh
		prev_comm ~ sh
		"sh" == prev_comm
	END
	# Strings of any length.
	texts sched/sched_process_exec <<-'END'
		filename ~ "/bin/*"
		filename == "/bin/sh" && pid > 1
		filename > 1
	END
}

# What 6.1 does not know: tring does.
newer() {
	if ! echo 'CPU & CPUS{0}' 2>/dev/null >$tracefs/$switch; then
		echo 0 >$tracefs/$switch
		echo 'CPU & CPUS{0} && prev_pid & CPUS{0-1}' >$tring/$switch &&
			echo 0 >$tring/$switch
		return
	fi
	echo 0 >$tracefs/$switch
	texts sched/sched_switch <<-'END' || return 1
		CPU & CPUS{0}
		prev_comm & CPUS{0}
		prev_pid == CPUS{0-1}
		prev_pid < CPUS{0}
		CPU & CPUS{}
		CPU & CPUS{x}
		CPU & CPUS{0
		CPU & CPUS0
		CPU & CPUS{0-}
		prev_pid.function == 1
		stacktrace == 1
		stacktrace == "1"
	END
	texts raw_syscalls/sys_enter <<-'END' || return 1
		id.function == vfs_read
		id.function != vfs_read && id > 1
		id.function == no_such_function
		id.function < vfs_read
		id.function == 1
		id.function == 1x
		args == 1
	END
	texts kmem/kmalloc <<-'END'
		call_site.function == kmalloc
		call_site.function == vfs_write
	END
}

# How echo does not write.
odd_writes() {
	both $switch 'printf "prev_prio < 100" >$file' &&
		both $switch 'printf "  prev_prio < 100  \n\n" >$file' &&
		both $switch 'printf "prev_prio\n<\n100" >$file' &&
		both $switch 'printf "prev_prio < 100\0and more" >$file' &&
		both $switch ': >$file' &&
		both $switch 'printf "\n" >$file' &&
		both $switch 'printf " 0\n" >$file' &&
		both $switch 'echo "prev_prio < 100" >>$file' &&
		both $switch 'printf "prev_prio < 100 %02000d" 1 >$file' &&
		both $switch 'printf "%2000s" "prev_prio < 100" >$file' &&
		both $switch 'printf "%4096s" "prev_prio < 100" >$file' &&
		both $switch 'echo 0 >$file'
}

# other_sources - the same of events without a probe
other_sources() {
	if [ -e $tracefs/events/syscalls ]; then
		texts syscalls/sys_enter_openat <<-'END' || return 1
			flags & 0x8000 && dfd == 0xffffff9c
			filename ~ "*lib*"
			nonsense
		END
		texts syscalls/sys_exit_read <<-'END' || return 1
			ret < 0
			ret == "sh"
		END
	fi
	texts kmem/kmalloc <<-'END' || return 1
		bytes_req > 100
		nonsense
	END
	texts workqueue/workqueue_queue_work <<-'END'
		workqueue == "events" && cpu != 1
		workqueue < 1
	END
}

refused_text_removes_the_filter() {
	echo 'prev_prio < 100' >$tring/$switch
	! echo 'prev_prio < ' >$tring/$switch 2>/dev/null && grep -q parse_error $tring/$switch &&
		record_some sched:sched_switch &&
		grep -q 'prev_prio=120' /tmp/lines && echo 0 >$tring/$switch &&
		[ "$(cat $tring/$switch)" = none ]
}

# record_some EVENT - with the filters that are set; the lines go to /tmp/lines
record_some() {
	begin "$1" || return 1
	for _ in 1 2 3; do
		sh -c 'cat /guest/lib.sh >/dev/null'
		sleep 0.01 # time: a task of this name, to which the CPU switches
	done
	end
}

# A filter may come before its event is enabled, stay when it is disabled, and go meanwhile.
filter_stays() {
	echo 'next_comm == "sleep"' >$tring/$switch
	for _ in 1 2; do
		record_some sched:sched_switch
		grep -q 'next_comm=sleep ' /tmp/lines &&
			! grep 'sched_switch: ' /tmp/lines | grep -v 'next_comm=sleep ' || return 1
	done
	begin sched:sched_switch
	echo 0 >$tring/$switch
	sleep 0.01 # time: the CPU goes on with another task
	end
	grep 'sched_switch: ' /tmp/lines | grep -qv 'next_comm=sleep '
}

replace() {
	echo 'id == 1' >$file && echo 'id == 0' >$file
}

# No event passes that neither of the two filters wants, while one replaces the other.
replaced_while_recording() {
	file=$tring/events/raw_syscalls/sys_enter/filter
	echo 'id == 0' >$file
	begin raw_syscalls:sys_enter && under_load repeat 40 replace || return 1
	end
	echo 0 >$file
	grep -q 'NR 0 ' /tmp/lines && grep -q 'NR 1 ' /tmp/lines &&
		! grep 'sys_enter: ' /tmp/lines | grep -v 'NR [01] '
}

# What is recorded beside ftrace, with an event without a filter that shows the workload's
# begin and end.
beside() {
	cat <<-'END'
		sched:sched_switch prev_prio < 121 && (prev_comm ~ "*s*" || next_pid > 0)
		sched:sched_waking comm ~ "s*" && common_preempt_count > 0
		sched:sched_process_exec filename ~ "/bin/*" || filename ~ "/tmp/tring*"
		timer:timer_start !(flags & 0x80000)
		irq:softirq_raise CPU == 1 || vec == 9
		task:task_rename newcomm == "sleep" || oldcomm ~ "*h"
		kmem:kmem_cache_alloc bytes_req > 100
		workqueue:workqueue_execute_start common_pid != 0
		kmem:rss_stat common_pid != 0 && member != 2
	END
	[ ! -e $tracefs/events/syscalls ] || cat <<-'END'
		syscalls:sys_enter_write count > 1
		syscalls:sys_exit_read ret <= 0 || ret == 5
		syscalls:sys_enter_openat filename.ustring ~ "*lib*" && !(filename.ustring == "/x")
	END
	[ ! -e $tracefs/events/kprobes/filtered ] || cat <<-'END'
		kprobes:filtered name ~ "*a*" && name != "/dev/null"
	END
	grep -q 'cpumask_t' $tracefs/events/ipi/ipi_send_cpumask/format 2>/dev/null && cat <<-'END'
		ipi:ipi_send_cpumask cpumask & CPUS{1}
	END
	true
}

with_filters() {
	[ ! -e $tracefs/kprobe_events ] ||
		echo 'p:filtered do_sys_openat2 name=+0($arg2):ustring' >$tracefs/kprobe_events
	beside >/tmp/beside
	side_systems="sched:sched_process_exit $(cut -d' ' -f1 /tmp/beside | tr '\n' ' ')"
	set -- -e sched:sched_process_exit
	refused=
	while read -r event text; do
		set -- "$@" -e "$event" -f "$text"
		echo "$text" >"$tracefs/events/$(echo "$event" | tr : /)/filter" || refused=$event
	done </tmp/beside
	[ -z "$refused" ] && beside_ftrace filtered "$@" -b 8192 -- /guest/workload.sh 2
	status=$?
	echo 0 >$tracefs/events/enable
	while read -r event text; do
		file=events/$(echo "$event" | tr : /)/filter
		echo 0 >$tracefs/"$file"
		[ "$(cat $tring/"$file")" = none ] || return 1
	done </tmp/beside
	[ ! -e $tracefs/kprobe_events ] || echo >$tracefs/kprobe_events
	tring report /results/filtered | sed 's/.*[0-9]: \([a-z_]*\): .*/\1/' | sort | uniq -c
	return $status
}

set_long_filter() {
	echo "$text" >$tring/$switch
}

# A filter of 4000 characters, which takes some 10 KiB, for an event that is enabled.
memory_of_filters() {
	text='prev_comm == "1"'
	for word in 1 2 3 4 5 6 7 8 9 10 11 12 13 14; do
		text="$text || prev_comm == \"$word$long\""
	done
	echo sched:sched_switch >$tring/set_event
	leaks_nothing 50 set_long_filter
}

# Two rings, and two writers of one ring.
two_at_once() {
	mkdir $tring/instances/other || return 1
	echo sched:sched_switch >$tring/set_event
	echo sched:sched_switch >$tring/instances/other/set_event
	for dir in $tring $tring $tring/instances/other; do
		for n in $(seq 60); do
			echo "prev_prio < $n" >$dir/$switch || echo "$dir: $n" >>/tmp/failed
			! echo "prev_prio $n" >$dir/$switch 2>/dev/null || echo $n >>/tmp/failed
			echo "next_prio < $n" >$dir/$switch || echo "$dir: $n" >>/tmp/failed
		done &
	done
	wait
	cat $tring/$switch $tring/instances/other/$switch
	echo >$tring/set_event
	[ ! -e /tmp/failed ] && [ "$(cat $tring/$switch)" = 'next_prio < 60' ] &&
		[ "$(cat $tring/instances/other/$switch)" = 'next_prio < 60' ] &&
		rmdir $tring/instances/other && echo 0 >$tring/$switch
}

# A filter does not keep a module, but its event does while it is enabled.
modules_come_and_go() {
	file=$tring/events/jbd2/jbd2_checkpoint/filter
	load_jbd2 || return 1
	echo 'dev == 1' >$file && rmmod jbd2 && [ ! -e $file ] && insmod "$jbd2" || return 1
	[ "$(cat $file)" = 'dev == 1' ] || return 1
	echo jbd2:jbd2_checkpoint >$tring/set_event && ! rmmod jbd2 2>/dev/null || return 1
	echo 'dev == 2' >$file && echo >$tring/set_event && exec 8<>$file && rmmod jbd2 || return 1
	! echo 'dev == 3' >&8 && ! cat <&8
	status=$?
	exec 8>&-
	insmod "$jbd2" && echo 0 >$file && return $status
}

# If the text does not fit any more, the event is not enabled.
kprobe_with_other_fields() {
	echo 'p:filtered do_sys_openat2 name=+0($arg2):ustring' >$tracefs/kprobe_events || return 1
	echo 'name ~ "*lib.sh"' >$tring/events/kprobes/filtered/filter
	record_some kprobes:filtered
	grep -q 'filtered: .*lib.sh"' /tmp/lines &&
		! grep 'filtered: ' /tmp/lines | grep -v 'lib.sh"' || return 1
	echo 'p:filtered do_sys_openat2 how=$arg3' >$tracefs/kprobe_events || return 1
	! echo kprobes:filtered >$tring/set_event && [ -z "$(cat $tring/set_event)" ] &&
		dmesg | grep -q 'kprobes:filtered is not recorded' || return 1
	echo 0 >$tring/events/kprobes/filtered/filter
	echo kprobes:filtered >$tring/set_event && echo >$tring/set_event
}

# recorded EVENT - prints the lines of an event of the recording
recorded() {
	tring report $work/trace | grep " $1: "
}

record_option() {
	echo 'prev_prio < 7' >$tring/$switch
	settings $tring >/tmp/before
	tring record -q -e sched_switch,sched_waking -f 'common_pid > 0' -f 'common_pid != 1' \
		-e sched_process_exit -e raw_syscalls -f 'id == 0' -o $work/trace -- \
		/guest/workload.sh 1 >/tmp/said 2>&1 || return 1
	settings $tring | diff /tmp/before - || return 1
	[ ! -s /tmp/said ] || { cat /tmp/said; return 1; }
	for event in sched_switch sched_waking; do
		recorded $event >/tmp/lines && ! grep '^ *<idle>-0 ' /tmp/lines || return 1
	done
	recorded sched_process_exit | grep -q . && recorded sys_exit | grep -q 'NR 0 ' &&
		! recorded sys_enter | grep -v 'NR 0 '
}

# Of a system's events some have the field.
record_option_of_a_system() {
	tring record -q -e sched -f 'prev_prio < 0' -o $work/trace -- /guest/workload.sh 1 \
		>/tmp/said 2>&1 || return 1
	! recorded sched_switch && recorded sched_waking | grep -q . &&
		tring record -e sched -f 'prev_prio < 0' -o $work/trace -- true 2>&1 |
			grep 'events are recorded without it, as sched:' &&
		[ "$(cat $tring/$switch)" = 'prev_prio < 7' ]
}

record_option_of_a_kprobe() {
	tring record -q --kprobe 'p:filtered do_sys_openat2 name=+0($arg2):ustring' \
		-f 'name ~ "*lib.sh"' -o $work/trace -- sh -c \
		'cat /guest/lib.sh /guest/modules >/dev/null' || return 1
	recorded filtered >/tmp/lines && ! grep -v 'lib.sh"' /tmp/lines
}

wrong_options() {
	! echo 'prev_prio <  x' >$tracefs/$switch 2>/dev/null || return 1
	refuses_options 1 "the kernel refuses the filter of sched:sched_switch:
$(cat $tracefs/$switch)" -e sched_switch -f 'prev_prio <  x' -s 100 &&
		refuses_options 1 "the kernel refuses the filter of" -e irq -f 'prev_prio < 1' \
			-s 100 &&
		refuses_options 2 "-f prev_prio < 1: which events?" -f 'prev_prio < 1' -e sched \
			-s 100
}

rmmod_with_filters() {
	mkdir $tring/instances/filtered || return 1
	for dir in $tring $tring/instances/filtered; do
		for event in sched/sched_switch kmem/kmalloc raw_syscalls/sys_enter; do
			echo 'common_pid != 7' >$dir/events/$event/filter || return 1
			echo $event | tr / : >>$dir/set_event || return 1
		done
	done
	rmmod tring && load_tring && [ "$(cat $tring/$switch)" = none ]
}

need_tring
mkdir -p $work

check "filters by numbers do as ftrace's" numbers
check "filters by strings do as ftrace's" strings
check "filters by CPUs and functions do as ftrace's" newer
check "writes to the file do as to ftrace's" odd_writes
check "filters of system calls and of events by perf do as ftrace's" other_sources
check "recorded beside ftrace: events with filters" with_filters
in_full || exit 0
check "a refused text removes the filter" refused_text_removes_the_filter
check "a filter stays while its event comes and goes" filter_stays
check "a filter is replaced while its event is recorded" replaced_while_recording
check "the memory of filters is free again" memory_of_filters
echo 0 >$tring/$switch
echo >$tring/set_event
check "three writers at once" two_at_once
if [ -e $tracefs/kprobe_events ]; then
	check "a kprobe that comes back with other fields" kprobe_with_other_fields
	echo >$tracefs/kprobe_events
	check "-f filters a kprobe" record_option_of_a_kprobe
fi
check "-f filters the events of -e" record_option
check "-f filters those events of a system that have the field" record_option_of_a_system
check "a filter that the kernel refuses ends the recording before it begins" wrong_options
echo 0 >$tracefs/$switch
if [ -z "${TRING_BUILT_IN-}" ]; then
	check_with_module "filters of events whose module goes" modules_come_and_go
	check "rmmod with filters" rmmod_with_filters
fi
check "the counters balance" all_balanced $tring
exit 0
