#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0
#
# Tests of trace_pipe_raw_compact.

. /guest/lib.sh

pipe0=$tring/per_cpu/cpu0/trace_pipe_raw_compact

fresh() {
	echo 0 >$tring/tracing_on
	echo >$tring/set_event
	cat $tring/per_cpu/cpu*/trace_pipe_raw_compact >/dev/null
}

# A pipe has one reader; while it is open, the clock cannot be changed.
busy_ring() {
	fresh
	exec 7<$pipe0
	refuses "busy" "cat $pipe0"
	refuses "busy" "echo boot >$tring/trace_clock"
	check "a ring with a reader can be resized" \
		sh -c "echo 64 >$tring/buffer_size_kb"
	check "sub-buffers of a ring with a reader can be resized" \
		sh -c "echo 8 >$tring/buffer_subbuf_size_kb"
	exec 7<&-
	echo 16 >$tring/buffer_subbuf_size_kb
	echo 1408 >$tring/buffer_size_kb
	check "the pipe opens again after its reader has gone" \
		cat $pipe0 >/dev/null
}

pipe_behaviour() {
	fresh
	check "an empty pipe ends when recording is off" reads_nothing $pipe0
	echo 1 >$tring/tracing_on
	check "an empty pipe gives EAGAIN" says "temporarily unavailable" 1 \
		/usr/bin/dd if=$pipe0 of=/dev/null bs=4096 iflag=nonblock
	# A signal interrupts a waiting reader.
	cat $pipe0 >/dev/null &
	reader=$!
	check "a reader waits in an empty pipe" wait_until waits_in $reader $pipe0
	kill -TERM $reader
	check "a signal interrupts a waiting reader" wait_until has_ended $reader
	# A waiting reader ends when recording is switched off.
	cat $pipe0 >/tmp/out &
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
	/usr/bin/dd if=$pipe0 of=/tmp/odd-reads bs=7 2>/dev/null
	check "reads of 7 bytes give whole packets" eval "[ $(events_in /tmp/odd-reads) -gt 0 ]"
	fresh
}

need_tring
busy_ring
pipe_behaviour
exit 0
