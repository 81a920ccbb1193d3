#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0
#
# Tests of the choice of tasks and CPUs: set_event_pid, set_event_notrace_pid, event-fork,
# tracing_cpumask, and the options -P, -F, -c and -M of tring record. Each error is compared with
# that of ftrace's file. The events of a list of pids are recorded together with ftrace, which
# has the same list; the host compares them.

. /guest/lib.sh
. /guest/side-by-side.sh

work=/tmp/tasks
# Both have the events of these systems that tring has.
systems='sched irq timer signal raw_syscalls task'
filter=$tring/events/sched/sched_switch/filter
trigger=$tring/events/task/task_rename/trigger

pid_files_are_ftraces() {
	for which in set_event_pid set_event_notrace_pid; do
		# shellcheck disable=SC2016 # evaluated for each directory
		both_each $which ': >$file;' <<-'END' || return 1
			echo 10 >$file
			echo 30 20 10 >$file
			echo 10 >$file; echo 20 >>$file; echo 10 >>$file
			echo 10 >$file; echo 20 >$file
			printf '  7\t\n\n  8 ' >$file
			printf '7\0008\000' >$file
			echo 0 >$file
			echo 0x10 010 >$file
			echo 5 >$file; echo >>$file
			echo 5 >$file; echo >$file
			echo 5 >$file; : >$file
			echo 5 >$file; echo 6 monkeys >>$file
			echo -5 >$file
			echo 1,2 >$file
			echo 12monkeys >$file
			echo 99999999999999999999 >$file
			: >$file
		END
	done
	# ftrace has room for pids that no kernel gives.
	! echo 4194304 >$tring/set_event_pid && [ -z "$(cat $tring/set_event_pid)" ]
}

mask_is_ftraces() {
	which=tracing_cpumask
	before=$(cat $tring/$which)
	[ "$before" = "$(cat $tracefs/$which)" ] || return 1
	for mask in 1 2 0 02 zebra 1,2 -1 ffffffff1 "$before"; do
		both $which "echo $mask >\$file" || return 1
	done
	[ "$(cat $tring/$which)" = "$before" ]
}

each_instance_has_its_own() {
	mkdir $tring/instances/a || return 1
	echo 1 >$tring/instances/a/set_event_pid
	echo 2 >$tring/set_event_pid
	echo 1 >$tring/instances/a/options/event-fork
	echo 1 >$tring/instances/a/tracing_cpumask
	[ "$(cat $tring/instances/a/set_event_pid)" = 1 ] &&
		[ "$(cat $tring/set_event_pid)" = 2 ] &&
		[ "$(cat $tring/options/event-fork)" = 0 ] &&
		[ "$(cat $tring/tracing_cpumask)" != 1 ] &&
		rmdir $tring/instances/a
}

# with_list NAME LIST TASK COMMAND - ftrace and tring record together while both run: TASK, whose
# pid is in LIST in both, with its children, and COMMAND
with_list() {
	rm -f /tmp/go
	sh -c ". /guest/lib.sh; wait_until [ -e /tmp/go ]; exec $3" &
	task=$!
	for dir in $tracefs $tring; do
		echo 1 >$dir/options/event-fork
		echo $task >"$dir/$2"
	done
	side_systems=$systems
	# shellcheck disable=SC2046 # words
	beside_ftrace "$1" $(side_options) -b 8192 -- sh -c "touch /tmp/go; $4"
	status=$?
	kill $task 2>/dev/null
	wait $task
	for dir in $tracefs $tring; do
		echo >"$dir/$2"
		echo 0 >$dir/options/event-fork
	done
	tring report "/results/$1" | awk '{ print $1 }' | sed 's/-[0-9]*$//' | sort |
		uniq -c | sort -rn | head
	return $status
}

# Makes noise until it is killed.
noise=/tmp/noisy
# time: its pace
printf '#!/bin/sh\nwhile true; do ls /proc >/dev/null; usleep 5000; done\n' >$noise
chmod +x $noise
# The command of the recording waits for the tasks in the list.
until_done='. /guest/lib.sh; looks() { ls /sys >/dev/null; [ -e /tmp/done ]; }; wait_until looks'

listed_tasks() {
	rm -f /tmp/done
	with_list listed set_event_pid \
		"sh -c '/guest/workload.sh ${TRING_SECONDS:-5}; touch /tmp/done'" "$until_done"
}

unlisted_tasks() {
	with_list unlisted set_event_notrace_pid "$noise" \
		"/guest/workload.sh ${TRING_SECONDS:-5}" || return 1
	# Switches between them and others are recorded.
	tring report /results/unlisted | grep '^ *noisy-' >/tmp/of-noisy
	grep -q ': sched_switch:' /tmp/of-noisy && ! grep ': sys_' /tmp/of-noisy
}

is_empty() {
	[ -z "$(cat "$1")" ]
}

# The tasks of an empty list that is in use are none; a marker has no task to be left out.
all_have_ended() {
	echo 0 >$tring/tracing_on
	: >$tring/trace
	echo 1 >$tring/options/event-fork
	sleep 1000 & # time: sleeps until it is killed
	echo $! >$tring/set_event_pid
	kill $!
	wait $!
	wait_until is_empty $tring/set_event_pid || return 1
	echo raw_syscalls >$tring/set_event
	echo 1 >$tring/tracing_on
	ls -R /proc/self/ >/dev/null
	before=$(sum reserved $tring)
	echo marker >$tring/trace_marker
	after=$(sum reserved $tring)
	echo 0 >$tring/options/event-fork
	# A list without a pid ends by a write without one.
	echo >>$tring/set_event_pid
	ls -R /proc/self/ >/dev/null
	echo >$tring/set_event
	echo "$before events, then $after, then $(sum reserved $tring)"
	[ "$after" = $((before + 1)) ] && [ "$(sum reserved $tring)" -gt $((after + 100)) ] &&
		all_balanced $tring
}

# on_cpu CPU COUNTER - prints a counter of a CPU
on_cpu() {
	stat_of "$tring/per_cpu/cpu$1/stats" "$2"
}

# only_cpu RECORDING LEFT-OUT - one CPU records and the other does not; that is no loss
only_cpu() {
	before=$(on_cpu "$1" reserved)
	still=$(on_cpu "$2" reserved)
	lost=$(sum refused_no_memory $tring)
	for cpu in 0 1; do
		taskset -c $cpu ls -R /proc/self/ >/dev/null
	done
	[ "$(on_cpu "$1" reserved)" -gt "$before" ] && [ "$(on_cpu "$2" reserved)" = "$still" ] &&
		[ "$(sum refused_no_memory $tring)" = "$lost" ]
}

cpus_left_out() {
	echo 0 >$tring/tracing_on
	echo raw_syscalls >$tring/set_event
	# While recording is off, and while it is on.
	echo 2 >$tring/tracing_cpumask
	echo 1 >$tring/tracing_on
	only_cpu 1 0 || { echo "CPU 0 left out"; return 1; }
	echo 1 >$tring/tracing_cpumask
	only_cpu 0 1 || { echo "CPU 1 left out"; return 1; }
	# What else lets a CPU record again.
	for change in 'echo 64 >buffer_size_kb' 'echo 1408 >buffer_size_kb' ': >trace' \
			'echo 1 >snapshot; echo 0 >snapshot' \
			'echo 0 >tracing_on; echo 1 >tracing_on' \
			'echo 0 >/sys/devices/system/cpu/cpu1/online
			echo 1 >/sys/devices/system/cpu/cpu1/online'; do
		sh -c "cd $tring && $change"
		only_cpu 0 1 || { echo "$change"; return 1; }
	done
	[ "$(on_cpu 1 refused_off)" -gt 0 ] || return 1
	echo 3 >$tring/tracing_cpumask
	before=$(on_cpu 1 reserved)
	taskset -c 1 ls -R /proc/self/ >/dev/null
	[ "$(on_cpu 1 reserved)" -gt "$before" ] && echo >$tring/set_event && all_balanced $tring
}

# The command's own task, whose pid it tells; it has a child, too.
# shellcheck disable=SC2016 # for the inner shell
with_child='echo $$ >/tmp/own; ls -R /proc/self >/dev/null & echo $! >/tmp/child; wait'

only_the_command() {
	tring record -q -F -e raw_syscalls -o $work/own -- sh -c "$with_child" || return 1
	tasks_of $work/own >/tmp/tasks-own
	cmp /tmp/tasks-own /tmp/own
}

command_and_children() {
	tring record -q -F -c -e raw_syscalls -o $work/children -- sh -c "$with_child" || return 1
	tasks_of $work/children >/tmp/tasks-own
	sort -n /tmp/own /tmp/child | cmp - /tmp/tasks-own
}

pids_alone() {
	sh -c "while :; do ls /proc >/dev/null; echo 1 >>$work/first; done" &
	first=$!
	sh -c "while :; do usleep 10000; echo 2 >>$work/second; done" & # time: a pause is the load
	second=$!
	# both have calls after this
	both=". /guest/lib.sh
		for task in first second; do
			: >$work/\$task
			wait_until [ -s $work/\$task ]
		done"
	tring record -q -P $first,$second -e raw_syscalls -o $work/pids -- sh -c "$both" || return 1
	tasks_of $work/pids >/tmp/tasks-own
	printf '%s\n' $first $second | cmp - /tmp/tasks-own || return 1
	tring record -q -P $first -c -e raw_syscalls -o $work/pids -- sh -c "$both; $both" ||
		return 1
	kill $first $second
	wait $first $second
	tasks_of $work/pids >/tmp/tasks-own
	! grep -qx $second /tmp/tasks-own && [ "$(wc -l </tmp/tasks-own)" -gt 2 ]
}

one_cpu() {
	# shellcheck disable=SC2016 # for the inner shell
	tring record -q -M 2 -e raw_syscalls -o $work/cpu -- sh -c \
		'for cpu in 0 1; do taskset -c $cpu ls -R /proc/self >/dev/null; done' || return 1
	[ -s $work/cpu/cpu1 ] && [ ! -s $work/cpu/cpu0 ]
}

# What a user has left out of the ring before is said, as no counter has it.
limits_are_told() {
	echo 1 >$tring/set_event_pid
	echo 1 >$tring/tracing_cpumask
	says 'tracing_cpumask: it was set before, so not all CPUs' 0 \
		tring record -q -F -e sched -o $work/limits -- true &&
		says 'set_event_pid: it was set before, so not all tasks' 0 \
			tring record -q -M 3 -e sched -o $work/limits -- true &&
		[ -z "$(tring record -q -F -M 3 -e sched -o $work/limits -- true 2>&1)" ]
}

# The lists and the mask of a user come back.
put_back() {
	printf '1\n2\n' >$tring/set_event_pid
	# Its children come into the list while a recorder follows children.
	sh -c 'while :; do sleep 3 & usleep 50000; done' & # time: the pace of its children
	forks=$!
	echo $forks >$tring/set_event_notrace_pid
	echo 1 >$tring/tracing_cpumask
	settings $tring >/tmp/before
	tring record -q -F -c -M 2 -e raw_syscalls -o $work/back -- \
		sh -c "$with_child; . /guest/lib.sh
			more() { [ \$(wc -l <$tring/set_event_notrace_pid) -gt 2 ]; }
			wait_until more" || return 1
	settings $tring | diff /tmp/before -
}

# And all that a recorder changes, when it is killed.
killed() {
	changes='set_event: set_event_pid: event-fork: tracing_cpumask: prev_prio traceoff:count=0'
	echo 'prev_prio < 7' >$filter
	echo 'snapshot:3 if newcomm == "never"' >$trigger
	if [ -e $tracefs/kprobe_events ]; then
		changes="$changes tring_open"
		set -- --kprobe 'p:tring_open do_sys_openat2'
	fi
	if [ -e $tring/current_tracer ]; then
		changes="$changes current_tracer: set_ftrace_filter: set_ftrace_notrace:"
		set -- "$@" -p function -l 'vfs_w*' -n vfs_writev
		echo vfs_read >$tring/set_ftrace_filter
	fi
	settings $tring >/tmp/before
	rm -f /tmp/runs
	# Its children come and go in the list meanwhile.
	killed_when '[ -e /tmp/runs ]' tring record -q -F -c -M 2 "$@" \
		-e sched_switch -f 'prev_prio < 100' -e task_rename -R traceoff:0 -o $work/back -- \
		sh -c 'while :; do ls /proc >/dev/null; echo >/tmp/runs; done' || return 1
	# shellcheck disable=SC2046 # words
	kill $(head -n 1 $tring/set_event_pid)
	settings $tring | diff /tmp/before - >/tmp/changed
	for change in $changes; do
		grep -q "^+.*$change" /tmp/changed || { echo "$change"; return 1; }
	done
	tring reset && settings $tring | diff /tmp/before -
}

need_tring
mkdir -p $work

check "the files of pids do as ftrace's" pid_files_are_ftraces
check "options/event-fork does as ftrace's" option_is_ftraces options/event-fork
check "tracing_cpumask does as ftrace's" mask_is_ftraces
check "each instance has its own" each_instance_has_its_own
echo >$tring/set_event_pid
check "when all tasks of a list have ended nothing is recorded" all_have_ended
check "recorded beside ftrace: the tasks of a list" listed_tasks
check "recorded beside ftrace: all but the tasks of a list" unlisted_tasks
check "CPUs that are left out record nothing" cpus_left_out
check "-F records the command only" only_the_command
check "-F -c records its children, too" command_and_children
check "-P records some tasks only" pids_alone
check "-M records some CPUs only" one_cpu
check "a recording tells which tasks and CPUs were left out before" limits_are_told
check "lists and mask come back" put_back
check "and so does all that a killed recorder has changed" killed
kill $forks
wait $forks
echo >$tring/set_event_pid
echo >$tring/set_event_notrace_pid
echo 3 >$tring/tracing_cpumask
echo 0 >$filter
echo '!snapshot' >$trigger
[ ! -e $tring/set_ftrace_filter ] || : >$tring/set_ftrace_filter
check "a mask of CPUs that are not there changes nothing" \
	refuses_options 1 '-M 100000000: it has a CPU that' -M 100000000 -s 100
if [ -n "$loaded" ]; then
	check "rmmod with a list and children" sh -c "echo 1 >$tring/options/event-fork &&
		echo 1 >$tring/set_event_pid && echo 2 >$tring/set_event_notrace_pid && rmmod tring"
fi
exit 0
