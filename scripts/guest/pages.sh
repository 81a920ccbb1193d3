#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0
#
# Runs the commands that README.md and the manuals show, as they are printed and one after the
# other. Each must end with 0. /guest/pages has a line "PAGE COMMAND" for each. Those of
# tring-report(1) and tring-top(1) are tested by the reader's tests, which know the answers.

. /guest/lib.sh

work=/tmp/pages
mkdir -p $work
cd $work || exit 1

# Programs that are not tring's, and that this guest does not have: they read all, and something.
for program in jq less babeltrace2 trace-cmd kernelshark make; do
	cat >/bin/$program <<-'END'
		#!/bin/sh
		case ${0##*/} in
		jq | less) [ "$(head -c 1 | wc -c)" = 1 ] && cat >/dev/null ;;
		babeltrace2) [ -s "$1/metadata" ] ;;
		trace-cmd | kernelshark) [ -s trace.dat ] ;;
		esac
	END
	chmod +x /bin/$program
done

# A server of several processes, whose pids are the ones that the pages show, and another one
# time: they go on until they are killed
printf '#!/bin/sh\nsleep 1000\n' | tee /bin/nginx >/bin/myserver
chmod +x /bin/nginx /bin/myserver
nginx &
first=$!
nginx &
second=$!
myserver &
third=$!

# The cgroup that a page names
cgroups=/sys/fs/cgroup
if ! mount -t cgroup2 cgroup2 $cgroups || ! mkdir -p $cgroups/system.slice/nginx.service; then
	fail 'there is a cgroup'
fi

# shown COMMAND - runs it as the page shows it, but for times, pids and the address of a function. A
# recording without an end is interrupted when it records.
shown() {
	command=$(echo "$1" | sed "s/ -s [0-9]*$/ -s 1/; s/4711,4712/$first,$second/
		s|/bin/myserver:0x1234|/bin/busybox:$(main_offset)|")
	echo "# $command"
	case $1 in
	*' -R traceoff' | *'--max-size 1G'* | *' --stop-when '*)
		wanted=0
		[ "${1##* --stop-when *}" ] || wanted=3
		echo 0 >$tring/tracing_on
		sh -c "exec $command" &
		wait_until grep -q 1 $tring/tracing_on
		kill -INT $!
		wait $!
		[ $? = $wanted ]
		;;
	*) sh -c "$command" >output || { cat output; return 1; } ;;
	esac
}

# begin_page - a page finds a recording, and nothing of the page before
begin_page() {
	tring reset
	rm -rf "${work:?}"/*
	tring record -q -e sched -e irq -- true
}

need_tring
[ -s /guest/pages ] || fail 'the pages have commands'
last=
while read -r page command; do
	[ "$page" = "$last" ] || check "$page begins" begin_page </dev/null
	last=$page
	check "$page: $command" shown "$command" </dev/null
done </guest/pages
kill $first $second $third
rmdir $cgroups/system.slice/nginx.service $cgroups/system.slice
umount $cgroups
check 'what the pages show balances' all_balanced $tring
cd /
rm -rf $work
exit 0
