#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0
#
# Tests of the files of tring: that they are there, their modes, what they take and what they
# refuse; and that neither ftrace nor kprobes can enter what records.

. /guest/lib.sh

pipe0=$tring/per_cpu/cpu0/trace_pipe_raw_compact

modes_are_private() {
	# shellcheck disable=SC2044 # no such names here
	for file in $(entries -type f); do
		case $(stat -c '%a %u:%g' "$file") in
		"440 0:0" | "640 0:0") ;;
		"220 0:0") [ "${file##*/}" = trace_marker ] || { echo "$file"; return 1; } ;;
		"600 0:0")
			case ${file##*/} in
			last_boot | symbols) ;;
			*) echo "$file"; return 1 ;;
			esac
			;;
		*) stat -c '%n %a %u:%g' "$file"; return 1 ;;
		esac
	done
}

set_event_syntax() {
	: >$tring/set_event
	[ -z "$(cat $tring/set_event)" ] || { echo "not cleared"; return 1; }
	echo sched:sched_switch >$tring/set_event
	[ "$(cat $tring/set_event)" = sched:sched_switch ] || return 1
	echo 'irq:softirq_*' >>$tring/set_event
	[ "$(grep -c '^irq:softirq_' $tring/set_event)" = 3 ] || return 1
	grep -q sched:sched_switch $tring/set_event || return 1
	echo '!irq:softirq_raise' >>$tring/set_event
	! grep -q softirq_raise $tring/set_event || return 1
	echo signal >>$tring/set_event
	grep -q signal:signal_generate $tring/set_event || return 1
	echo 'timer:*' >$tring/set_event
	! grep -qv '^timer:' $tring/set_event || return 1
	echo >$tring/set_event
	[ -z "$(cat $tring/set_event)" ]
}

# fopen() seeks to the end of what it appends to.
files_are_appended_to() {
	echo sched:sched_switch | tee -a $tring/set_event || return 1
	echo irq:irq_handler_entry | tee -a $tring/set_event || return 1
	echo 1 | tee -a $tring/set_event_pid || return 1
	echo 1 | tee -a $tring/tracing_on || return 1
	echo 'traceoff:1' | tee -a $tring/events/irq/irq_handler_exit/trigger || return 1
	echo | tee -a $tring/trace || return 1
	[ "$(wc -l <$tring/set_event)" = 2 ] && [ "$(cat $tring/set_event_pid)" = 1 ] || return 1
	echo '!traceoff' >$tring/events/irq/irq_handler_exit/trigger
	echo >$tring/set_event_pid
	echo >$tring/set_event
}

# uuid_of_write - a write to fd 5, and the uuid of the trace behind it
uuid_of_write() {
	echo >&5
	uuid_of $tring
}

# The first write belongs to the open, each later one is one of its own.
writes_begin_traces() {
	exec 5>$tring/trace
	uuid=$(uuid_of $tring)
	[ "$(uuid_of_write)" = "$uuid" ] && [ "$(uuid_of_write)" != "$uuid" ]
	status=$?
	exec 5>&-
	return $status
}

blob_can_be_sought() {
	printf abcdef >$tring/blob || return 1
	[ "$(dd if=$tring/blob bs=1 skip=2)" = cdef ] || return 1
	: >$tring/blob
}

values_come_back() {
	echo 512 >$tring/buffer_size_kb || return 1
	[ "$(cat $tring/buffer_size_kb)" = 512 ] || return 1
	[ "$(cat $tring/buffer_subbuf_size_kb)" = 16 ] || return 1
	echo 64 >$tring/buffer_subbuf_size_kb || return 1
	[ "$(cat $tring/buffer_subbuf_size_kb)" = 64 ] || return 1
	echo 16 >$tring/buffer_subbuf_size_kb || return 1
	for clock in boot tai mono; do
		echo $clock >$tring/trace_clock || return 1
		grep -q "\[$clock\]" $tring/trace_clock || return 1
	done
	for value in 0 1; do
		echo $value >$tring/options/overwrite || return 1
		[ "$(cat $tring/options/overwrite)" = $value ] || return 1
	done
	grep -q '^format_version=4$' $tring/trace_info &&
		grep -q '^clock=mono$' $tring/trace_info
}

# name_of ADDRESS - prints what the file symbols says of it
name_of() {
	(echo "$1" >&3 && head -n 1 <&3) 3<>$tring/symbols
}

symbols_are_named() {
	address=$(awk '$3 == "schedule" { print $1; exit }' /proc/kallsyms)
	name_of "$address" | grep -q '^schedule+0x0/0x[0-9a-f]*$' || return 1
	address=$(awk '$3 == "tring_reserve_slow" { print $1; exit }' /proc/kallsyms)
	name_of "${address%?}1" | grep -q '^tring_reserve_slow+0x1/0x[0-9a-f]*' || return 1
	[ "$(name_of 10)" = 0x10 ] || return 1
	(echo 10 >&3 && read -r _ <&3 && echo "$address" >&3 && grep -q ^tring_reserve_slow <&3) \
		3<>$tring/symbols
}

# tsc_if_stable - the clock tsc is there only if the kernel does not find it unstable; the command
# line has told the kernel.
tsc_if_stable() {
	if grep -q tsc=reliable /proc/cmdline; then
		echo tsc >$tring/trace_clock && grep -q '\[tsc\]' $tring/trace_clock &&
			echo mono >$tring/trace_clock
		return
	fi
	grep -q tsc=unstable /proc/cmdline && ! grep -q tsc $tring/trace_clock || return 1
	! echo tsc >$tring/trace_clock || return 1
	dmesg | grep -q "tring: the clock tsc is refused" &&
		grep -q '\[mono\]' $tring/trace_clock
}

bad_values() {
	refuses "Invalid argument" "echo never >$tring/tracing_on"
	refuses "Invalid argument" "echo 0 >$tring/buffer_size_kb"
	refuses "Invalid argument" "echo -5 >$tring/buffer_size_kb"
	refuses "Invalid argument" "echo 12monkeys >$tring/buffer_size_kb"
	refuses "Invalid argument" "echo 1048576 >$tring/buffer_subbuf_size_kb"
	refuses "Invalid argument" "echo 0 >$tring/buffer_subbuf_size_kb"
	refuses "Invalid argument" "echo sundial >$tring/trace_clock"
	refuses "Invalid argument" "echo 7 >$tring/options/overwrite"
	refuses "Invalid argument" "echo no >$tring/options/overwrite"
	refuses "Invalid argument" "echo schedule >$tring/symbols"
	refuses "No such file" "echo sched:no_such_event >$tring/set_event"
	refuses "No such file" "echo nosuchsystem:* >$tring/set_event"
	refuses "No such device" "cat $tring/last_boot"
	refuses "No such device" "echo 1 >$tring/last_boot"
	refuses "Permission denied" "echo 1 >$tring/trace_info"
	refuses "Permission denied" "echo 1 >$tring/available_events"
	refuses "Permission denied" "echo 1 >$pipe0"
	size=$(cat $tring/buffer_size_kb)
	refuses "Cannot allocate memory" \
		"echo $((1024 * 1024 * 8)) >$tring/buffer_size_kb"
	check "the old size stays when there is no memory" \
		[ "$(cat $tring/buffer_size_kb)" = "$size" ]
}

# Neither ftrace nor a kprobe may enter the functions that record events.
not_traceable() {
	functions=$tracefs/available_filter_functions
	grep -q schedule $functions && ! grep -E '\[tring\]|^tring_' $functions
}

# writer_functions - prints the functions that record an event, by name
writer_functions() {
	sed -n 's/^[0-9a-f]* [tT] \(tring_[a-z_0-9]*\).*/\1/p' /proc/kallsyms |
		grep -E -e '^tring_(probe_|test_|(event_context|reserve|discard)_slow$)' \
			-e '^tring_(reserve_long|ptr_to_hashval)$'
}

not_probeable() {
	writer_functions >/tmp/functions
	for function in tring_event_context_slow tring_reserve_slow tring_reserve_long \
			tring_discard_slow tring_test_event tring_probe_sched_switch; do
		grep -qx $function /tmp/functions || { echo "no $function"; return 1; }
	done
	awk 'NR == FNR { forbidden[$2] = 1; next }
		!($1 in forbidden) { print; bad = 1 }
		END { exit bad }' /sys/kernel/debug/kprobes/blacklist /tmp/functions || return 1
	for function in tring_probe_sched_switch tring_reserve_slow; do
		! echo "p:tring_try/it $function" >>$tracefs/kprobe_events || return 1
	done
}

need_tring
check "files are root's alone" modes_are_private
check_with $tracefs/available_filter_functions "function tracer" \
	"ftrace cannot trace what records" not_traceable
check_with $tracefs/kprobe_events kprobes "kprobes cannot stop what records" not_probeable
check "set_event understands ftrace's syntax" set_event_syntax
check "what is written is read back" values_come_back
check "files can be appended to, as by tee -a" files_are_appended_to
check "a file \"trace\" that stays open begins further traces" writes_begin_traces
check "blob is read from where a program seeks to" blob_can_be_sought
check "addresses of the kernel are named" symbols_are_named
check "the clock tsc is there if the kernel finds it stable" tsc_if_stable
bad_values
exit 0
