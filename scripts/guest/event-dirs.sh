#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0
#
# Tests of the directory events: its names, ids, formats and errors are ftrace's, also while
# instances, modules and dynamic events come and go, and while other tasks look up, read or hold
# what goes. Needs jbd2 as a module.

. /guest/lib.sh

work=/tmp/event-dirs
mkdir -p $work
# names_in DIR - prints the paths of all directories, and of all files that tring has. A system
# has no filter of its own in tring.
names_in() {
	(cd "$1" && find . -type d -o -name enable -o -name id -o -name format \
		-o -path './*/*/filter' -o -path './*/*/trigger') | sort
}

names_are_ftraces() {
	names_in $tracefs/events >$work/ftrace
	(cd "$1" && find . | sort) >$work/tring
	wc -l $work/ftrace $work/tring
	diff $work/ftrace $work/tring | head
	[ "$(wc -l <$work/tring)" -gt 4000 ] && cmp $work/ftrace $work/tring
}

# texts_of DIR - prints all ids and formats
texts_of() {
	for file in id format; do
		(cd "$1" && find . -name $file | sort | xargs cat) || return 1
	done
}

texts_are_ftraces() {
	texts_of $tracefs/events >$work/ftrace && texts_of $tring/events >$work/tring || return 1
	wc -c $work/ftrace
	[ -s $work/ftrace ] && cmp $work/ftrace $work/tring
}

# what_is_enabled EVENTS - prints what some files say, and disables all
what_is_enabled() {
	(cd "$1" && head enable sched/enable sched/sched_switch/enable irq/enable)
	echo >"${1%/*}/set_event"
}

enabling_is_ftraces() {
	shows=what_is_enabled
	# shellcheck disable=SC2016 # evaluated for each directory
	both_each events 'cd $file &&' <<-'END'
		true
		echo 1 >sched/sched_switch/enable
		echo 1 >sched/enable
		echo 1 >sched/enable; echo 0 >sched/sched_switch/enable
		echo 1 >sched/enable; echo 0 >sched/enable
		echo 1 >irq/enable; echo 1 >sched/sched_switch/enable; echo 0 >enable
		echo 1 >sched/sched_switch/enable; echo 1 >sched/sched_switch/enable
		echo 0 >sched/sched_switch/enable
		printf ' 1' >sched/sched_switch/enable
		printf '1\n\n' >sched/sched_switch/enable
		echo +1 >sched/sched_switch/enable
		echo 01 >sched/sched_switch/enable
		echo 2 >sched/sched_switch/enable
		echo 2 >sched/enable
		echo 2 >enable
		echo -1 >sched/sched_switch/enable
		echo >sched/sched_switch/enable
		echo >sched/enable
		echo >enable
		echo abc >sched/sched_switch/enable
		echo abc >sched/enable
		echo abc >enable
		echo 1x >sched/sched_switch/enable
		echo 0x1 >sched/sched_switch/enable
		echo 99999999999999999999999 >sched/sched_switch/enable
		echo 1 >sched/sched_switch/enable; : >sched/sched_switch/enable
		echo 1 >sched/enable; : >sched/enable; : >enable
		echo 1 >>sched/sched_switch/enable
		echo 1 >sched/sched_switch/nothing
		echo 1 >nothing
		echo 1 >sched
		cat nothing
		cat sched/nothing
		cat sched/sched_switch/nothing
		cat nothing/sched_switch/enable
		cat sched/sched_switch/id/enable
		cat sched
		cat ftrace/enable
		cat ftrace/print/enable
		mkdir nothing
		mkdir sched/nothing
		mkdir sched/sched_switch/nothing
		mkdir sched
		rmdir sched
		rmdir sched/sched_switch
		rm sched/sched_switch/enable
		rm enable
		mv sched irq
		mv sched/sched_switch/id sched/sched_switch/format
		ln enable other
		ln -s enable other
	END
}

# error_of COMMAND - prints the last part of what the failing shell command says
error_of() {
	said=$(sh -c "$1" 2>&1) && return 1
	echo "${said##*: }"
}

reading_seeks() {
	for dir in events events/syscalls events/sched events/sched/sched_switch; do
		count=$(/guest/seek-dir $tring/$dir) || return 1
		echo "$dir: $count"
		# "find" prints the directory, and neither . nor ..
		[ "$count" = $(($(find $tring/$dir -maxdepth 1 | wc -l) + 1)) ] || return 1
	done
}

set_event_agrees() {
	echo 'sched:sched_switch irq:' >$tring/set_event || return 1
	[ "$(cat $tring/events/sched/sched_switch/enable)" = 1 ] &&
		[ "$(cat $tring/events/sched/enable)" = X ] &&
		[ "$(cat $tring/events/irq/enable)" = 1 ] &&
		[ "$(cat $tring/events/enable)" = X ] || return 1
	echo 0 >$tring/events/irq/enable
	[ "$(cat $tring/set_event)" = sched:sched_switch ] || return 1
	echo 0 >$tring/events/enable
	[ -z "$(cat $tring/set_event)" ] || return 1
	# what is enabled is recorded
	echo >$tring/trace
	echo 1 >$tring/events/sched/sched_switch/enable
	wait_until peeked ' sched_switch: '
	echo 0 >$tring/events/sched/sched_switch/enable
	peeked ' sched_switch: '
}

all_events() {
	echo 1 >$tring/events/enable || return 1
	[ "$(wc -l <$tring/set_event)" = "$(wc -l <$tring/available_events)" ] &&
		[ "$(cat $tring/events/enable)" = 1 ] || return 1
	echo 0 >$tring/events/enable
	[ -z "$(cat $tring/set_event)" ] && [ "$(cat $tring/events/enable)" = 0 ]
}

# A probe on an event has no source.
not_recordable() {
	# shellcheck disable=SC2016 # a field
	echo 'e:probed/switches sched.sched_switch pid=$prev_pid:s32' >>$tracefs/dynamic_events ||
		return 1
	dir=$tring/events/probed
	by_file=$(error_of "echo 1 >$dir/switches/enable")
	by_name=$(error_of "echo probed:switches >$tring/set_event")
	by_system=$(error_of "echo 1 >$dir/enable")
	echo "$by_file, $by_name, $by_system"
	[ -n "$by_name" ] && [ "$by_file" = "$by_name" ] && [ "$by_system" = "$by_name" ] &&
		[ "$(cat $dir/switches/enable)" = 0 ] && [ "$(cat $dir/enable)" = "?" ]
}

# has_entry NAME - the directory events has it. A name that a task holds can be looked up
# even if it has not.
has_entry() {
	find $tring/events -maxdepth 1 -name "$1" | grep -q .
}

kprobe_comes_and_goes() {
	dir=$tring/events/probed
	[ ! -e $dir ] || return 1
	echo 'p:probed/opens do_sys_openat2' >>$tracefs/kprobe_events || return 1
	[ "$(cat $dir/opens/id)" = "$(cat $tracefs/events/probed/opens/id)" ] || return 1
	echo 1 >$dir/enable || return 1
	[ "$(cat $tring/set_event)" = probed:opens ] || return 1
	exec 7<$dir/opens/enable
	exec 8>$dir/opens/enable
	echo 0 >&8 || return 1
	echo '-:probed/opens' >>$tracefs/kprobe_events || return 1
	[ "$(error_of "cat <&7")" = "No such device" ] &&
		[ "$(error_of "echo 1 >&8")" = "No such device" ] &&
		[ "$(error_of "ls $dir")" = "No such file or directory" ] &&
		! has_entry probed || return 1
	# The open file is that of the name.
	echo 'p:probed/opens do_sys_openat2' >>$tracefs/kprobe_events || return 1
	[ "$(cat <&7)" = 0 ] && [ "$(cat $dir/opens/enable)" = 0 ] || return 1
	exec 7<&- 8>&-
	echo '-:probed/opens' >>$tracefs/kprobe_events
	[ ! -e $dir ]
}

module_comes_and_goes() {
	dir=$tring/events/jbd2
	load_jbd2 || return 1
	exec 7<$dir/jbd2_checkpoint/format 8<$dir
	stand_in $dir/jbd2_checkpoint || return 1
	rmmod jbd2 || return 1
	! has_entry jbd2 && [ ! -e $dir/jbd2_checkpoint/enable ] && [ ! -e $dir/enable ] &&
		[ "$(error_of "cat <&7")" = "No such device" ] &&
		[ "$(error_of "cat $dir/jbd2_checkpoint/format")" = "No such device" ] &&
		[ "$(error_of "cat /proc/$stander/cwd/enable")" = "No such file or directory" ] &&
		[ "$(error_of "ls /proc/$stander/cwd/")" = "No such file or directory" ] &&
		[ -z "$(ls /proc/self/fd/8/ 2>/dev/null)" ] || return 1
	exec 7<&- 8<&-
	insmod "$jbd2" || return 1
	# It came again where the task stands.
	[ "$(cat /proc/$stander/cwd/enable)" = 0 ] && [ "$(cat $dir/enable)" = 0 ] || return 1
	kill_stander
	names_are_ftraces $tring/events || return 1
	rmmod jbd2 && [ ! -e $dir ] && insmod "$jbd2"
}

attributes_are_kept() {
	file=$tring/events/sched/sched_switch/enable
	mkdir $tring/instances/a || return 1
	before=$(stat -c '%a %u:%g' $file)
	chgrp 77 $file && chmod 660 $file && chown 5 $tring/events/sched || return 1
	echo 2 | tee /proc/sys/vm/drop_caches >/dev/null
	[ "$(stat -c '%a %u:%g' $file)" = "660 0:77" ] &&
		[ "$(stat -c '%a %u:%g' $tring/events/sched)" = "750 5:0" ] &&
		[ "$(stat -c '%a %u:%g' $tring/events/sched/enable)" = "$before" ] &&
		[ "$(stat -c '%a %u:%g' $tring/instances/a/events/sched/sched_switch/enable)" = \
			"$before" ] || return 1
	chgrp 0 $file && chmod 640 $file && chown 0 $tring/events/sched
	[ "$(stat -c '%a %u:%g' $file)" = "$before" ] && rmdir $tring/instances/a
}

# The number of an entry is another one each time.
entries_go() {
	file=$tring/events/sched/sched_switch/enable
	[ "$(stat -c %i $file)" != "$(stat -c %i $file)" ]
}

each_instance_has_its_own() {
	a=$tring/instances/a b=$tring/instances/b
	mkdir $a $b || return 1
	names_are_ftraces $a/events || return 1
	echo 1 >$a/events/sched/enable
	echo 1 >$b/events/irq/enable
	[ "$(cat $a/events/sched/enable) $(cat $a/events/irq/enable)" = "1 0" ] &&
		[ "$(cat $b/events/sched/enable) $(cat $b/events/irq/enable)" = "0 1" ] &&
		[ "$(cat $tring/events/enable)" = 0 ] && rmdir $b || return 1
	echo 0 >$a/events/enable
	all_balanced $a
}

# The instance a is from before.
instance_goes() {
	for file in enable sched/enable sched/sched_switch/format; do
		exec 7<$a/events/$file
		[ "$(error_of "rmdir $a")" = "Device or resource busy" ] || return 1
		[ -n "$(cat <&7)" ] || return 1
		exec 7<&-
		[ -n "$(cat $a/events/$file)" ] || return 1
	done
	stand_in $a/events/sched/sched_switch || return 1
	mkdir -p $work/bound
	mount --bind $a/events/irq $work/bound || return 1
	exec 8<$a/events
	rmdir $a || return 1
	[ ! -e $a ] && [ -z "$(ls $work/bound 2>/dev/null)" ] &&
		[ -z "$(ls /proc/self/fd/8/ 2>/dev/null)" ] &&
		[ -z "$(ls /proc/$stander/cwd/ 2>/dev/null)" ] &&
		[ "$(error_of "cat /proc/$stander/cwd/enable")" = "No such file or directory" ] ||
		return 1
	exec 8<&-
	umount $work/bound
	kill_stander
	mkdir $a && [ "$(cat $a/events/sched/enable)" = 0 ] && rmdir $a
}

# look_up - until $work/stop is there: what stays must be found each time
look_up() {
	while [ ! -e $work/stop ]; do
		[ "$(find $tring/events/sched | wc -l)" = "$expected" ] ||
			echo "sched has not $expected entries"
		[ "$(cat $tring/events/irq/irq_handler_entry/enable)" = 0 ] || echo "irq"
		find $tring/events/jbd2 $tring/instances/a/events/irq -exec cat {} + \
			>/dev/null 2>&1
	done >>$work/bad 2>&1
}

lookups_in_parallel() {
	rm -f $work/stop
	: >$work/bad
	lookers=
	for _ in 1 2 3 4; do
		look_up &
		lookers="$lookers $!"
	done
	for _ in 1 2 3; do
		mkdir $tring/instances/a || return 1
		# An event keeps its module while it is looked up.
		wait_until rmmod jbd2 2>/dev/null || return 1
		cat $tring/instances/a/events/irq/*/id >/dev/null || return 1
		insmod "$jbd2" || return 1
		# While an entry is held it is busy.
		wait_until rmdir $tring/instances/a 2>/dev/null || return 1
	done
	: >$work/stop
	# shellcheck disable=SC2086 # words
	wait $lookers
	head $work/bad
	[ ! -s $work/bad ]
}

need_tring
expected=$(find $tring/events/sched | wc -l)
echo >$tracefs/set_event
check "the directories and files are those of ftrace" names_are_ftraces $tring/events
check "ids and formats are ftrace's" texts_are_ftraces
check "directories can be read from each position" reading_seeks
check "enabling and errors are ftrace's" enabling_is_ftraces
for file in id format; do
	refuses "Permission denied" "echo 1 >$tring/events/sched/sched_switch/$file"
done
check "set_event and enable agree" set_event_agrees
check "all events" all_events
check "an event that cannot be recorded gives set_event's error" not_recordable
echo '-:probed/switches' >>$tracefs/dynamic_events
check "a kprobe comes and goes" kprobe_comes_and_goes
check "a module comes and goes" module_comes_and_goes
in_full && check "owner, group and mode are kept" attributes_are_kept
check "an entry goes with its last user" entries_go
check "each instance has its own" each_instance_has_its_own
check "rmdir of an instance while its entries are held" instance_goes
in_full && check "lookups in parallel while modules and instances come and go" lookups_in_parallel
check "and the counters balance" all_balanced $tring
exit 0
