#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# reading.sh - compares the costs of recording and reading a trace with those of
# trace-cmd and babeltrace2. A guest records a workload with ftrace and tring at
# once. The cost of recording is measured in instructions in a guest with one CPU, and once more
# as time of the emulated processor.
#
# TRING_SECONDS (60) and TRING_ROUNDS (3) set how long the workload takes and the number of
# rounds. Tables go to out/bench/reading.txt, single runs to out/bench/reading.json.

. "$(dirname "$0")/../lib.sh"

rounds=${TRING_ROUNDS:-3}
commit=$(git -C "$top" describe --always --dirty 2>/dev/null || say unknown)
logs=$out/bench
dir=$cache/bench-reading
mkdir -p "$logs" "$dir"

build_for_guest 6.1

# in_guest NAME OPTION... SCRIPT - runs SCRIPT in a guest with both recorders
in_guest() {
	local name=$1

	shift
	"${boot_guest[@]}" -o "$dir/$name" -m 2048 -t 600 -b trace-cmd "$@"
}

with_progress 'recording a workload' "$logs/workload.log" \
	in_guest workload -e TRING_SECONDS="${TRING_SECONDS:-60}" \
	"$top/scripts/guest/bench-reading.sh"
# recording NAME OPTION... - records to memory and to a disk
recording() {
	local name=$1 disk=$dir/$1.disk

	shift
	rm -f "$disk"
	truncate -s 2G "$disk"
	mkfs.ext4 -q "$disk"
	with_progress "what recording costs: $name" "$logs/$name.log" \
		in_guest "$name" -c 1 -d "$disk" -l ext4 "$@" \
		"$top/scripts/guest/bench-recording.sh"
	rm -f "$disk"
}

recording instructions -i
recording time

with_progress 'reading' "$logs/reading.out" \
	"$top/scripts/bench/reading.py" "$logs/reading.json" "$tring" \
	"$dir/workload/results/trace" "$dir/workload/results/trace.dat" "$rounds"

{
	say "kernel $release, commit $commit, best of $rounds rounds"
	cat "$logs/reading.out"
	say
	say 'recording, instructions:'
	cat "$dir/instructions/results/recording.txt"
	say
	say 'recording, nanoseconds of CPU time:'
	cat "$dir/time/results/recording.txt"
} | tee "$logs/reading.txt"
