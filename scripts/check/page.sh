#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# page.sh [--all] - tests pages of "tring page" in a Chromium, which has to be installed, or is got
# within a minute; without it these tests are skipped. --all waits for it, compares the tables of
# 1,000 times and the chains of 1,000 waits. Pages and pictures stay in out/page.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/judge.sh"

ranges=25 waits=50 wait=()
if [ "${1-}" = --all ]; then
	ranges=1000 waits=1000 wait=(--wait)
fi
rm -rf "$out/page"
begin_tests page
mkdir "$logs/traces"
reader=$top/userspace-reader

tring=$("$top/scripts/build/build-reader.sh")
asan=${tring%/tring}/asan

# The group "reader" has built most of it.
make_traces() {
	local program=$asan/tests/page/traces

	env -u MAKEFLAGS make --no-print-directory -j "$jobs" -C "$reader" O="${tring%/tring}" \
		ASAN=1 "$program" &&
		TRING=$tring TRING_TESTS=$reader/tests TRING_UAPI=$top/uapi \
			"$program" "$logs/traces"
}
judge "traces are made" make_traces

if ! "$top/scripts/build/chromium.sh" "${wait[@]}" 2>"$logs/chromium.log"; then
	skipped=$((skipped + 1))
	say "skip - pages in Chromium: $(tail -n 1 "$logs/chromium.log")"
	count_tests
fi

status=0
/usr/bin/python3 "$reader/tests/page/check_page.py" "$tring" "$logs/traces" "$logs" "$ranges" \
	"$waits" >"$logs/tests" 2>&1 || status=$?
cat "$logs/tests"
passed=$((passed + $(grep -c '^ok - ' "$logs/tests"))) || :
failed=$((failed + $(grep -c '^not ok - ' "$logs/tests"))) || :
# 1 is that tests have failed, which were counted
judge "Chromium's tests have run to their end" test "$status" = "$((failed > 0))"
count_tests
