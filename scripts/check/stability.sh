#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# stability.sh [-s SEED] [GROUP...] - "make check-stability": does a test fail by chance? Runs
# the gate, or GROUPs of it, three times: alone; beside four busy loops; and with each guest and
# each process of a test stopped and continued at random moments, see stop-and-continue.py. The
# last line is "stability: N passed, N failed, N skipped", where a run of the gate is a test.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/judge.sh"

seed=$RANDOM
if [ "${1-}" = -s ]; then
	seed=$2
	shift 2
fi
begin_tests stability

beside_busy_loops() {
	local status=0

	for _ in 1 2 3 4; do
		(while :; do :; done) &
		children+=($!)
	done
	"$top/scripts/check.sh" "$@" || status=$?
	stop_children
	return "$status"
}

stopped_and_continued() {
	"$top/scripts/check.sh" "$@" &
	children+=($!)
	"$top/scripts/check/stop-and-continue.py" "$seed" $! &
	wait "${children[@]: -1}"
}

say "seed $seed"
judge "alone" "$top/scripts/check.sh" "$@"
judge "beside four busy loops" beside_busy_loops "$@"
judge "stopped and continued" stopped_and_continued "$@"
tail -n 1 "$logs"/*.log
count_tests
