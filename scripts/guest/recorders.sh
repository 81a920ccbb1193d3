#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0
#
# Tests of tring record, reset and list: wrong input changes nothing, a ring has one
# recorder at a time, and what a killed recorder has changed is put back. whole-path.sh
# runs this script; qemu-run.sh can run it alone.

. /guest/lib.sh

signals=signal:signal_generate
work=/tmp/recorders
state=/run/tring/ring

# The trace has no event that names tasks: they come from tring's saved_cmdlines. A task that
# ends sends a signal.
names_stay() {
	# shellcheck disable=SC2016 # for the inner shell
	tring record -q -e $signals -o $work/names -- sh -c '
		for name in first second; do
			sh -c "printf $name >/proc/self/comm; read -r x </proc/self/stat"
		done' || return 1
	tring report $work/names >/tmp/lines
	sed -n '1,3p' $tring/saved_cmdlines
	grep -q '^ *first-' /tmp/lines && grep -q '^ *second-' /tmp/lines &&
		! grep '^ *<\.\.\.>' /tmp/lines &&
		grep -o '[a-z]*$' $tring/saved_cmdlines | grep -xE 'first|second' >/tmp/names &&
		[ "$(head -n 2 /tmp/names | tr '\n' ' ')" = "second first " ] &&
		all_balanced $tring
}

# What tring_open_ring() does takes no event from a recorder beside it. Each line is written
# once, so a line that is missing, or there twice, is seen. The recorder may have taken all just
# before a peek: then there is another round of lines.
peeks_beside() {
	# shellcheck disable=SC2016 # for the inner shell
	tring record -q -e $signals -o $work/beside -- sh -c '
		for round in 1 2 3 4; do
			number=0
			until grep -qs "round $round number" /tmp/peeked.$round; do
				for _ in $(seq 500); do
					number=$((number + 1))
					echo "round $round number $number" >$0 || exit 1
				done
				tring peek >/tmp/peeked.$round || exit 1
			done
			seq $number | sed "s/^/round $round number /"
		done >/tmp/written' $tring/trace_marker || return 1
	tring report $work/beside >/tmp/lines || return 1
	grep LOST /tmp/lines && return 1
	sed -n 's/.*: \(round [0-9]* number [0-9]*\)$/\1/p' /tmp/lines | sort >/tmp/marked
	sort /tmp/written | cmp - /tmp/marked && all_balanced $tring
}

# all_there_is - prints the ring's settings, trace and counters, and the old trace on
# the disk
all_there_is() {
	settings $tring
	grep uuid $tring/trace_info
	cat $tring/per_cpu/cpu*/stats | grep -E '^(read|overwritten|remaining):'
	ls $tring/instances
	find $work/trace | sort
	find $work/trace -type f -exec md5sum {} \; | sort
}

# Some events in the ring that nothing may drop, and an old trace. Recording goes on, but
# nothing sends signals.
set_up() {
	rm -rf $work
	mkdir -p $work
	cd $work || return 1
	echo mono >$tring/trace_clock
	echo 1408 >$tring/buffer_size_kb
	echo 1 >$tring/options/overwrite
	echo 0 >$tring/buffer_percent
	echo 1 >$tring/tracing_on
	echo $signals >$tring/set_event
	tring record -q -e sched -o trace -- true || return 1
	echo >$tring/set_event
	# More than a small ring holds.
	seq 3000 >/tmp/numbers
	while read -r number; do
		echo "$number of many lines of text in a full ring" >$tring/trace_marker
	done </tmp/numbers
}

# refused STATUS TEXT OPTION... - tring record ends with STATUS, says TEXT, and changes
# nothing
refused() {
	wanted=$1
	text=$2
	shift 2
	said=$(tring record -o trace "$@" 2>&1)
	status=$?
	all_there_is >/tmp/after
	if [ $status = "$wanted" ] && grep -q trace/metadata /tmp/before &&
			cmp /tmp/before /tmp/after; then
		case $said in
		*"$text"*) pass "tring record $*: status $status" ;;
		*) fail "tring record $*: says '$text' (says: $said)" ;;
		esac
	else
		diff /tmp/before /tmp/after
		fail "tring record $*: status $wanted (status $status, says: $said)"
	fi
}

wrong_input() {
	all_there_is >/tmp/before
	# Some later kernels let perf record synthetic events.
	if echo 'tring_synthetic u64 value' >$tracefs/synthetic_events &&
			! grep -q :tring_synthetic $tring/available_events; then
		refused 2 "-e tring_synthetic: the kernel has it, but" -e tring_synthetic -s 100
	else
		skip "an event that cannot be recorded: this kernel has none"
	fi
	echo '!tring_synthetic u64 value' >$tracefs/synthetic_events
	refused 2 "-C sundial: no such clock; this kernel has mono," -C sundial -e sched -s 100
	refused 1 "-b 64G: the kernel refuses 67108864 KiB for each CPU: " \
		-b 64G --discard -C boot -e sched -s 100
	# Not a tmpfs, which not every kernel has.
	mkdir /tmp/read-only
	mount -o bind /tmp/read-only /tmp/read-only
	mount -o remount,bind,ro /tmp/read-only
	refused 1 "-o /tmp/read-only: cannot write to it: Read-only file system" \
		-e sched -o /tmp/read-only -s 100
	umount /tmp/read-only
	# Another program reads the ring.
	for file in trace_pipe_raw_compact snapshot_raw_compact; do
		exec 7<$tring/per_cpu/cpu1/$file
		refused 1 "cpu1/$file: cannot begin a new trace while another program reads" \
			-C boot -b 8K -e sched -s 100
		exec 7<&-
	done
}

events_of() {
	tring report "$1" | grep -c " $2: "
}

list_of_events() {
	tring record -q -e sched_switch,$signals -e 'irq:*' -o list \
		-- sh -c 'for i in 1 2 3; do kill -CONT $$; done' || return 1
	[ "$(events_of list signal_generate)" -ge 3 ] &&
		[ "$(events_of list sched_switch)" -gt 0 ]
}

# is_recording EVENT STATE-FILE RING - the recorder has changed all that it changes
is_recording() {
	grep -qs '^file set_event$' "$2" && grep -q "$1" "$3/set_event" &&
		grep -q 1 "$3/tracing_on"
}

# start_recorder STATE-FILE RING OPTION... - starts a recorder, which records when this
# returns
start_recorder() {
	file=$1
	ring=$2
	shift 2
	tring record -q -e sched "$@" -s 1000 >/tmp/recorder.log 2>&1 &
	recorder=$!
	wait_until is_recording sched_switch "$file" "$ring"
}

# killed TEXT COMMAND... - COMMAND puts back what a killed recorder has changed
killed() {
	text=$1
	shift
	settings $tring >/tmp/settings
	start_recorder $state $tring -o first -C boot -b 64K --discard || return 1
	kill_task $recorder
	settings $tring | cmp -s - /tmp/settings && return 1
	said=$("$@" 2>&1) || return 1
	echo "$said"
	case $said in
	*"process $recorder (tring record -q -e sched -o first"*"put back: $text"*) ;;
	*) return 1 ;;
	esac
	settings $tring | diff - /tmp/settings && [ ! -e $state ]
}

killed_in_new_instance() {
	start_recorder /run/tring/instance-new $tring/instances/new -B new -o first || return 1
	kill_task $recorder
	[ -e $tring/instances/new ] && tring reset -B new && [ ! -e $tring/instances/new ] &&
		[ ! -e /run/tring/instance-new ]
}

# The ring of the killed recorder is gone, and its settings with it.
killed_before_reload() {
	start_recorder $state $tring -o first -b 64K || return 1
	kill_task $recorder
	rmmod tring && insmod /guest/tring.ko || return 1
	echo 64 >$tring/buffer_size_kb
	[ "$(tring reset 2>&1)" = "tring reset: nothing to put back" ] &&
		[ "$(cat $tring/buffer_size_kb)" = 64 ]
}

# A user that is not root records with the rights of the ring's group.
in_group() {
	echo "tester:x:1000:1000::/tmp:/bin/sh" >>/etc/passwd
	printf 'root:x:0:\ntracing:x:500:tester\ntester:x:1000:\n' >/etc/group
	mkdir -p /dev/shm group
	chmod 1777 /dev/shm
	chown 1000 group
	chmod 755 $tracefs $tracefs/events
	# Format files are in a directory for each event.
	for event in signal/signal_generate ftrace/print; do
		chmod 755 $tracefs/events/${event%/*} $tracefs/events/$event
		chmod 644 $tracefs/events/$event/format
	done
	entries | xargs chgrp 500
	entries -type f | xargs chmod g+rw
	as_tester
	status=$?
	entries -type f | xargs chmod g-w
	entries | xargs chgrp 0
	chmod 700 $tracefs $tracefs/events
	rm -rf /dev/shm/tring
	return $status
}

as_tester() {
	rm -rf /run/tring
	su tester -c "tring record -q -e $signals -o group/trace -s 0.1" || return 1
	# /run cannot be written, and the file is in /dev/shm; root can trust it.
	su tester -c "exec tring record -q -e $signals -o group/trace -s 1000" &
	wait_until is_recording $signals /dev/shm/tring/ring $tring || return 1
	kill -KILL "$(sed -n 's/^process \([0-9]*\) .*/\1/p' /dev/shm/tring/ring)"
	wait $!
	[ "$(stat -c %g:%a /dev/shm/tring)" = 500:775 ] || return 1
	tring reset 2>&1 | tee /tmp/said
	grep -q "put back: .*set_event" /tmp/said && [ ! -e /dev/shm/tring/ring ]
}

need_tring

check "a ring with events and an old trace" set_up
wrong_input
check "-e takes a list with commas" list_of_events
check "tasks that have ended keep their names" names_stay
check "a peek takes nothing from the recorder beside it" peeks_beside
echo 1 >$tring/tracing_on
for command in "tring reset" "tring record -q -e irq -o second -s 0.1"; do
	# shellcheck disable=SC2086 # words
	check "killed, then $command" killed trace_clock $command
	echo $signals >$tring/set_event
	echo 0 >$tring/tracing_on
	# shellcheck disable=SC2086 # words
	check "killed, was off, then $command" killed "tracing_on, trace_clock" $command
	echo >$tring/set_event
	echo 1 >$tring/tracing_on
done
echo 1408 >$tring/buffer_size_kb
echo >$tring/set_event
rm -rf second
check "killed in an instance of its own, then tring reset" killed_in_new_instance
if [ -z "${TRING_BUILT_IN-}" ]; then
	check "killed, and the module was loaded again" killed_before_reload
	echo 1408 >$tring/buffer_size_kb
fi
check "a user of the ring's group records, is killed, and root resets" in_group
echo mono >$tring/trace_clock
exit 0
