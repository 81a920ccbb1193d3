#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0
#
# Tests of the strings of system calls: syscall_user_buf_size, tring record --strings, and filters
# of strings. The host compares the calls of a program that knows its strings, and those of tasks
# that strace has followed.

. /guest/lib.sh

size=$tring/syscall_user_buf_size
enter=$tring/events/syscalls/sys_enter_openat

# refuses WORD TEXT FILE - the write ends with this error of the shell's
refuses() {
	! echo "$2" 2>/tmp/error >"$3" && grep -q "$1" /tmp/error
}

size_is_a_number() {
	for value in 1 64 255 0; do
		echo $value >$size && [ "$(cat $size)" = $value ] || return 1
	done
	# As in ftrace, more than the most is the most.
	echo 100000000000 >$size && [ "$(cat $size)" = 255 ] || return 1
	for value in -1 x ''; do
		refuses 'Invalid argument' "$value" $size || return 1
	done
	[ "$(cat $size)" = 255 ] && echo 0 >$size
}

# uuid - prints the trace's
uuid() {
	grep ^uuid= $tring/trace_info
}

# The fields change with the option, and so a trace has one kind of them only.
size_changes_between_traces() {
	cmp $enter/format $tracefs/events/syscalls/sys_enter_openat/format || return 1
	echo 1 >$enter/enable || return 1
	cat /dev/null
	refuses 'busy' 64 $size || return 1
	echo 0 >$enter/enable
	before=$(uuid)
	exec 3<$tring/per_cpu/cpu0/trace_pipe_raw_compact
	refuses 'busy' 64 $size
	refused=$?
	exec 3<&-
	[ $refused = 0 ] && [ "$(uuid)" = "$before" ] && echo 64 >$size &&
		[ "$(uuid)" != "$before" ] || return 1
	grep '__data_loc char\[\] __filename_val;.offset:48;' $enter/format &&
		! cmp -s $enter/format $tracefs/events/syscalls/sys_enter_openat/format || return 1
	# Another size has the same fields.
	before=$(uuid)
	echo 1 >$enter/enable
	cat /dev/null
	echo 0 >$enter/enable
	echo 255 >$size && [ "$(uuid)" = "$before" ] && echo 0 >$size && [ "$(uuid)" != "$before" ]
}

known_strings() {
	for event in faccessat pwrite64 symlinkat; do
		set -- "$@" -e syscalls:sys_enter_$event
	done
	tring record "$@" --strings -F -o /results/call-strings -- /guest/call-strings \
		>/tmp/known || return 1
	# The recording's table is behind the program's lines.
	grep -E '^(faccessat|pwrite64|symlinkat) ' /tmp/known >/results/call-strings.known
	grep -v -E '^(faccessat|pwrite64|symlinkat) ' /tmp/known
	# All but the null pointer are counted, by call.
	for event in faccessat pwrite64 symlinkat; do
		unread=$(grep "^$event " /tmp/known | grep -o fault | wc -l)
		[ $event != faccessat ] || unread=$((unread - 1))
		grep "^strings that could not be read: .*sys_enter_$event $unread\(,\|$\)" \
			/tmp/known || return 1
	done
}

# Without strace, too, whose look at a string has the memory there.
followed_by_strace() {
	mkdir -p /tmp/make/dir/below
	printf '%b\n' 'all: one two' 'one:' '\techo 1 >one' 'two: one' '\tcat one one >two' \
		'\tsh -c "rm one"' >/tmp/make/Makefile
	cat >/tmp/make.sh <<-'END'
		cd /tmp/make
		ls -R /guest /tmp >/dev/null 2>&1
		make
		for file in one two three "a b"; do
			mv "$file" "$file.new"
		done
		cat "/$(printf '%0300d' 1)"
		exit 0
	END
	tring record -q -e syscalls --strings -b 16M -F -c -o /results/strace -- \
		strace -f -xx -s 255 -o /results/strace.text sh /tmp/make.sh || return 1
	tring record -e syscalls --strings -b 16M -F -c -o /tmp/alone -- sh /tmp/make.sh &&
		[ "$(cat $size)" = 0 ]
}

# Each one, and no other
filters_look_at_strings() {
	tring record -q -e syscalls:sys_enter_openat -f '__filename_val ~ "*pass?d"' --strings \
		-o /tmp/filtered -- sh -c 'cat /etc/passwd /etc/no.passwd /etc/passwd.no /etc/' \
		>/dev/null 2>&1
	tring report /tmp/filtered >/tmp/lines
	cat /tmp/lines
	[ "$(grep -c openat /tmp/lines)" = 2 ] &&
		[ "$(grep -c '"/etc/\(no.\)\?passwd", flags' /tmp/lines)" = 2 ] || return 1
	# Without strings there is no such field.
	! tring record -q -e syscalls:sys_enter_openat -f '__filename_val ~ "*pass?d"' -F \
		-o /tmp/filtered -f -- true 2>/dev/null
}

# What can be read by others, too
peeked_strings() {
	echo 64 >$size && echo '__filename_val == "/etc/passwd"' >$enter/filter &&
		echo 1 >$enter/enable && cat /etc/passwd >/dev/null || return 1
	tring peek | tee /tmp/lines
	echo 0 >$enter/enable
	echo 0 >$enter/filter
	echo 0 >$size
	grep 'filename: 0x[0-9a-f]* "/etc/passwd", ' /tmp/lines
}

if grep -q __filename_val $tracefs/events/syscalls/sys_enter_openat/format; then
	skip "call-strings: this kernel reads strings itself"
	exit 0
fi
need_tring
check "syscall_user_buf_size takes numbers" size_is_a_number
check "a trace has strings of system calls, or none" size_changes_between_traces
check "strings of a program that knows them" known_strings
check "calls that strace has followed" followed_by_strace
check "filters look at strings" filters_look_at_strings
check "strings of a ring that is peeked" peeked_strings
