#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0
#
# Tests of the everyday tasks of tring-trace-cmd(7): each command of that page is run as it is
# printed there, and its recording has what it is said to have, and nothing else. The file
# /guest/everyday has the commands.

. /guest/lib.sh

dir=/tmp/everyday
lines=$dir/lines
mkdir -p $dir
cd $dir || exit 1

# A server, which runs a program for each request; and a task whose end is of interest.
mkfifo requests
cat >/bin/myserver <<-END
	#!/bin/sh
	while read -r number; do
		cat /proc/version >/dev/null
		echo \$number >>$dir/answers
	done <>$dir/requests
END
printf '#!/bin/sh\n' >/bin/unlucky
chmod +x /bin/myserver /bin/unlucky

# has_answered COUNT
has_answered() {
	[ "$(wc -l <answers)" -ge "$1" ]
}

ask() {
	: >answers
	seq 6 >requests
	wait_until has_answered 6
}

# record TEXT [SED-SCRIPT] - runs the one command of the manual that contains TEXT. One that goes
# on for some seconds goes on until the server has answered; or until $ends has ended it.
ends=
record() {
	sed -n "/$1/p" /guest/everyday >run.sh
	if [ "$(wc -l <run.sh)" != 1 ]; then
		echo "the manual has $(wc -l <run.sh) commands with $1"
		return 1
	fi
	[ $# = 1 ] || sed -i "$2" run.sh
	rm -rf tring-trace
	cat run.sh
	echo 0 >$tring/tracing_on
	sed 's/^/exec /; s/ -s 3$//' run.sh >exec.sh
	sh exec.sh >said 2>&1 &
	recorder=$!
	if grep -q ' -s 3$' run.sh; then
		wait_until grep -q 1 $tring/tracing_on || return 1
		if [ -n "$ends" ]; then
			$ends
		else
			ask && kill -INT $recorder
		fi
	fi
	wait $recorder || { cat said; return 1; }
	tring report tring-trace >$lines || return 1
	[ -s $lines ] || { cat said; echo 'no event'; return 1; }
	wc -l <$lines
}

# record_server TEXT [SED-SCRIPT] - the same beside the server
record_server() {
	${with-} myserver &
	server=$!
	record "$@"
	status=$?
	kill $server
	wait $server
	return $status
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
	record_server "pidof myserver" && only '^ *\(myserver\|exe\|cat\)-' \
			'sched_.*comm=\(myserver\|exe\|cat\) ' &&
		[ "$(tasks_with sys_enter_execve)" = 6 ]
}

# At each answer a real-time task ends.
real_time_switches() {
	with='chrt -f 10' record_server "prev_prio < 100" &&
		only 'sched_switch: .* prev_prio=[1-9]\?[0-9] ' &&
		[ "$(counted 'sched_switch')" -ge 6 ]
}

unlucky_task() {
	wait_until grep -q '^traceoff' $tring/events/sched/sched_process_exit/trigger && unlucky
}

# Of the task's CPU its end is the last event, but for those of interrupts in the middle of it,
# whose third flag is a letter for their kind.
stopped_by_an_event() {
	ends=unlucky_task record "traceoff" || return 1
	sed -n '/sched_process_exit:.*comm=unlucky/,$p' $lines >after
	cpu=$(sed -n '1s/.*\(\[[0-9]*\]\).*/\1/p' after)
	[ "$(counted 'sched_process_exit:.*comm=unlucky')" = 1 ] &&
		! sed 1d after | grep -F " $cpu " | grep -v '\] *..[hHsZz]'
}

calls_of_functions() {
	record_server "do_sys_open\*" && only ' function: .*do_sys_open' &&
		[ "$(counted do_sys_openat2)" -ge 6 ]
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

# At the entry point the arguments' number is on the stack: cat has one and its name.
function_of_a_program() {
	record_server "p:work" \
		"s|/bin/myserver:0x1234 first=%di|/bin/busybox:$(main_offset) first=\$stack0|" &&
		only ' work: ' && [ "$(counted ' work: .*first=0x2$')" -ge 6 ]
}

stacks_of_allocations() {
	record_server "kmem:kmalloc" && [ "$(counted ' kmalloc: ')" -ge 6 ] &&
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
