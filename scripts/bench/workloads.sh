#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# workloads.sh - what whole workloads cost beside all tracers, in instructions, to files in memory:
# the start and the end of a recording, and what an event adds to the workload. With the ledger of
# each: expected = recorded + told as lost + not told. In one boot of Debian's stock 6.1 with one
# CPU, counted by scripts/qemu/count-phases.c, so that the host's load does not matter.
#
# Of trace-cmd, perf, LTTng and bpftrace those run that are installed here. The table goes to
# out/bench/workloads.txt.
#
#   TRING_TRACERS  default "tring trace-cmd perf lttng bpftrace hist"
#   TRING_WORKLOADS  default: all of $names
#   TRING_CALLS    system calls of the first workload; default 20000

. "$(dirname "$0")/../lib.sh"

names='getppid writev pipe forkexec stat forkkmem all hackbench cyclictest burst start-stop'
logs=$out/bench
mkdir -p "$logs"
lock_cache
build_for_guest 6.1
cc -O2 -Wall -shared -fPIC -o "$logs/count-phases.so" "$top/scripts/qemu/count-phases.c"
cc -O2 -Wall -Wextra -static -o "$logs/workloads" "$top/scripts/guest/workloads.c"

tracers=() arguments=()
for tracer in ${TRING_TRACERS:-tring trace-cmd perf lttng bpftrace hist}; do
	case $tracer in
	lttng)
		if ! with_progress "LTTng's modules" "$logs/lttng.log" \
			"$top/scripts/bench/lttng.sh"; then
			say "no LTTng here: $(tail -n 1 "$logs/lttng.log")"
			continue
		fi
		mapfile -t lttng <"$(tail -n 1 "$logs/lttng.log")/guest-arguments"
		arguments+=("${lttng[@]}" -b babeltrace2)
		for file in /usr/lib/x86_64-linux-gnu/babeltrace2/plugins/*.so; do
			arguments+=(-f "$file=$file")
		done
		;;
	trace-cmd | perf | bpftrace)
		command -v "$tracer" >/dev/null || { say "no $tracer here"; continue; }
		arguments+=(-b "$tracer")
		;;
	esac
	tracers+=("${tracer/-/_}")
done
with_progress 'workloads' "$logs/workloads.log" "${boot_guest[@]}" -i -m 2048 \
	-o "$cache/qemu-workloads" -P "$logs/count-phases.so,out=$logs/phases" \
	-f "$logs/workloads=/bench/workloads" \
	-f "$top/scripts/guest/bench-lib.sh=/bench/bench-lib.sh" \
	-b hackbench -b cyclictest \
	-e ROWS="${TRING_WORKLOADS:-$names}" -e TRACERS="${tracers[*]}" \
	-e CALLS="${TRING_CALLS:-20000}" "${arguments[@]}" \
	"$top/scripts/guest/bench-workloads.sh"

# The marks: 1 before a recording, 2 and 3 around its workload, 4 behind it. Without a number of
# events, what is added is that of all of them.
{
	awk '
	function line(values, i) {
		printf "%-10s %-13s %8s %8s %9s %8s %8s %6s %8s %6s %8s %s\n", values[1],
			values[2], values[3], values[4], values[5], values[6], values[7], values[8],
			values[9], values[10], values[11], values[12]
	}
	BEGIN {
		split("workload tracer start stop added expected recorded told not-told share%" \
			" KiB latency", head)
		line(head)
	}
	FNR == NR {
		if ($1 == 1)
			run++
		count[run, $1] = $2
		next
	}
	{
		row++
		if ($2 == "none")
			work = count[row, 3]
		split("", values)
		values[1] = $1; values[2] = $2
		values[3] = sprintf("%.1f M", count[row, 2] / 1e6)
		values[4] = sprintf("%.1f M", count[row, 4] / 1e6)
		added = count[row, 3] - work
		values[5] = $3 == "-" ? sprintf("%.1f M", added / 1e6) : sprintf("%.1f", added / $3)
		values[6] = $3; values[7] = $4; values[8] = $5
		values[9] = $3 == "-" || $4 == "-" ? "-" : $3 - $4 - $5
		values[10] = $6; values[11] = $7; values[12] = $8
		if ($2 != "none" || $8 != "-")
			line(values)
	}' "$logs/phases" "$cache/qemu-workloads/results/runs"
	cat "$cache/qemu-workloads/results/waits" 2>/dev/null || :
} | tee "$logs/workloads.txt"
