#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0
#
# Tests of instances: creation, removal, independence, refused operations, and recording
# by a module.

. /guest/lib.sh

instances=$tring/instances
# The kernel sends no signals by itself, so the sender can count them.
signals=signal:signal_generate

send_signals() {
	for _ in $(seq "$1"); do
		kill -CONT $$
	done
}

# event-dirs.sh compares the directory events.
files_of() {
	(cd "$1" && find . -path './events/*' -prune -o -type f -print) | sort
}

same_files_as_the_top() {
	# last_boot is the module's
	files_of $tring | grep -vE '^./(instances/|last_boot$)' >/tmp/top-files
	files_of "$1" >/tmp/instance-files
	[ -s /tmp/top-files ] && diff /tmp/top-files /tmp/instance-files
}

links() {
	stat -c %h "$1"
}

mkdir_and_rmdir() {
	before=$(links $instances)
	check "mkdir" mkdir $instances/a
	check "it has the top directory's files but last_boot" same_files_as_the_top $instances/a
	check "its modes are the top's" [ "$(stat -c '%a %u:%g' $instances/a)" = \
		"$(stat -c '%a %u:%g' $tring)" ]
	check "it counts as a link" [ "$(links $instances)" = $((before + 1)) ]
	refuses "File exists" "mkdir $instances/a"
	refuses "not permitted" "mkdir $instances/a/b"
	refuses "not permitted" "mkdir $tring/b"
	refuses "not permitted" "rmdir $instances/a/per_cpu"
	refuses "not permitted" "rmdir $instances"
	refuses "No such file" "rmdir $instances/b"
	refuses "File name too long" "mkdir $instances/$(seq -s '' 130)"
	check "rmdir" rmdir $instances/a
	check "it is gone" [ ! -e $instances/a ]
	check "and its link" [ "$(links $instances)" = "$before" ]
	check "the name can come again" mkdir $instances/a
	check "and go again" rmdir $instances/a
}

independent() {
	mkdir $instances/a $instances/b || return 1
	echo 256 >$instances/a/buffer_size_kb
	echo boot >$instances/a/trace_clock
	echo 0 >$instances/a/options/overwrite
	echo sched:sched_switch >$instances/a/set_event
	echo $signals >$instances/b/set_event
	[ "$(cat $instances/a/buffer_size_kb)" = 256 ] &&
		[ "$(cat $instances/b/buffer_size_kb)" = 1408 ] &&
		grep -q '\[mono\]' $instances/b/trace_clock &&
		[ "$(cat $instances/b/options/overwrite)" = 1 ] &&
		[ "$(cat $instances/a/set_event)" = sched:sched_switch ] &&
		[ "$(cat $instances/b/set_event)" = $signals ] &&
		[ -z "$(cat $tring/set_event)" ] &&
		cmp $tring/available_events $instances/a/available_events &&
		! cmp -s $tring/trace_info $instances/a/trace_info || return 1
	# Recording is off in one instance and on in the other.
	echo 0 >$instances/a/tracing_on
	before=$(sum reserved $instances/a)
	send_signals 10
	[ "$(sum reserved $instances/a)" = "$before" ] &&
		[ "$(sum reserved $instances/b)" -ge 10 ]
}

# Of this task only: the kernel sends signals as well.
same_event_twice() {
	rmdir $instances/a $instances/b
	mkdir $instances/a $instances/b || return 1
	echo 0 >$tring/tracing_on
	echo >$tring/set_event
	before=$(sum reserved $tring)
	echo 1 >$tring/tracing_on
	for ring in $tring $instances/a $instances/b; do
		echo $$ >$ring/set_event_pid
		echo $signals >$ring/set_event
	done
	send_signals 1000
	for ring in $tring $instances/a $instances/b; do
		echo >$ring/set_event
		echo >$ring/set_event_pid
	done
	in_top=$(($(sum reserved $tring) - before))
	in_a=$(sum reserved $instances/a)
	in_b=$(sum reserved $instances/b)
	echo "top $in_top, a $in_a, b $in_b"
	[ "$in_a $in_b $in_top" = "1000 1000 1000" ] &&
		all_balanced $instances/a && all_balanced $instances/b
}

busy() {
	for file in per_cpu/cpu0/trace_pipe_raw_compact set_event trace_info; do
		exec 7<$instances/a/$file
		refuses "busy" "rmdir $instances/a"
		check "still there, and working" \
			[ "$(cat $instances/a/tracing_on)" = 1 ]
		exec 7<&-
	done
	echo $signals >$instances/a/set_event
	echo $signals >$instances/b/set_event
	before=$(sum reserved $instances/b)
	check "rmdir of one with events enabled" rmdir $instances/a
	send_signals 10
	check "the other goes on" \
		[ "$(sum reserved $instances/b)" -ge $((before + 10)) ]
	check "rmdir of the other" rmdir $instances/b
	mkdir $instances/a
	check "a process has it as working directory" stand_in $instances/a/per_cpu
	check "rmdir of a process's working directory" rmdir $instances/a
	kill_stander
}

# Creates an instance, records, reads and removes it
go_round() {
	mkdir $instances/round && echo sched irq >$instances/round/set_event &&
		cat $instances/round/per_cpu/cpu0/stats >/tmp/round.stats &&
		rmdir $instances/round
}

sample_records() {
	insmod /guest/tring_sample.ko || return 1
	refuses "busy" "rmdir $instances/sample"
	refuses "temporarily unavailable" "rmmod tring"
	# shellcheck disable=SC2016 # for the inner shell
	tring record -q --instance sample -o /tmp/sample -- sh -c '. /guest/lib.sh
		wait_until more_than committed $1 $(($(sum committed $1) + 25))' \
		sh $instances/sample || return 1
	tring report /tmp/sample >/tmp/sample.txt || return 1
	head -n 3 /tmp/sample.txt
	# All ticks of the sample, in order.
	sed -n 's/.*tring_sample-.* print: .*tick \([0-9]*\).*/\1/p' /tmp/sample.txt |
		awk 'NR > 1 && $1 != last + 1 { exit 1 } { last = $1 }
			END { if (NR < 20) exit 1 }'
}

# rmmod_with_instances EVENTS - it removes the instances that are left, even a process's working
# directory
rmmod_with_instances() {
	mkdir $instances/a $instances/b $instances/c || return 1
	echo sched >$instances/a/set_event
	echo "$1" >$instances/b/set_event
	stand_in $instances || return 1
	rmmod tring && [ ! -e $tring ] || return 1
	kill_stander
	insmod /guest/tring.ko || return 1
}

need_tring
rounds=20
in_full || rounds=6

mkdir_and_rmdir
check "events, sizes, modes and clocks are each instance's own" independent
check "the same event in three rings counts the same" same_event_twice
busy

check "mkdir and rmdir while events fire" under_load repeat $((rounds / 2)) go_round
in_full && check "mkdir and rmdir leak nothing" leaks_nothing $rounds go_round
check "no instance is left" [ -z "$(ls $instances)" ]

if [ -z "${TRING_BUILT_IN-}" ]; then
	check "a module records into its instance, each tick" sample_records
	check "rmmod of that module" rmmod tring_sample
	check "its instance stays until rmdir" rmdir $instances/sample
	check "rmmod with instances" rmmod_with_instances '*:*'
	# a probe, a counter of perf's and a system call
	in_full && check "rmmod with instances leaks nothing" leaks_nothing 3 \
		rmmod_with_instances "sched kmem:kmalloc syscalls:sys_enter_openat"
fi
exit 0
