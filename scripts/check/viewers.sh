# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Sourced behind judge.sh by scripts that compare how many events a trace has by the ring's
# counters, by babeltrace2 and by tring report. The script sets $logs, and $tring, the
# reader.

# read_count FILE... - prints what the counters of all CPUs say; they may have said something
# before the recording
read_count() {
	cat "$@" | awk '$1 == "read:" { n += $2 } $1 == "read_before:" { n -= $2 }
		END { print n + 0 }'
}

# babeltrace_count DIR - prints the number of events; fails on any output on stderr
babeltrace_count() {
	local said

	# shellcheck disable=SC2154 # the script sets it
	said=$(babeltrace2 "$1" --component=sink.utils.counter 2>"$logs/babeltrace") ||
		{ cat "$logs/babeltrace" >&2; return 1; }
	if [ -s "$logs/babeltrace" ]; then
		cat "$logs/babeltrace" >&2
		return 1
	fi
	printf '%s\n' "$said" | sed -n 's/^ *\([0-9]*\) Event messages.*/\1/p' |
		tail -n 1
}

# discarded_count DIR - discarded records appear as tring_discarded
discarded_count() {
	babeltrace2 "$1" | grep -c ' tring_discarded: ' || :
}

# report_count DIR - prints the number of lines, which it leaves in $logs/report.txt
report_count() {
	# shellcheck disable=SC2154 # the script sets it
	"$tring" report "$1" >"$logs/report.txt" || return 1
	grep -cE '\[[0-9]+\] .*[0-9]+\.[0-9]+: ' "$logs/report.txt" || :
}

# counts_agree DIR [STATS...] - babeltrace2 and tring report have as many events, and, with STATS,
# so have the counters
counts_agree() {
	local all discarded report stats

	all=$(babeltrace_count "$1") || return 1
	discarded=$(discarded_count "$1")
	report=$(report_count "$1") || return 1
	stats=$report
	[ $# = 1 ] || stats=$(read_count "${@:2}")
	say "babeltrace2: $all events, $discarded of them discarded; tring report: $report;" \
		"stats: $stats"
	head -n 5 "$logs/report.txt"
	[ "$stats" -gt 0 ] && [ $((all - discarded)) = "$stats" ] && [ "$report" = "$stats" ]
}
