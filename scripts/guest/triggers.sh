#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0
# shellcheck disable=SC2016 # evaluated for each directory
#
# Tests of triggers: the file "trigger" of an event, and the option -R of tring record. Texts and
# what they do are compared with ftrace's.

. /guest/lib.sh

work=/tmp/triggers
rename=events/task/task_rename/trigger
switch=events/sched/sched_switch/trigger
# An event that does not happen here: what its triggers show does not change.
quiet=events/sched/sched_pi_setprio/trigger
# The name of the task that fires triggers, by "becomes".
fires='newcomm == "firing"'

# becomes NAME - a program renames itself; a task_rename, then system calls
becomes() {
	sh -c "printf $1 >/proc/self/comm; exec ls /proc/self/" >/dev/null
}

# triggers FILE - prints what a trigger file has, without the list of what is available
triggers() {
	while IFS= read -r line; do
		case $line in
		'#'*) ;;
		*) echo "$line" ;;
		esac
	done <"$1"
}

shows=triggers

# no_triggers FILE - removes all triggers that these tests set
no_triggers() {
	for kind in traceon snapshot stacktrace enable_event:sched:sched_waking \
			enable_event:sched:sched_switch enable_event:sched:sched_pi_setprio; do
		echo "!$kind" >"$1" 2>/dev/null
	done
	triggers "$1"
}

texts_are_ftraces() {
	while IFS= read -r text; do
		{ both $quiet 'printf "%b" "$text" >$file' && both $quiet 'no_triggers $file'; } ||
			{ echo "$text"; return 1; }
	done
} <<-'END'
	traceoff
	traceon
	traceoff:0
	traceoff:5
	traceoff 5
	traceoff:  5
	traceoff:0x10
	traceoff:010
	traceoff:-1
	traceoff:5x
	traceoff:5:6
	traceoff::5
	traceoff:abc
	traceoff:
	traceoff:18446744073709551615
	traceoff:18446744073709551616
	traceoff:5 if oldprio < 100
	traceoff if oldprio < 100
	traceoff  if  oldprio < 100
	traceoff\tif oldprio < 100
	traceoff:if oldprio < 100
	traceoff if
	traceoff if nonsense < 1
	traceoff if oldprio <
	traceoff when oldprio < 100
	traceoff:1 when oldprio < 100
	   traceoff:2   \n
	snapshot:1
	stacktrace
	stacktrace:2 if oldprio < 100
	snapshot if comm == "sh" || pid == 0
	enable_event:sched:sched_waking
	enable_event:sched:sched_waking:3
	enable_event:sched:sched_waking:3 if oldprio < 100
	enable_event:sched:sched_waking if oldprio < 100
	enable_event:sched:sched_waking:
	enable_event:sched:sched_waking:x
	enable_event:sched:sched_switch
	enable_event:sched:sched_pi_setprio
	disable_event:sched:sched_waking
	disable_event:sched:sched_waking:1
	enable_event
	enable_event:
	enable_event:sched
	enable_event:sched:
	enable_event:sched:nonsense
	enable_event:nonsense:sched_waking
	enable_event sched:sched_waking
	!traceoff
	!traceoff:5 if nonsense
	!enable_event
	!enable_event:sched:sched_waking
	!enable_event:sched:nonsense
	!
	!!traceoff
	! traceoff
	nonsense
	nonsense:5
	TRACEOFF
	traceofff
	\n
END

several_are_ftraces() {
	both $quiet 'echo traceoff:3 >$file && echo traceon >$file' &&
		both $quiet 'echo traceoff >$file' &&
		both $quiet 'echo snapshot:2 >$file; echo snapshot >$file' &&
		both $quiet 'echo enable_event:sched:sched_waking >$file &&
			echo disable_event:sched:sched_waking >$file' &&
		both $quiet 'echo disable_event:sched:sched_switch:2 >>$file' &&
		both $quiet ': >$file' &&
		both $quiet 'echo !traceon >$file' &&
		both $quiet 'echo !enable_event:sched:sched_waking:7 >$file' &&
		both $quiet 'echo !snapshot:1 >$file' &&
		both $quiet 'echo !enable_event:sched:sched_switch >$file' &&
		both $quiet 'printf "%4095s" traceoff >$file' &&
		both $quiet 'no_triggers $file' &&
		both $quiet 'printf "%4096s" traceoff >$file' &&
		both $quiet 'printf "" >$file' && [ -z "$(triggers $tring/$quiet)" ]
}

# The kernel limits the rate of such lines to ten in five seconds. These are the first ones.
refusals_are_told() {
	dmesg -c >/dev/null
	! echo hist:keys=pid >$tring/$switch 2>/dev/null &&
		! echo traceoff:x5 if >$tring/$switch 2>/dev/null &&
		! echo enable_event:a:b >$tring/$switch 2>/dev/null || return 1
	echo snapshot >$tring/$switch
	! echo snapshot >$tring/$switch 2>/dev/null || return 1
	echo '!snapshot' >$tring/$switch
	dmesg | grep -o 'a trigger is refused:.*' >/tmp/told
	cat /tmp/told
	[ "$(wc -l </tmp/told)" = 4 ] && grep -q 'no such trigger' /tmp/told &&
		grep -q 'the event that it names' /tmp/told && grep -q 'of this kind' /tmp/told
}

is_off() {
	[ "$(cat "${1-$tring}/tracing_on")" = 0 ]
}

is_on() {
	[ "$(cat $tring/tracing_on)" = 1 ]
}

# on_each_cpu NAME - a task renames itself on each CPU
on_each_cpu() {
	for cpu in $(seq 0 $(($(nproc) - 1))); do
		taskset -c "$cpu" sh -c "printf $1 >/proc/self/comm" || return 1
	done
}

# The last event of the CPU is the one that fired, but for those of an interrupt that came
# between its record and the trigger. No CPU has a new one when it has left what it was in the
# middle of, as it has when another task has run there.
traceoff_is_the_end() {
	for _ in 1 2; do
		echo "traceoff:1 if $fires" >$tring/$rename
		begin sched task irq timer raw_syscalls
		(while :; do echo >/dev/null; done) &
		load=$!
		becomes other
		becomes firing
		wait_until is_off && on_each_cpu first || return 1
		reserved=$(sum reserved $tring)
		on_each_cpu second
		[ "$(sum reserved $tring)" = "$reserved" ] || return 1
		kill $load
		wait $load
		grep -q ':count=0 ' $tring/$rename || { cat $tring/$rename; return 1; }
		echo '!traceoff' >$tring/$rename
		end
		grep 'task_rename: .*newcomm=firing' /tmp/lines >/tmp/fired
		cpu=$(sed -n 's/.*\(\[[0-9]*\]\).*/\1/p' /tmp/fired)
		# The third flag is "h" or "s" in an interrupt, or a letter like them.
		grep -F " $cpu " /tmp/lines | sed '1,/newcomm=firing/d' |
			grep -v '\] *..[hHsZz]' >/tmp/behind
		if [ "$(wc -l </tmp/fired)" != 1 ] || [ -s /tmp/behind ]; then
			cat /tmp/fired /tmp/behind
			return 1
		fi
		all_balanced $tring || return 1
	done
}

# A ring that is off goes on with the event that fires.
traceon_begins() {
	echo "traceon if $fires" >$tring/$rename
	begin 'syscalls:*' task:task_rename
	echo 0 >$tring/tracing_on
	: >$tring/trace
	becomes other
	becomes firing
	is_on || { cat $tring/tracing_on; return 1; }
	end
	echo '!traceon' >$tring/$rename
	head -n 3 /tmp/lines
	grep ': ' /tmp/lines | head -n 1 | grep -q newcomm=firing &&
		! grep -q newcomm=other /tmp/lines &&
		[ "$(grep -c sys_ /tmp/lines)" -gt 20 ] && all_balanced $tring
}

# on_and_off - prints how a count is used up: only when recording was on
on_and_off() {
	echo 1 >$dir/tracing_on
	echo "traceoff:3 if newcomm == \"off\"" >$dir/$rename
	for task in off off firing off; do
		becomes $task
		triggers $dir/$rename
		[ "$task" != firing ] || echo 1 >$dir/tracing_on
	done
	cat $dir/tracing_on
	echo '!traceoff' >$dir/$rename
}

counts_are_ftraces() {
	for dir in $tracefs $tring; do
		# A trigger of an earlier test may have enabled it.
		echo 0 >$dir/events/sched/sched_waking/enable
		on_and_off >"/tmp/${dir##*/}"
		echo "snapshot:2" >$dir/$rename
		for task in a b c; do
			becomes $task
			triggers $dir/$rename
		done >>"/tmp/${dir##*/}"
		echo '!snapshot' >$dir/$rename
		echo 0 >$dir/snapshot
		echo "enable_event:sched:sched_waking:2 if $fires" >$dir/$rename
		for task in other firing firing; do
			becomes $task
			triggers $dir/$rename
			cat $dir/events/sched/sched_waking/enable
			cat $dir/events/task/task_rename/enable
		done >>"/tmp/${dir##*/}"
		echo 0 >$dir/events/sched/sched_waking/enable
		becomes firing
		cat $dir/$rename $dir/events/sched/sched_waking/enable >>"/tmp/${dir##*/}"
		echo '!enable_event:sched:sched_waking' >$dir/$rename
		# What a trigger has enabled stays so.
		cat $dir/events/sched/sched_waking/enable >>"/tmp/${dir##*/}"
		echo 0 >$dir/events/sched/sched_waking/enable
		cat $dir/events/sched/sched_waking/enable >>"/tmp/${dir##*/}"
	done
	cat /tmp/tring
	diff /tmp/tracing /tmp/tring
}

# An event is recorded from the moment on when another one enables it, until one disables it.
soft_mode() {
	echo "enable_event:$1 if newcomm == \"begin\"" >$tring/$rename
	begin task:task_rename
	[ "$(cat "$tring/events/$(echo "$1" | tr : /)/enable")" = "0*" ] &&
		! grep -q "$1" $tring/set_event || return 1
	becomes before
	becomes begin
	becomes middle
	[ "$(cat "$tring/events/$(echo "$1" | tr : /)/enable")" = "1*" ] &&
		grep -q "$1" $tring/set_event || return 1
	# Disabled by the user, in soft mode, too.
	echo "!$1" >>$tring/set_event
	[ "$(cat "$tring/events/$(echo "$1" | tr : /)/enable")" = "0*" ] || return 1
	becomes after
	end
	echo "!enable_event:$1" >$tring/$rename
	[ "$(cat "$tring/events/$(echo "$1" | tr : /)/enable")" = 0 ] || return 1
	sed -n "/newcomm=begin/,/newcomm=after/p" /tmp/lines >/tmp/between
	event=${1#*:}
	echo "$1: $(grep -c " $event: " /tmp/lines), between: $(grep -c " $event: " /tmp/between)"
	[ "$(grep -c " $event: " /tmp/lines)" -gt 3 ] &&
		[ "$(grep -c " $event: " /tmp/lines)" = "$(grep -c " $event: " /tmp/between)" ] &&
		all_balanced $tring
}

# By each source of events.
soft_modes() {
	make_event_by_perf
	soft_mode sched:sched_waking && soft_mode kmem:kmem_cache_alloc &&
		soft_mode $by_perf && remove_event_by_perf &&
		{ [ ! -e $tracefs/events/syscalls ] || soft_mode syscalls:sys_enter_openat; }
}

# fires_and COMMAND...
fires_and() {
	becomes firing
	"$@"
}

is_taken() {
	grep -q '^# Snapshot: taken' $tring/snapshot
}

# The snapshot has what came before the event, and the event. Recording goes on.
snapshot_has_the_event() {
	for size in 1408 32; do
		echo $size >$tring/buffer_size_kb
		echo "snapshot:1 if $fires" >$tring/$rename
		begin 'raw_syscalls:*' task:task_rename
		under_load fires_and wait_until is_taken || return 1
		# The others would soon overwrite it in the small ring.
		echo task:task_rename >$tring/set_event
		becomes later
		end
		echo '!snapshot' >$tring/$rename
		cat $tring/per_cpu/cpu*/snapshot_raw_compact | strings -n 6 >/tmp/in-snapshot
		grep -c firing /tmp/in-snapshot
		grep -q firing /tmp/in-snapshot && ! grep -q later /tmp/in-snapshot &&
			grep -q newcomm=later /tmp/lines && all_balanced $tring || return 1
	done
	echo 1408 >$tring/buffer_size_kb
	echo 0 >$tring/snapshot
}

# Behind the events that fire, and no others; also where the event is not recorded.
stacks_behind_events() {
	for event in task:task_rename ''; do
		echo "stacktrace:2 if $fires" >$tring/$rename
		begin $event
		for task in other firing other firing firing; do
			becomes $task
		done
		end
		echo '!stacktrace' >$tring/$rename
		grep -A1 ': kernel_stack: ' /tmp/lines
		[ "$(grep -c ': kernel_stack: ' /tmp/lines)" = 2 ] &&
			[ "$(grep -c 'comm_write' /tmp/lines)" = 2 ] && all_balanced $tring ||
			return 1
		[ -z "$event" ] || [ "$(grep -A1 newcomm=firing /tmp/lines |
			grep -c ': kernel_stack: ')" = 2 ] || return 1
	done
}

# Many at once: they are taken together, one after the other.
storm_of_snapshots() {
	echo snapshot >$tring/$switch
	begin sched:sched_switch
	ls -R /proc/self/ >/dev/null
	wait_until is_taken
	echo '!snapshot' >$tring/$switch
	end
	is_taken && grep '^# Triggered' $tring/snapshot && all_balanced $tring
}

# Interrupts, by the timer's own events, and NMIs, which a backtrace of the CPUs takes.
from_interrupts() {
	echo "traceoff:1 if common_flags & 8" >$tring/events/timer/hrtimer_expire_entry/trigger ||
		return 1
	begin timer:hrtimer_expire_entry
	wait_until is_off
	end
	echo '!traceoff' >$tring/events/timer/hrtimer_expire_entry/trigger
	tail -n 1 /tmp/lines
	[ "$(grep -c 'hrtimer_expire_entry: ' /tmp/lines)" -gt 0 ] && all_balanced $tring
}

from_nmis() {
	nmi=events/nmi/nmi_handler
	if [ ! -e $tring/$nmi ]; then
		echo "this kernel has no $nmi"
		return
	fi
	# The backtraces that come by the NMIs are not of interest.
	dmesg -n 1
	for action in traceoff snapshot enable_event:raw_syscalls:sys_enter; do
		echo $action:1 >$tring/$nmi/trigger || return 1
		begin nmi:nmi_handler
		ls -R /proc/self/ >/dev/null
		echo l >/proc/sysrq-trigger
		wait_until grep -q ':count=0$' $tring/$nmi/trigger || return 1
		case $action in
		traceoff) wait_until is_off ;;
		snapshot) wait_until is_taken ;;
		*) ls -R /proc/self/ >/dev/null ;;
		esac || return 1
		echo "!$action" >$tring/$nmi/trigger
		end
		case $action in
		traceoff) [ "$(grep -c 'nmi_handler: ' /tmp/lines)" -ge 1 ] ;;
		snapshot) is_taken ;;
		*) grep -q 'sys_enter: ' /tmp/lines ;;
		esac && all_balanced $tring || return 1
		echo 0 >$tring/snapshot
	done
	# The console has met the backtraces when it has met a line behind them.
	echo '<7>backtraces end' >/dev/kmsg
	dmesg -n 6
}

# Each ring has its own.
rings_apart() {
	mkdir $tring/instances/other || return 1
	other=$tring/instances/other
	echo "traceoff:1 if $fires" >$other/$rename
	echo 1 >$other/tracing_on
	begin task:task_rename
	becomes firing
	[ -z "$(triggers $tring/$rename)" ] && wait_until is_off $other &&
		is_on || return 1
	echo "enable_event:kmem:kmalloc" >$other/$switch
	end
	all_balanced $other && rmdir $other
}

set_and_remove() {
	for text in snapshot:1 'traceon if id == 1' enable_event:sched:sched_waking \
			'traceoff:0 if id == 0'; do
		echo "$text" >$tring/events/raw_syscalls/sys_enter/trigger || return 1
		echo "!$text" >$tring/events/raw_syscalls/sys_enter/trigger || return 1
	done
}

# Triggers come and go while their event happens all the time.
set_and_removed() {
	begin raw_syscalls:sys_enter
	under_load repeat 20 set_and_remove || return 1
	end
	[ -z "$(triggers $tring/events/raw_syscalls/sys_enter/trigger)" ] && all_balanced $tring
}

# An event with a trigger keeps its module, and so does one that another enables.
modules_stay() {
	load_jbd2 || return 1
	echo traceoff >$tring/events/jbd2/jbd2_checkpoint/trigger
	! rmmod jbd2 2>/dev/null || return 1
	echo '!traceoff' >$tring/events/jbd2/jbd2_checkpoint/trigger
	echo 'enable_event:jbd2:jbd2_checkpoint if next_comm == "never"' >$tring/$switch
	! rmmod jbd2 2>/dev/null || return 1
	echo '!enable_event:jbd2:jbd2_checkpoint' >$tring/$switch
	rmmod jbd2 && insmod "$jbd2"
}

is_set() {
	[ -n "$(triggers $tring/$rename)" ]
}

# A recorder without a command ends when its trigger has switched recording off.
recorder_ends() {
	tring record -q -e raw_syscalls -e task:task_rename -R "traceoff if $fires" \
		-o $work/stopped &
	recorder=$!
	# With a count of 0 the recorder has only asked whether there can be such a trigger.
	wait_until grep -q '^traceoff:unlimited' $tring/$rename || return 1
	becomes other
	becomes firing
	wait_until has_ended $recorder || return 1
	wait $recorder || return 1
	is_set && return 1
	tring report $work/stopped >/tmp/lines || return 1
	grep -q newcomm=other /tmp/lines &&
		[ "$(grep -c newcomm=firing /tmp/lines)" = 1 ] && all_balanced $tring
}

# With a command, a window of it is recorded. The events that triggers enable are described.
recorder_goes_on() {
	tring record -q -e task:task_rename \
		-R 'enable_event:raw_syscalls:sys_enter if newcomm == "firing"' \
		-e sched:sched_process_exit -R 'traceoff:1 if comm == "ls"' \
		-o $work/window -- sh -c '
			for name in firing other; do
				sh -c "printf $name >/proc/self/comm; exec ls /proc/self/"
			done >/dev/null' || return 1
	tring report $work/window >/tmp/lines || return 1
	is_set && return 1
	grep -c ': sys_enter: ' /tmp/lines
	tail -n 1 /tmp/lines
	grep -q ': sys_enter: ' /tmp/lines &&
		tail -n 1 /tmp/lines | grep -q 'sched_process_exit: *comm=ls' && all_balanced $tring
}

# A trigger of a user's is not the recorder's to remove.
users_stay() {
	echo 'snapshot:3 if newcomm == "never"' >$tring/$rename
	refuses_options 1 'has a trigger of this kind' -e task:task_rename -R snapshot -s 1 &&
		echo '!snapshot' >$tring/$rename
}

wrong_options() {
	refuses_options 2 'which events?' -R traceoff -e sched -s 1 &&
		refuses_options 1 'the kernel refuses it for task:task_rename' \
			-e task:task_rename -R hist -s 1 &&
		refuses_options 2 'name those to set' -e task:task_rename -R '!traceoff' -s 1
}

need_tring
mkdir -p $work

! in_full || check "the log tells why a trigger is refused" refusals_are_told
check "texts of triggers are refused or taken as ftrace's" texts_are_ftraces
check "several triggers of an event are as ftrace's" several_are_ftraces
check "counts and soft mode are as ftrace's" counts_are_ftraces
check "triggers fire in NMIs" from_nmis
dmesg -c >/dev/null
in_full || exit 0
check "traceoff: the event that fires is the last one" traceoff_is_the_end
check "traceon: the event that fires is the first one" traceon_begins
check "events are enabled by others, and disabled" soft_modes
check "snapshot: the event that fires is in it" snapshot_has_the_event
check "stacktrace: a stack behind the events that fire" stacks_behind_events
check "many snapshots at once" storm_of_snapshots
echo 0 >$tring/snapshot
check "triggers fire in interrupts" from_interrupts
check "each ring has its own triggers" rings_apart
check "triggers are set and removed while they fire" set_and_removed
check "-R: a recorder ends at traceoff" recorder_ends
check "-R: a recorder with a command goes on" recorder_goes_on
check "-R: triggers of a user stay" users_stay
check "-R: wrong options" wrong_options
check_with_module "modules of held events stay" modules_stay
if [ -n "$loaded" ]; then
	check "rmmod with triggers" sh -c "echo traceoff:1 >$tring/$switch &&
		echo snapshot >$tring/$rename &&
		echo enable_event:kmem:kmalloc >$tring/$switch && rmmod tring"
fi
exit 0
