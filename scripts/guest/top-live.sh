#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0
#
# Tests of tring top --live: its numbers are those of a load that is known otherwise, each event
# is in one interval or counted as lost, and its instance is gone in the end.

. /guest/lib.sh

# It does not happen here, so that the ring has the markers alone.
quiet=sched:sched_pi_setprio
work=/tmp/top-live
instances=$tring/instances
# Interval in seconds. No test depends on it, because loads wait for intervals to end.
interval=0.3

# shown FILE - prints the number of intervals
shown() {
	grep -c '^[0-9:]* [0-9]* events, [0-9]* lost, in ' "$1"
}

has_shown() {
	[ "$(shown "$1")" -ge "$2" ]
}

# wait_for_intervals FILE COUNT - waits until so many more intervals were shown
wait_for_intervals() {
	now=$(shown "$1")
	wait_until has_shown "$1" $((now + $2))
}

# start_top FILE OPTION... - starts a top in the background, whose pid is $top then, and waits
# until it has shown an interval
start_top() {
	file=$1
	shift
	tring top --live -d $interval "$@" >"$file" 2>"$file.err" &
	top=$!
	wait_until has_shown "$file" 1 && return
	cat "$file.err"
	return 1
}

# end_top FILE - ends it behind what has happened up to now
end_top() {
	# the first one may have begun before
	wait_for_intervals "$1" 2
	kill -INT "$top"
	wait "$top"
	status=$?
	[ $status = 0 ] && return
	echo "status $status:"
	cat "$1.err"
	return 1
}

# column FILE TEXT NUMBER - prints the sum of a column of the rows that end in the text
column() {
	awk -v text="$2" -v number="$3" '
		substr($0, length($0) - length(text) + 1) == text { n += $number }
		END { print n + 0 }' "$1"
}

all_lost() {
	sed -n 's/^[0-9:]* [0-9]* events, \([0-9]*\) lost, in .*/\1/p' "$1" |
		awk '{ n += $1 } END { print n + 0 }'
}

# left - prints the instances that tops have made
left() {
	find $instances -maxdepth 1 -name 'tring-top-*'
}

nothing_left() {
	[ -z "$(left)" ] && return
	left
	return 1
}

# is_blocked PID - it has left its CPU in read() or poll(), whose numbers these are
is_blocked() {
	grep -qs '^[07] ' "/proc/$1/syscall"
}

# switches PID - prints how often another task has taken the task's place. Its schedstat does
# not count each time that it gets a CPU: not behind a preemption on its way to sleep.
switches() {
	awk '/ctxt_switches:/ { n += $2 } END { print n }' "/proc/$1/status"
}

# start_load COUNT COMMAND... - a task, $load, that runs the command so many times between two
# lines of the fifo "go", and ends at a third one
start_load() {
	count=$1
	shift
	(
		exec <go
		read -r _
		for _ in $(seq "$count"); do
			"$@"
		done
		: >finished
		read -r _
	) &
	load=$!
	exec 8>go
	wait_until is_blocked $load
}

# run_load - lets the load run, and waits until it is blocked again
run_load() {
	echo begin >&8
	wait_until has_run
}

# The load alone reads the fifo.
has_run() {
	[ -e finished ] && is_blocked $load
}

end_load() {
	echo end >&8
	exec 8>&-
	wait $load
}

# Every switch to a task is counted, in one of the intervals. There are as many from it, because
# it is blocked before and behind. Nothing is lost: the ring has room for all that the task does.
counts_switches() {
	rm -f finished
	start_load 200 true_command
	start_top sched sched -b 8M -P $load || return 1
	before=$(switches $load)
	run_load
	after=$(switches $load)
	end_top sched || return 1
	end_load
	counted=$(awk -v pid=$load '$1 == pid { n += $7 } END { print n + 0 }' sched)
	[ "$counted" = $((after - before)) ] && [ "$counted" -ge 200 ] &&
		[ "$(all_lost sched)" = 0 ] && return
	echo "$counted switches, not $((after - before)); $(all_lost sched) lost"
	return 1
}

# another program, for which the shell waits
true_command() {
	/bin/true
}

# mark COUNT FILE - writes markers
mark() {
	yes 'a marker of top-live, whose length is that of a usual event....' |
		dd bs=64 count="$1" iflag=fullblock of="$2" 2>/dev/null
}

counts_markers() {
	start_top markers events -b 8M -e $quiet || return 1
	mark 5000 $instances/tring-top-$top/trace_marker
	wait_for_intervals markers 1
	mark 5000 $instances/tring-top-$top/trace_marker
	end_top markers || return 1
	counted=$(column markers "  print" 1)
	[ "$counted" = 10000 ] && [ "$(all_lost markers)" = 0 ] && return
	echo "$counted markers, $(all_lost markers) lost"
	return 1
}

# Of what a stopped reader leaves in the ring, nothing gets lost without being counted: but for
# top's own marker, which it may have written just before.
counts_losses() {
	start_top losses events losses -b 64 -e $quiet || return 1
	kill -STOP $top
	mark 20000 $instances/tring-top-$top/trace_marker
	kill -CONT $top
	end_top losses || return 1
	counted=$(column losses "  print" 1)
	lost=$(all_lost losses)
	[ "$lost" -gt 0 ] && [ $((counted + lost)) -ge 20000 ] &&
		[ $((counted + lost)) -le 20001 ] &&
		grep -q "^$lost events were lost since the start" losses && return
	echo "$counted markers, $lost lost"
	return 1
}

# Each has its own instance, and neither sees the other's markers.
two_at_once() {
	start_top first events -e $quiet || return 1
	one=$top
	start_top second events -e $quiet || return 1
	mark 100 $instances/tring-top-$one/trace_marker
	mark 10 $instances/tring-top-$top/trace_marker
	end_top second || return 1
	top=$one
	end_top first || return 1
	[ "$(column first "  print" 1)" = 100 ] && [ "$(column second "  print" 1)" = 10 ] &&
		nothing_left
}

# ends_at HOW - a signal ends it, and nothing is left
ends_at() {
	start_top ended || return 1
	kill "-$1" $top
	wait $top && nothing_left
}

reader_ends() {
	tring top --live -d $interval 2>first-line.err | head -n 1 >first-line
	# top may still be at its end
	wait_until nothing_left && [ -s first-line ] && [ ! -s first-line.err ]
}

is_switched_off() {
	start_top off || return 1
	echo 0 >$instances/tring-top-$top/tracing_on
	wait $top
	[ $? = 1 ] && grep -q 'another program has switched recording off' off.err && nothing_left
}

need_tring
rm -rf $work
mkdir -p $work
cd $work || exit 1
mkfifo go

check "top --live: each switch to a task is in one interval" counts_switches
check "top --live: each event is in one interval" counts_markers
check "top --live: what is not in an interval is counted as lost" counts_losses
check "top --live: two at once, each with its own instance" two_at_once
check "top --live: SIGTERM leaves nothing" ends_at TERM
check "top --live: the end of its reader ends it" reader_ends
check "top --live: recording is switched off" is_switched_off
cd /
rm -rf $work
exit 0
