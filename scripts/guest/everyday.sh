#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
#
# Tests of the everyday tasks of tring-trace-cmd(7): each command of that page is run as it is
# printed there, and its recording has what it is said to have, and nothing else. The file
# /guest/everyday has the commands. whole-path.sh runs this script; qemu-run.sh can run it alone.

. /guest/lib.sh

dir=/tmp/everyday
lines=$dir/lines
mkdir -p $dir
cd $dir || exit 1

# A server, which runs a program each 0.2 s; and a task with a real-time priority.
cat >/bin/myserver <<-END
	#!/bin/sh
	while :; do
		cat /proc/version >/dev/null
		usleep 200000
	done
END
cat >/bin/unlucky <<-END
	#!/bin/sh
	usleep 100000
END
chmod +x /bin/myserver /bin/unlucky

# record TEXT [SED-SCRIPT] - runs the one command of the manual that contains TEXT
record() {
	sed -n "/$1/p" /guest/everyday >run.sh
	if [ "$(wc -l <run.sh)" != 1 ]; then
		echo "the manual has $(wc -l <run.sh) commands with $1"
		return 1
	fi
	[ $# = 1 ] || sed -i "$2" run.sh
	rm -rf tring-trace
	cat run.sh
	sh run.sh >said 2>&1 || { cat said; return 1; }
	tring report tring-trace >$lines || return 1
	[ -s $lines ] || { cat said; echo 'no event'; return 1; }
	wc -l <$lines
}

# counted PATTERN - the number of lines of the report
counted() {
	grep -c "$1" $lines
}

# only PATTERN... - each line has one of the patterns
only() {
	for pattern; do
		set -- "$@" -e "$pattern"
		shift
	done
	! grep -v "$@" $lines | head -n 5 | grep .
}

# tasks_with PATTERN - the number of tasks that have such events
tasks_with() {
	grep "$1" $lines | sed 's/^ *[^ ]*-\([0-9]*\) .*/\1/' | sort -u | tee pids | wc -l
}

# The recorder forks the command's task, which has the recorder's name until it executes; and
# busybox executes itself. Switches and wake-ups name two tasks: one of them is in the list.
command_and_children() {
	record "uname" || return 1
	only '^ *\(tring\|sh\|exe\|uname\|cat\)-' 'sched_.*comm=\(tring\|sh\|exe\|uname\|cat\) ' ||
		return 1
	[ "$(tasks_with sys_enter_)" = 3 ]
}

server_and_children() {
	myserver &
	record "pidof myserver"
	status=$?
	kill $!
	[ $status = 0 ] && only '^ *\(myserver\|exe\|cat\|usleep\)-' \
			'sched_.*comm=\(myserver\|exe\|cat\|usleep\) ' &&
		[ "$(tasks_with sys_enter_execve)" -gt 5 ]
}

real_time_switches() {
	chrt -f 10 sh -c 'while :; do usleep 10000; done' &
	record "prev_prio < 100"
	status=$?
	kill $!
	[ $status = 0 ] && only 'sched_switch: .* prev_prio=[1-9]\?[0-9] ' &&
		[ "$(counted 'sched_switch')" -gt 50 ]
}

# has_its_rule - the recorder records, and the event has its rule
has_its_rule() {
	[ "$(cat $tring/tracing_on)" = 1 ] &&
		grep -q '^traceoff' $tring/events/sched/sched_process_exit/trigger
}

# Of the task's CPU its end is the last event, but for what its end is in the middle of.
stopped_by_an_event() {
	(wait_until has_its_rule && unlucky) &
	record "traceoff" || return 1
	wait $!
	[ "$(counted 'sched_process_exit:.*comm=unlucky')" = 1 ] || return 1
	grep -A 1000000 'sched_process_exit:.*comm=unlucky' $lines | wc -l >after
	echo "$(cat after) lines from that event on"
	[ "$(cat after)" -le 20 ]
}

calls_of_functions() {
	myserver &
	record "do_sys_open\*"
	status=$?
	kill $!
	[ $status = 0 ] && only ' function: .*do_sys_open' && [ "$(counted do_sys_openat2)" -gt 5 ]
}

graph_of_one() {
	record "do_sys_openat2 -F" || return 1
	only 'funcgraph_e[nx].*' && [ "$(counted funcgraph_entry)" -ge 1 ] &&
		[ "$(counted funcgraph_entry)" = "$(counted funcgraph_exit)" ]
}

opened_files() {
	record "p:open" || return 1
	only ' open: ' ' opened: ' && grep 'open: .*name="/proc/version"' $lines &&
		[ "$(counted ' open: ')" = "$(counted ' opened: ')" ]
}

function_of_a_program() {
	myserver &
	# At the entry point the arguments' number is on the stack: cat has one and its name.
	record "p:work" \
		"s|/bin/myserver:0x1234 first=%di|/bin/busybox:$(main_offset) first=\$stack0|"
	status=$?
	kill $!
	[ $status = 0 ] && only ' work: ' && [ "$(counted ' work: .*first=0x2$')" -gt 0 ]
}

stacks_of_allocations() {
	myserver &
	record "kmem:kmalloc"
	status=$?
	kill $!
	[ $status = 0 ] && [ "$(counted ' kmalloc: ')" -gt 10 ] &&
		[ "$(counted ' kernel_stack: ')" = "$(counted ' kmalloc: ')" ]
}

need_tring
if [ ! -s /guest/everyday ]; then
	fail 'the manual has commands'
fi
check 'everyday: a command and its children' command_and_children
check 'everyday: a server and its children' server_and_children
check 'everyday: switches from real-time tasks' real_time_switches
check 'everyday: an event stops the recording' stopped_by_an_event
check 'everyday: calls of some functions' calls_of_functions
if grep -qw function_graph $tring/available_tracers; then
	check 'everyday: how long a function takes' graph_of_one
else
	skip 'everyday: how long a function takes: no function_graph on this kernel'
fi
check 'everyday: the files that are opened' opened_files
check 'everyday: a function of a program' function_of_a_program
check 'everyday: where memory is allocated' stacks_of_allocations
for cpu in $(seq 0 $(($(nproc) - 1))); do
	check "everyday: CPU $cpu balances" balanced $tring/per_cpu/cpu"$cpu"/stats
done
