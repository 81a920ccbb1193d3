#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# compare-plans.sh [SERIES:SEED]... - compares what the reader prints with what libtraceevent
# prints with its plugins, for all event formats of Debian's stock kernels, those of modules
# included, which guests hand out (scripts/build/formats.sh). The payloads are plausible, odd and
# random, a different set for each seed. The reader's own tests do the same for a part of the
# formats. Default: 6.1:1 6.12:2 7.3:3.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/judge.sh"

[ $# -gt 0 ] || set -- 6.1:1 6.12:2 7.3:3
begin_tests compare-plans
build=$cache/compare-plans-$(printf '%s' "$top" | cksum | cut -d' ' -f1)

judge 'the test is built' make -C "$top/userspace-reader" O="$build" ASAN=1 -j "$jobs" \
	"$build/asan/tests/print_words"
[ "$failed" = 0 ] || count_tests
export ASAN_OPTIONS=exitcode=99 LC_ALL=C TRING_TESTS=$top/userspace-reader/tests

# words LOG - compares, and keeps the output, whose last lines tell what was compared
words() {
	local status=0

	TRING_VERBOSE=1 "$build/asan/tests/print_words" "$single" "$seed" >"$1" 2>&1 || status=$?
	cat "$1"
	return "$status"
}

for row; do
	series=${row%:*} seed=${row#*:}
	if ! formats=$("$top/scripts/build/formats.sh" "$series"); then
		failed=$((failed + 1))
		say "not ok - no formats of $series"
		continue
	fi
	say "$series: $(find "$formats/events" -name format | wc -l) formats;" \
		"$(wc -l <"$formats/loaded") modules with events are loaded, not:" \
		"$(tr '\n' ' ' <"$formats/refused")"
	# of the symbols of one address tring and libtraceevent may find two
	single=$logs/$series.formats
	rm -rf "$single"
	mkdir "$single"
	cp -a "$formats/events" "$formats/printk_formats" "$single"
	awk '!seen[$1]++' "$formats/kallsyms" >"$single/kallsyms"
	judge "$series, seed $seed: each event is printed as by libtraceevent" \
		words "$logs/$series.log"
	rm -rf "$single"
	grep -aE '^[0-9]+ events|: [0-9]+ events; ' "$logs/$series.log" || :
done
count_tests
