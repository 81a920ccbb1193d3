#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0
#
# Tests of the stacks behind events: beside ftrace's, which the host compares; of a program with
# frame pointers; of kprobes; and switched while events are recorded.

. /guest/lib.sh
. /guest/side-by-side.sh

option=options/stacktrace
user_option=options/userstacktrace

# with_stacks NAME OPTION TRING-OPTION SYSTEMS - ftrace and tring record together
with_stacks() {
	side_systems=$4
	echo 1 >"$tracefs/$2"
	# shellcheck disable=SC2046 # words
	beside_ftrace "$1" "$3" $(side_options) -b 16384 -- /guest/workload.sh 2
	status=$?
	echo 0 >"$tracefs/$2"
	grep ' [tTwW] ' /proc/kallsyms >"/results/$1.ftrace/kallsyms"
	[ $status = 0 ] && [ "$(cat "$tring/$2")" = 0 ] && all_balanced $tring
}

# The id that the ring has of an event of ftrace's own is the one of the format.
ids_are_ftraces() {
	echo 1 >$tring/$option && echo 1 >$tring/$user_option || return 1
	for event in kernel_stack user_stack; do
		id=$(sed -n 's/^ID: //p' $tracefs/events/ftrace/$event/format)
		grep -q "^[0-9]* $id ftrace:$event " $tring/short_ids || return 1
	done
	echo 0 >$tring/$option && echo 0 >$tring/$user_option
}

# lines_of EVENT FILE - prints the lines of each stack behind the event, joined by "|"
lines_of() {
	awk -v event="$1:" '
		/^\t=> / { if (on) line = line "|" $2; next }
		{ if (on) print line; on = 0 }
		$0 ~ ": kernel_stack:" { on = last == event; line = $NF; next }
		{ for (i = 1; i <= NF && $i !~ /^[0-9]+[.][0-9]+:$/; i++); last = $(i + 1) }
		END { if (on) print line }' "$2"
}

# Where memory is allocated.
stacks_of_kmalloc() {
	tring record -q -e kmem:kmalloc --stacktrace -o /tmp/kmalloc -- ls -lR /proc/self >/dev/null
	tring report /tmp/kmalloc >/tmp/lines || return 1
	events=$(grep -c ': kmalloc: ' /tmp/lines)
	lines_of kmalloc /tmp/lines >/tmp/stacks
	echo "$events events, $(wc -l </tmp/stacks) stacks"
	[ "$events" -gt 0 ] && [ "$(wc -l </tmp/stacks)" = "$events" ] || return 1
	# Each one begins where memory is allocated, and goes on beyond the format's 8.
	grep -vE '^[^|]*alloc' /tmp/stacks | head -n 3
	! grep -qvE '^[^|]*alloc' /tmp/stacks &&
		grep -qE '^([^|]*[|]){9}' /tmp/stacks &&
		grep -qE '[|]do_syscall_64[|]entry_SYSCALL_64_after_hwframe$' /tmp/stacks
}

# The program tells its calls, and the system call is in the first one that ftrace names.
stack_of_a_program() {
	tring record -q -e syscalls:sys_enter_getppid --userstacktrace -o /tmp/program -- \
		/guest/user-frames >/tmp/frames || return 1
	tring report /tmp/program >/tmp/lines || return 1
	sed -n '/sys_enter_getppid/,$p' /tmp/lines | awk '
		/: user_stack: / { on = 1; next }
		!/^\t=> / && on { exit }
		on { print $2 }' >/tmp/callers
	cat /tmp/lines
	[ "$(wc -l </tmp/frames)" = 7 ] && cmp /tmp/frames /tmp/callers
}

# Of 1,000 programs, each of which has ended when the recording does, the functions have names. The
# shell makes the same call, and has no symbols.
functions_of_ended_programs() {
	tring record -q -e syscalls:sys_enter_getppid --userstacktrace -b 4096 -o /tmp/ended -- \
		sh -c 'seq 1000 | while read -r _; do /guest/user-frames; done' >/dev/null &&
		tring report /tmp/ended >/tmp/lines || return 1
	awk '
		/: user_stack: / { stacks++ }
		/\t=> / { frames++ }
		/\t=> call[+]0x[0-9a-f]+ [(]\/guest\/user-frames[)]$/ { named++ }
		END {
			print stacks " stacks, " frames " functions, " named " with names"
			exit !(named >= 0.99 * 8000 && named >= 0.99 * frames)
		}' /tmp/lines
}

# stacks_of PID FILE - prints the stacks of a task in a report or in ftrace's own text, one a line
stacks_of() {
	awk -v task="-$1 " '
		/^[ \t]=> / { if (on) line = line "|" $2; next }
		on { print line; on = 0 }
		index($0, task) && /: (kernel_stack:|<stack trace>)/ {
			on = 1
			line = /kernel_stack:/ ? "|" $NF : ""
		}
		END { if (on) print line }' "$2"
}

# kprobe TEXT EVENT - tring's stacks behind the events of a task are ftrace's, which began earlier
kprobe() {
	echo "$1" >$tracefs/kprobe_events || return 1
	echo 0 >$tracefs/tracing_on
	echo >$tracefs/trace
	# ftrace drops what is newer than a full ring.
	echo 4096 >$tracefs/buffer_size_kb
	echo 1 >$tracefs/$option
	echo 1 >"$tracefs/events/kprobes/$2/enable"
	echo 1 >$tracefs/tracing_on
	# shellcheck disable=SC2016 # for the inner shell
	tring record -q -e "kprobes:$2" -T -o /tmp/kprobe -- \
		sh -c 'echo $$ >/tmp/task; exec cat /guest/lib.sh' >/dev/null
	status=$?
	echo 0 >$tracefs/tracing_on
	echo 0 >"$tracefs/events/kprobes/$2/enable"
	tring report /tmp/kprobe >/tmp/lines
	cat $tracefs/trace >/tmp/ftrace.lines
	stacks_of "$(cat /tmp/task)" /tmp/lines >/tmp/stacks
	stacks_of "$(cat /tmp/task)" /tmp/ftrace.lines | tail -n "$(wc -l </tmp/stacks)" \
		>/tmp/ftrace.stacks
	echo 0 >$tracefs/$option
	echo >$tracefs/kprobe_events
	echo 1 >$tracefs/buffer_size_kb
	echo 1 >$tracefs/tracing_on
	sort /tmp/stacks | uniq -c
	[ $status = 0 ] && [ -s /tmp/stacks ] && diff /tmp/ftrace.stacks /tmp/stacks
}

# Also while a module comes and goes, whose rules of unwind.c go with it.
switched_while_recording() {
	: >/tmp/loading
	tring record -q -e sched -e kmem:kmalloc -e irq -e raw_syscalls -b 8192 -o /tmp/switched \
		-- sh -c 'while [ -e /tmp/loading ]; do seq 100 | sort -r; done' >/dev/null &
	recorder=$!
	wait_until grep -q 1 $tring/tracing_on
	for _ in $(seq 8); do
		for value in 1 0; do
			echo $value >$tring/$option
			[ ! -e $tring/$user_option ] || echo $value >$tring/$user_option
			ls /proc/self >/dev/null
			[ -z "$jbd2" ] || { rmmod jbd2 && insmod "$jbd2"; }
		done
	done
	rm /tmp/loading
	wait $recorder || return 1
	tring report /tmp/switched >/tmp/lines 2>/tmp/errors
	cat /tmp/errors
	# Most of the programs have no frame pointers.
	! grep -qv ' stacks of programs lack functions: ' /tmp/errors &&
		grep -q ': kernel_stack: ' /tmp/lines && all_balanced $tring
}

# A stack of a function that a kretprobe and the function graph tracer return from, too.
with_replaced_addresses() {
	echo 'r:tring_returns vfs_read' >$tracefs/kprobe_events || return 1
	echo 1 >$tracefs/events/kprobes/tring_returns/enable
	tracer=nop
	if grep -qw function_graph $tracefs/available_tracers; then
		# Functions that call each other, and not all, which takes long to switch.
		echo 'vfs_* ksys_* do_* path_* getname* alloc_*' >$tracefs/set_ftrace_filter
		echo do_sys_openat2 ksys_read vfs_read >$tracefs/set_graph_function
		tracer=function_graph
	fi
	echo $tracer >$tracefs/current_tracer
	tring record -q -e kmem:kmem_cache_alloc -e sched -T -o /tmp/replaced -- \
		/guest/workload.sh 1
	echo nop >$tracefs/current_tracer
	for file in set_graph_function set_ftrace_filter; do
		[ ! -e $tracefs/$file ] || echo >$tracefs/$file
	done
	echo 0 >$tracefs/events/kprobes/tring_returns/enable
	echo >$tracefs/kprobe_events
	tring report /tmp/replaced >/tmp/lines || return 1
	lines_of kmem_cache_alloc /tmp/lines >/tmp/stacks
	grep -E '[|](return_to_handler|arch_rethook_trampoline)[|]' /tmp/stacks | head -n 3
	grep -q '[|]vfs_read[|]' /tmp/stacks
}

need_tring
check "options/stacktrace takes what ftrace's takes" option_is_ftraces $option
check "options/userstacktrace takes what ftrace's takes" option_is_ftraces $user_option
check "the ids of stacks are those of their formats" ids_are_ftraces
check "kernel stacks beside ftrace's" with_stacks stacks $option --stacktrace \
	"sched irq timer raw_syscalls kmem:kmem_cache_alloc kmem:kmalloc"
check "stacks of programs beside ftrace's" with_stacks user-stacks $user_option \
	--userstacktrace \
	"sched:sched_switch sched:sched_process_exit syscalls:sys_enter_openat
	syscalls:sys_exit_close"
check "stacks of kmalloc" stacks_of_kmalloc
check "the stack of a program with frame pointers" stack_of_a_program
check "functions of programs that have ended" functions_of_ended_programs
check "the stack of a kprobe" kprobe 'p:tring_stack do_sys_openat2' tring_stack
check "the stack of a kretprobe" kprobe 'r:tring_return vfs_read' tring_return
check "switched while events are recorded" switched_while_recording
check "with a kretprobe and the function graph tracer" with_replaced_addresses

exit $failures
