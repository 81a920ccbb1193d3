#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# sift-kcsan.sh ARCHIVE CONSOLE ELSEWHERE - prints CONSOLE without the data races
# that KCSAN reports and in which no function of ARCHIVE takes part; these go to
# ELSEWHERE. By its strict rules the rest of the kernel has some: they are not
# ours to mend, but ours must not be overlooked among them. A report in which
# one of our functions stands anywhere in one of the stacks is ours.

. "$(dirname "$0")/lib.sh"

[ $# = 3 ] || die "see the head of $0"

names=$(nm "$1" | awk '$2 ~ /^[tTwW]$/ { print $3 }')
# Without them nothing would be ours.
[ -n "$names" ] || die "no functions in $1"

printf '%s\n' "$names" | awk -v elsewhere="$3" '
	function finish(is_ours) {
		if (!report)
			return
		if (is_ours)
			printf "%s", text
		else
			printf "%s", text >elsewhere
		report = 0
		text = ""
	}
	BEGIN { printf "" >elsewhere }
	# The names come first, from the pipe.
	FILENAME == "-" { ours[$1] = 1; next }
	/====================\r?$/ {
		if (report == 2) {
			text = text $0 "\n"
			finish(took_part)
			next
		}
		finish(1)
		report = 1
		took_part = 0
		text = $0 "\n"
		next
	}
	# A line like this begins the reports of others as well.
	report == 1 && !/BUG: KCSAN:/ { finish(1) }
	report {
		report = 2
		text = text $0 "\n"
		for (i = 1; i <= NF; i++) {
			name = $i
			if (sub(/\+0x[0-9a-f]+\/0x[0-9a-f]+\r?$/, "", name) &&
			    name in ours)
				took_part = 1
		}
		next
	}
	{ print }
	# One that is broken off counts.
	END { finish(1) }' - "$2"
