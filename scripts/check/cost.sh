#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# cost.sh - counts instructions of Debian's 6.1 in QEMU, and fails if one of the figures below is
# exceeded by more than 5 %: what a recording of sched costs before its workload begins and behind
# it, the first of a boot and a later one, and one of all events; and what an event in memory adds
# to a workload: of a system call, of all calls or by name, or a switch to another task, without a
# filter, or with one that lets it through or does not. The clock is the default one, or the TSC.
# And what the bench's own loop counts in the ring: 16 bytes, the same into the next sub-buffer, and
# the same discarded. A change that makes one of them cheaper states the new figure.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/judge.sh"

declare -A figures=([first]=59800 [later]=40900 [all]=378000 [event]=2000 [named]=1360
	[switch]=2205 [passed]=4325 [rejected]=1540 [ring]=543 [cross]=4010 [discard]=2650)
calls=20000 switches=20000

begin_tests cost
needed build_for_guest 6.1
cc -O2 -Wall -shared -fPIC -o "$logs/count-phases.so" "$top/scripts/qemu/count-phases.c"
cc -O2 -Wall -Wextra -static -o "$logs/workloads" "$top/scripts/guest/workloads.c"
with_progress 'counting' "$logs/count.log" "${boot_guest[@]}" -i -o "$cache/qemu-cost" \
	-P "$logs/count-phases.so,out=$logs/phases" \
	-f "$module/tring_bench.ko=/bench/tring_bench.ko" \
	-f "$logs/workloads=/bench/workloads" -e CALLS=$calls -e SWITCHES=$switches \
	"$top/scripts/guest/cost.sh"

# figure NUMBER MARK - prints the instructions of the phase that ends with a mark, of a count
figure() {
	awk -v number="$1" -v mark="$2" '$1 == 1 { n++ } n == number && $1 == mark { print $2 }' \
		"$logs/phases"
}

# is_as_stated NAME - the figure is at most 5 % above the one that is stated
is_as_stated() {
	[ "${found[$1]}" -gt 0 ] && [ $((found[$1] * 100)) -le $((figures[$1] * 105)) ]
}

# state NAME TEXT - compares a figure with the one that is stated
state() {
	judge "$2: ${found[$1]}, stated are ${figures[$1]}" is_as_stated "$1"
}

# in_ring WHAT FIELD - prints the tenths of instructions that the bench has found
in_ring() {
	sed -nE "/tracer=tring what=$1 .*context=task/s/.* $2=([0-9]*)\.([0-9]).*/\1\2/p" \
		"$cache/qemu-cost/results/ring"
}

# added COUNT BASE EVENTS - prints the tenths of instructions that an event adds to a workload
added() {
	echo $((($(figure "$1" 3) - $(figure "$2" 3)) / ($3 / 10)))
}

declare -A found=(
	[first]=$((($(figure 1 2) + $(figure 1 4)) / 1000))
	[later]=$((($(figure 2 2) + $(figure 2 4)) / 1000))
	[all]=$((($(figure 11 2) + $(figure 11 4)) / 1000))
	[event]=$(added 4 3 $((2 * calls)))
	[named]=$(added 5 3 $((2 * calls)))
	[switch]=$(added 8 7 $((2 * switches)))
	[passed]=$(added 9 7 $((2 * switches)))
	[rejected]=$(added 10 7 $((2 * switches)))
	[ring]=$(in_ring write_16 mean)
	[cross]=$(in_ring write_16 crossing_mean)
	[discard]=$(in_ring discard_16 mean)
)
state first 'thousands of instructions of the first recording, without its workload'
state later 'thousands of instructions of a later recording, without its workload'
state all 'thousands of instructions of a recording of all events, without its workload'
state event "tenths of instructions of a system call's event"
state named "tenths of instructions of a system call's event by its name, TSC"
state switch 'tenths of instructions of a switch, TSC'
state passed 'tenths of instructions of a switch that a filter lets through'
state rejected 'tenths of instructions of a switch that a filter does not want'
state ring 'tenths of instructions of 16 bytes, TSC'
state cross 'tenths of instructions of 16 bytes into the next sub-buffer, TSC'
state discard 'tenths of instructions of 16 bytes that are discarded, TSC'
count_tests
