#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0
#
# Tests of rmmod while files are held. An open file, with a reader that waits in read() or
# poll(), keeps the module. Beside O_PATH and bind mounts rmmod ends, and the holders cannot open
# what they hold. whole-path.sh runs this script for a module, also on a kernel with KASAN;
# qemu-run.sh can run it alone.

. /guest/lib.sh

# opens_nothing FILE - open() gives ENXIO
opens_nothing() {
	says "No such device or address" 1 cat "$1"
}

# tell TEXT COUNT - so many holders have said it
tell() {
	[ "$(grep -lx "$1" /tmp/held.* | wc -l)" = "$2" ]
}

need_tring

pipe=$tring/per_cpu/cpu0/trace_pipe_raw_compact
peek=$tring/per_cpu/cpu1/trace_pipe_raw_compact
# A poll() waits in an empty ring.
echo >$tring/trace
cat $pipe >/dev/null &
reader=$!
/guest/hold-path $peek >/tmp/polls 2>&1 &
poller=$!
check "one task waits in read(), one in poll()" eval \
	"wait_until waits_in $reader $pipe && wait_until has_line held /tmp/polls &&
	wait_until waits_in $poller $peek"
refuses "temporarily unavailable" "rmmod tring"
check "both wait on" eval "waits_in $reader $pipe && waits_in $poller $peek"
kill $reader $poller
wait $reader $poller

mkdir $tring/instances/held
: >/tmp/bound-file
mkdir -p /tmp/bound-dir /tmp/bound-events
rm -f /tmp/open-now
mount --bind $tring/tracing_on /tmp/bound-file
mount --bind $tring/instances/held /tmp/bound-dir
mount --bind $tring/events/timer /tmp/bound-events
holders=
for path in per_cpu/cpu0/trace_pipe_raw_compact instances/held/set_event events/sched/enable \
		instances events/irq; do
	/guest/hold-path $tring/$path /tmp/open-now >"/tmp/held.$(echo $holders | wc -w)" 2>&1 &
	holders="$holders $!"
done
check "three files and two directories are held by O_PATH" wait_until tell held 5
check "a task stands in a directory" stand_in $tring/events/sched/sched_switch
rmmod tring &
check "rmmod ends while files are held" wait_until has_ended $!
if has_ended $!; then
	check "nothing is left in tracefs" [ ! -e $tring ]
	check "the module is gone" eval "! grep -q '^tring ' /proc/modules"
	check "a bind mount of a file cannot be opened" opens_nothing /tmp/bound-file
	check "bind mounts of directories are empty" \
		[ -z "$(find /tmp/bound-dir /tmp/bound-events -mindepth 1)" ]
	check "so is the task's directory" [ -z "$(ls /proc/$stander/cwd/ 2>/dev/null)" ]
	: >/tmp/open-now
	wait $holders
	check "a file that O_PATH holds cannot be opened" tell 'No such device or address' 3
	check "a directory that O_PATH holds is empty, and stays so" tell empty 2
	cat /tmp/held.*
	# A second tring beside what is left of the first.
	check "insmod beside them" load_tring
	check "its own files work" [ "$(cat $tring/tracing_on)" = 1 ]
	check "the bind mount is still the former one's" opens_nothing /tmp/bound-file
fi
: >/tmp/open-now
umount /tmp/bound-file /tmp/bound-dir /tmp/bound-events
kill $stander
wait
if [ ! -e $tring ]; then
	wait_until load_tring
fi
exit 0
