#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# run.sh BUILD [TEST...] - runs all tests in the build folder, or the named ones, on all CPUs.
# The last line counts the tests that passed, failed and were skipped; above it are the ten
# slowest. The exit status is 1 if a test failed or none passed. A line "SECONDS TEST" for each
# is added to the file $TRING_TIMES, if that is set.
set -u

build=${1:?usage: run.sh BUILD [TEST...]}
shift
tests=$(cd "$(dirname "$0")" && pwd)
export tests build TRING=$build/tring TRING_TESTS=$tests TRING_UAPI=$tests/../../uapi
# make every test fail on a leak or a bad access
export ASAN_OPTIONS=exitcode=99 UBSAN_OPTIONS=print_stacktrace=1
export LC_ALL=C TZ=UTC TIMEFORMAT=%R

# judge TEST - runs a test; the file TEST of $results is there when all of it is
judge() {
	local description log=$results/$1.log status

	description=$(sed -n 's|.*Description: *\(.*[^ ]\) *\*/|\1|p;T;q' "$tests/$1.c")
	# time: a guard against a hang, longer than any test's own
	{ time timeout 1800 "$build/tests/$1" >"$log" 2>&1; } 2>"$results/$1.time"
	status=$?
	case $status in
	0) echo "ok - $1: $description" ;;
	77) echo "skip - $1: $(tail -n 1 "$log")" ;;
	*)
		echo "not ok - $1: $description (exit status $status)"
		sed 's/^/    /' "$log"
		;;
	esac >"$results/$1.new"
	mv "$results/$1.new" "$results/$1"
	echo "$1"
}
export -f judge

results=$(mktemp -d)
export results
trap 'rm -rf "$results"' EXIT
if [ $# = 0 ]; then
	set -- "$tests"/*.c
	set -- "${@##*/}"
	set -- "${@%.c}"
fi

# in the order of their names, whichever ends first
for name; do
	until [ -e "$results/$name" ] || ! read -r _ <&3; do :; done
	cat "$results/$name" || echo "not ok - $name: it has not run"
	echo "$(cat "$results/$name.time") $name" >>"$results/times"
done 3< <(printf '%s\n' "$@" | xargs -P "${TRING_JOBS:-$(nproc)}" -I{} bash -c 'judge {}') |
	tee "$results/lines"

[ -z "${TRING_TIMES-}" ] || cat "$results/times" >>"$TRING_TIMES"
echo "the slowest, in seconds:"
sort -nr "$results/times" | head -n 10
count() {
	grep -c "^$1 - " "$results/lines"
}
echo "$(count ok) passed, $(count 'not ok') failed, $(count skip) skipped"
[ "$(count 'not ok')" = 0 ] && [ "$(count ok)" != 0 ]
