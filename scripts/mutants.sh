#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# mutants.sh [NAME...] - do the tests find faults? Applies each of the seeded faults of
# kunit-tests/mutants/mutants.txt, or those named, to a copy of the sources and tests
# the copy: with the explorer, then with the explorer and sanitizers, and if neither
# fails, with KUnit under UML. Prints the test that found the fault.
#
# The last line is "mutants: N passed, N failed, N skipped", where passed means
# found. Takes about half a minute for each fault that the explorer finds, and two
# minutes for each of the others.

. "$(dirname "$0")/lib.sh"

list=$top/kunit-tests/mutants/mutants.txt
work=$cache/mutants
tree=$work/tree
logs=$out/mutants
passed=0 failed=0
apply=$top/kunit-tests/mutants/apply-mutant.py
patience=${TRING_MUTANT_SECONDS:-300}
quick=(timeout "$patience" "$tree/scripts/check/explorer.sh" --quick)
sanitized=("${quick[@]}" --sanitized --seconds 60)

lock_cache
mkdir -p "$tree" "$logs"

names=("$@")
if [ ${#names[@]} = 0 ]; then
	mapfile -t names < <("$apply" "$list" | cut -f1)
fi

reset_tree() {
	graft_sources "$tree" Kbuild Kconfig Makefile kmod uapi kunit-tests \
		userspace-reader scripts
}

# found_by_hang TEST LOG COMMAND... - a test that hangs has found the fault, unless
# it takes as long without the fault on this machine
found_by_hang() {
	local test=$1 log=$2

	shift 2
	reset_tree
	if "$@" >>"$log" 2>&1; then
		say "$test: it hangs"
		return 0
	fi
	say "$test does not pass within $patience s without the fault"
	return 1
}

# try_one NAME - prints which test finds the fault; fails if none does
try_one() {
	local name=$1 log=$logs/$1.log status=0 test=("${quick[@]}") finding
	local kunit=(env TRING_LOGS="$logs/$1.kunit" timeout "$patience"
		"$tree/scripts/check/kunit.sh" um --timeout=120)

	reset_tree
	"$apply" "$list" "$name" "$tree" >"$log" 2>&1 || {
		say "it does not fit the source: $(tail -n 1 "$log")"
		return 1
	}
	"${test[@]}" >>"$log" 2>&1 || status=$?
	if [ "$status" = 0 ]; then
		test=("${sanitized[@]}")
		"${test[@]}" >>"$log" 2>&1 || status=$?
	fi
	if [ "$status" = 2 ]; then
		say "it does not compile: $(grep -a 'error:' "$log" | head -n 1)"
		return 1
	elif [ "$status" != 0 ]; then
		finding=$(sed -n 's/.*killed by: *//p' "$log" | tail -n 1 | cut -c1-120)
		if [ -z "$finding" ]; then
			found_by_hang explorer "$log" "${test[@]}"
			return
		fi
		say "explorer: $finding"
		return 0
	fi
	if ! "$tree/scripts/check/kunit.sh" um --build-only >>"$log" 2>&1; then
		say "it does not compile: $(grep -a 'error:' "$log" | head -n 1)"
		return 1
	fi
	if ! "${kunit[@]}" >>"$log" 2>&1; then
		finding=$(sed -nE '/\[(FAILED|CRASHED)\] [a-z_0-9]+/{
			s/.*\[(FAILED|CRASHED)\] ([a-z_0-9]+).*/\2/p;q}' "$log")
		if [ -z "$finding" ]; then
			found_by_hang KUnit "$log" "${kunit[@]}"
			return
		fi
		say "KUnit: $finding"
		return 0
	fi
	say "no test finds it"
	return 1
}

for name in "${names[@]}"; do
	if found=$(try_one "$name"); then
		passed=$((passed + 1))
		say "ok - $name: found by $found"
	else
		failed=$((failed + 1))
		say "not ok - $name: $found"
	fi
done
say "mutants: $passed passed, $failed failed, 0 skipped"
[ "$failed" = 0 ]
