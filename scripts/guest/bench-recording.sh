#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0
#
# Runs in the guest of scripts/bench/reading.sh: measures the cost of an event in
# "tring record" and "trace-cmd record", without their start and end. Both record
# the same system calls to the same file systems: one in memory, and ext4 on
# /dev/vda. Under icount a nanosecond is an instruction.

. /guest/lib.sh
. /guest/bench-lib.sh

# cpu_time PID - prints the CPU time in nanoseconds of a process and its children,
# and of the kernel's threads, in which most file systems write
cpu_time() {
	total=0
	threads=0
	for task in /proc/[0-9]*/task/[0-9]*; do
		# pid (comm) state ppid; the names have no blanks
		read -r _ _ _ parent _ <"$task/stat" 2>/dev/null || continue
		read -r ran _ <"$task/schedstat" 2>/dev/null || continue
		process=${task#/proc/}
		process=${process%%/*}
		if [ "$process" = "$1" ] || [ "$parent" = "$1" ]; then
			total=$((total + ran))
		elif [ "$parent" = 2 ]; then
			threads=$((threads + ran))
		fi
	done
	echo "$total $threads"
}

# sizes FILES - prints the size of all files that match the pattern
sizes() {
	# shellcheck disable=SC2086
	stat -c %s $1 2>/dev/null | awk '{ n += $1 } END { print n + 0 }'
}

# measure_recorder NAME DIR KEY DATA COMMAND... - COMMAND records to DATA until it is
# interrupted; the counter KEY of DIR's ring counts its events
measure_recorder() {
	name=$1
	ring=$2
	key=$3
	data=$4
	shift 4
	"$@" >/tmp/recorder.log 2>&1 &
	recorder=$!
	sleep 4
	sync
	before="$(cpu_time $recorder) $(sum "$key" $ring) $(sizes "$data")"
	dd if=/dev/zero of=/dev/null bs=1 count=100000 2>/dev/null
	sleep 2
	# includes the file system's deferred work
	sync
	after="$(cpu_time $recorder) $(sum "$key" $ring) $(sizes "$data")"
	lost=$(lost $ring)
	kill -INT $recorder
	wait $recorder
	cp /tmp/recorder.log "/results/$name.log"
	echo "$name $before $after $lost" | awk '{
		own = $6 - $2; threads = $7 - $3
		events = $8 - $4; bytes = $9 - $5
		printf "%-18s %9.1f %9.1f %9.2f %9.2f  %d events, %d lost\n",
			$1, own / events, threads / events, own / bytes,
			threads / bytes, events, $10
	}' | tee -a /results/recording.txt
}

# in_directory NAME DIR - measures both recorders by turns
in_directory() {
	for kb in 4 16 64; do
		echo "$kb" >$tring/buffer_subbuf_size_kb || exit 1
		measure_recorder "tring-$1-$kb" $tring read \
			"$2/trace/cpu*" tring record -b 16384 -C mono \
			-e raw_syscalls -o "$2/trace"
		rm -rf "$2/trace"
	done
	echo 16 >$tring/buffer_subbuf_size_kb || exit 1
	measure_recorder "tring-$1-zstd" $tring read \
		"$2/trace/cpu*" tring record --compress -b 16384 -C mono \
		-e raw_syscalls -o "$2/trace"
	rm -rf "$2/trace"
	measure_recorder "trace-cmd-$1" $tracefs 'read events' \
		"$2/trace.dat.cpu*" trace-cmd record -b 16384 -C mono \
		-e raw_syscalls -o "$2/trace.dat"
	rm -f "$2/trace.dat"
}

load_tring || exit 1
mkdir /mnt
mount -t ext4 /dev/vda /mnt || exit 1
printf '%-18s %19s %19s\n%-18s %9s %9s %9s %9s\n' '' 'for an event' 'for a byte' \
	'' recorder kthreads recorder kthreads >/results/recording.txt
for round in 1 2; do
	in_directory memory /tmp
	in_directory ext4 /mnt
done
umount /mnt
unload_tring
