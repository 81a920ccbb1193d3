#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0
#
# Tests of rings that are larger than the memory: each way to ask for them gives ENOMEM, no task
# is killed, and the ring and its content stay. whole-path.sh runs this script; qemu-run.sh can
# run it alone, best with a guest of 640 MiB.

. /guest/lib.sh

limit=/sys/module/tring/parameters/memory_limit_mb
cpu1=/sys/devices/system/cpu/cpu1/online

available_kb() {
	echo 3 >/proc/sys/vm/drop_caches
	sed -n 's/^MemAvailable: *\([0-9]*\).*/\1/p' /proc/meminfo
}

marker_is_kept() {
	cat $tring/per_cpu/cpu*/trace_raw_compact | grep -q 'kept through'
}

# Pages that the kernel has allocated since it booted.
pages_allocated() {
	awk '/^pgalloc_/ { n += $2 } END { print n }' /proc/vmstat
}

# too_large COMMAND - ten times: each is refused before it has taken memory from others
too_large() {
	size=$(cat $tring/buffer_size_kb)
	pages=$(pages_allocated)
	for _ in $(seq 10); do
		says "Cannot allocate memory" 1 sh -c "$1" || return 1
	done
	pages=$(($(pages_allocated) - pages))
	echo "$pages pages allocated meanwhile, of $((total / 4))"
	[ $pages -lt $((total / 4 / 5)) ] && [ "$(cat $tring/buffer_size_kb)" = "$size" ] &&
		marker_is_kept
}

# lets_others_run NUMBER COMMAND - the kernel asks so often whether another task is to run
lets_others_run() {
	echo 'p:memory/resched __cond_resched' >$tracefs/kprobe_events
	echo 1 >$tracefs/events/memory/resched/enable
	sh -c "$2" >/dev/null
	status=$?
	hits=$(awk '$1 == "resched" { print $2 }' $tracefs/kprobe_profile)
	echo 0 >$tracefs/events/memory/resched/enable
	echo >$tracefs/kprobe_events
	echo "status $status, $hits times, $1 sub-buffers"
	[ $status = 0 ] && [ "$hits" -ge "$1" ]
}

# check_others WHAT NUMBER COMMAND
check_others() {
	check_with $tracefs/kprobe_events kprobes "$1 lets others run" lets_others_run "$2" "$3"
}

nothing_was_killed() {
	! dmesg | grep -iE 'out of memory|oom-kill|invoked oom|page allocation failure' &&
		kill -0 $sleeper
}

need_tring
total=$(sed -n 's/^MemTotal: *\([0-9]*\).*/\1/p' /proc/meminfo)
# Memory that the OOM killer would like.
sh -c 'x=$(seq 200000); sleep 10000' & # time: sleeps until it is killed
sleeper=$!
echo 1408 >$tring/buffer_size_kb
echo "kept through each of them" >$tring/trace_marker

check "a ring of twice the memory" too_large "echo $((total * 2)) >$tring/buffer_size_kb"
check "a ring of half the memory for each of two CPUs and more" \
	too_large "echo $((total * 55 / 100)) >$tring/buffer_size_kb"
check "one CPU's ring of more than the memory" \
	too_large "echo $((total + 1024)) >$tring/per_cpu/cpu0/buffer_size_kb"
check "no task was killed" nothing_was_killed

mkdir $tring/instances/large
large=$tring/instances/large
echo "kept through each of them" >$large/trace_marker
if echo $(($(available_kb) * 6 / 10)) >$large/per_cpu/cpu0/buffer_size_kb; then
	refuses "Cannot allocate memory" "echo 1 >$large/snapshot"
	refuses "Cannot allocate memory" "echo 64 >$large/buffer_subbuf_size_kb"
	check "the size of sub-buffers stays" [ "$(cat $large/buffer_subbuf_size_kb)" = 16 ]
	subbufs=$(($(cat $large/per_cpu/cpu0/buffer_size_kb) / 16))
	check_others "stats of a large ring" $subbufs "cat $large/per_cpu/cpu0/stats"
	check_others "a new trace in a large ring" $((2 * subbufs)) ": >$large/trace"
else
	fail "a ring of 60 % of the free memory"
fi
check "no task was killed by a snapshot" nothing_was_killed
check_others "a large ring gets small and" $subbufs "echo 64 >$large/buffer_size_kb"
rmdir $large

echo 16 >$limit
check "a ring above memory_limit_mb" too_large "echo 16384 >$tring/buffer_size_kb"
check "a ring below memory_limit_mb" eval "echo 4096 >$tring/buffer_size_kb"
mkdir $tring/instances/first
check "an instance within the limit records" \
	eval "echo 3072 >$tring/instances/first/buffer_size_kb &&
		echo first >$tring/instances/first/trace_marker"
refuses "Cannot allocate memory" "mkdir $tring/instances/second"
rmdir $tring/instances/first
echo 1408 >$tring/buffer_size_kb
check "room that was given back is there again" mkdir $tring/instances/second
rmdir $tring/instances/second
make_event_by_perf
echo 1 >$limit
refuses "Cannot allocate memory" "echo $by_perf >$tring/set_event"
check "an event that perf does not record needs no memory" \
	eval "echo sched:sched_switch >$tring/set_event && echo >$tring/set_event"
echo 4 >$limit
check "counters of perf's within the limit record" \
	eval "echo $by_perf >$tring/set_event && echo >$tring/set_event"
echo 0 >$limit
remove_event_by_perf

# A CPU that has never been online since tring was loaded: its ring has no memory yet.
if [ -z "${TRING_BUILT_IN-}" ] && [ -e $cpu1 ]; then
	unload_tring
	echo 0 >$cpu1
	load_tring
	echo "kept through each of them" >$tring/trace_marker
	check "an offline CPU's ring of more than the memory" \
		too_large "echo $((total + 1024)) >$tring/per_cpu/cpu1/buffer_size_kb"
	echo 8192 >$tring/per_cpu/cpu1/buffer_size_kb
	echo 4 >$limit
	check "the CPU comes online without memory for its ring" eval "echo 1 >$cpu1"
	check "its events are refused and counted" eval \
		"taskset -c 1 sh -c '! echo lost >$tring/trace_marker' 2>/dev/null &&
		[ \$(stat_of $tring/per_cpu/cpu1/stats refused_no_memory) = 1 ]"
	check "the log names the CPU" eval "dmesg | grep -q 'no memory for the ring of CPU 1'"
	echo 0 >$limit
	unload_tring
	load_tring
fi
check "no task was killed at all" nothing_was_killed
kill $sleeper
exit 0
