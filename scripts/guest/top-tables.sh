#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
#
# Records what scripts/trace/compare-top.py compares, each time in two rings at once: events of
# other systems beside sched's, next to sched's alone; and what -P, -F, -f, -M, a pause and a part
# leave out, next to all of it. whole-path.sh runs this script, and makes the comparisons. With
# TRING_SYSTEMS=all it does all that, and takes each system in turn.

. /guest/lib.sh

everything=sched,raw_syscalls,irq,task,oom

# The tasks, which end when they are through with it.
compute() {
	for _ in $(seq 6000); do
		:
	done
}

# is blocked while other programs run
start_others() {
	for _ in $(seq 30); do
		/bin/true
	done
}

# answer FROM TO - two of these take turns
answer() {
	for _ in $(seq 100); do
		read -r _ <&"$1" || return
		echo >&"$2"
	done
}

# Starts the tasks, which wait for a file "go", in a process that then becomes another program and
# waits for no child: so their counters can be read when they have ended.
start_tasks() {
	mkfifo ping pong end
	(
		exec 3<>ping 4<>pong
		for task in compute compute start_others start_others "answer 3 4" "answer 4 3"; do
			(
				wait_until [ -e go ]
				$task
			) &
			echo $! >>pids
		done
		echo >&3
		touch started
		exec cat end
	) &
	wait_until [ -e started ]
}

# The last thing that a task does is to leave its CPU. Then it has no stack.
has_left() {
	[ "$(cat "/proc/$1/syscall")" = "-1 0x0 0x0" ]
}

# has_tsc - the clock of the run queues, which is the TSC, goes as fast as the ring's clock
has_tsc() {
	[ "$(cat /sys/devices/system/clocksource/clocksource0/current_clocksource)" = tsc ]
}

# run_tasks - leaves a line of each in "tasks": pid, time on CPUs or -, number of switches
run_tasks() {
	[ -e started ] || start_tasks
	touch go
	while read -r pid; do
		wait_until has_left "$pid" || return 1
		read -r ran _ <"/proc/$pid/schedstat"
		has_tsc || ran=-
		echo "$pid $ran" "$(awk '/ctxt_switches:/ { n += $2 } END { print n }' \
			"/proc/$pid/status")"
	done <pids >tasks
	: >end
}

# pause - triggers switch the second ring off, in a system call, and on in another one like it,
# when the tasks have begun
pause() {
	full=$tring/instances/full
	printf off >/proc/self/comm
	wait_until has_line 0 $tring/tracing_on
	touch go
	wait_until more_than reserved $full $(($(sum reserved $full) + 1000))
	echo 1 >/proc/self/oom_score_adj
	wait_until has_line 1 $tring/tracing_on
	run_tasks
}

if [ $# -gt 0 ]; then
	"$@"
	exit
fi

# both NAME COMMAND OPTION... - records COMMAND with the options, and around that what NAME tells
both() {
	dir=/results/top-tables/$1 events=$everything
	mkdir -p "$dir" && cd "$dir" || return 1
	case $1 in
	beside-*) events=sched ;;
	out-pause) start_tasks || return 1 ;;
	# with tasks that there are before, two of which are listed
	out-tasks) start_tasks && set -- "$@" -P "$(sed -n 1p pids),$(sed -n 3p pids)" ;;
	esac
	command=$2
	shift 2
	tring record -q -B full -e $events -b 16M --discard -o full -- \
		tring record -q "$@" -b 16M --discard -o part -- /guest/top-tables.sh "$command"
}

tables() {
	check "top-tables: $1" both "$@"
}

need_tring
! grep -q tsc=reliable /proc/cmdline || wait_until has_tsc
functions=
[ ! -e $tring/current_tracer ] || functions='-p function'
tables out-tasks run_tasks -e $everything
if [ "${TRING_SYSTEMS-}" = all ]; then
	systems=$(cut -d: -f1 $tring/available_events | sort -u | grep -vx sched)
	for system in $systems; do
		tables "beside-$system" run_tasks -e "sched,$system"
	done
	# shellcheck disable=SC2086 # words
	[ -z "$functions" ] || tables beside-functions run_tasks -e sched $functions
	tables out-children run_tasks -e $everything -F -c
	tables out-cpus run_tasks -e $everything -M 1
	tables out-filters run_tasks -e sched_switch -f 'next_pid == 0' \
		-e sched_waking,sched_wakeup -f 'target_cpu == 0' -e raw_syscalls -f 'id == 39' \
		-e softirq_entry -f 'common_pid == 0' -e softirq_exit -f 'common_pid != 0' \
		-e irq_handler_entry,irq_handler_exit -f 'irq != 4'
	tables out-pause pause -e $everything -e task_rename -R 'traceoff if newcomm == "off"' \
		-e oom_score_adj_update -R 'traceon if oom_score_adj == 1'
	tables out-parts run_tasks -e $everything --split 300K
	rm -r /results/top-tables/out-parts/part/000001
else
	# shellcheck disable=SC2086 # words
	tables beside-some run_tasks -e sched,tlb,msr,irq_vectors,exceptions,kmem $functions \
		${functions:+-l switch_*}
fi
cd /
exit 0
