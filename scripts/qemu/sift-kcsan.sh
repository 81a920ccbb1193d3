#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# sift-kcsan.sh CONSOLE ELSEWHERE OBJECT... - prints CONSOLE without those KCSAN
# reports in which no function of the OBJECTs (object files or archives) takes part.
# Writes these reports to ELSEWHERE. KCSAN's strict rules find data races in the
# rest of the kernel, too; they must not hide those of tring.
#
# A function takes part in a race if it made one of the accesses itself or called
# the function that made it, for it may have passed on memory of its own. It does
# not take part if the access was made in an interrupt of the function, or by a
# function that never touches the caller's memory: a clock (read by a latch without
# annotations), a sleep, or the counter of missed kprobes.

. "$(dirname "$0")/../lib.sh"

[ $# -ge 3 ] || die "see the head of $0"
console=$1 elsewhere=$2
shift 2

names=$(nm "$@" | awk '$2 ~ /^[tTwW]$/ { print $3 }')
# Without names, each report would be sorted out.
[ -n "$names" ] || die "no functions in $*"

printf '%s\n' "$names" | awk -v elsewhere="$elsewhere" '
	function finish(counts) {
		if (!report)
			return
		if (counts)
			printf "%s", text
		else
			printf "%s", text >elsewhere
		report = 0
		text = ""
	}
	BEGIN { printf "" >elsewhere }
	# The names come first, from the pipe.
	FILENAME == "-" { functions[$1] = 1; next }
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
	# Reports of other tools begin with such a line, too.
	report == 1 && !/BUG: KCSAN:/ { finish(1) }
	report {
		report = 2
		text = text $0 "\n"
	}
	# A stack; the function that made the access comes first.
	report && / to 0x[0-9a-f]+ of [0-9]+ bytes by / { beyond = 0; next }
	report && /^ / {
		name = $1
		if (!sub(/\+0x[0-9a-f]+\/0x[0-9a-f]+\r?$/, "", name))
			next
		if (name ~ /^(asm_|ktime_get_|schedule|usleep_range|kprobes_inc_nmissed_count)/)
			beyond = 1
		else if (!beyond && name in functions)
			took_part = 1
		next
	}
	report { next }
	{ print }
	# An incomplete report counts.
	END { finish(1) }' - "$console"
