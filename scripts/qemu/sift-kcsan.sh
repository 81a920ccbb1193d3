#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# sift-kcsan.sh CONSOLE ELSEWHERE OBJECT... - prints CONSOLE without the data
# races that KCSAN reports and in which no function of the OBJECTs, archives
# among them, takes part; these go to ELSEWHERE. By its strict rules the rest of
# the kernel has some: they are not ours to mend, but ours must not be overlooked
# among them.
#
# A race is ours if one of our functions made one of the accesses, itself or
# through functions that it called, which may have been handed our memory. Not if
# it was only interrupted by who made it, nor if it called something that has no
# memory of ours: a clock, which is read by a latch without a mark, a sleep, or the
# count of the times that a kprobe was missed.

. "$(dirname "$0")/../lib.sh"

[ $# -ge 3 ] || die "see the head of $0"
console=$1 elsewhere=$2
shift 2

names=$(nm "$@" | awk '$2 ~ /^[tTwW]$/ { print $3 }')
# Without them nothing would be ours.
[ -n "$names" ] || die "no functions in $*"

printf '%s\n' "$names" | awk -v elsewhere="$elsewhere" '
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
	}
	# A stack, the access first.
	report && / to 0x[0-9a-f]+ of [0-9]+ bytes by / { beyond = 0; next }
	report && /^ / {
		name = $1
		if (!sub(/\+0x[0-9a-f]+\/0x[0-9a-f]+\r?$/, "", name))
			next
		if (name ~ /^(asm_|ktime_get_|schedule|usleep_range|kprobes_inc_nmissed_count)/)
			beyond = 1
		else if (!beyond && name in ours)
			took_part = 1
		next
	}
	report { next }
	{ print }
	# One that is broken off counts.
	END { finish(1) }' - "$console"
