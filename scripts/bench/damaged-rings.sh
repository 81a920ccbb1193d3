#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# damaged-rings.sh - flips one bit in one record's length, in ftrace's persistent ring and in
# tring's, and counts the events that the next boot of Debian's stock 6.12 finds: without the
# damage, and with it, once for each of the five bits. Both rings recorded the same events until
# the guest was killed. The table goes to out/bench/damaged-rings.txt.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../check/crash.sh"

logs=$out/bench
dir=$cache/bench-damaged-rings
megabytes=512 ftrace=0x12000000 ftrace_size=0x800000 region=0x10000000 region_size=0x1000000
mkdir -p "$logs" "$dir"
lock_cache

build_for_crash 6.12

# prepare NAME STAGE - sets $boot: runs a guest whose memory is $dir/NAME.ram
prepare() {
	boot=("$top/scripts/qemu/qemu-run.sh" -r "$release" -R "$system" -o "$dir/$1-$2"
		-m "$megabytes" -M "$dir/$1.ram" -t 300 -e "STAGE=$2"
		-e "PERSIST=$region,$region_size"
		-a "memmap=$region_size\$$region" -a "memmap=$ftrace_size\$$ftrace"
		-a "trace_instance=boot_map@$ftrace:$ftrace_size"
		-f "$module/tring.ko=/guest/tring.ko"
		-f "$tring=/bin/tring" -f "$tring-salvage=/bin/tring-salvage"
		"$top/scripts/guest/damaged-rings.sh")
}

# record - a guest that is killed while it records
record() {
	prepare recorded record
	start_guest "$dir/recorded-record/console.log" "${boot[@]}"
	kill_guest
}

# events NAME - prints what the next boot has found in NAME.ram
events() {
	prepare "$1" read
	"${boot[@]}" >/dev/null
	sed "s/^/$1, /" "$dir/$1-read/results/events.txt"
	grep -iE 'buffer.*(meta|invalid|corrupt|discard)' "$dir/$1-read/results/ftrace.log" || :
	grep -E 'offset|recovered$|events recovered' "$dir/$1-read/results/report.log" \
		"$dir/$1-read/results/salvage.txt" | sed 's/^[^:]*://' || :
	rm -f "$dir/$1.ram"
}

rm -rf "${dir:?}"/*
record
{
	cp --sparse=always "$dir/recorded.ram" "$dir/whole.ram"
	events whole
	for bit in 0 1 2 3 4; do
		cp --sparse=always "$dir/recorded.ram" "$dir/bit-$bit.ram"
		"$top/scripts/trace/damage-rings.py" $bit "$dir/bit-$bit.ram" "$ftrace" \
			"$ftrace_size" "$region" "$region_size"
		events "bit-$bit"
	done
} | tee "$logs/damaged-rings.txt"
rm -rf "${dir:?}"/*
