#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# fuzz.sh [--replay | -s SECONDS] [TARGET...] - feeds the reader damaged input, with
# libFuzzer, ASAN and UBSAN: each target of userspace-reader/fuzz, or the named ones.
# SECONDS (60) are for all targets together. --replay is for the gate: the inputs that are
# there, and as many more as make 1000 a target, are given once, from the same random seed.
#
# The inputs that reach new code are kept in the cache, and later runs start from
# them. An input that crashes or hangs the reader is kept in out/fuzz; the target's
# program, which is named then, takes it as an argument.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/judge.sh"

seconds=60
case ${1-} in
--replay)
	seconds=
	shift
	;;
-s)
	seconds=${2-}
	[[ $seconds =~ ^[1-9][0-9]*$ ]] || die "-s $seconds: not a number of seconds"
	shift 2
	;;
-*) die "usage: fuzz.sh [--replay | -s SECONDS] [TARGET...]" ;;
esac

source=$top/userspace-reader
targets=("$@")
if [ ${#targets[@]} = 0 ]; then
	for file in "$source"/fuzz/*.c; do
		targets+=("$(basename "$file" .c)")
	done
fi
for target in "${targets[@]}"; do
	[ -f "$source/fuzz/$target.c" ] || die "no target '$target'"
done

begin_tests fuzz
inputs=$cache/fuzz-inputs
build=$cache/fuzz-$(printf '%s' "$top" | cksum | cut -d' ' -f1)
mkdir -p "$inputs"

build_targets() {
	make -C "$source" O="$build" CC=clang -j "$jobs" fuzz &&
		TRING_TESTS=$source/tests "$build/fuzz/fuzz/make_seeds" "$build/seeds"
}

# Prints the number of inputs that a target has been given.
count_inputs() {
	sed -n 's/^stat::number_of_executed_units: //p' "$1" | tail -n 1
}

# fuzz TARGET OPTION... - gives a target inputs, until an option of libFuzzer ends it
fuzz() {
	local target=$1 log=$logs/$1.log status=0 count begin=$SECONDS

	shift
	mkdir -p "$inputs/$target"
	# time: a guard against a hang; an input takes milliseconds
	"$build/fuzz/fuzz/$target" "$@" -timeout=600 \
		-rss_limit_mb=2048 -max_len=16384 \
		-detect_leaks=0 -dict="$source/fuzz/words.dict" -print_final_stats=1 \
		-artifact_prefix="$logs/$target-" \
		"$inputs/$target" "$build/seeds/$target" >"$log" 2>&1 || status=$?
	count=$(count_inputs "$log")
	if [ "$status" = 0 ] && [ "${count:-0}" != 0 ]; then
		passed=$((passed + 1))
		say "ok - $target: $count inputs in $((SECONDS - begin)) s"
	else
		failed=$((failed + 1))
		say "not ok - $target: $build/fuzz/fuzz/$target failed after" \
			"${count:-0} inputs, see $log"
		grep -aE 'ERROR|SUMMARY|Test unit written' "$log" | head -n 5 |
			sed 's/^/    /' || :
	fi
}

mkdir -p "$build/seeds"
needed with_progress "the fuzz targets" "$logs/build.log" build_targets
limit=(-runs=1000 -seed=1)
if [ -n "$seconds" ]; then
	each=$((seconds / ${#targets[@]}))
	limit=(-max_total_time="$((each > 0 ? each : 1))")
fi
for target in "${targets[@]}"; do
	fuzz "$target" "${limit[@]}"
done
count_tests
