#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# build-reader.sh [all|check|threads|clean|arm64] - builds the reader outside the checkout;
# "all" prints the path of the program, "arm64" that of a program for arm64, which is
# linked statically, and without the programs that need more libraries. Each checkout has a build
# folder of its own, because make compares dates.

. "$(dirname "$0")/../lib.sh"

goal=${1:-all}
dir=$cache/reader-$(printf '%s' "$top" | cksum | cut -d' ' -f1)

# a make around this one has no jobs for it
unset MAKEFLAGS
make=(make --no-print-directory -j "$jobs" -C "$top/userspace-reader")

case $goal in
all)
	# Another group may build it at the same time.
	flock "$cache/reader.lock" "${make[@]}" O="$dir" all >&2
	say "$dir/tring"
	;;
arm64)
	system=$("$top/scripts/build/arm64-system.sh")
	export PKG_CONFIG_SYSROOT_DIR=$system
	export PKG_CONFIG_LIBDIR=$system/usr/lib/aarch64-linux-gnu/pkgconfig
	"${make[@]}" O="$dir/arm64" CC="aarch64-linux-gnu-gcc --sysroot=$system" \
		AR=aarch64-linux-gnu-ar LDFLAGS=-static SALVAGE=no SQL=no SYMBOLS=no \
		"$dir/arm64/tring" >&2
	say "$dir/arm64/tring"
	;;
check)
	# tests read tables with DuckDB and flame graphs with speedscope, and are skipped without
	if [ -z "${NODE_PATH-}" ]; then
		for package in duckdb speedscope; do
			modules=$("$top/scripts/build/npm-package.sh" "$package") || continue
			NODE_PATH+=${NODE_PATH:+:}$modules
		done
		export NODE_PATH
	fi
	"${make[@]}" O="$dir" check
	;;
threads)
	# ThreadSanitizer, in tests whose program has more threads than one
	"${make[@]}" O="$dir" TSAN=1 check TESTS="library library_open library_ring cpu_threads \
		record_whole record_parts record_compressed record_save_every record_stop_when \
		report_follow"
	;;
*)
	"${make[@]}" O="$dir" "$goal"
	;;
esac
