#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0
#
# Tests of the ways to read a ring. Each test records and reads, and checks
# that the data are whole packets with as many events as the counters say, and that
# the counters balance. /guest/reader-side is reader-side.c.

. /guest/lib.sh

reader_side=/guest/reader-side
cpu0=$tring/per_cpu/cpu0
rs_pipe=$cpu0/trace_pipe_raw_compact
rs_files=/tmp/reader-side
rs_events="sched irq timer signal raw_syscalls"

# rs_reset [KB [SUBBUF-KB]] - empties and resizes the ring; recording is off then
rs_reset() {
	echo 0 >$tring/tracing_on
	echo >$tring/set_event
	echo 0 >$tring/snapshot
	echo 0 >$tring/buffer_percent
	echo 1 >$tring/options/overwrite
	echo "${2:-4}" >$tring/buffer_subbuf_size_kb
	echo "${1:-1408}" >$tring/buffer_size_kb
	for rs_cpu in "$tring"/per_cpu/cpu*; do
		cat "$rs_cpu/trace_pipe_raw_compact" >/dev/null
	done
	rm -rf $rs_files
	mkdir -p $rs_files
	cat $cpu0/stats >$rs_files/before
}

# Then CPU 0 has 3000 events, which is many packets, or has filled the ring and lost some.
rs_work_is_enough() {
	/guest/workload.sh 0
	[ "$(stat_of $cpu0/stats remaining)" -ge 3000 ] ||
		[ $(($(stat_of $cpu0/stats overwritten) +
			$(stat_of $cpu0/stats refused_no_room))) -gt "$rs_lost_before" ]
}

# Records until there is enough; recording is off then.
rs_record() {
	for rs_system in $rs_events; do
		echo "$rs_system" >>$tring/set_event
	done
	rs_lost_before=$(($(stat_of $cpu0/stats overwritten) +
		$(stat_of $cpu0/stats refused_no_room)))
	echo 1 >$tring/tracing_on
	wait_until rs_work_is_enough
	rs_worked=$?
	echo 0 >$tring/tracing_on
	return $rs_worked
}

# rs_since KEY - prints the increase of CPU 0's counter since rs_reset
rs_since() {
	echo $(($(stat_of $cpu0/stats "$1") - $(stat_of $rs_files/before "$1")))
}

# rs_all_read FILE - FILE has all events that were read, and the ring is empty
rs_all_read() {
	rs_in_file=$(events_in "$1")
	echo "$1: $rs_in_file events; read: $(rs_since read)," \
		"remaining: $(stat_of $cpu0/stats remaining)"
	[ -n "$rs_in_file" ] && [ "$rs_in_file" -gt 0 ] &&
		[ "$rs_in_file" = "$(rs_since read)" ] &&
		[ "$(stat_of $cpu0/stats remaining)" = 0 ] &&
		balanced $cpu0/stats
}

# rs_by COMMAND... - records, then reads with reader-side's COMMAND
rs_by() {
	rs_command=$1
	shift
	rs_record
	$reader_side "$rs_command" $rs_pipe $rs_files/out "$@" &&
		rs_all_read $rs_files/out
}

# rs_same_but_end PEEKED READ - compares two files. The last packet was open when it was
# peeked at, and was closed to be read, so its timestamp_end differs: 8 bytes in a row.
rs_same_but_end() {
	[ "$(wc -c <$1)" = "$(wc -c <$2)" ] &&
		cmp -l "$1" "$2" | awk '
			NR == 1 { first = $1 }
			{ last = $1 }
			END { exit NR && last - first >= 8 }'
}

# All ways of reading give the same data. peek leaves the data in the ring, so that
# the other ways can be compared with it.
rs_same_bytes() {
	rs_record
	cat $cpu0/trace_raw_compact >$rs_files/peek &&
		$reader_side "$@" &&
		rs_same_but_end $rs_files/peek $rs_files/out &&
		rs_all_read $rs_files/out
}

# While a Unix pipe is full of packets, writers lap the ring.
rs_splice_full() {
	rs_record
	rs_before=$(stat_of $cpu0/stats overwritten)
	rs_overwrite="echo 1 >$tring/tracing_on
		until [ \$(sed -n 's/^overwritten: //p' $cpu0/stats) -gt $rs_before ]; do
			/guest/workload.sh 0
		done
		echo 0 >$tring/tracing_on"
	$reader_side splice-full $rs_pipe $rs_files/out \
		"$rs_overwrite" && rs_all_read $rs_files/out
}

rs_splice_nonblock() {
	echo 1 >$tring/tracing_on
	$reader_side splice-nonblock $rs_pipe
}

# Each system call reads the same data from trace_raw_compact.
rs_peek_same() {
	rs_record
	cat $cpu0/trace_raw_compact >$rs_files/peek &&
		[ -n "$(events_in $rs_files/peek)" ] &&
		$reader_side "$1" $cpu0/trace_raw_compact $rs_files/out &&
		cmp $rs_files/peek $rs_files/out
}

# rs_polled ANSWER - checks the answer of poll() on CPU 0's pipe
rs_polled() {
	rs_answer=$($reader_side poll $rs_pipe 0)
	echo "poll: $rs_answer"
	[ "$rs_answer" = "$1" ]
}

# A few events are enough for read(), but not for poll() with buffer_percent 50, which
# tells of them when it is asked for POLLPRI.
rs_poll_percent() {
	echo 50 >$tring/buffer_percent
	[ "$(cat $tring/buffer_percent)" = 50 ] || return 1
	echo signal:signal_generate >$tring/set_event
	echo 1 >$tring/tracing_on
	[ "$($reader_side look $rs_pipe)" = "no events" ] || return 1
	taskset -c 0 sh -c 'for i in 1 2 3 4; do kill -CONT $$; done'
	[ "$(stat_of $cpu0/stats remaining)" -gt 0 ] || return 1
	rs_polled "not ready" || return 1
	[ "$($reader_side look $rs_pipe)" = events ] || return 1
	echo 0 >$tring/buffer_percent
	rs_polled "ready" || return 1
	echo 50 >$tring/buffer_percent
	rs_polled "not ready" || return 1
	/usr/bin/dd if=$rs_pipe of=$rs_files/out bs=4096 count=1 \
		iflag=nonblock 2>/dev/null
	[ -s $rs_files/out ] || return 1
	# Half full wakes a reader that waits.
	$reader_side poll $rs_pipe -1 >$rs_files/polled &
	rs_poller=$!
	wait_until waits_in $rs_poller $rs_pipe || return 1
	[ ! -s $rs_files/polled ] || return 1
	echo sched >>$tring/set_event
	echo raw_syscalls >>$tring/set_event
	under_load wait_until has_ended $rs_poller || kill $rs_poller
	wait $rs_poller
	[ "$(cat $rs_files/polled)" = ready ] || return 1
	echo 0 >$tring/tracing_on
	balanced $cpu0/stats
}

# Peeking consumes nothing.
rs_peek() {
	rs_record
	rs_before=$(stat_of $cpu0/stats remaining)
	cat $cpu0/trace_raw_compact >$rs_files/peek &&
		/usr/bin/dd if=$cpu0/trace_raw_compact of=$rs_files/again bs=777 \
			2>/dev/null &&
		cmp $rs_files/peek $rs_files/again || return 1
	$reader_side peek-rewind $cpu0/trace_raw_compact || return 1
	[ "$(events_in $rs_files/peek)" = "$rs_before" ] &&
		[ "$(stat_of $cpu0/stats remaining)" = "$rs_before" ] &&
		[ "$(rs_since read)" = 0 ] && balanced $cpu0/stats
}

# rs_live EVENTS COMMAND... - COMMAND runs while EVENTS are recorded and read. All events must be
# read, or counted as overwritten.
rs_live() {
	for rs_system in $1; do
		echo "$rs_system" >>$tring/set_event
	done
	shift
	echo 1 >$tring/tracing_on
	$reader_side read $rs_pipe $rs_files/out &
	rs_reader=$!
	rs_status=0
	"$@" || rs_status=1
	echo 0 >$tring/tracing_on
	wait $rs_reader || rs_status=1
	rs_all_read $rs_files/out || rs_status=1
	return $rs_status
}

# The reader beside it may have emptied the ring, and a record may stay open where the host lets
# a CPU wait (EBUSY): then there is nothing to see yet.
rs_peek_something() {
	cat $cpu0/trace_raw_compact >"$1" && [ -s "$1" ]
}

rs_peeks() {
	for rs_turn in 1 2 3 4 5 6; do
		wait_until rs_peek_something $rs_files/peek$rs_turn || return 1
	done
	for rs_turn in 1 2 3 4 5 6; do
		events_in $rs_files/peek$rs_turn || return 1
	done
}

# By splice. Events of the first snapshot that were not read count as overwritten.
rs_snapshot_again() {
	rs_record
	rs_before=$(stat_of $cpu0/stats remaining)
	echo 1 >$tring/snapshot || return 1
	[ "$(stat_of $cpu0/stats snapshot)" = "$rs_before" ] || return 1
	balanced $cpu0/stats || return 1
	rs_lost=$(rs_since overwritten)
	rs_record
	echo 1 >$tring/snapshot || return 1
	[ $(($(rs_since overwritten) - rs_lost)) -ge "$rs_before" ] || return 1
	$reader_side splice $cpu0/snapshot_raw_compact $rs_files/out || return 1
	rs_all_read $rs_files/out || return 1
	# Nothing is left: read() returns 0 at once, also while recording.
	echo 1 >$tring/tracing_on
	reads_nothing $cpu0/snapshot_raw_compact
}

rs_snapshot_dropped() {
	rs_record
	rs_before=$(stat_of $cpu0/stats remaining)
	echo 1 >$tring/snapshot || return 1
	rs_lost=$(rs_since overwritten)
	echo "$1" >$tring/snapshot || return 1
	grep -q none $tring/snapshot || return 1
	[ $(($(rs_since overwritten) - rs_lost)) = "$rs_before" ] &&
		[ "$(stat_of $cpu0/stats remaining)" = 0 ] && balanced $cpu0/stats
}

# rs_new_trace COMMAND - COMMAND, for sh, drops what is in the ring
rs_new_trace() {
	rs_record || return 1
	rs_uuid_before=$(uuid_of $tring)
	[ "$(sum remaining $tring)" -gt 0 ] && sh -c "$1" && all_balanced $tring &&
		[ "$(sum remaining $tring)" = 0 ] && [ "$(uuid_of $tring)" != "$rs_uuid_before" ]
}

rs_read_trace() {
	rs_record
	rs_uuid_before=$(uuid_of $tring)
	cat $tring/trace >$rs_files/trace || return 1
	cat $rs_files/trace
	rs_entries=$(sum remaining $tring)/$(sum committed $tring)
	[ "$(head -n 1 $rs_files/trace)" = "# tracer: nop" ] &&
		grep -qF "# entries-in-buffer/entries-written: $rs_entries   #P:$(nproc)" \
			$rs_files/trace && grep -q '^# clock: mono$' $rs_files/trace &&
		! grep -qv '^#' $rs_files/trace && [ "$(uuid_of $tring)" = "$rs_uuid_before" ]
}

# rs_test NAME RING-KB SUBBUF-KB COMMAND...
rs_test() {
	rs_name=$1
	rs_reset "$2" "$3"
	shift 3
	check "$rs_name" "$@"
}

# A pipe has one reader; while it is open, the clock cannot be changed.
rs_busy_ring() {
	rs_reset
	exec 7<$rs_pipe
	refuses "busy" "cat $rs_pipe"
	refuses "busy" "echo boot >$tring/trace_clock"
	check "a ring with a reader can be resized" \
		sh -c "echo 64 >$tring/buffer_size_kb"
	check "sub-buffers of a ring with a reader can be resized" \
		sh -c "echo 8 >$tring/buffer_subbuf_size_kb"
	exec 7<&-
	echo 16 >$tring/buffer_subbuf_size_kb
	echo 1408 >$tring/buffer_size_kb
	check "the pipe opens again after its reader has gone" dd if=$rs_pipe of=/dev/null bs=64k
}

rs_pipe_behaviour() {
	rs_reset
	check "an empty pipe ends when recording is off" reads_nothing $rs_pipe
	echo 1 >$tring/tracing_on
	check "an empty pipe gives EAGAIN" says "temporarily unavailable" 1 \
		/usr/bin/dd if=$rs_pipe of=/dev/null bs=4096 iflag=nonblock
	# A signal interrupts a waiting reader.
	cat $rs_pipe >/dev/null &
	reader=$!
	check "a reader waits in an empty pipe" wait_until waits_in $reader $rs_pipe
	kill -TERM $reader
	check "a signal interrupts a waiting reader" wait_until has_ended $reader
	# A waiting reader ends when recording is switched off.
	cat $rs_pipe >/tmp/out &
	reader=$!
	echo sched >$tring/set_event
	/guest/workload.sh 0
	echo 0 >$tring/tracing_on
	check "cat ends when recording is switched off" wait_until has_ended $reader
	kill $reader 2>/dev/null
	wait $reader
	check "it has read events" [ -s /tmp/out ]
	# Reads of any size, even of 7 bytes, give the same stream.
	echo 1 >$tring/tracing_on
	/guest/workload.sh 0
	echo 0 >$tring/tracing_on
	/usr/bin/dd if=$rs_pipe of=/tmp/odd-reads bs=7 2>/dev/null
	check "reads of 7 bytes give whole packets" eval "[ $(events_in /tmp/odd-reads) -gt 0 ]"
}

need_tring
rs_busy_ring
rs_pipe_behaviour
rs_test "read: all events" 1408 4 rs_by read
rs_test "splice is what peek shows" 1408 4 \
	rs_same_bytes splice $rs_pipe $rs_files/out
rs_test "splice of 64 KiB sub-buffers in pieces" 4096 64 \
	rs_same_bytes splice $rs_pipe $rs_files/out 5000
rs_test "splice of 1 MiB sub-buffers into a small pipe" 4096 1024 \
	rs_same_bytes splice $rs_pipe $rs_files/out 65536
rs_test "splice of nothing gives EAGAIN" 64 4 rs_splice_nonblock
rs_test "splice into a full pipe" 256 4 rs_splice_full
rs_test "sendfile is what peek shows" 1408 4 \
	rs_same_bytes sendfile $rs_pipe $rs_files/out
rs_test "read and splice by turns, 16 KiB sub-buffers" 4096 16 \
	rs_same_bytes mix $rs_pipe $rs_files/out
rs_test "poll goes by buffer_percent" 64 4 rs_poll_percent
refuses "Invalid argument" "echo 101 >$tring/buffer_percent"
refuses "Invalid argument" "echo -1 >$tring/buffer_percent"
refuses "Invalid argument" "echo half >$tring/buffer_percent"
rs_test "peek consumes nothing" 1408 4 rs_peek
rs_test "peek of a ring that was overwritten" 64 4 rs_peek
rs_test "peek while another one reads" 1408 4 \
	rs_live "$rs_events" under_load rs_peeks
rs_test "peek by splice" 1408 4 rs_peek_same splice
rs_test "peek by sendfile" 1408 4 rs_peek_same sendfile
rs_test "snapshot by splice, and another one" 1408 4 rs_snapshot_again
rs_test "snapshot freed" 1408 4 rs_snapshot_dropped 0
rs_test "snapshot cleared" 1408 4 rs_snapshot_dropped 2
refuses "Invalid argument" "echo 3 >$tring/snapshot"
refuses "Invalid argument" "echo now >$tring/snapshot"
for rs_how in "echo >" "echo 0 >>" ": >"; do
	rs_test "trace: $rs_how begins a new one" 64 4 rs_new_trace "$rs_how$tring/trace"
done
rs_test "trace: reading it tells what there is" 1408 4 rs_read_trace
rs_reset
exit 0
