#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0
#
# Tests of recorders that a fake kernel cannot stand for; all else is in the reader's tests
# record_*. whole-path.sh runs this script; qemu-run.sh can run it alone.

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
# once, so a line that is missing, or there twice, is seen. The recorder may have taken all
# before a peek.
peeks_beside() {
	# shellcheck disable=SC2016 # for the inner shell
	tring record -q -e $signals -o $work/beside -- sh -c '. /guest/lib.sh
		number=0
		peek_some() {
			for _ in $(seq 500); do
				number=$((number + 1))
				echo "number $number" >$tring/trace_marker || exit 1
			done
			tring peek 2>/dev/null | grep -q ": number [0-9]*$"
		}
		repeat 4 wait_until peek_some && echo $number >/tmp/numbers' || return 1
	tring report $work/beside >/tmp/lines || return 1
	grep LOST /tmp/lines && return 1
	sed -n 's/.*: number \([0-9]*\)$/\1/p' /tmp/lines | sort -n >/tmp/marked
	seq "$(cat /tmp/numbers)" | cmp - /tmp/marked && all_balanced $tring
}

# is_recording EVENT STATE-FILE - the recorder has changed all that it changes
is_recording() {
	grep -qs '^file set_event$' "$2" && grep -q "$1" $tring/set_event &&
		grep -q 1 $tring/tracing_on
}

# The ring of the killed recorder is gone, and its settings with it.
killed_before_reload() {
	killed_when "is_recording sched_switch $state" \
		tring record -q -e sched -o first -b 64K -s 1000 || return 1
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
	rm -rf /run/tring
	su tester -c "tring record -q -e $signals -o group/trace -s 0.1" || return 1
	# /run cannot be written, and the file is in /dev/shm; root can trust it.
	su tester -c "exec tring record -q -e $signals -o group/trace -s 1000" &
	wait_until is_recording $signals /dev/shm/tring/ring || return 1
	kill -KILL "$(sed -n 's/^process \([0-9]*\) .*/\1/p' /dev/shm/tring/ring)"
	wait $!
	[ "$(stat -c %g:%a /dev/shm/tring)" = 500:775 ] || return 1
	tring reset 2>&1 | tee /tmp/said
	grep -q "put back: .*set_event" /tmp/said && [ ! -e /dev/shm/tring/ring ]
}

need_tring

rm -rf $work
mkdir -p $work
cd $work || exit 1
check "tasks that have ended keep their names" names_stay
check "a peek takes nothing from the recorder beside it" peeks_beside
echo 1 >$tring/tracing_on
if [ -z "${TRING_BUILT_IN-}" ]; then
	check "killed, and the module was loaded again" killed_before_reload
	echo 1408 >$tring/buffer_size_kb
fi
check "a user of the ring's group records, is killed, and root resets" in_group
entries -type f | xargs chmod g-w
entries | xargs chgrp 0
chmod 700 $tracefs $tracefs/events
rm -rf /dev/shm/tring
echo mono >$tring/trace_clock
exit 0
