#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# build.sh WHAT - builds what the groups of check.sh share, once for all of them. A warning is an
# error.
#
#   kernel             the 6.12 of "kunit.sh x86_64", with tring built in
#   reader             the program tring
#   6.1, 6.12          tring.ko and the modules of tests for Debian's stock kernel; W=1, sparse
#   every-instruction  the module with the ring in it, for 6.1; W=1
#   suites             tring.ko with the KUnit suites in it, for 6.12; W=1

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/judge.sh"

begin_tests "build-${1-}" "$out/build"

# strictly KERNEL NAME ARGUMENT... - a module with other options than build_stock's
strictly() {
	use_stock "$1"
	"$top/scripts/build/build-module.sh" -o "$cache/module-strict-$2" "$kdir" W=1 \
		KCFLAGS=-Werror "${@:3}"
}

# leaves_out FUNCTION... - tring builds without what needs a function that the kernel does not
# export any more
leaves_out() {
	local dir=$cache/module-strict-lacks functions object needed

	functions=$(IFS='|' && say "$*")
	use_stock 6.1
	graft_sources "$dir" Kbuild kmod uapi \
		scripts/build/{probe-events,private-struct,kernel-btf}.sh
	grep -vwE "$functions" "$kdir/Module.symvers" >"$logs/Module.symvers"
	for object in unwind cmdlines; do
		make --no-print-directory -C "$kdir" M="$dir" CONFIG_TRING=m KCFLAGS=-Werror \
			TRING_SYMVERS="$logs/Module.symvers" "kmod/probes/$object.o" || return 1
	done
	needed=$(nm -u "$dir"/kmod/probes/{unwind,cmdlines}.o)
	! grep -wE "$functions" <<<"$needed"
}

case ${1-} in
kernel) judge "a kernel with tring" "$top/scripts/check/kunit.sh" x86_64 --build-only ;;
reader) judge "the reader" "$top/scripts/build/build-reader.sh" all ;;
6.1 | 6.12)
	judge "tring.ko and its tests for $1, W=1 and sparse" build_stock "$1"
	[ "$1" = 6.12 ] || judge "what needs a function that is not exported is left out" \
		leaves_out trace_get_event_file trace_put_event_file unwind_next_frame
	;;
every-instruction)
	judge "the ring in a module, for 6.1, W=1" strictly 6.1 every-instruction CONFIG_TRING= \
		CONFIG_TRING_EVERY_INSTRUCTION=m
	;;
suites)
	judge "a module with its suites, for 6.12, W=1" strictly 6.12 suites \
		CONFIG_TRING_KUNIT_TEST=y CONFIG_TRING_KUNIT_STRESS_TEST=y
	;;
*) die "see the head of $0" ;;
esac
count_tests
