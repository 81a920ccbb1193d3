# SPDX-License-Identifier: GPL-2.0
#
# Sourced by bench.sh in the guest: what an event costs whose source is not a tracepoint
# with a probe, in each tracer that has it. A system call that does nothing, with the events
# of its begin and its end; a kprobe with an argument; a uprobe with one; and by perf record
# the benchmark's tracepoint, too.

user_loop=/bench/user-loop
user_results=/tmp/user-results
kprobe=kprobes:bench_kprobe
uprobe=uprobes:bench_uprobe
syscall_begin=syscalls:sys_enter_getppid
syscall_end=syscalls:sys_exit_getppid

# command_of WHAT TRACER CLOCK - prints the shell command that measures
command_of() {
	case $1 in
	kprobe) echo "echo kprobe $2 $3 >$bench/run" ;;
	tracepoint) echo "echo event $2 $3 >$bench/run" ;;
	null_syscall) echo "$user_loop syscall >/tmp/user-loop" ;;
	uprobe) echo "$user_loop function >/tmp/user-loop" ;;
	esac
}

# take_result WHAT TRACER CLOCK - the benchmark's module keeps its own
take_result() {
	case $1 in
	null_syscall | uprobe)
		read -r events mean </tmp/user-loop || exit 1
		echo "event tracer=$2 what=$1 clock=$3 events=$events mean=$mean" \
			>>$user_results
		;;
	esac
}

# measure_source WHAT TRACER CLOCK
measure_source() {
	sh -c "$(command_of "$@")" || exit 1
	take_result "$@"
}

# How many events a measurement makes at least.
events_of() {
	case $1 in
	kprobe | tracepoint) echo 120000 ;;
	null_syscall) echo 50000 ;;
	uprobe) echo 25000 ;;
	esac
}

# by_ring WHAT TRACER CLOCK EVENT... - in tring's ring or in ftrace's
by_ring() {
	measures=measure_source recorded "$(events_of "$1")" "$@"
}

# by_lttng WHAT OPTION...
by_lttng() {
	what=$1
	shift
	lttng_on "$@" || exit 1
	measure_source "$what" lttng mono
	lttng_off
}

# by_perf WHAT EVENT... - the buffer takes all, so that perf does not run meanwhile
by_perf() {
	what=$1
	shift
	for event; do
		set -- "$@" -e "$event"
		shift
	done
	perf record -q -a -k mono -m 64M -o /tmp/perf.data "$@" -- \
		sh -c "$(command_of "$what" perf mono)" || exit 1
	take_result "$what" perf mono
	perf report --stats -i /tmp/perf.data >/tmp/perf.stats 2>/tmp/perf.errors
	at_least "$(events_of "$what")" "$(sed -n 's/.*SAMPLE events: *\([0-9]*\).*/\1/p' \
		/tmp/perf.stats | sort -n | tail -n 1)"
	rm /tmp/perf.data
}

source_rows() {
	if [ ! -e $tracefs/uprobe_events ]; then
		echo 'this kernel has no kprobes and uprobes'
		return
	fi
	echo 'p:bench_kprobe bench_function count=%di' >$tracefs/kprobe_events
	echo "p:bench_uprobe $user_loop:$($user_loop offset) count=%di" >$tracefs/uprobe_events
	for what in kprobe null_syscall uprobe; do
		measure_source $what disabled none
	done
	for clock in tsc mono; do
		for tracer in tring ftrace; do
			by_ring null_syscall $tracer $clock $syscall_begin $syscall_end
			by_ring kprobe $tracer $clock $kprobe
			by_ring uprobe $tracer $clock $uprobe
		done
	done
	if have_lttng; then
		[ -e /var/run/lttng/lttng-sessiond.pid ] || lttng_daemon sched || exit 1
		by_lttng null_syscall --syscall getppid
		by_lttng kprobe --probe bench_function bench
	fi
	if [ -e /usr/bin/perf ]; then
		by_perf null_syscall $syscall_begin $syscall_end
		by_perf kprobe $kprobe
		by_perf uprobe $uprobe
		by_perf tracepoint tring_bench:tring_bench_event
	fi
}
