#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0
#
# Runs in the guest of scripts/bench.sh: ftrace, tring and, in the first round,
# LTTng record the same events of a workload at once. LTTng's timer events do not
# compile on this kernel. The raw data go to /results/NAME/.

. /guest/lib.sh
. /guest/side-by-side.sh
. /bench/bench-lib.sh

# lttng_name SYSTEM:EVENT - prints LTTng's name of the event, or nothing
lttng_name() {
	for name in "${1#*:}" "${1%%:*}_${1#*:}"; do
		if grep -q "^ *$name (loglevel" /tmp/lttng-events; then
			echo "$name"
			return
		fi
	done
}

# lttng_prepare - prepares LTTng to record the events of $side_systems
lttng_prepare() {
	lttng create bytes --output=/results/lttng || return 1
	lttng enable-channel -k -s bytes --discard --subbuf-size 1M --num-subbuf 8 \
		channel || return 1
	for event in $side_systems; do
		lttng enable-event -k -s bytes -c channel "$(lttng_name "$event")" \
			>/dev/null || return 1
	done
}

# record NAME - records the events of $side_systems
record() {
	side_by_side || return 1
	for cpu in $(seq 0 $(($(nproc) - 1))); do
		balanced /results/cpu"$cpu".stats || return 1
	done
	mkdir /results/"$1"
	mv /results/ftrace /results/trace /results/*.stats /results/"$1"/
}

load_tring || exit 1
if have_lttng; then
	lttng_daemon sched,irq || exit 1
	lttng list -k >/tmp/lttng-events
	side_systems=
	while read -r event; do
		case $event in
		sched:* | irq:*)
			if [ -n "$(lttng_name "$event")" ]; then
				side_systems="$side_systems $event"
			fi
			;;
		esac
	done <$tring/available_events
	lttng_prepare || exit 1
	side_workload=/bench/lttng-workload.sh
	record with-lttng || exit 1
	side_workload=/guest/workload.sh
	lttng destroy bytes || exit 1
	mv /results/lttng /results/with-lttng/
fi
side_systems="sched irq timer"
record without-lttng || exit 1
