#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0
#
# tring and ftrace record the same events at the same time; the host compares them.

. /guest/lib.sh
. /guest/side-by-side.sh

need_tring
cat /proc/version >/results/version
cp $tring/available_events $tring/trace_info /results
check "side by side with ftrace: recorded" side_by_side
for stats in /results/cpu*.stats; do
	check "side by side: ${stats##*/} balances" balanced "$stats"
	check "side by side: ${stats##*/} has left nothing unread" \
		[ "$(stat_of "$stats" remaining)" = 0 ]
done
exit 0
