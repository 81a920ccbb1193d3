#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0
#
# workload.sh SECONDS - for so long, but at least once, also with 0, on each CPU: processes
# start and end, sleep, talk through pipes, send signals, use timers and the network. The
# first and the last process on each CPU have known names, by which the comparison
# sees that a recording covers the whole workload.
#
# workload.sh COMMAND... - runs COMMAND between these processes

. /guest/environment

# mark NAME - runs a process with this name on each CPU
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
		sleep 1 & # time: it is killed before
		sleeper=$!
		usleep 2000 # time: a timer is load
		kill -TERM $sleeper
		wait $sleeper
		seq 200 | sort -r | tail -n 1 >/dev/null
		dd if=/dev/zero of=/tmp/"load$2" bs=4k count=50 2>/dev/null
		ping -c 1 -W 1 127.0.0.1 >/dev/null
		usleep 500 # time: a timer is load
		[ "$(date +%s)" -lt "$end" ] || break
	done 2>/dev/null
}

mark tring-begin
if ! [ "$1" -ge 0 ] 2>/dev/null; then
	"$@"
	status=$?
	mark tring-end
	exit $status
fi
for cpu in $(seq 0 $(($(nproc) - 1))); do
	# Moves the shell, whose children inherit its CPU.
	(
		taskset -p -c "$cpu" "$(cut -d' ' -f1 /proc/self/stat)" >/dev/null 2>&1
		load "$1" "$cpu"
	) &
done
wait
mark tring-end
