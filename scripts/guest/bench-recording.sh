#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
#
# The guest's half of scripts/bench-reading.sh, recording: what "tring record" and
# "trace-cmd record" take for each event that they read, without their start and
# their end. Both record the same system calls. Run it under icount.

. /guest/lib.sh

# cpu_time PID - nanoseconds that a process and its children have run for
cpu_time() {
	total=0
	for stat in /proc/[0-9]*/stat; do
		# pid (comm) state ppid; neither name has a blank
		read -r pid _ _ parent _ <"$stat" 2>/dev/null || continue
		if [ "$pid" = "$1" ] || [ "$parent" = "$1" ]; then
			read -r ran _ <"/proc/$pid/schedstat" 2>/dev/null &&
				total=$((total + ran))
		fi
	done
	echo "$total"
}

# counter FILES KEY - a counter of all CPUs
counter() {
	for file in $1; do
		sed -n "s/^$2: *//p" "$file"
	done | awk '{ n += $1 } END { print n + 0 }'
}

# lost FILES - what was lost, by the names of both
lost() {
	for key in overrun 'dropped events' overwritten refused_no_room; do
		counter "$1" "$key"
	done | awk '{ n += $1 } END { print n }'
}

# measure NAME FILES KEY COMMAND... - COMMAND records until it is interrupted
measure() {
	name=$1
	files=$2
	key=$3
	shift 3
	"$@" >/tmp/recorder.log 2>&1 &
	recorder=$!
	sleep 4
	cpu=$(cpu_time $recorder)
	events=$(counter "$files" "$key")
	dd if=/dev/zero of=/dev/null bs=1 count="${TRING_CALLS:-100000}" 2>/dev/null
	sleep 2
	cpu=$(($(cpu_time $recorder) - cpu))
	events=$(($(counter "$files" "$key") - events))
	lost=$(lost "$files")
	kill -INT $recorder
	wait $recorder
	# under icount a nanosecond is an instruction
	echo "$name: $((cpu / events)) ($cpu for $events events, $lost lost)" |
		tee -a /results/recording.txt
}

load_tring || exit 1
for round in 1 2; do
	measure tring "$tring/per_cpu/cpu*/stats" read \
		tring record -b 16384 -C mono -e raw_syscalls -o /tmp/trace
	rm -rf /tmp/trace
	measure trace-cmd "$tracefs/per_cpu/cpu*/stats" 'read events' \
		trace-cmd record -b 16384 -C mono -e raw_syscalls -o /tmp/trace.dat
	rm -f /tmp/trace.dat
done
unload_tring
