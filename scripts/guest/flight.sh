#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0
#
# Tests of tring start, stop, restart, snapshot, extract and reset: what the ring has recorded is
# saved once, what it has overwritten is counted, and all is as before in the end.

. /guest/lib.sh

# It does not happen here, so that the ring has the markers alone.
quiet=sched:sched_pi_setprio
work=/tmp/flight
state=/run/tring/ring
written=0

pin=
# mark COUNT - writes so many markers of 64 bytes, whose numbers go on
mark() {
	seq $((written + 1)) $((written + $1)) | awk '{ printf "marker %-56d\n", $1 }' |
		$pin dd bs=64 iflag=fullblock of=$tring/trace_marker 2>/dev/null
	written=$((written + $1))
}

# numbers DIR - prints the markers' numbers that a trace has, by tring report
numbers() {
	tring report "$1" >/tmp/report || return 1
	sed -n 's/.*: marker \([0-9]*\) *$/\1/p' /tmp/report | sort -n
}

# has DIR FIRST LAST - the trace has these markers, and no others
has() {
	numbers "$1" >/tmp/has || return 1
	seq "$2" "$3" >/tmp/wanted
	cmp -s /tmp/has /tmp/wanted && return
	echo "$1 has $(wc -l </tmp/has) markers, $(head -n 1 /tmp/has) to $(tail -n 1 /tmp/has)," \
		"not $2 to $3"
	return 1
}

begin() {
	echo 0 >$tring/tracing_on
	echo >$tring/set_event
	: >$tring/trace
	echo 64 >$tring/buffer_size_kb
	echo 1 >$tring/tracing_on
	rm -rf $work
	mkdir -p $work
	cd $work || return 1
	settings $tring >/tmp/settings.before
	written=0
}

is_as_before() {
	settings $tring >/tmp/settings.after
	[ ! -e $state ] && diff /tmp/settings.before /tmp/settings.after
}

starts() {
	says "$tring records; \"tring snapshot\" saves" 0 tring start -e $quiet -b 128K -C tai &&
		[ -e $state ] && [ "$(cat $tring/set_event)" = $quiet ] &&
		[ "$(cat $tring/buffer_size_kb)" = 128 ] && [ "$(cat $tring/tracing_on)" = 1 ] &&
		grep -q '\[tai\]' $tring/trace_clock
}

snapshots_follow_each_other() {
	mark 100
	tring snapshot -o first >/tmp/said 2>&1 || { cat /tmp/said; return 1; }
	mark 50
	tring snapshot -o second >/tmp/said 2>&1 || { cat /tmp/said; return 1; }
	grep -q 'balance: every accepted event' /tmp/said && has first 1 100 && has second 101 150
}

stops_and_goes_on() {
	mark 10
	tring stop && says "recording is off already" 0 tring stop || return 1
	! echo unheard >$tring/trace_marker 2>/dev/null || return 1
	tring extract -q -o stopped && has stopped 151 160 && tring restart &&
		[ "$(cat $tring/tracing_on)" = 1 ] && mark 10 && tring extract -q -o on &&
		has on 161 170
}

# The ring has less than was written, and what it has lost is told once. What it keeps are the
# newest ones, as all are written on one CPU.
overwritten_is_counted() {
	pin='taskset -c 0'
	mark 5000
	says "older events are lost, see the table" 0 tring snapshot -o full || return 1
	numbers full >/tmp/has || return 1
	kept=$(wc -l </tmp/has)
	gone=$(lost_in /tmp/report)
	echo "$kept kept, $gone lost"
	[ "$kept" -gt 1000 ] && [ $((kept + gone)) = 5000 ] &&
		[ "$(tail -n 1 /tmp/has)" = $written ] &&
		[ "$(head -n 1 /tmp/has)" = $((written - kept + 1)) ] || return 1
	pin=
	mark 20
	tring snapshot -q -o after && has after $((written - 19)) $written &&
		[ "$(lost_in /tmp/report)" = 0 ] &&
		mark 5000 && tring stop && tring extract -q -o full-again &&
		numbers full-again >/tmp/has &&
		[ $(($(wc -l </tmp/has) + $(lost_in /tmp/report))) = 5000 ] &&
		tring restart
}

# saves_whole COMMAND DIR - what is saved balances, and is read without a complaint
saves_whole() {
	tring "$1" -o "$2" >/tmp/said 2>&1 && grep -q 'balance: every accepted' /tmp/said &&
		tring report "$2" >/dev/null 2>/tmp/said && [ ! -s /tmp/said ] && return
	cat /tmp/said
	return 1
}

save_in_turn() {
	for round in 1 2 3; do
		for how in snapshot extract; do
			wait_until more_than overwritten $tring "$(sum overwritten $tring)" &&
				saves_whole $how "load-$how-$round" || return 1
		done
	done
}

# extract moves packets by pwrite64(). None of its calls is in what it saves, nor takes the place
# of what was there: its CPU's ring is full, and is the last one that it reads.
saves_nothing_of_its_own() {
	cpu=$(($(nproc) - 1))
	tring reset || return 1
	tring start -q -e syscalls:sys_enter_pwrite64 -b 64K || return 1
	written=0
	pin="taskset -c $cpu"
	mark 5000
	pin=
	says "recording was off for " 0 taskset -c $cpu tring extract -o its-own || return 1
	[ "$(cat $tring/tracing_on)" = 1 ] && numbers its-own >/tmp/has || return 1
	calls=$(grep -c 'sys_enter_pwrite64' /tmp/report)
	gone=$(lost_in /tmp/report)
	echo "$(wc -l </tmp/has) markers, $gone lost, and $calls calls"
	[ "$calls" = 0 ] && [ $(($(wc -l </tmp/has) + gone)) = 5000 ] && mark 7 &&
		tring extract -q -o its-own && has its-own 5001 5007
}

# While each CPU records, what is saved agrees with the counters each time.
balances_under_load() {
	tring reset || return 1
	tring start -q -e sched,irq,timer,signal -b 64K || return 1
	under_load save_in_turn
	status=$?
	tring stop && tring extract -q -o load-end && tring report load-end >/dev/null || status=1
	all_balanced $tring && return $status
}

# What led to an event: its snapshot is saved, though the ring has gone on since.
trigger_snapshot_is_saved() {
	tring reset || return 1
	tring start -q -e signal_generate -R 'snapshot:1 if sig == 12' || return 1
	written=0
	mark 7
	sleep 100 & # time: it gets a signal
	kill -12 $!
	wait_until grep -q 'Snapshot: taken' $tring/snapshot || return 1
	mark 3
	says "saving the snapshot that is there; " 0 tring snapshot -o trigger &&
		has trigger 1 7 && grep -q 'signal_generate: .*sig=12' /tmp/report &&
		tring snapshot -q -o later && has later 8 10
}

a_new_one_replaces_it() {
	mark 5
	echo 1 >$tring/snapshot
	mark 4
	tring snapshot -q --new -o newer && has newer $((written - 3)) $written
}

ring_that_was_not_started() {
	tring reset || return 1
	: >$tring/trace
	echo $quiet >$tring/set_event
	written=0
	mark 20
	tring extract -q -o unstarted && has unstarted 1 20 && mark 5 &&
		tring snapshot -q -o unstarted && has unstarted 21 25 && mark 5000 &&
		tring extract -q -o unstarted && numbers unstarted >/tmp/has &&
		[ $(($(wc -l </tmp/has) + $(lost_in /tmp/report))) = 5000 ] || return 1
	echo >$tring/set_event
}

# What cannot be saved stays in the ring.
small_disk_loses_nothing() {
	tring start -q -e $quiet -b 8M || return 1
	written=0
	mark 30
	mkdir small
	mount -o bind small small && mount -o remount,bind,ro small || return 1
	says "cannot" 1 tring snapshot -o small/trace &&
		says "Read-only file system" 1 tring extract -o small/trace || return 1
	umount small
	says "is not of a trace of tring" 1 tring extract -o /tmp &&
		tring extract -q -o large && has large 1 30
}

readers_exclude_each_other() {
	exec 7<$tring/per_cpu/cpu1/trace_pipe_raw_compact
	says "another program reads it" 1 tring extract -o busy || return 1
	exec 7<&-
	exec 7<$tring/per_cpu/cpu1/snapshot_raw_compact
	says "another program reads it" 1 tring snapshot -o busy || return 1
	exec 7<&-
	[ ! -e busy ] || return 1
	mkfifo go
	tring record -q -B busy -e sched -o recorded -- sh -c 'read -r _ <go' &
	recorder=$!
	wait_until grep -qs 1 $tring/instances/busy/tracing_on || return 1
	for command in snapshot extract stop start; do
		says "is recording; " 1 tring $command -B busy || return 1
	done
	echo >go
	wait $recorder && tring report recorded >/dev/null
}

instance_comes_and_goes() {
	says "there is no such instance" 1 tring snapshot -B apart || return 1
	tring start -q -B apart -e $quiet || return 1
	echo in the instance >$tring/instances/apart/trace_marker
	tring snapshot -q -B apart -o apart && tring report apart | grep -q ': in the instance' &&
		says "$tring/instances/apart: the recorder had created it" 0 tring reset -B apart &&
		[ ! -e $tring/instances/apart ]
}

# Killed while it switches events on, it has begun nothing.
killed_start_is_put_back() {
	killed_when "grep -qs '^file set_event' $state" tring start -q -e all || return 1
	says "ended without undoing its changes; put back:" 0 tring reset && is_as_before
}

# parts_are_whole DIR... - each is read without a complaint
parts_are_whole() {
	for part in "$@"; do
		tring report "$part" >/dev/null 2>/tmp/said || return 1
		[ ! -s /tmp/said ] || { cat /tmp/said; return 1; }
	done
}

# In parts, and from the ring. The recording goes on until it has three parts.
compresses() {
	# shellcheck disable=SC2016 # for the inner shell
	tring record --compress --split 64K -e sched,irq,timer,raw_syscalls -b 4M -o packed -- \
		sh -c '. /guest/lib.sh
			has_third_part() {
				/guest/workload.sh 0
				[ -e packed/000003 ]
			}
			wait_until has_third_part' >/tmp/said 2>&1 || { cat /tmp/said; return 1; }
	grep -q 'balance: every accepted' /tmp/said && cat packed/000002/cpu*.zst >/dev/null &&
		parts_are_whole packed/* || return 1
	tring start -q -e $quiet || return 1
	written=0
	mark 300
	tring snapshot -q --compress -o packed-snapshot
	tring reset >/tmp/said 2>&1 || { cat /tmp/said; return 1; }
	has packed-snapshot 1 300 && [ ! -e packed-snapshot/cpu0 ]
}

need_tring
begin
check "tring start sets the ring up, and ends" starts
check "each snapshot has what was recorded since the one before" snapshots_follow_each_other
check "tring stop, extract and restart" stops_and_goes_on
check "what is overwritten is counted once" overwritten_is_counted
check "what is saved under load balances" balances_under_load
check_with $tracefs/events/syscalls "events of calls" \
	"extract saves nothing of its own" saves_nothing_of_its_own
check "a trigger's snapshot is saved" trigger_snapshot_is_saved
check "--new drops a snapshot" a_new_one_replaces_it
check "a ring that was not started is saved, too" ring_that_was_not_started
check "what cannot be saved stays in the ring" small_disk_loses_nothing
check "tring reset undoes tring start" says "has set up is undone; put back: " 0 tring reset
check "all is as before" is_as_before
check "a ring has one reader" readers_exclude_each_other
check "an instance comes with tring start, and goes with tring reset" instance_comes_and_goes
check "tring start was killed: reset puts back what it has changed" killed_start_is_put_back
check "record and snapshot --compress" compresses
check "the counters balance in the end" all_balanced $tring
echo 1408 >$tring/buffer_size_kb
cd /
rm -rf $work
exit 0
