#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0
#
# Tests of the module parameters that make tring record from loading on. A bad value fails the
# loading with one line in the log, and leaves nothing behind. Needs a tring that is not loaded.

. /guest/lib.sh

parameters=/sys/module/tring/parameters
marks=0

# said_since_mark - prints what tring has logged of parameters since the last mark
said_since_mark() {
	dmesg | sed -n "/parameters.sh: mark $marks\$/,\$s/^.*] tring: \\(.*=.*\\)/\\1/p"
}

mark() {
	marks=$((marks + 1))
	echo "parameters.sh: mark $marks" >/dev/kmsg
}

# bad_value LINE PARAMETER... - loading fails with EINVAL, ENOMEM or EBUSY; LINE is all that
# tring says of a parameter
bad_value() {
	line=$1
	shift
	mark
	if error=$(insmod /guest/tring.ko "$@" 2>&1); then
		echo "accepted: $*"
		rmmod tring
		return 1
	fi
	case $error in
	*"Invalid argument" | *"invalid parameter"* | *"Cannot allocate memory" | \
	*"Out of memory" | *"Device or resource busy") ;;
	*) echo "says: $error"; return 1 ;;
	esac
	# busybox tries a second time, by another system call.
	said=$(said_since_mark | uniq)
	if [ "$said" != "$line" ]; then
		echo "logs: $said"
		return 1
	fi
	[ ! -e $tring ] && ! grep -q '^tring ' /proc/modules
}

# unknown_event PARAMETER EVENT
unknown_event() {
	bad_value "$1: this kernel has no event \"$2\" that can be recorded" "$1" \
		buffer_size_kb=64
}

bad_events() {
	unknown_event events=nosuch nosuch &&
		unknown_event 'events=sched,irq:no*' 'irq:no*' &&
		bad_value 'events=sched,,irq: a name is missing' events=sched,,irq &&
		bad_value 'events=: a name is missing' events=
}

bad_sizes() {
	for size in 0 4M -1 '' 99999999999999999999; do
		bad_value "buffer_size_kb=$size: not a number of KiB greater than 0" \
			"buffer_size_kb=$size" || return 1
	done
	bad_value 'buffer_size_kb=999999999999: there is not as much memory' \
		events=sched buffer_size_kb=999999999999
}

bad_clocks() {
	clocks='"mono", "tsc", "boot" and "tai"'
	bad_value "trace_clock=global: this machine has no such clock; $clocks are clocks" \
		events=sched trace_clock=global
}

bad_persist() {
	for place in 0x10000000 16M '0x10000000,' 0x10000800,16M 0x10000000,1M ,16M; do
		bad_value "persist=$place is not ADDRESS,SIZE, of whole pages and 2 MiB at least" \
			"persist=$place" || return 1
	done
	bad_value 'persist=0x10000000,16M is memory that the kernel uses: see tring(4)' \
		persist=0x10000000,16M
}

# The memory of the guest's display stands for a device's registers: a store to it would be seen.
bad_device() {
	for device in /sys/bus/pci/devices/*; do
		! grep -q 0x038000 "$device/class" || break
	done
	read -r first _ <"$device/resource"
	devmem "$first" 32 0x74726E67
	bad_value "persist=$first,16M is no memory but a device's, \"${device##*/}\"" \
		"persist=$first,16M" || return 1
	[ "$(devmem "$first" 32)" = 0x74726E67 ]
}

# no_memory FILE VALUE - what would write to the memory says that there is none
no_memory() {
	says 'No such device or address' 1 sh -c "echo $2 >$tring/$1"
}

# The second half begins behind the end of the guest's NVDIMM.
half_is_memory() {
	for place in 0x103000000 0x103F00000; do
		devmem $place 32 0x74726E67
	done
	insmod /guest/tring.ko persist=0x103000000,32M || return 1
	no_memory persistent 1 && no_memory last_boot 0
	status=$?
	rmmod tring
	[ $status = 0 ] || return 1
	for place in 0x103000000 0x103F00000; do
		[ "$(devmem $place 32)" = 0x74726E67 ] || return 1
	done
}

bad_caches() {
	for cache in wc WB wt,wb ''; do
		bad_value "persist_cache=$cache is not \"wb\" or \"wt\"" \
			"persist_cache=$cache" || return 1
	done
}

# Without one write to tring's files.
records_from_loading_on() {
	mark
	insmod /guest/tring.ko events=sched:sched_switch,irq buffer_size_kb=512 \
		trace_clock=boot || return 1
	wait_until peeked ' sched_switch: ' && wait_until peeked ' softirq_entry: ' || return 1
	said_since_mark | grep . && return 1
	[ "$(grep -v '^irq:' $tring/set_event)" = sched:sched_switch ] || return 1
	[ "$(grep -c '^irq:' $tring/set_event)" = \
		"$(grep -c '^irq:' $tring/available_events)" ] || return 1
	[ "$(cat $tring/buffer_size_kb)" = 512 ] || return 1
	grep -q '\[boot\]' $tring/trace_clock || return 1
	[ "$(cat $parameters/events) $(cat $parameters/buffer_size_kb)" = \
		"sched:sched_switch,irq 512" ] || return 1
	echo 0 >$tring/tracing_on
	all_balanced $tring
}

defaults_are_back() {
	rmmod tring && insmod /guest/tring.ko || return 1
	[ -z "$(cat $tring/set_event)" ] && [ "$(cat $tring/buffer_size_kb)" = 1408 ] &&
		grep -q '\[mono\]' $tring/trace_clock
}

check "events= names no event: the log says which" bad_events
check "buffer_size_kb= is no size: the log says so" bad_sizes
check "trace_clock= is no clock: the log says so" bad_clocks
check "persist= is no memory to use: the log says so" bad_persist
check "persist= is a device's: the log says so, and nothing is written there" bad_device
check "persist= is not all memory: nothing is cleared" half_is_memory
check "persist_cache= is nothing that caches do: the log says so" bad_caches
check "events=, buffer_size_kb= and trace_clock= record from loading on" \
	records_from_loading_on
check "without parameters nothing is recorded" defaults_are_back
rmmod tring
