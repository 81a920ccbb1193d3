#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
#
# Runs in the guest of scripts/bench/bursts.sh: "tring record", "trace-cmd record" and
# LTTng take turns to record bursts of system calls, and then a steady rate. Writes a line
# for each burst and each rate to /results/bursts.txt. The traces are in memory.
#
#   ROUNDS     number of rounds
#   RECORDERS  the recorders
#   EVENTS     number of events of a burst
#   WRITERS    numbers of threads that write a burst together
#   SIZES      sizes of each CPU's ring in KiB
#   DURATION   seconds for which a rate must be recorded without a loss; 0 for no rates
#   RATE_SIZE  size of the ring for the rates
#   LTTNG_CHANNEL  further options of "lttng enable-channel"

. /guest/lib.sh
. /guest/bench-lib.sh

out=/results/bursts.txt

is_recording() {
	case $1 in
	trace-cmd)
		[ "$(cat $tracefs/tracing_on)" = 1 ] &&
			[ "$(cat $tracefs/events/raw_syscalls/enable)" = 1 ]
		;;
	*) [ "$(cat $tring/tracing_on)" = 1 ] && [ -n "$(cat $tring/set_event)" ] ;;
	esac
}

# record RECORDER KB WRITERS EVENTS RATE - sets rate and missing
record() {
	rm -rf /tmp/trace*
	case $1 in
	lttng) record_by_lttng "$2" "$3" "$4" "$5" || exit 1 ;;
	*) record_by_program "$@" ;;
	esac
}

# record_by_lttng KB WRITERS EVENTS RATE - LTTng rounds the number of sub-buffers up to a
# power of two. It says what it has lost in the whole session.
record_by_lttng() {
	{
		lttng create bursts --output=/tmp/trace &&
			lttng enable-channel -k -s bursts --discard --subbuf-size 16k \
				--num-subbuf $(($1 / 16)) $LTTNG_CHANNEL channel &&
			lttng enable-event -k -s bursts -c channel --syscall --all &&
			lttng start bursts
	} >/tmp/recorder.log 2>&1 || {
		cat /tmp/recorder.log
		return 1
	}
	sleep 1
	rate=$(/guest/paced-writers "$2" "$3" "$4") || return 1
	sleep 1
	lttng stop bursts >/tmp/recorder.log 2>&1 || return 1
	lttng list bursts >/tmp/recorder.log || return 1
	missing=$(stat_of /tmp/recorder.log 'Discarded events')
	if [ -z "$missing" ]; then
		echo "LTTng does not say how many events it has discarded:"
		cat /tmp/recorder.log
		return 1
	fi
	lttng destroy bursts >/dev/null
}

# record_by_program RECORDER KB WRITERS EVENTS RATE - tring-zstd, tring-whole and tring-split
# are "tring record" with options. The events of sched and syscalls are those of raw_syscalls and a
# few more, with a format for each system call in the trace or in each part
record_by_program() {
	program=tring ring=$tring
	options='-e raw_syscalls'
	case $1 in
	trace-cmd) program=trace-cmd ring=$tracefs ;;
	tring-zstd) options="$options --compress" ;;
	tring-whole) options='-e sched,syscalls' ;;
	tring-split) options='-e sched,syscalls --split 512K' ;;
	esac
	$program record $options -b "$2" -C mono -o /tmp/trace \
		>/tmp/recorder.log 2>&1 &
	recorder=$!
	if ! wait_until is_recording $program; then
		cat /tmp/recorder.log
		exit 1
	fi
	sleep 1
	missing=$(lost $ring)
	rate=$(/guest/paced-writers "$3" "$4" "$5") || exit 1
	sleep 1
	missing=$(($(lost $ring) - missing))
	kill -INT $recorder
	if ! wait $recorder; then
		echo "$1 record failed:"
		cat /tmp/recorder.log
		exit 1
	fi
}

burst() {
	record "$1" "$2" "$3" "$EVENTS" 0
	echo "burst tracer=$1 kb=$2 writers=$3 events=$EVENTS rate=$rate lost=$missing" |
		tee -a $out
}

# steady RECORDER - doubles the rate until events are lost or the writers reach no more,
# and then halves the distance between the best and the worst rate
steady() {
	good=0
	bad=0
	all=0
	next=50000
	for _ in $(seq 12); do
		record "$1" "$RATE_SIZE" 1 $((next * DURATION)) $next
		echo "try tracer=$1 kb=$RATE_SIZE wanted=$next rate=$rate lost=$missing" |
			tee -a $out
		if [ "$missing" != 0 ]; then
			bad=$next
		else
			good=$rate
			if [ $((rate * 10)) -lt $((next * 9)) ]; then
				# the writer cannot do more
				[ $bad != 0 ] || all=1
				break
			fi
		fi
		if [ $bad = 0 ]; then
			next=$((next * 2))
		elif [ $((bad * 10)) -le $((good * 11)) ]; then
			break
		else
			next=$(((good + bad) / 2))
		fi
	done
	echo "steady tracer=$1 kb=$RATE_SIZE rate=$good all=$all" | tee -a $out
}

# lttng_runs - starts LTTng's daemon and records two events. The daemon loads the modules of
# its interface by itself; those of tracepoints are not needed, and one has to be named.
lttng_runs() {
	lttng_daemon sched && record_by_lttng 64 1 2 0
}

load_tring || exit 1
case $RECORDERS in
*lttng*)
	if ! lttng_runs >/tmp/lttng.log 2>&1; then
		cat /tmp/lttng.log
		RECORDERS=${RECORDERS%lttng}
		echo "left-out LTTng was left out: $(tail -n 1 /tmp/lttng.log)" | tee -a $out
	fi
	;;
esac
for round in $(seq "$ROUNDS"); do
	echo "round $round"
	for kb in $SIZES; do
		for number in $WRITERS; do
			for recorder in $RECORDERS; do
				burst "$recorder" "$kb" "$number"
			done
		done
	done
	[ "$DURATION" != 0 ] || continue
	for recorder in $RECORDERS; do
		steady "$recorder"
	done
done
unload_tring
