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
	said=$(cat "$1" 2>&1) && return 1
	echo "$said"
	case $said in
	*"No such device or address"*) ;;
	*) return 1 ;;
	esac
}

need_tring

pipe=$tring/per_cpu/cpu0/trace_pipe_raw_compact
peek=$tring/per_cpu/cpu1/trace_pipe_raw_compact
echo >$tring/set_event
# A poll() waits in an empty ring.
echo >$tring/trace
echo 1 >$tring/tracing_on
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
mkdir -p /tmp/bound-dir
rm -f /tmp/open-now
mount --bind $tring/tracing_on /tmp/bound-file
mount --bind $tring/instances/held /tmp/bound-dir
/guest/hold-path $tring/per_cpu/cpu0/trace_pipe_raw_compact /tmp/open-now >/tmp/held.0 2>&1 &
first=$!
/guest/hold-path $tring/instances/held/set_event /tmp/open-now >/tmp/held.1 2>&1 &
second=$!
/guest/hold-path $tring/instances /tmp/open-now >/tmp/held.2 2>&1 &
third=$!
check "two files and a directory are held by O_PATH" eval \
	"wait_until has_line held /tmp/held.0 && wait_until has_line held /tmp/held.1 &&
	wait_until has_line held /tmp/held.2"
rmmod tring &
check "rmmod ends while files are held" wait_until has_ended $!
if has_ended $!; then
	check "nothing is left in tracefs" [ ! -e $tring ]
	check "the module is gone" eval "! grep -q '^tring ' /proc/modules"
	check "a bind mount of a file cannot be opened" opens_nothing /tmp/bound-file
	check "a bind mount of a directory is empty" [ -z "$(ls /tmp/bound-dir)" ]
	: >/tmp/open-now
	wait $first $second $third
	check "a file that O_PATH holds cannot be opened" eval \
		"has_line 'No such device or address' /tmp/held.0 &&
		has_line 'No such device or address' /tmp/held.1"
	check "a directory that O_PATH holds is empty, and stays so" has_line empty /tmp/held.2
	cat /tmp/held.*
	# A second tring beside what is left of the first.
	check "insmod beside them" load_tring
	check "its own files work" [ "$(cat $tring/tracing_on)" = 1 ]
	check "the bind mount is still the former one's" opens_nothing /tmp/bound-file
fi
: >/tmp/open-now
umount /tmp/bound-file /tmp/bound-dir
wait
if [ ! -e $tring ]; then
	wait_until load_tring
fi
exit 0
