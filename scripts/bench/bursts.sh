#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# bursts.sh - counts the events that "tring record", also with --compress (tring-zstd), with
# "-e sched,syscalls" (tring-whole), which has hundreds of formats, and with "--split 512K"
# besides (tring-split), whose parts have them each, "trace-cmd record" and LTTng lose of bursts
# of system calls, by the number of writers and the size of the rings, and looks for the highest
# steady rate that each records without a loss. The recorders take turns in one boot of Debian's
# stock 6.1; their traces are in memory. Where LTTng does not build or run, the last line of the
# tables says why it was left out. Twice:
#
#   counted   one CPU for all, which does an instruction a nanosecond. Repeatable to
#             the event, and independent of the host's load.
#   parallel  two CPUs in parallel. The host takes them away at any time, so that the
#             losses vary from round to round; compare the least.
#
# Tables go to out/bench/bursts.txt and .json, single runs to out/bench/bursts-*.log and .rows.
#
#   TRING_MODES    default "counted parallel"
#   TRING_RECORDERS  default "tring tring-zstd tring-whole tring-split trace-cmd lttng"
#   TRING_ROUNDS   default 1 counted, 3 in parallel
#   TRING_EVENTS   of a burst; default 800000
#   TRING_WRITERS  default "1 2 8"
#   TRING_SIZES    of each CPU's ring in KiB; default "64 256 1408"
#   TRING_SECONDS  for which a rate must be recorded; default 2, 0 for no rates
#   TRING_LTTNG_CHANNEL  further options of "lttng enable-channel"

. "$(dirname "$0")/../lib.sh"

commit=$(git -C "$top" describe --always --dirty 2>/dev/null || say unknown)
logs=$out/bench
mkdir -p "$logs"
lock_cache

build_for_guest 6.1
read -ra recorders <<<"${TRING_RECORDERS:-tring tring-zstd tring-whole tring-split trace-cmd lttng}"
rows=$logs/bursts-$release.rows lttng_files=()
rm -f "$rows" "$logs/left-out"
if [[ " ${recorders[*]} " != *" lttng "* ]]; then
	say "LTTng was left out: it was not asked for" >"$logs/left-out"
elif with_progress "LTTng's modules" "$logs/lttng.log" \
	"$top/scripts/bench/lttng.sh"; then
	mapfile -t lttng_files <"$(tail -n 1 "$logs/lttng.log")/guest-arguments"
else
	read -ra recorders <<<"${recorders[*]//lttng/}"
	say "LTTng was left out: $(tail -n 1 "$logs/lttng.log")" >"$logs/left-out"
fi
cc -std=gnu11 -O2 -Wall -Wextra -Wshadow -Werror -pthread \
	-o "$logs/paced-writers" "$top/scripts/guest/paced-writers.c"

# record MODE ROUNDS OPTION... - runs the recorders in a guest
record() {
	local mode=$1 rounds=$2 dir=$cache/qemu-bursts-$1

	shift 2
	with_progress "bursts: $mode" "$logs/bursts-$mode.log" \
		"${boot_guest[@]}" -o "$dir" -m 1536 -t 3600 \
		-e ROUNDS="$rounds" -e RECORDERS="${recorders[*]}" \
		-e EVENTS="${TRING_EVENTS:-800000}" \
		-e WRITERS="${TRING_WRITERS:-1 2 8}" \
		-e SIZES="${TRING_SIZES:-64 256 1408}" \
		-e DURATION="${TRING_SECONDS:-2}" -e RATE_SIZE=1408 \
		-e LTTNG_CHANNEL="${TRING_LTTNG_CHANNEL-}" \
		-b trace-cmd -f "$logs/paced-writers=/guest/paced-writers" \
		"${lttng_files[@]}" "$@" "$top/scripts/guest/bench-bursts.sh"
	"$top/scripts/qemu/console-badness.sh" "$dir/console.log"
	sed "s/$/ mode=$mode/" "$dir/results/bursts.txt" >>"$rows"
	sed -n "s/^left-out /$mode: /p" "$dir/results/bursts.txt" >>"$logs/left-out"
}

for mode in ${TRING_MODES:-counted parallel}; do
	case $mode in
	counted) record counted "${TRING_ROUNDS:-1}" -i ;;
	parallel) record parallel "${TRING_ROUNDS:-3}" -p -c 2 ;;
	*) die "no mode $mode: counted or parallel" ;;
	esac
done
"$top/scripts/bench/table.py" --commit "$commit" --json "$logs/bursts.json" "$release=$rows" |
	cat - "$logs/left-out" | tee "$logs/bursts.txt"
