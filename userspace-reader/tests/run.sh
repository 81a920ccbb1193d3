#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# run.sh BUILD - runs all tests in the build folder. The last line counts the
# tests that passed, failed and were skipped. The exit status is 1 if a test
# failed or none passed.
set -u

build=${1:?usage: run.sh BUILD}
tests=$(cd "$(dirname "$0")" && pwd)
TRING=$build/tring
TRING_TESTS=$tests
TRING_UAPI=$tests/../../uapi
export TRING TRING_TESTS TRING_UAPI
# make every test fail on a leak or a bad access
export ASAN_OPTIONS=exitcode=99 UBSAN_OPTIONS=print_stacktrace=1
export LC_ALL=C TZ=UTC

passed=0
failed=0
skipped=0
log=$(mktemp)
trap 'rm -f "$log"' EXIT

for source in "$tests"/*.c; do
	name=$(basename "$source" .c)
	description=$(sed -n 's|.*Description: *\(.*[^ ]\) *\*/|\1|p' "$source" | head -n 1)
	timeout 120 "$build/tests/$name" >"$log" 2>&1
	status=$?
	case $status in
	0)
		passed=$((passed + 1))
		echo "ok - $name: $description"
		;;
	77)
		skipped=$((skipped + 1))
		echo "skip - $name: $(tail -n 1 "$log")"
		;;
	*)
		failed=$((failed + 1))
		echo "not ok - $name: $description (exit status $status)"
		sed 's/^/    /' "$log"
		;;
	esac
done

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
