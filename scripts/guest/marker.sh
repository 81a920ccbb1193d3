#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0
#
# Tests of trace_marker: each write becomes an event as in ftrace's, whatever its text; all
# viewers show it; and no text is lost or invented while many tasks write. whole-path.sh also
# reads the trace with babeltrace2.

. /guest/lib.sh

# A ring of its own, without events of earlier tests.
ring=$tring/instances/marked
marker=$ring/trace_marker

# texts FILE - prints the texts in a report or in ftrace's "trace"
texts() {
	sed -n 's/.* tracing_mark_write: //p' "$1"
}

# edges SUBBUF-KB MAX - records the texts of marker-edges; MAX is the length that one
# write() takes with this sub-buffer size
edges() {
	echo "$1" >$ring/buffer_subbuf_size_kb
	tring record -q -B marked -o /results/marker -- /guest/marker-edges $marker "$2" ||
		return 1
	tring report /results/marker >/results/marker.txt
}

# edges_are_recorded MAX - compares the recorded texts with the expected ones
edges_are_recorded() {
	texts /results/marker.txt >/tmp/edges
	{
		echo "edge 00 with a newline"
		echo "edge 01 without"
		echo
		echo "edge 02 NUL"
		echo "edge 03 NUL"
		echo
		echo 'edge 04 two\x0alines'
		# the rest is UTF-8
		printf 'edge 05 \\x09\303\277\302\265%%s%%n\n'
	} >/tmp/wanted
	head -n 8 /tmp/edges | cmp - /tmp/wanted || { cat /tmp/edges; return 1; }
	# Lengths of the long texts, some of which take two writes.
	tail -n +9 /tmp/edges | awk '{ print length($0) }' | tr '\n' ' ' >/tmp/lengths
	cat /tmp/lengths; echo
	[ "$(cat /tmp/lengths)" = \
		"253 254 255 1000 $1 $1 1 $1 500 300 2 29 12 " ] &&
		tail -n 1 /tmp/edges | grep -qx "edge 16 last"
}

# Each process writes the same line to both markers. All run on one CPU, because a
# migration between the two writes would make a difference.
as_ftrace() {
	echo >$tracefs/trace
	echo 1 >$tracefs/tracing_on
	tring record -q -B marked -o /tmp/both -- taskset -c 0 sh -c "for i in \$(seq 30); do
			echo line \$i >$marker
			echo line \$i >$tracefs/trace_marker
			printf 'no newline %s' \$i | tee $marker >$tracefs/trace_marker
		done" || return 1
	cat $tracefs/trace >/tmp/ftrace.txt
	tring report /tmp/both >/tmp/both.txt
	texts /tmp/ftrace.txt >/tmp/ftrace.texts
	texts /tmp/both.txt >/tmp/both.texts
	tail -n 2 /tmp/ftrace.txt /tmp/both.txt
	[ "$(wc -l </tmp/both.texts)" = 60 ] && cmp /tmp/ftrace.texts /tmp/both.texts
}

# Compares "PID [CPU] FLAGS" of the lines, too. ftrace knows no names of tasks here. The
# second flag, need-resched, is left out because it may change between the two writes. On 7.x
# ftrace counts its own preempt_disable() in the fourth flag.
same_heads() {
	own=.
	case $(uname -r) in
	[7-9].*) own=1 ;;
	esac
	for file in ftrace both; do
		awk '/: line / {
			sub(/^.*-/, "", $1)
			print $1, $2, substr($3, 1, 1) "?" substr($3, 3)
		}' /tmp/$file.txt >/tmp/$file.heads
	done
	[ "$(cut -d' ' -f3 /tmp/ftrace.heads | cut -c4 | sort -u)" = $own ] || return 1
	sed -i "s/^\\(.* ...\\)$own/\\1./" /tmp/ftrace.heads
	head -n 1 /tmp/ftrace.heads /tmp/both.heads
	[ "$(wc -l </tmp/both.heads)" = 30 ] && cmp /tmp/ftrace.heads /tmp/both.heads
}

peeked_and_dumped() {
	echo "here I am" >$marker
	tring peek -B marked >/tmp/peeked || return 1
	grep -q "tracing_mark_write: here I am$" /tmp/peeked || return 1
	for cpu in $(seq 0 $(($(nproc) - 1))); do
		cat "$ring/per_cpu/cpu$cpu/trace_raw_compact"
	done >/tmp/packets
	tring dump /tmp/packets >/tmp/dumped
	grep -qE ': short 1, | id 5, ' /tmp/dumped || { tail -n 3 /tmp/dumped; return 1; }
}

off() {
	echo 0 >$ring/tracing_on
	before=$(sum refused_off $ring)
	reserved=$(sum reserved $ring)
	refuses "Bad file descriptor" "echo hello >$marker"
	check "what is refused as recording is off is counted" \
		[ "$(sum refused_off $ring)" = $((before + 1)) ]
	check "and reserves nothing" [ "$(sum reserved $ring)" = "$reserved" ]
	refuses "Invalid argument" "cat <$marker"
	echo 1 >$ring/tracing_on
}

# write_texts TASK COUNT - writes so many texts; one that is refused is told by the ring
write_texts() {
	exec 9>$marker
	for text in $(seq "$2"); do
		echo "task $1 text $text" >&9
	done
} 2>/dev/null

# tasks COUNT KB OVERWRITE KEY - so many tasks write 8000 texts at once to a ring without a reader.
# Each text is in what is saved then, once, or is counted as lost. The counter KEY has some; without
# KEY nothing is lost.
tasks() {
	echo "$2" >$ring/buffer_size_kb
	echo "$3" >$ring/options/overwrite
	: >$ring/trace
	rm -rf /tmp/texts
	before=$(sum "${4-read}" $ring)
	for task in $(seq "$1"); do
		write_texts "$task" $((8000 / $1)) &
	done
	wait
	[ -z "$4" ] || [ "$(sum "$4" $ring)" -gt "$before" ] || return 1
	all_balanced $ring && tring extract -q -B marked -o /tmp/texts &&
		tring report /tmp/texts >/tmp/report || return 1
	sed -n 's/.*: task \([0-9]*\) text \([0-9]*\)$/\1 \2/p' /tmp/report | sort >/tmp/found
	lost=$(lost_in /tmp/report)
	echo "$(wc -l </tmp/found) found, $lost lost"
	[ -z "$(uniq -d /tmp/found)" ] && [ $(($(wc -l </tmp/found) + lost)) = 8000 ] &&
		{ [ -n "$4" ] || [ "$lost" = 0 ]; }
}

need_tring

mkdir $ring || fail "mkdir $ring"
check "trace_marker is written to by root and its group" \
	[ "$(stat -c '%a %u:%g' $marker)" = "220 0:0" ]
check "trace_marker: what write() says" edges 16 4096
check "trace_marker: what is recorded" edges_are_recorded 4096
check "trace_marker: what write() says, sub-buffers of 4 KiB" edges 4 3948
check "trace_marker: what is recorded, sub-buffers of 4 KiB" edges_are_recorded 3948
check "trace_marker: lines are ftrace's" as_ftrace
check "trace_marker: task, CPU and flags are ftrace's" same_heads
check "peek and dump show it" peeked_and_dumped
off
check "8 tasks: nothing is lost" tasks 8 8192 1
check "64 tasks: nothing is lost" tasks 64 8192 1
check "8 tasks: what is overwritten is counted" tasks 8 64 1 overwritten
check "8 tasks: what is refused is counted" tasks 8 64 0 refused_no_room
if [ -z "${TRING_BUILT_IN-}" ]; then
	exec 7>$marker
	refuses "temporarily unavailable" "rmmod tring"
	exec 7>&-
fi
check "rmdir" rmdir $ring
exit 0
