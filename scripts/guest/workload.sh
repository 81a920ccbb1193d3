#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
#
# workload.sh SECONDS - on each CPU: processes come and go, sleep, talk through
# pipes, send each other signals, use timers and the network; for so long, and at
# least once. Begins and ends on each CPU with a process of a known name, by which
# the comparison sees that a record covers all of it.

. /guest/environment

# mark NAME - a process called NAME is born and dies on each CPU
mark() {
	printf '#!/bin/sh\nexit 0\n' >"/tmp/$1"
	chmod +x "/tmp/$1"
	for cpu in $(seq 0 $(($(nproc) - 1))); do
		taskset -c "$cpu" "/tmp/$1"
	done
}

load() {
	end=$(($(date +%s) + $1))
	while :; do
		sleep 1 &
		sleeper=$!
		usleep 2000
		kill -TERM $sleeper
		wait $sleeper
		seq 200 | sort -r | tail -n 1 >/dev/null
		dd if=/dev/zero of=/tmp/"load$2" bs=4k count=50 2>/dev/null
		ping -c 1 -W 1 127.0.0.1 >/dev/null
		usleep 500
		[ "$(date +%s)" -lt "$end" ] || break
	done 2>/dev/null
}

mark tring-begin
for cpu in $(seq 0 $(($(nproc) - 1))); do
	# The shell itself moves: what it starts inherits its CPU.
	(
		taskset -p -c "$cpu" "$(cut -d' ' -f1 /proc/self/stat)" >/dev/null 2>&1
		load "$1" "$cpu"
	) &
done
wait
mark tring-end
