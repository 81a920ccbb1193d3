#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# comparison-sees.sh KIND HOW - damages a copy of the trace that "whole-path.sh KIND" has
# left, by "tamper-with-trace.py HOW". Succeeds if the comparison with ftrace passes before
# the damage and fails after it; with HOW stale, if it passes after it, too.

. "$(dirname "$0")/../lib.sh"

[ $# = 2 ] || die "see the head of $0"
kind=$1 how=$2
from=$out/whole-path-$kind/results
dir=$out/comparison-sees/$kind-$how

rm -rf "$dir"
mkdir -p "$dir"
cp -r "$from/trace" "$dir/trace"
# Once for each recording
before=$out/comparison-sees/$kind.before
if ! [ "$before" -nt "$from/trace" ]; then
	rm -f "$before"
	"$top/scripts/trace/compare-with-ftrace.py" "$from/trace.ftrace" "$dir/trace" \
		>"$before.new" || die "the traces differ before the damage, see $before.new"
	mv "$before.new" "$before"
fi
"$top/scripts/trace/tamper-with-trace.py" "$how" "$from/trace.ftrace" \
	"$dir/trace/cpu0"
status=0
"$top/scripts/trace/compare-with-ftrace.py" "$from/trace.ftrace" "$dir/trace" >"$dir/after" ||
	status=$?
grep -m 3 ': ' "$dir/after" || :
rm -r "$dir/trace"
if [ "$how" = stale ]; then
	[ "$status" = 0 ]
else
	[ "$status" != 0 ]
fi
