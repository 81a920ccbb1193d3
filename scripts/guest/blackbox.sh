#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0
#
# Runs in the guests of scripts/check/blackbox.sh. Salvages what the boot before has left, and
# records until the machine ends, by a panic or from outside. Tests are lines of the console.
#
# Environment: LAST, how such a boot has ended, panic or reset, or nothing; WORD of
# numbered-markers for the ring that outlives the kernel, ANY_WORD for one in any memory; PERSIST
# and CACHE, parameters of the module; RECORDS, whether this boot records; LEVELS, of which kind
# the panic is: 0 by sysrq, 1 to 3 in as many open records, nothing if the end comes from outside.

. /guest/lib.sh

any=$tring/instances/any
torture=$tring/instances/torture
crash=$tring/instances/crash

# Some events may not be told from an open record; the host compares what was salvaged.
salvage_last_boot() {
	tring salvage $tring/last_boot --formats /guest/formats -o /tmp/last_boot ||
		echo 1 >$tring/last_boot
}

# The host salvages the same memory, and compares.
salvage() {
	# A copy of directories and packets, in the page cache, is nothing to be salvaged.
	check "last_boot can be copied" eval "cat $tring/last_boot >/tmp/copy"
	check "tring salvage last_boot" salvage_last_boot
	for file in /tmp/last_boot/*/cpu* /tmp/last_boot/cpu*; do
		[ ! -f "$file" ] || sha256sum "$file"
	done
	refuses "No data available" "cat $tring/last_boot"
}

# has_older - packets of the older trace are full
has_older() {
	[ "$(stat_of $any/per_cpu/cpu0/stats committed)" -gt 2000 ]
}

# An older trace in the ring, packets of which were also read and peeked at.
record_older() {
	echo 1024 >$any/buffer_size_kb
	write_markers $any ffffffffffffffff || return 1
	wait_until has_older
	kill $!
	echo 0 >$any/tracing_on
	cat $any/per_cpu/cpu0/trace_raw_compact >/tmp/older.peeked
	cat $any/per_cpu/cpu0/trace_pipe_raw_compact >/tmp/older.read
	[ -s /tmp/older.read ] && [ -s /tmp/older.peeked ] || return 1
	older=$(uuid_of $any)
	echo >$any/trace
	[ "$(uuid_of $any)" != "$older" ]
}

record() {
	mkdir $any $torture $crash
	check "an older trace is there" record_older
	check "tring arm" tring arm -q -e sched -e irq -e timer -b 2048
	check "tring start, in any memory" tring start -q -B any -e irq -b 1024
	check "tring start, for a crash in open records" tring start -q -B crash -b 64
	echo 1024 >$torture/buffer_size_kb
	check "the torture's ring outlives the kernel" \
		sh -c "echo 1 >$torture/persistent"
	for number in $(seq 100); do
		echo "crash $number" >$crash/trace_marker
	done
	# A crashed machine's writers say in which context they are, and do not nest in one.
	echo 0 >/sys/module/tring_torture/parameters/full_every
	echo 0 >/sys/module/tring_torture/parameters/nest_every
	echo 1 >/sys/kernel/debug/tring_torture/run
	write_markers $tring "$WORD"
	write_markers $any "$ANY_WORD"
	cat $any/per_cpu/cpu0/trace_raw_compact >/tmp/peeked
	echo "uuids $(uuid_of $tring) $(uuid_of $any) $(uuid_of $torture) $(uuid_of $crash)"
	echo "records"
	[ -n "$LEVELS" ] || sleep 1000 # time: the end comes from outside
	# The host is no clock, so this is another place each time.
	usleep 500000 # time: some of what is salvaged is recorded meanwhile
	if [ "$LEVELS" = 0 ]; then
		echo c >/proc/sysrq-trigger
	else
		echo "$LEVELS" >/sys/kernel/debug/tring_torture/crash
	fi
	sleep 1000 # time: the panic is the end
}

insmod /guest/tring.ko "persist=$PERSIST" ${CACHE:+"persist_cache=$CACHE"} ||
	{ fail "insmod tring.ko"; exit 1; }
insmod /guest/tring_torture.ko || { fail "insmod tring_torture.ko"; exit 1; }
if [ -n "$LAST" ]; then
	salvage
else
	refuses "No data available" "cat $tring/last_boot"
fi
if [ "$RECORDS" = yes ]; then
	record
fi
check "tring wipe" tring wipe
rmmod tring_torture
check "rmmod" unload_tring
exit $failures
