#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0
#
# Random filters beside the kernel's own: filters-beside.c gives events of ftrace and of tring the
# same ones. The host compares what passes. TRING_SEED is where they begin.

. /guest/lib.sh
. /guest/side-by-side.sh

# Parts of a recording, each of which fits into the rings
part=500

events="task/task_rename syscalls/sys_enter_lseek"

random_filters() {
	know=
	file=$tracefs/events/task/task_rename/filter
	! echo 'CPU & CPUS{0}' >"$file" 2>/dev/null || know=cpus
	echo 0 >"$file"
	side_systems="sched:sched_process_exit"
	set -- -e sched:sched_process_exit
	for event in $events; do
		[ -e "$tracefs/events/$event" ] || continue
		# of no other task
		echo 'common_pid == -1' >"$tracefs/events/$event/filter"
		echo 'common_pid == -1' >"$tring/events/$event/filter"
		event=$(echo "$event" | tr / :)
		side_systems="$side_systems $event"
		set -- "$@" -e "$event"
	done
	# shellcheck disable=SC2086
	beside_ftrace "filters-beside-$n" "$@" -b 32768 -- /guest/workload.sh taskset -c 0 \
		/guest/filters-beside "$seed" $part 100 $tracefs $tring $know
	status=$?
	for event in $events; do
		[ ! -e "$tracefs/events/$event" ] || echo 0 >"$tracefs/events/$event/filter"
		[ ! -e "$tring/events/$event" ] || echo 0 >"$tring/events/$event/filter"
	done
	return $status
}

need_tring
# Each filter waits for the probes that have the one before.
[ ! -e /sys/kernel/rcu_expedited ] || echo 1 >/sys/kernel/rcu_expedited
seed=$TRING_SEED
n=0
while [ $((n * part)) -lt 10000 ]; do
	check "$part random filters, seed $seed" random_filters
	seed=$((seed + 1))
	n=$((n + 1))
done
[ ! -e /sys/kernel/rcu_expedited ] || echo 0 >/sys/kernel/rcu_expedited
exit 0
