#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# many-cpus.sh - records in a guest with Debian's stock 6.1 that has 16 CPUs online and 64
# possible ones, of which some go offline and come online during the recording.
# scripts/guest/hotplug.sh has the tests; babeltrace2 reads the trace here. The last line
# is "many-cpus: N passed, N failed, N skipped".

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/judge.sh"
. "$(dirname "$0")/viewers.sh"

online=16 possible=64
dir=$out/many-cpus
logs=$out/many-cpus.logs
mkdir -p "$logs"
lock_cache

build_for_guest 6.1 || { failed=1; count_tests many-cpus; }

guest=0
with_progress "many-cpus: QEMU" "$logs/qemu.log" \
	env TRING_FOLLOW=1 "$top/scripts/qemu/qemu-run.sh" -r "$release" -R "$system" -o "$dir" \
	-c "$online,maxcpus=$possible" -e ONLINE=$online \
	-e POSSIBLE=$possible -f "$module/tring.ko=/guest/tring.ko" \
	-f "$tring=/bin/tring" "$top/scripts/guest/hotplug.sh" || guest=$?
results=$dir/results
judge_guest "$guest" "$results/tests"
judge "the console shows nothing bad" \
	"$top/scripts/qemu/console-badness.sh" "$dir/console.log"

babeltrace_agrees() {
	local all discarded reported

	all=$(babeltrace_count "$results/trace") || return 1
	discarded=$(discarded_count "$results/trace")
	reported=$(report_count "$results/trace") || return 1
	say "babeltrace2: $all events, $discarded of them discarded; report: $reported"
	[ "$reported" -gt 0 ] && [ $((all - discarded)) = "$reported" ]
}
judge "babeltrace2 reads the trace without a warning, all events" babeltrace_agrees
count_tests many-cpus
