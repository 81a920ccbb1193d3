#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0
#
# Tests of tring record --stop-when: a ring that overwrites, beside 100,000 events a second, is
# stopped by a call that is known to be long, soon, and with what led to it; the trace says what
# has stopped it, and agrees.

. /guest/lib.sh

work=/tmp/stop-when
state=/run/tring/ring
# Of a call of "sleep"; that of a poll of this shell's is hardly ever as long.
limit=500ms
slow=0.6
rate=100000

# Each condition's instance records, and so does the ring.
watches() {
	! cat $tring/instances/*/tracing_on 2>&1 | grep -qv 1
}

# begin_record DIR OPTION... - begins to record; $recorder is its pid
begin_record() {
	dir=$1
	shift
	rm -rf "${dir:?}"/*
	tring record -o "$dir" "$@" >"$dir.said" 2>&1 &
	recorder=$!
	wait_until grep -q 'until it happens' "$dir.said" && wait_until watches
}

# ends_with STATUS DIR TEXT - the recorder ends so, and says the text
ends_with() {
	wait $recorder
	status=$?
	[ $status = "$1" ] && grep -q "$3" "$2.said" && return
	echo "status $status:"
	cat "$2.said"
	return 1
}

# stopped DIR - prints what has stopped it
stopped() {
	tring info "$1" | sed -n 's/^stopped_by *//p'
}

# No instance is left, and the ring is as it was.
is_as_before() {
	[ -z "$(ls $tring/instances)" ] && [ -z "$(ls /run/tring 2>/dev/null)" ] &&
		settings $tring | diff /tmp/settings.before - &&
		! grep -q page_fault_end $tracefs/kprobe_events
}

# microseconds SECONDS - of a time with nine digits behind the point
microseconds() {
	echo "$1" |
		awk '{ split($1, part, "."); printf "%d\n", part[1] * 1000000 + part[2] / 1000 }'
}

# stamps - prints the times of the lines of tring report -t
stamps() {
	sed -n 's/^.*\[[0-9]*\] [^ ]* *\([0-9]*\.[0-9]*\): .*/\1/p'
}

# field NAME - a number of the longest time in /tmp/json
field() {
	sed -n "s/.*\"longest\":\[{[^}]*\"$1\":\([0-9]*\).*/\1/p" /tmp/json
}

# nanoseconds SECONDS - of a time with nine digits behind the point
nanoseconds() {
	echo "$1" | sed 's/\.//; s/^0*//'
}

# The trace agrees with what it says. tring latency finds the same call: it was recorded in the ring
# first, and then in the instance of the condition. Its begin and end are in the trace, nothing is
# missing since; and recording was off as late as is said, or sooner: behind that there is no more
# than the event of a writer that had begun before, on each of the two CPUs.
agrees() {
	what=$(stopped "$1")
	from=$(echo "$what" | sed -n 's/.* ms from \([0-9.]*\) to .*/\1/p')
	to=$(echo "$what" | sed -n 's/.* to \([0-9.]*\), task.*/\1/p')
	late=$(echo "$what" | sed -n 's/.*; recording was off \([0-9.]*\) ms later/\1/p')
	pid=$(echo "$what" | sed -n 's/.*, common_pid=\([0-9]*\), .*/\1/p')
	tring latency --json -P "$pid" syscalls:clock_nanosleep "$1" >/tmp/json || return 1
	begin=$(field from)
	end=$(field to)
	echo "the trace: $begin to $end, of $pid; said: $from to $to"
	[ "$begin" -le "$(nanoseconds "$from")" ] && [ "$end" -le "$(nanoseconds "$to")" ] &&
		[ "$end" -ge "$(nanoseconds "$from")" ] || return 1
	begin=$(echo "$begin" | sed 's/.\{9\}$/.&/')
	tring report -t --from "$begin" "$1" >/tmp/report 2>/dev/null || return 1
	lost=$(lost_in /tmp/report)
	events=$(wc -l </tmp/report)
	last=$(tail -n 1 /tmp/report | stamps)
	behind=$(($(microseconds "$last") - $(microseconds "$to")))
	before=$(($(microseconds "$(tail -n 3 /tmp/report | head -n 1 | stamps)") -
		$(microseconds "$to")))
	echo "$events events from $begin on, $lost lost; the last one $behind us behind $to"
	[ "$(head -n 1 /tmp/report | stamps)" = "$begin" ] &&
		grep -q "$(echo "$end" | sed 's/.\{9\}$/.&/'): sys_exit_clock_nanosleep" \
			/tmp/report &&
		[ "$lost" = 0 ] && [ $behind -ge 0 ] &&
		[ $before -le "$(echo "$late" | tr -d .)" ] && return
	echo "$late ms late; the end of the trace, and its losses:"
	tail -n 5 /tmp/report
	grep LOST /tmp/report
	return 1
}

# a_second - prints the number of events a second in /tmp/report
a_second() {
	echo $((events * 1000 / (($(microseconds "$last") - $(microseconds "$begin")) / 1000)))
}

# Where the host does something else for a while, the guest's clock goes on: so one of some
# recordings tells how long the guest takes, and has as many events a second as are wanted.
stops_in_time() {
	/guest/paced-writers 2 1000000000000 $((rate + rate / 5)) >/dev/null &
	load=$!
	good=no
	for _ in $(seq 20); do
		overwritten=$(sum overwritten $tring)
		begin_record long --overwrite -b 16M -e raw_syscalls \
			--stop-when "latency syscalls:clock_nanosleep > $limit" || break
		wait_until more_than overwritten $tring "$overwritten"
		sleep $slow # time: the call that is too long
		ends_with 0 long "older events were overwritten" || break
		agrees long || break
		cat long.said
		echo "$(a_second) events a second"
		[ "$(a_second)" -ge $rate ] && [ "${late%.*}" -lt 100 ] && good=yes && break
	done
	kill_task $load
	[ $good = yes ] || { cat long.said; return 1; }
}

# An event that a filter lets through, after a while, and of two conditions.
stops_at_an_event() {
	begin_record event --overwrite -e sched --after 300ms \
		--stop-when 'event signal:signal_generate sig == 12' \
		--stop-when 'latency syscalls:clock_nanosleep > 1000s' || return 1
	kill -USR1 $$
	kill -USR2 $$
	# Else there may be no event in the last milliseconds.
	under_load ends_with 0 event "stopped by event signal:signal_generate sig == 12: at " ||
		return 1
	what=$(stopped event)
	echo "$what"
	at=$(echo "$what" | sed -n 's/.*: at \([0-9.]*\), task.*/\1/p')
	echo "$what" | grep -q ', CPU [01]: sig=12 .*; recording was off 0\.[3-9].* ms late$' &&
		tring report -t event >/tmp/report 2>/tmp/said &&
		grep -q "event: stopped by event signal:signal_generate sig == 12: at $at" \
			/tmp/said &&
		grep -q ': signal_generate: *sig=12 ' /tmp/report || return 1
	tail -n 1 /tmp/report
	[ $(($(microseconds "$(tail -n 1 /tmp/report | stamps)") -
		$(microseconds "$at"))) -ge 290000 ]
}

# The user ends it before.
ends_before() {
	begin_record before --overwrite -e sched \
		--stop-when 'event signal:signal_generate sig == 12' || return 1
	kill -INT $recorder
	ends_with 3 before 'no condition of --stop-when was met' &&
		[ "$(stopped before)" = "none of its conditions" ] && tring report before >/dev/null
}

# The ring is read meanwhile, and the disk keeps the newest.
keeps_parts() {
	begin_record parts --split 64K -e sched,irq,timer,raw_syscalls \
		--stop-when 'event signal:signal_generate sig == 12' || return 1
	under_load wait_until [ -e parts/000012 ] || return 1
	kill -USR2 $$
	ends_with 0 parts "stopped by event signal:signal_generate sig == 12: at " || return 1
	said=0
	for part in parts/0*; do
		tring info "$part" | grep -q '^stopped_by *event signal:.* later$' || return 1
		said=$((said + 1))
	done
	echo "$said parts say it"
	[ $said -gt 1 ] && tring report parts 2>&1 | grep -q 'signal_generate: *sig=12 '
}

killed() {
	begin_record killed -e sched --stop-when 'latency wakeup > 1000s' \
		--stop-when 'event signal:signal_generate sig == 12' || return 1
	set -- $tring/instances/*
	[ $# = 2 ] || return 1
	kill_task $recorder
	says "has ended without undoing its changes; put back:" 0 tring reset &&
		[ -z "$(ls $tring/instances)" ] &&
		says "killed: stopped by none of its conditions" 1 tring report killed
}

# A pair that defines an event, which is recorded besides, too.
with_a_probe() {
	says "no condition of --stop-when was met" 3 tring record -q --pair page-fault \
		--stop-when 'latency page-fault > 1000s' -o probe -- ls -l / &&
		tring latency --json page-fault probe >/tmp/json &&
		grep -q '"count":[1-9]' /tmp/json
}

refuses_all() {
	set -- tring record -q -o refused
	says "needs sched:sched_swich: no such event" 2 "$@" \
		--stop-when 'event sched:sched_swich' &&
		says "some tasks are not recorded, so no such time is known" 1 "$@" -P $$ \
			--stop-when 'latency wakeup > 1ms' &&
		says "the kernel refuses the filter of sched:sched_switch" 1 "$@" \
			--stop-when 'event sched:sched_switch no_field == 1' &&
		says "is recorded with a filter" 1 "$@" -e sched_switch -f 'prev_pid == 1' \
			--stop-when 'latency wakeup > 1ms' && [ ! -e refused/metadata ]
}

# The ring is larger than the disk, and full: each byte that dd copies has four events.
fills_disk() {
	mkdir -p full
	mount -t tmpfs -o size=6m tmpfs full || return 1
	# what it says goes to another disk
	tring record -o full/trace --overwrite -b 8M -e raw_syscalls \
		--stop-when "latency syscalls:clock_nanosleep > $limit" >full.said 2>&1 &
	recorder=$!
	wait_until grep -q 'until it happens' full.said && wait_until watches &&
		dd if=/dev/zero of=/dev/null bs=1 count=200000 2>/dev/null &&
		sleep $slow && # time: the call that is too long
		ends_with 1 full "No space left on device" && grep -q "stopped by" full.said &&
		! grep "the trace has all" full.said
	status=$?
	umount full
	return $status
}

# They are generated, and do nothing.
trap : USR1 USR2
need_tring
settings $tring >/tmp/settings.before
mkdir -p $work
cd $work || exit
check "100,000 events a second: it stops within 100 ms, and the trace agrees" stops_in_time
check "a filter's event stops it, after a while" stops_at_an_event
check "a full disk is told, and nothing else is said to be there" fills_disk
check "Ctrl-C before that has a status of its own" ends_before
check "parts of the trace say what has stopped it" keeps_parts
check "what a killed one has left goes by tring reset" killed
check "a pair that defines an event" with_a_probe
check "what cannot be known is refused" refuses_all
check "all is as before" is_as_before
cd /
rm -rf $work
exit 0
