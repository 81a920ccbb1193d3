#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# kunit.sh um|x86_64|debug [--build-only] [KUNIT.PY-ARGUMENT...] - runs tring's
# KUnit suites on linux-source-6.12.
#
#   um      User-mode Linux: one CPU, native, the quickest
#   x86_64  QEMU, 4 CPUs, preemptible, TRING_DEBUG checks each packet
#   debug   as x86_64, with KASAN, lockdep and kmemleak: a slow build of its own
#
# The last line is "kunit-KIND: N passed, N failed, N skipped". kunit.py parses
# what the kernel says, so a run that breaks off counts as failed; so does one
# of which the console shows a warning.

. "$(dirname "$0")/lib.sh"

kind=${1-}
shift || :
build_only=no
if [ "${1-}" = --build-only ]; then
	build_only=yes
	shift
fi

arguments=(--kunitconfig="$top/kunit-tests/.kunitconfig")
run_arguments=(--timeout=600)
smp='-accel tcg,thread=multi -cpu max -smp 4'
case $kind in
um)
	arguments+=(--arch=um --kunitconfig="$top/kunit-tests/um.config")
	;;
x86_64)
	arguments+=(--arch=x86_64 --kunitconfig="$top/kunit-tests/smp.config")
	run_arguments+=(--qemu_args="$smp")
	;;
debug)
	arguments+=(--arch=x86_64 --kunitconfig="$top/kunit-tests/smp.config"
		--kunitconfig="$top/kunit-tests/debug.config")
	run_arguments+=(--qemu_args="$smp -m 2048" --timeout=1800)
	;;
*)
	die "which? um, x86_64 or debug"
	;;
esac

build=$cache/kunit-$kind
logs=${TRING_LOGS:-$out/kunit-$kind}
mkdir -p "$logs" "$build"
exec 8>"$build.lock"
flock 8

tree=$("$top/scripts/shadow-tree.sh")
cd "$tree"
arguments+=(--build_dir="$build")

with_progress "kunit-$kind: building" "$logs/build.log" \
	./tools/testing/kunit/kunit.py build "${arguments[@]}" --jobs="$jobs" || {
	grep -aE 'error|Error|\*\*\*|rror:' "$logs/build.log" | head -n 20 >&2 || :
	say "kunit-$kind: 0 passed, 1 failed, 0 skipped"
	exit 1
}
# kunit.py is content with tests that its configuration has dropped.
for option in TRING TRING_KUNIT_TEST; do
	grep -q "^CONFIG_$option=y" "$build/.config" ||
		die "CONFIG_$option is not in $build/.config"
done
[ "$build_only" = no ] || exit 0

status=0
rm -f "$build/test.log"
with_progress "kunit-$kind: running" "$logs/run.log" \
	./tools/testing/kunit/kunit.py exec "${arguments[@]}" \
	"${run_arguments[@]}" --json="$logs/results.json" "$@" || status=$?
cp "$build/test.log" "$logs/console.log" 2>/dev/null || :

# "Ran 9 tests: passed: 7, failed: 1, crashed: 1, skipped: 0, errors: 0"
summary=$(grep -a 'Ran [0-9]* tests:' "$logs/run.log" | tail -n 1) || :
count() {
	printf '%s' "$summary" | grep -oE "$1: [0-9]+" | grep -oE '[0-9]+' || say 0
}
passed=$(count passed)
skipped=$(count skipped)
failed=$(($(count failed) + $(count crashed) + $(count errors)))

if ! "$top/scripts/console-badness.sh" "$logs/console.log"; then
	failed=$((failed + 1))
fi
if [ "$failed" = 0 ] && { [ "$status" != 0 ] || [ "$passed" = 0 ]; }; then
	failed=$((failed + 1))
fi
if [ "$failed" != 0 ]; then
	grep -aE '\[(FAILED|CRASHED)\]|EXPECTATION FAILED|ASSERTION FAILED|ERROR' \
		"$logs/run.log" | head -n 40 || :
	tail -n 5 "$logs/run.log"
fi
say "kunit-$kind: $passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
