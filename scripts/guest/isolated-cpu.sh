#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0
#
# Tests of tring record beside a busy loop on CPU 1, which nohz_full= and isolcpus= isolate: while
# recording is on, the CPU gets no interrupt but its timer's, which it gets without a recorder as
# well. It is the part of the whole path's kind isolated-cpu.

. /guest/lib.sh

trace=/results/isolated

# interrupts - prints those of CPU 1, a line each, but for its timer's
interrupts() {
	awk 'NR > 1 && $3 ~ /^[0-9]+$/ && $1 != "LOC:" { print $1, $3 }' /proc/interrupts
}

# timer CPU - prints the interrupts of its timer
timer() {
	awk -v column=$(($1 + 2)) '$1 == "LOC:" { print $column }' /proc/interrupts
}

# ticked NUMBER - CPU 0's timer has come so far
ticked() {
	[ "$(timer 0)" -ge "$1" ]
}

# begin_loop - returns when the CPU has stopped its tick for it
begin_loop() {
	taskset -c 1 sh -c 'while :; do :; done' &
	loop=$!
	wait_until ticked $(($(timer 0) + 50))
}

end_loop() {
	kill $loop
	wait $loop
}

# is_read TEXT - the recorder has read what CPU 0 has written
is_read() {
	[ "$(stat_of $tring/per_cpu/cpu0/stats read)" -gt "$1" ]
}

# saved TIMES - the recorder reads what it finds in the rings, so many times
saved() {
	for _ in $(seq "$1"); do
		read=$(stat_of $tring/per_cpu/cpu0/stats read)
		wait_until is_read "$read" || return 1
	done
}

# undisturbed COMMAND - CPU 1 gets no interrupt meanwhile
undisturbed() {
	interrupts >/tmp/before
	ticks=$(timer 1)
	"$@" || return 1
	echo "the timer has interrupted $(($(timer 1) - ticks)) times"
	interrupts | diff /tmp/before -
}

# The events of the loop's begin are in the open packet. There they stay.
cpu1_is_not_read() {
	[ "$(stat_of $tring/per_cpu/cpu1/stats reserved)" -gt 0 ] &&
		[ "$(stat_of $tring/per_cpu/cpu1/stats read)" = 0 ]
}

is_isolated() {
	[ "$(cat /sys/devices/system/cpu/nohz_full)" = 1 ] &&
		[ "$(cat /sys/devices/system/cpu/isolated)" = 1 ]
}

# Devices interrupt the other CPU, that of the console among them.
for affinity in /proc/irq/[0-9]*/smp_affinity; do
	echo 1 >"$affinity" 2>/dev/null
done
need_tring
check "CPU 1 is isolated" is_isolated

begin_loop
check "without a recorder the loop is undisturbed" \
	undisturbed wait_until ticked $(($(timer 0) + 100))
end_loop

# beside_recorder WHERE [COMMAND...] - CPU 1 is left alone by a recorder that COMMAND starts
beside_recorder() {
	where=$1
	shift
	"$@" tring record -q -e sched -o $trace 2>/tmp/recorder &
	recorder=$!
	wait_until more_than reserved $tring 10
	begin_loop
	wait_until more_than reserved $tring 20
	saved 1
	check "beside a recorder $where the loop is undisturbed" undisturbed saved 4
	check "its events wait for the end" cpu1_is_not_read
	check "they can be seen" eval "tring peek | grep -q '\[001\]'"
	kill -INT $recorder
	check "tring record ends" wait $recorder
	cat /tmp/recorder
	end_loop
	check "the trace has the events of the isolated CPU" \
		eval "tring report $trace | grep -q '\[001\]'"
}

beside_recorder "on the other CPU"
# the counters begin anew
unload_tring
need_tring
beside_recorder "that may run on both" taskset 3
exit 0
