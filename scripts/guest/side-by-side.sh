# SPDX-License-Identifier: GPL-2.0
#
# Sourced: ftrace and tring record the same events at once. ftrace starts first and
# stops last; its pages and the formats go to /results/ftrace, tring's trace goes to
# /results/trace. TRING_SYSTEMS names the systems, or is "all".

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
	while IFS=: read -r system event; do
		cat "$tracefs/events/$system/$event/format"
	done </tmp/side-events >$side_dir/formats
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

side_by_side() {
	options=
	[ "$side_systems" != all ] ||
		side_systems=$(cut -d: -f1 $tring/available_events | sort -u)
	ftrace_start
	for system in $side_systems; do
		options="$options -e $system"
	done
	# A tring that is built in counts on from one part to the next.
	for cpu in $(seq 0 $(($(nproc) - 1))); do
		echo "read_before: $(stat_of $tring/per_cpu/cpu"$cpu"/stats read)" \
			>/results/cpu"$cpu".stats
	done
	tring record $options -o /results/trace -b 8192 --discard -- \
		/guest/workload.sh "${TRING_SECONDS:-5}" >/results/record.log 2>&1
	side_status=$?
	ftrace_stop ftrace
	tail -n 20 /results/record.log
	for cpu in $(seq 0 $(($(nproc) - 1))); do
		cat $tring/per_cpu/cpu"$cpu"/stats >>/results/cpu"$cpu".stats
	done
	return $side_status
}
