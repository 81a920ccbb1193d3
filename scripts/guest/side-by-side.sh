# SPDX-License-Identifier: GPL-2.0
#
# Sourced: ftrace and tring record the same events at once. ftrace starts first and
# stops last; its pages and the formats go to a folder of their own. TRING_SYSTEMS names the
# systems, or is "all".

side_systems=${TRING_SYSTEMS:-sched irq timer signal raw_syscalls task}

ftrace_start() {
	echo 0 >$tracefs/tracing_on
	echo >$tracefs/trace
	echo mono >$tracefs/trace_clock
	echo 0 >$tracefs/options/overwrite
	echo 40960 >$tracefs/buffer_size_kb
	for system in $side_systems; do
		# The events of the system that tring has.
		grep -E "^$system(:|\$)" $tring/available_events
	done >/tmp/side-events
	cat /tmp/side-events >$tracefs/set_event
	echo 1 >$tracefs/tracing_on
}

# ftrace_stop NAME - what it has recorded goes to /results/NAME
ftrace_stop() {
	side_dir=/results/$1
	echo 0 >$tracefs/tracing_on
	echo >$tracefs/set_event
	mkdir -p $side_dir
	for file in header_page header_event; do
		cat $tracefs/events/$file >$side_dir/$file
	done
	{
		cat /tmp/side-events
		# what may be behind an event
		echo ftrace:kernel_stack
		echo ftrace:user_stack
	} | while IFS=: read -r system event; do
		cat "$tracefs/events/$system/$event/format"
	done >$side_dir/formats
	for cpu in $(seq 0 $(($(nproc) - 1))); do
		cat $tracefs/per_cpu/cpu"$cpu"/stats >$side_dir/cpu"$cpu".stats
		# GNU dd: each read takes a page, and the last one gives EAGAIN.
		/usr/bin/dd if=$tracefs/per_cpu/cpu"$cpu"/trace_pipe_raw \
			of=$side_dir/cpu"$cpu".raw bs=4096 \
			iflag=nonblock 2>/dev/null
	done
	echo 1 >$tracefs/buffer_size_kb
	echo local >$tracefs/trace_clock
	echo 1 >$tracefs/options/overwrite
	echo 1 >$tracefs/tracing_on
}

# side_options - prints the options by which tring record has the same events
side_options() {
	# shellcheck disable=SC2086 # words
	printf -- '-e %s ' $side_systems
}

# beside_ftrace NAME OPTION... - tring record, with these options, writes to /results/NAME, and
# ftrace to /results/NAME.ftrace meanwhile
beside_ftrace() {
	side_name=$1
	shift
	ftrace_start
	tring record -q -o "/results/$side_name" --discard "$@"
	side_status=$?
	ftrace_stop "$side_name.ftrace"
	return $side_status
}

side_by_side() {
	[ "$side_systems" != all ] ||
		side_systems=$(cut -d: -f1 $tring/available_events | sort -u)
	# A tring that is built in counts on from one part to the next.
	for cpu in $(seq 0 $(($(nproc) - 1))); do
		echo "read_before: $(stat_of $tring/per_cpu/cpu"$cpu"/stats read)" \
			>/results/cpu"$cpu".stats
	done
	# shellcheck disable=SC2046 # words
	beside_ftrace trace $(side_options) -b 8192 -- /guest/workload.sh "${TRING_SECONDS:-5}"
	side_status=$?
	for cpu in $(seq 0 $(($(nproc) - 1))); do
		cat $tring/per_cpu/cpu"$cpu"/stats >>/results/cpu"$cpu".stats
	done
	return $side_status
}
