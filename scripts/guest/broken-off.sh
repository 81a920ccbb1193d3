#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0
#
# Runs in the guest of scripts/check/broken-off.sh: kills recorders at random moments,
# fills the disk under them at random points, and lets it fail. Each trace goes to
# /results/killed-N, filled-N or failed-N, with the ring's counters and what was left in
# the ring.

. /guest/lib.sh

events="-e sched -e irq -e signal -e raw_syscalls"
text=/tmp/text
disk=/mnt

# random_numbers COUNT SALT - prints so many numbers from 0 to 999999, always the same
# ones for a seed
random_numbers() {
	awk -v count="$1" -v seed="$((TRING_SEED + $2))" 'BEGIN {
		srand(seed)
		while (count--)
			print int(rand() * 1000000)
	}'
}

# A marker is refused while recording is off.
work() {
	while :; do
		seq 100 | sort -r >/dev/null
		echo "a line of text" >$tring/trace_marker
	done
} 2>/dev/null

# The first event of a type comes when the recording runs.
enable_more() {
	usleep "$1" # time: a random moment
	echo task >>$tring/set_event
	usleep "$1" # time: a random moment
	echo writeback workqueue >>$tring/set_event
} 2>/dev/null

# Recording begins after the counters of the last CPU were saved.
is_recording() {
	{ [ -e "$1/trace/tring/cpu$(($(nproc) - 1)).start" ] &&
		grep -q 1 $tring/tracing_on; } || has_ended "$2"
}

# The first packets are on the disk, or soon will be.
has_packets() {
	{ [ -e "$1/trace/cpu0" ] || [ -e "$1/trace/cpu1" ]; } || has_ended "$2"
}

# Most traces have the kernel's symbols as they are, which are large.
share_symbols() {
	[ -e "$1" ] || return 0
	if [ ! -e /results/kallsyms ]; then
		ln "$1" /results/kallsyms
	elif cmp -s "$1" /results/kallsyms; then
		ln -f /results/kallsyms "$1"
	fi
}

# keep_ring DIR - saves the counters, and then what is in the ring
keep_ring() {
	echo 0 >$tring/tracing_on
	for cpu in $(seq 0 $(($(nproc) - 1))); do
		cat $tring/per_cpu/cpu"$cpu"/stats >"$1/cpu$cpu.stats"
		cat $tring/per_cpu/cpu"$cpu"/trace_pipe_raw_compact >"$1/cpu$cpu.rest"
	done
}

# kill_one NUMBER RANDOM - the odd ones on a module that was just loaded, with rings so
# small that their packets are on the disk at once, within 0.3 s of the first packet;
# the others within 2 s of the begin of recording, or of the program's start
kill_one() {
	dir=/results/killed-$1
	mkdir "$dir"
	more=
	size=256
	timers=
	[ $(($1 % 5)) != 1 ] || timers="-e timer"
	if [ $(($1 % 2)) = 1 ]; then
		size=16
		rmmod tring && insmod /guest/tring.ko || return 1
	fi
	work &
	worker=$!
	# shellcheck disable=SC2086 # words
	tring record -q -b $size $events $timers -o "$dir/trace" >"$dir/log" 2>&1 &
	recorder=$!
	if [ $(($1 % 4)) != 2 ]; then
		wait_until is_recording "$dir" $recorder
	fi
	if [ $size = 16 ]; then
		enable_more $(($2 / 20)) &
		more=$!
		wait_until has_packets "$dir" $recorder
		usleep $(($2 * 3 / 10)) # time: a random moment
	else
		usleep $(($2 * 2)) # time: a random moment
	fi
	kill -KILL $recorder
	wait $recorder
	echo $? >"$dir/status"
	kill $worker
	# shellcheck disable=SC2086 # may be empty
	wait $worker $more
	keep_ring "$dir"
	tring reset >>"$dir/log" 2>&1
	echo >$tring/set_event
	share_symbols "$dir/trace/tring/kallsyms"
}

# mount_with KIB NUMBER - mounts a file system with so much room: the odd ones tmpfs,
# the others ext4
mount_with() {
	if [ $(($2 % 2)) = 1 ]; then
		mount -t tmpfs -o size="$1k" none $disk
		return
	fi
	mount -t ext4 /dev/vda $disk || return 1
	rm -rf $disk/trace $disk/filler
	free=$(df -k $disk | awk 'END { print $4 }')
	[ "$free" -le "$1" ] || fallocate -l $(((free - $1) * 1024)) $disk/filler
}

# fill_one NUMBER RANDOM - the room is from 16 KiB to 16 MiB, mostly more than a trace
# needs at least; each third one has events that print symbols
fill_one() {
	dir=/results/filled-$1
	mkdir "$dir"
	timers=
	[ $(($1 % 3)) != 1 ] || timers="-e timer"
	if [ $(($1 % 5)) = 4 ]; then
		room=$((16 + $2 / 250))
	else
		room=$((4096 + $2 / 80))
	fi
	mount_with "$room" "$1" || return 1
	mkdir -p $disk/trace/tring
	echo old >$disk/trace/tring/trace_info
	# shellcheck disable=SC2086 # words
	tring record -b 256 $events $timers -o $disk/trace -- \
		dd if=$text of=$tring/trace_marker bs=1000 >"$dir/log" 2>&1
	echo $? >"$dir/status"
	echo "room $room KiB" >>"$dir/log"
	df -k $disk >>"$dir/log"
	keep_ring "$dir"
	[ ! -e $disk/trace ] || cp -a $disk/trace "$dir/"
	umount $disk
	share_symbols "$dir/trace/tring/kallsyms"
}

# set_table TARGET - /dev/dm-0 is a disk of this target of device-mapper
set_table() {
	sectors=$(cat /sys/class/block/vda/size)
	dmsetup --noudevsync suspend --nolockfs faulty 2>/dev/null
	dmsetup --noudevsync reload faulty --table "0 $sectors $*" 2>/dev/null ||
		dmsetup --noudevsync create faulty --table "0 $sectors $*" || return 1
	dmsetup --noudevsync resume faulty
}

has_begun() {
	[ -e $disk/trace/tring/cpu1.start ] || has_ended "$1"
}

# fail_one NUMBER RANDOM - each write to the disk fails, from within 2 s of recording's
# begin. The odd ones end with the disk's first error that the recorder sees, the others
# have less than a batch for direct I/O, and end by SIGINT.
fail_one() {
	dir=/results/failed-$1
	mkdir "$dir"
	set_table linear /dev/vda 0 || return 1
	mount -t ext4 /dev/dm-0 $disk || return 1
	rm -rf $disk/trace $disk/filler
	# shellcheck disable=SC2086 # words
	tring record -q -b 256 $events -o $disk/trace >"$dir/log" 2>&1 &
	recorder=$!
	wait_until has_begun $recorder
	usleep $(($2 * 2)) # time: a random moment
	set_table flakey /dev/vda 0 0 3600 1 error_writes || return 1
	if [ $(($1 % 2)) = 1 ]; then
		dd if=$text of=$tring/trace_marker bs=1000 2>/dev/null
	else
		seq 1000 | sort -r >/dev/null
	fi
	kill -INT $recorder
	wait $recorder
	echo $? >"$dir/status"
	keep_ring "$dir"
	# From the page cache.
	[ ! -e $disk/trace ] || cp -a $disk/trace "$dir/"
	umount $disk
	dmsetup --noudevsync remove faulty
	e2fsck -y /dev/vda >/dev/null
	share_symbols "$dir/trace/tring/kallsyms"
}

# all_of COMMAND COUNT SALT
all_of() {
	number=0
	random_numbers "$2" "$3" >/tmp/random
	while read -r random <&3; do
		number=$((number + 1))
		"$1" $number "$random" || return 1
		note_time "$1 $number"
	done 3</tmp/random
}

mkdir -p $disk
seq 300000 >/tmp/numbers
for _ in $(seq 10); do
	cat /tmp/numbers
done >$text
insmod /guest/tring.ko || exit 1
all_of kill_one "$TRING_KILLS" 0 || exit 1
all_of fill_one "$TRING_FILLS" 1 || exit 1
all_of fail_one "$TRING_FAILS" 2 || exit 1
rmmod tring
