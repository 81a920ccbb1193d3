#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# kernels.sh [ROW...] - "make check-kernels": builds the module for Debian's kernels with
# W=1, boots each in QEMU and runs scripts/guest/smoke.sh there, the whole path
# (scripts/check/whole-path.sh) on three of them, and a minute of torture on an arm64. A ROW
# is SERIES-FLAVOUR, such as 7.3-rt-amd64, or "packages", which stands for
# scripts/check/deb.sh; default: those of the list below.
#
# Prints each row of the table in docs/kernels.md.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/judge.sh"
. "$(dirname "$0")/viewers.sh"

rows=(6.1-amd64 6.12-amd64 7.3-amd64
	6.1-rt-amd64 6.1-cloud-amd64 6.12-rt-amd64 6.12-cloud-amd64
	7.3-rt-amd64 7.3-cloud-amd64 6.1.0-47-amd64 7.2-amd64
	6.1-arm64 6.12-arm64 6.12-arm64-16k 7.3-arm64 packages)
declare -A whole=([6.1-amd64]=stock [6.12-amd64]=6.12 [7.3-amd64]=7.3)
declare -A torture=([6.12-arm64]=arm64)
if [ $# -gt 0 ]; then
	rows=("$@")
fi

begin=$SECONDS
begin_tests check-kernels
"$top/scripts/build/install-deps.sh" check-all
# The guests' reader is one for their machine. That of this machine reads what they record.
for goal in all arm64; do
	needed with_progress "the reader: $goal" "$logs/build-reader-$goal.log" \
		"$top/scripts/build/build-reader.sh" "$goal"
done
tring=$(tail -n 1 "$logs/build-reader-all.log")
tring_arm64=$(tail -n 1 "$logs/build-reader-arm64.log")
table=$logs/table
: >"$table"

# builds DIR - the module for $release of $system, without a warning
builds() {
	local log=$1.log status=0

	mkdir -p "$1"
	"$top/scripts/build/build-module.sh" -o "$1" "$kdir" \
		W=1 >"$log" 2>&1 || status=$?
	cat "$log"
	[ "$status" = 0 ] && ! grep -qi warning "$log"
}

# many_agree NAME - counters and viewers agree on a number of events that a workload has
many_agree() {
	counts_agree "$results/$1" "$results/$1.stats"/cpu* &&
		[ "$(read_count "$results/$1.stats"/cpu*)" -gt 1000 ]
}

# smoke NAME - boots $release with the module that was built
smoke() {
	local name=$1 dir=$logs/$1.guest reader=$tring status=0

	[[ $release != *-arm64* ]] || reader=$tring_arm64
	results=$dir/results
	with_progress "$name: QEMU" "$logs/$name.qemu.log" \
		"$top/scripts/qemu/qemu-run.sh" -r "$release" -R "$system" -o "$dir" \
		-f "$module/tring.ko=/guest/tring.ko" -f "$reader=/bin/tring" \
		"$top/scripts/guest/smoke.sh" || status=$?
	judge_guest "$status" "$results/tests"
	judge "$name: the ring's counts agree" many_agree ring
	judge "$name: the instance's counts agree" many_agree instance
	judge "$name: the console shows nothing bad" \
		"$top/scripts/qemu/console-badness.sh" "$dir/console.log"
}

# whole_path NAME KIND - runs it; shows that the comparison with ftrace finds differences
whole_path() {
	local how

	run_group "whole-path-$2" "$top/scripts/check/whole-path.sh" "$2"
	further="whole path: ${counted%, 0 skipped}"
	for how in flip memory context pid swap drop repeat early header beginning end stale; do
		judge "$1: the comparison with ftrace sees: $how" \
			"$top/scripts/check/comparison-sees.sh" "$2" "$how"
	done
}

# run_row SERIES-FLAVOUR - all tests of one kernel, and its line of the table
run_row() {
	local row=$1 before=$failed built=FAILED runs=FAILED events=- further='' module
	local series=${row%%-*} flavour=${row#*-}

	# The release of one ABI of 6.1 has a number behind a dash.
	if [[ $flavour =~ ^([0-9]+)-(.*)$ ]]; then
		series=$series-${BASH_REMATCH[1]} flavour=${BASH_REMATCH[2]}
	fi
	use_stock "$series" "$flavour"
	module=$cache/kernels-$row
	say "$row: $release"
	judge "$row: W=1 without a warning" builds "$module"
	[ "$failed" != "$before" ] || built=yes
	if [ "$built" = yes ]; then
		smoke "$row"
		[ "$failed" != "$before" ] || runs=yes
		events=$(cat "$results/events" 2>/dev/null || say -)
		[ -z "${whole[$row]-}" ] || whole_path "$row" "${whole[$row]}"
		if [ -n "${torture[$row]-}" ]; then
			run_group "torture-${torture[$row]}" \
				"$top/scripts/torture.sh" -s 60 -k "${torture[$row]}"
			further="torture: $counted"
		fi
	fi
	say "| ${release%-"$flavour"} | $flavour | $built | $runs | $further | $events |" >>"$table"
	{
		say "$release:"
		sed 's/^/    /' "$module/left-out" || :
	} >>"$table.left-out"
}

: >"$table.left-out"
for row in "${rows[@]}"; do
	case $row in
	packages) run_group packages "$top/scripts/check/deb.sh" ;;
	*) run_row "$row" ;;
	esac
done
say "took $((SECONDS - begin)) s; the events that are left out: $table.left-out"
cat "$table"
count_tests
