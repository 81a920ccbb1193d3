#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# damaged-lttng.sh [-n TRIALS] [-s SEED] - flips single bits in what a crash has left of LTTng's
# rings, and of tring's, and counts the events that can be read: see scripts/trace/flip-bits.py.
#
# Both record numbered texts on each CPU until they are killed: lttng-ust in shared memory
# (lttng create --shm-path), from which lttng-crash makes a trace; tring in memory that outlives
# the kernel, in a guest with Debian's stock 6.12. LTTng's rings of the kernel have no such
# memory. The tables go to out/bench/damaged-lttng.txt.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../check/crash.sh"

trials=20 seed=17
while getopts 'n:s:' option; do
	case $option in
	n) trials=$OPTARG ;;
	s) seed=$OPTARG ;;
	*) die "see the head of $0" ;;
	esac
done

logs=$out/bench
dir=$cache/bench-damaged-lttng
megabytes=512 region=0x10000000 region_size=0x1000000
for program in lttng lttng-sessiond lttng-crash babeltrace2; do
	command -v "$program" >/dev/null ||
		die "no $program: run scripts/build/install-deps.sh bench"
done
printf '#include <lttng/tracepoint.h>' | gcc -E - >/dev/null 2>&1 ||
	die "no lttng-ust: run scripts/build/install-deps.sh bench"
[ "$(id -u)" = 0 ] || die "needs root, for a name space in which LTTng's daemons run"
mkdir -p "$logs" "$dir"
lock_cache
rm -rf "${dir:?}"/*

# Rings as large as those of the guest. All ends by SIGKILL with the first process of the name
# space, at the end of the script.
lttng_session() {
	mount -t tmpfs run /run
	export HOME=/run LTTNG_HOME=/run
	lttng-sessiond --no-kernel --background
	lttng -q create texts --snapshot --shm-path="$dir/shm"
	lttng -q enable-channel -u texts --overwrite --subbuf-size=16k --num-subbuf=64
	lttng -q enable-event -u -c texts 'tring:*'
	lttng -q start
	"$dir/lttng-texts" "$dir/counts" >"$dir/said" &
	for _ in $(seq 300); do
		! grep -q 'being recorded' "$dir/said" || break
		sleep 0.1
	done
	sleep 2
}

record_lttng() {
	gcc -std=gnu11 -O2 -Wall -Wextra -pthread -I"$top/scripts/bench" -o "$dir/lttng-texts" \
		"$top/scripts/bench/lttng-texts.c" -llttng-ust -ldl
	export dir
	export -f lttng_session
	unshare --mount --pid --fork --kill-child --mount-proc \
		bash -e -c lttng_session >"$logs/lttng.log" 2>&1 ||
		die "LTTng does not record, see $logs/lttng.log"
	say "texts recorded, by CPU:$(od -An -v -t u8 "$dir/counts" | tr -s '\n ' ' ')"
}

record_tring() {
	build_for_crash 6.12
	start_guest "$dir/guest/console.log" \
		"$top/scripts/qemu/qemu-run.sh" -r "$release" -R "$system" -o "$dir/guest" \
		-m "$megabytes" -M "$dir/ram" -e STAGE=texts -e "PERSIST=$region,$region_size" \
		-a "memmap=$region_size\$$region" \
		-f "$module/tring.ko=/guest/tring.ko" -f "$tring=/bin/tring" \
		-f "$markers=/guest/numbered-markers" \
		"$top/scripts/guest/damaged-rings.sh"
	kill_guest
	dd if="$dir/ram" of="$dir/region" bs=1M skip=$((region >> 20)) \
		count=$((region_size >> 20)) status=none
	rm -f "$dir/ram"
}

head='| flipped bit | lost, mean | most | wrong, mean | most | told |'
{
	say "LTTng: lttng-crash and babeltrace2"
	record_lttng
	say "$head"
	"$top/scripts/trace/flip-bits.py" lttng "$dir/shm" "$trials" "$seed"
	say "tring: tring salvage and tring report"
	record_tring
	say "$head"
	"$top/scripts/trace/flip-bits.py" tring "$dir/region" "$tring" $region "$trials" "$seed"
} | tee "$logs/damaged-lttng.txt"
rm -rf "${dir:?}"/*
