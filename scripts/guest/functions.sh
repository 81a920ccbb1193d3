#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0
#
# Tests of current_tracer: which functions are recorded, the same calls as ftrace records in the
# same order, all functions of the kernel at once, modules and CPUs that go meanwhile, and
# recorders. whole-path.sh reads the trace with babeltrace2.

. /guest/lib.sh

# A ring of its own, without events of earlier tests.
ring=$tring/instances/called
all="#### all functions enabled ####"
caller=/guest/calls.sh

# list FILE - prints a list in one line
list() {
	tr '\n' ' ' <"$ring/$1"
}

lists() {
	[ "$(cat $ring/set_ftrace_filter)" = "$all" ] || return 1
	[ "$(cat $ring/set_ftrace_notrace)" = "#### no functions disabled ####" ] || return 1
	echo 'vfs_read  vfs_w*' >$ring/set_ftrace_filter || return 1
	[ "$(list set_ftrace_filter)" = "vfs_read vfs_w* " ] || return 1
	echo ksys_read >>$ring/set_ftrace_filter || return 1
	echo '!vfs_writev' >>$ring/set_ftrace_filter || return 1
	list set_ftrace_filter; echo
	[ "$(list set_ftrace_filter)" = "vfs_read vfs_w* ksys_read !vfs_writev " ] || return 1
	echo 'vfs_wri*' >$ring/set_ftrace_notrace || return 1
	[ "$(list set_ftrace_notrace)" = "vfs_wri* " ] || return 1
	# what is refused changes nothing
	! echo no_such_function >>$ring/set_ftrace_filter || return 1
	printf no_such_function >>$ring/set_ftrace_filter
	[ "$(list set_ftrace_filter)" = "vfs_read vfs_w* ksys_read !vfs_writev " ] || return 1
	: >$ring/set_ftrace_filter
	echo >$ring/set_ftrace_notrace
	[ "$(cat $ring/set_ftrace_filter)" = "$all" ] &&
		[ "$(cat $ring/set_ftrace_notrace)" = "#### no functions disabled ####" ]
}

# called DIR - prints the functions of a recording, one a line, each once
called() {
	tring report "$1" | sed -n 's/.* function: *\([^ ]*\) <-- .*/\1/p' | sort -u
}

# calls - prints TASK's "FLAGS FUNCTION PARENT" of stdin. The second flag, need-resched, is
# left out because it may change between the two tracers; libtraceevent shows the lazy one of
# 7.x as an X in the first flag.
calls() {
	head="-$(cat /tmp/task.pid) .*\[[0-9]*\] \(.\).\([^ ]*\) *[0-9.]*:"
	call='\(function: *\)\?\([^ ]*\) <--\? *\([^ ]*\)'
	sed -n "s/^ *[^ ]*$head $call\$/\1\2 \4 \5/p" |
		sed 's/^X/./'
}

as_ftrace() {
	echo 'vfs_* ksys_* *user_path_at*' >$tracefs/set_ftrace_filter || return 1
	echo 'vfs_getattr*' >$tracefs/set_ftrace_notrace || return 1
	echo 4096 >$tracefs/buffer_size_kb
	echo >$tracefs/trace
	echo function >$tracefs/current_tracer || return 1
	echo 1 >$tracefs/tracing_on
	tring record -q -B called -b 4096 -p function -l 'vfs_*,ksys_*' -l '*user_path_at*' \
		-n 'vfs_getattr*' -o /results/functions -- sh -c "$caller; true" || return 1
	echo 0 >$tracefs/tracing_on
	calls <$tracefs/trace >/tmp/ftrace.calls
	echo nop >$tracefs/current_tracer
	echo >$tracefs/set_ftrace_filter
	echo >$tracefs/set_ftrace_notrace
	echo 1 >$tracefs/tracing_on
	tring report /results/functions >/results/functions.txt 2>/tmp/said || return 1
	cat /tmp/said
	calls </results/functions.txt >/tmp/tring.calls
	wc -l /tmp/ftrace.calls /tmp/tring.calls
	head -n 2 /tmp/ftrace.calls /tmp/tring.calls
	[ "$(wc -l </tmp/tring.calls)" -ge 200 ] && [ ! -s /tmp/said ] &&
		cmp /tmp/ftrace.calls /tmp/tring.calls
}

recorder_puts_back() {
	echo vfs_read >$tring/set_ftrace_filter
	settings $tring >/tmp/before
	tring record -q -p function -l 'vfs_w*' -n vfs_writev -o /tmp/back -- $caller || return 1
	called /tmp/back >/tmp/names
	cat /tmp/names
	grep -q '^vfs_write$' /tmp/names && ! grep -v '^vfs_w' /tmp/names &&
		settings $tring | diff /tmp/before - && : >$tring/set_ftrace_filter
}

# Of the task that -F names and no other.
of_one_task() {
	tring record -q -B called -p function -l 'vfs_*' -F -o /tmp/one -- $caller || return 1
	tring report /tmp/one | sed -n 's/^ *[^ ]*-\([0-9]*\) .* function: .*/\1/p' |
		sort | uniq -c >/tmp/pids
	cat /tmp/pids
	[ "$(awk '{ print $2 }' /tmp/pids)" = "$(cat /tmp/task.pid)" ]
}

# A change of the list while functions are recorded loses none that both lists have.
change_while_recording() {
	echo 'vfs_read vfs_write' >$ring/set_ftrace_filter
	echo 0 >$ring/trace
	echo function >$ring/current_tracer || return 1
	taskset -c 0 $caller &
	task=$!
	for pattern in 'vfs_*' 'vfs_read vfs_write' 'ksys_* vfs_read vfs_write'; do
		taskset -c 0 sh -c "echo '$pattern' >$ring/set_ftrace_filter" || return 1
	done
	wait $task
	echo nop >$ring/current_tracer
	: >$ring/set_ftrace_filter
	tring peek -B called >/tmp/changed
	count=$(calls </tmp/changed | grep -c ' vfs_write ')
	echo "$count writes"
	# one of the pid, and 50
	[ "$count" = 51 ]
}

# A module goes while its functions are recorded. Its patterns match nothing then.
module_goes() {
	load_jbd2 || return 1
	echo 'jbd2_*' >$ring/set_ftrace_filter || return 1
	echo function >$ring/current_tracer || return 1
	rmmod jbd2 || return 1
	echo nop >$ring/current_tracer
	! echo function >$ring/current_tracer || return 1
	[ "$(cat $ring/current_tracer)" = nop ] || return 1
	insmod "$jbd2" || return 1
	echo function >$ring/current_tracer || return 1
	echo nop >$ring/current_tracer
	# The others are recorded, though what was to be left out is gone.
	echo 'vfs_*' >$ring/set_ftrace_filter
	echo 'jbd2_*' >$ring/set_ftrace_notrace || return 1
	rmmod jbd2 || return 1
	echo function >$ring/current_tracer || return 1
	echo nop >$ring/current_tracer
	: >$ring/set_ftrace_filter
	: >$ring/set_ftrace_notrace
	insmod "$jbd2"
}

all_functions() {
	echo 0 >$ring/trace
	echo function >$ring/current_tracer || return 1
	under_load wait_until more_than reserved $ring 1000000 || return 1
	echo nop >$ring/current_tracer || return 1
	echo "reserved $(sum reserved $ring), refused_nested $(sum refused_nested $ring)," \
		"refused_open_commit $(sum refused_open_commit $ring)"
	[ "$(sum refused_stopped $ring)" = 0 ] && all_balanced $ring
}

# The recorder's own calls are enough: they are many thousand lines.
all_functions_recorded() {
	tring record -q -B called -b 4M -p function -e sched -o /tmp/everything -- true || return 1
	tring report /tmp/everything >/tmp/everything.txt 2>/dev/null || return 1
	wc -l </tmp/everything.txt
	# nothing of the recording itself
	! grep -E ' function: *tring_' /tmp/everything.txt &&
		grep -q ' function: *schedule <-- ' /tmp/everything.txt
}

need_tring
if [ ! -e $tring/current_tracer ]; then
	skip "functions: this kernel has no function tracer"
	exit 0
fi

mkdir $ring || fail "mkdir $ring"
check "current_tracer begins with nop" [ "$(cat $ring/current_tracer)" = nop ]
check "available_tracers has function" grep -qw function $ring/available_tracers
refuses "Invalid argument" "echo wakeup_rt >$ring/current_tracer"
refuses "Invalid argument" "echo no_such_function >$ring/set_ftrace_filter"
refuses "Invalid argument" "echo 'no_such_*' >$ring/set_ftrace_notrace"
refuses "Permission denied" "echo nop >$ring/available_tracers"
check "lists of functions have ftrace's syntax" lists
check "function: calls, parents and flags are ftrace's, in order" as_ftrace
check "function: of one task" of_one_task
check "function: a change of the list loses no call" change_while_recording
if in_full; then
	check "function: all functions and events, recorded" all_functions_recorded
	check "function: the recorder puts its lists back" recorder_puts_back
fi
check_with_module "function: a module goes with its functions" module_goes
check "function: all functions" all_functions
echo 'vfs_*' >$ring/set_ftrace_filter
check "rmdir while functions are recorded" \
	sh -c "echo function >$ring/current_tracer && rmdir $ring"
if [ -n "$loaded" ]; then
	echo 'vfs_*' >$tring/set_ftrace_filter
	echo function >$tring/current_tracer
	check "rmmod while functions are recorded" unload_tring
fi
exit 0
