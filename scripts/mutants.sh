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
# A test that hangs has found the fault, too.
patience=${TRING_MUTANT_SECONDS:-300}

lock_cache
mkdir -p "$tree" "$logs"

names=("$@")
if [ ${#names[@]} = 0 ]; then
	mapfile -t names < <("$apply" "$list" | cut -f1)
fi

# try_one NAME - prints which test finds the fault; fails if none does
try_one() {
	local name=$1 log=$logs/$1.log status=0

	graft_sources "$tree" Kbuild Kconfig Makefile kmod uapi kunit-tests \
		userspace-reader scripts
	"$apply" "$list" "$name" "$tree" >"$log" 2>&1 || {
		say "it does not fit the source: $(tail -n 1 "$log")"
		return 1
	}
	timeout "$patience" "$tree/scripts/check/explorer.sh" --quick >>"$log" 2>&1 ||
		status=$?
	if [ "$status" = 0 ]; then
		timeout "$patience" "$tree/scripts/check/explorer.sh" --quick \
			--sanitized --seconds 60 >>"$log" 2>&1 || status=$?
	fi
	if [ "$status" = 2 ]; then
		say "it does not compile: $(grep -a 'error:' "$log" | head -n 1)"
		return 1
	elif [ "$status" != 0 ]; then
		say "explorer: $(grep -a 'killed by' "$log" | tail -n 1 |
			sed 's/.*killed by: *//' | cut -c1-120 |
			grep . || say 'it hangs')"
		return 0
	fi
	if ! "$tree/scripts/check/kunit.sh" um --build-only >>"$log" 2>&1; then
		say "it does not compile: $(grep -a 'error:' "$log" | head -n 1)"
		return 1
	fi
	if ! TRING_LOGS=$logs/$name.kunit timeout "$patience" \
			"$tree/scripts/check/kunit.sh" um --timeout=120 >>"$log" 2>&1; then
		say "KUnit: $(grep -aoE '\[(FAILED|CRASHED)\] [a-z_0-9]+' "$log" |
			head -n 1 | sed 's/.*\] //' | grep . || say 'it hangs')"
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
