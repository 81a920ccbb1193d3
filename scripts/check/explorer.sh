#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# explorer.sh [--source DIR] [--sanitized] [--steps N | ARGUMENT...] - builds the C files
# of the ring in user space and runs them through as many interleavings of their steps as
# N allows; see kunit-tests/explorer/explorer.c.
#
#   --source DIR	take kmod/ and uapi/ from DIR
#   --sanitized	run with the sanitizers only, which are slower and find more
#   --steps N	thousands of steps for each unit of a configuration's share
#   --compiler	only print the command that checks that a file of kmod/ring compiles
#   ARGUMENT	passed to the explorer, as --replay TEXT or --config NAME
#
# How much is explored is counted in steps: a slow machine explores as much as a fast one.
# The last line is "explorer: N passed, N failed, N skipped". After a failure a line says
# "killed by: CONFIGURATION: WHAT". The status is 2 if the ring does not compile.

. "$(dirname "$0")/../lib.sh"

source=$top program=plain steps=3000 arguments=()
while [ $# -gt 0 ]; do
	case $1 in
	--source)
		source=$(cd "$2" && pwd -P)
		shift
		;;
	--sanitized)
		program=sanitized
		;;
	--steps)
		steps=$2
		shift
		;;
	--compiler)
		program=compiler
		;;
	*)
		arguments+=("$1")
		;;
	esac
	shift
done
# A folder for each source and compiler, so that two runs do not disturb each other; and for each
# Makefile, as objects know their sources by path.
build=$cache/explorer/$({ say "$source"; "${CC:-gcc}" --version
	cat "$top/kunit-tests/explorer/Makefile"; } | cksum | cut -d' ' -f1)
mkdir -p "$build"/{plain,sanitized}
exec 8>"$build.lock"
flock 8
# Dates mean nothing when two checkouts share the cache: a copy changes with the content.
graft_sources "$build/sources" kmod uapi kunit-tests/explorer kunit-tests/{steps,step_list}.h \
	userspace-reader/include userspace-reader/util userspace-reader/wire
[ "$source" != "$top" ] || source=$build/sources
ring=$source/kmod/ring
[ -f "$ring/reserve.c" ] || die "no kmod/ring/reserve.c in $source"

# Each kernel header that the ring includes is the shim, except those that the C library has.
headers=$(grep -hoE '^#include <(linux|asm)/[^>]+>' "$source"/kmod/{ring,session}/*.[ch] \
	"$source"/{kmod/{clock,compat,pages,blackbox/directory},uapi/tring_format}.h |
	sed 's/.*<//; s/>//' | sort -u)
for header in $headers; do
	case $header in
	linux/errno.h | linux/limits.h) continue ;;
	esac
	[ -f "$build/include/$header" ] && continue
	mkdir -p "$build/include/${header%/*}"
	{
		say '#include "shim/shim.h"'
		# A kernel version for which compat.h does nothing.
		[ "$header" != linux/version.h ] || cat <<-'END'
			#define KERNEL_VERSION(a, b, c)	(((a) << 16) + ((b) << 8) + (c))
			#define LINUX_VERSION_CODE	KERNEL_VERSION(6, 12, 0)
		END
	} >"$build/include/$header"
done

# build_program NAME [VARIABLE=VALUE]
build_program() {
	make -s -j"$jobs" -C "$build/sources/kunit-tests/explorer" O="$build/$1" SOURCE="$source" \
		"${@:2}" >"$build/$1.log" 2>&1 || {
		cat "$build/$1.log" >&2
		say "explorer: the ring does not compile in user space"
		say "explorer: 0 passed, 1 failed, 0 skipped"
		exit 2
	}
}

if [ "$program" = compiler ]; then
	build_program compiler compiler
	cat "$build/compiler.log"
	exit
fi
passed=0 failed=0

# run_program NAME STEPS - runs the program and adds up its last line
run_program() {
	local p f status=0

	"$build/$1/explorer" --steps "$2" | tee "$build/$1.out" || status=$?
	read -r p f < <(sed -n 's/^explorer: \([0-9]*\) passed, \([0-9]*\) failed.*/\1 \2/p' \
		"$build/$1.out") || :
	passed=$((passed + p))
	failed=$((failed + f))
	if [ "$status" != 0 ] && [ "${f:-0}" = 0 ]; then
		say "not ok - $1 ends with $status"
		failed=$((failed + 1))
	fi
}

if [ "$program" = sanitized ] || [ ${#arguments[@]} = 0 ]; then
	build_program sanitized SANITIZED=yes
fi
[ "$program" = sanitized ] || build_program plain
if [ ${#arguments[@]} != 0 ]; then
	exec "$build/$program/explorer" --steps "$steps" "${arguments[@]}"
fi
[ "$program" = sanitized ] || run_program plain "$steps"
say "with AddressSanitizer and UndefinedBehaviorSanitizer:"
run_program sanitized "$((steps / 4))"
say "explorer: $passed passed, $failed failed, 0 skipped"
[ "$failed" = 0 ]
