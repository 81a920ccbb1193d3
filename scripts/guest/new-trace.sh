# SPDX-License-Identifier: GPL-2.0
#
# Sourced by reader-side.sh: tests of the file "trace". Writing to it, or opening
# it with truncation, begins a new trace.

nt_uuid() {
	sed -n 's/^uuid=//p' "$1/trace_info"
}

# nt_losing OVERWRITE - records in a small ring until CPU 0 has lost events
nt_losing() {
	rs_reset 64 4
	echo "$1" >$tring/options/overwrite
	for _ in 1 2 3 4 5; do
		rs_record || return 1
		[ $(($(rs_since overwritten) + $(rs_since refused_no_room))) -gt 0 ] && return
	done
	return 1
}

# nt_begins COMMAND - COMMAND, for sh, drops what is in the ring, and the packets that
# are recorded then begin at 0 and have lost nothing.
nt_begins() {
	nt_uuid_before=$(nt_uuid $tring)
	nt_remaining=$(sum remaining $tring)
	nt_overwritten=$(sum overwritten $tring)
	[ "$nt_remaining" -gt 0 ] || return 1
	sh -c "$1" || return 1
	all_balanced $tring || return 1
	[ "$(sum remaining $tring)" = 0 ] || return 1
	[ "$(sum overwritten $tring)" = $((nt_overwritten + nt_remaining)) ] || return 1
	echo 8192 >$tring/buffer_size_kb
	cat $cpu0/stats >$rs_files/before
	rs_record || return 1
	cat $cpu0/trace_pipe_raw_compact >$rs_files/out
	rs_all_read $rs_files/out || return 1
	tring dump $rs_files/out | head -n 3 >/tmp/first
	cat /tmp/first
	grep -q "uuid $(nt_uuid $tring)," /tmp/first &&
		grep -q 'packet_seq_num 0, events_discarded 0$' /tmp/first &&
		[ "$(nt_uuid $tring)" != "$nt_uuid_before" ]
}

nt_after_losses() {
	nt_losing "$1" && nt_begins "$2"
}

# What a snapshot set aside belongs to the trace that ends.
nt_with_snapshot() {
	rs_reset 1408 4
	rs_record
	echo 1 >$tring/snapshot && rs_record && nt_begins "echo >$tring/trace" &&
		grep -q none $tring/snapshot
}

nt_reading() {
	rs_reset 1408 4
	rs_record
	nt_uuid_before=$(nt_uuid $tring)
	cat $tring/trace >$rs_files/trace || return 1
	cat $rs_files/trace
	nt_entries=$(sum remaining $tring)/$(sum committed $tring)
	[ "$(head -n 1 $rs_files/trace)" = "# tracer: nop" ] &&
		grep -qF "# entries-in-buffer/entries-written: $nt_entries   #P:$(nproc)" \
			$rs_files/trace && grep -q '^# clock: mono$' $rs_files/trace &&
		! grep -qv '^#' $rs_files/trace &&
		[ "$(nt_uuid $tring)" = "$nt_uuid_before" ]
}

new_trace_tests() {
	check "trace: echo > begins a new one after overwriting" \
		nt_after_losses 1 "echo >$tring/trace"
	check "trace: echo >> begins a new one after refusals" \
		nt_after_losses 0 "echo 0 >>$tring/trace"
	check "trace: truncation begins a new one" nt_after_losses 1 ": >$tring/trace"
	check "trace: a new one drops the snapshot" nt_with_snapshot
	check "trace: reading it tells what there is" nt_reading
}
