#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0
#
# Tests of the choice of cgroups: set_event_cgroup, and tring record --cgroup. Tasks that fork and
# move between two cgroups keep a ledger of what they do in each.

. /guest/lib.sh

list=$tring/set_event_cgroup
work=/tmp/cgroups
mount=$work/mount

# refuses TEXT ERROR - a text is refused, and the list stays
refuses() {
	before=$(cat $list)
	printf '%b' "$1" >/tmp/text
	! says "$2" 1 dd if=/tmp/text of=$list bs=64k && echo "'$1' gives no $2" && return 1
	[ "$(cat $list)" = "$before" ] || { echo "'$1' changes the list"; return 1; }
}

# takes TEXT SHOWN - a text becomes the list
takes() {
	printf '%b' "$1" >$list || return 1
	[ "$(cat $list)" = "$(printf '%b' "$2")" ] || { echo "'$1': $(cat $list)"; return 1; }
}

file_takes_a_list() {
	takes /in /in && takes '/in\n/out/below\n' '/in\n/out/below' && takes / / &&
		takes "$(stat -c %i $mount/out)" /out && takes '//in/' /in || return 1
	refuses in 'Invalid argument' && refuses '-1' 'Invalid argument' &&
		refuses '/in\n/none' 'No such file' &&
		refuses 18446744073709551615 'No such file' &&
		refuses /in/cgroup.procs 'Not a directory' &&
		refuses "$(yes /in | head -n 65)" 'No space left' || return 1
	takes "$(yes /in | head -n 64)" "$(yes /in | head -n 64)" && takes '\n' ''
}

# As many as a list may have, with names as long as those of containers have: more than a page.
long_paths() {
	long=/in/$(yes 0123456789abcdef | head -n 15 | tr -d '\n')
	mkdir "$mount$long" || return 1
	yes "$long" | head -n 64 >/tmp/paths
	dd if=/tmp/paths of=$list bs=64k && cmp /tmp/paths $list && takes '\n' '' &&
		rmdir "$mount$long"
}

# calls_in CGROUP COMMAND... - a task in it makes calls and runs the command
calls_in() {
	sh -c "echo 0 >$mount/$1/cgroup.procs && shift && \$@" sh "$@"
}

# recorded COMMAND... - prints how many events it leads to
recorded() {
	before=$(sum reserved $tring)
	"$@" >/dev/null
	echo $(($(sum reserved $tring) - before))
}

each_instance_has_its_own() {
	mkdir $tring/instances/a &&
		echo /in >$tring/instances/a/set_event_cgroup &&
		echo /out >$list && [ "$(cat $tring/instances/a/set_event_cgroup)" = /in ] &&
		[ "$(cat $list)" = /out ] || return 1
	echo 1 >$tring/instances/a/events/raw_syscalls/enable
	echo 1 >$tring/instances/a/tracing_on
	before=$(sum reserved $tring/instances/a)
	calls_in out ls /proc >/dev/null
	[ "$(sum reserved $tring/instances/a)" = "$before" ] || return 1
	calls_in in ls /proc >/dev/null
	[ "$(sum reserved $tring/instances/a)" -gt "$before" ] || return 1
	# Cgroups and pids: what both let through
	echo 1 >$tring/instances/a/set_event_pid
	before=$(sum reserved $tring/instances/a)
	calls_in in ls /proc >/dev/null
	[ "$(sum reserved $tring/instances/a)" = "$before" ] || return 1
	# its references go with it
	rmdir $tring/instances/a && echo >$list
}

# A cgroup that is removed while it is in the list has no task; a new one is another one.
removed_cgroups() {
	mkdir $mount/short && echo /short >$list || return 1
	echo raw_syscalls >$tring/set_event
	echo 1 >$tring/tracing_on
	[ "$(recorded calls_in short ls /proc)" -gt 10 ] || return 1
	wait_until rmdir $mount/short 2>/dev/null || return 1
	[ "$(cat $list)" = '/short (deleted)' ] || return 1
	mkdir $mount/short
	[ "$(recorded calls_in short ls /proc)" = 0 ] || return 1
	wait_until rmdir $mount/short 2>/dev/null || return 1
	refuses '/short' 'No such file' || return 1
	echo >$list
	[ "$(recorded ls /proc)" -gt 10 ] && echo >$tring/set_event && all_balanced $tring
}

# numbers TRACE EVENT - prints the numbers of the calls that were recorded
numbers() {
	tring report -e "$2" "$1" | sed -nE 's/.*(\(|pid: |pid: 0x)(4[0-9a-f]{7}).*/\2/p' | sort
}

# Each call in the cgroup is recorded once by each of the two events, and no other one is.
movers_are_followed() {
	tring record -q -b 16384 -e 'syscalls:sys_enter_getpgid' -e raw_syscalls:sys_enter \
		-f "id == $getpgid" --cgroup $mount/in -o $work/moved -- /guest/cgroup-movers \
		$mount/in/cgroup.procs $mount/out/cgroup.procs $work/ledger || return 1
	sort $work/ledger >$work/sorted
	numbers $work/moved sys_enter_getpgid >$work/by-name
	numbers $work/moved sys_enter >$work/by-number
	echo "$(wc -l <$work/sorted) calls in the cgroup," \
		"$(grep -cvxFf $work/sorted $work/by-name) foreign ones are recorded," \
		"$(grep -cvxFf $work/by-name $work/sorted) are missing"
	[ "$(wc -l <$work/sorted)" -gt 1000 ] && cmp $work/sorted $work/by-name &&
		cmp $work/sorted $work/by-number
}

# Of a switch or a wake-up one of the two tasks is in the cgroup, of all else the current one.
switches_have_two_sides() {
	cat >/tmp/pair.sh <<-'END'
		echo $$ >$1.tasks
		echo 0 >$2/cgroup.procs
		i=0
		while [ $((i += 1)) -le 100 ]; do read -r line <$3; echo >$4; done
	END
	mkfifo $work/a $work/b
	# A pipe that is open for both in the outer shell has no end while a shell reads it.
	# shellcheck disable=SC2016 # for the inner shell
	tring record -q -e sched_switch -e sched_waking -e raw_syscalls --cgroup $mount/in \
		-o $work/pair -- sh -c '
			exec 3<>$0/a 4<>$0/b
			sh /tmp/pair.sh $0/in $0/mount/in $0/a $0/b &
			sh /tmp/pair.sh $0/out $0/mount/out $0/b $0/a &
			echo >&3
			wait' $work >/dev/null || return 1
	inside=$(cat $work/in.tasks) outside=$(cat $work/out.tasks)
	tring report $work/pair >$work/pair.txt
	# A shell that has not entered it yet has no call there.
	! grep -q "^ *[^ ]*-$outside .*: sys_" $work/pair.txt || return 1
	grep ': sched_switch:' $work/pair.txt | grep -v "_pid=$inside " >/tmp/others
	[ ! -s /tmp/others ] || { head -n 3 /tmp/others; return 1; }
	grep -q "sched_switch: .*next_pid=$inside " $work/pair.txt &&
		grep -q "sched_switch: .*prev_pid=$inside " $work/pair.txt &&
		grep -q "^ *[^ ]*-$outside .*sched_waking: .*pid=$inside " $work/pair.txt
}

record_options() {
	cd $mount/out || return 1
	for path in $mount/in in /in ../in; do
		tring record -q --cgroup $path -e raw_syscalls -o $work/path -- \
			sh -c "cat $list >$work/shown" || return 1
		[ "$(cat $work/shown)" = /in ] || { echo "$path: $(cat $work/shown)"; return 1; }
	done
	cd / || return 1
	tring record -q --cgroup in --cgroup out/below -e raw_syscalls -o $work/path -- \
		sh -c "cat $list >$work/shown" && [ "$(cat $work/shown)" = '/in
/out/below' ] && [ -z "$(cat $list)" ]
}

# The command's own task is recorded while it is in the cgroup.
command_in_cgroup() {
	tring record -q -F --cgroup in -e raw_syscalls -o $work/own -- \
		sh -c "echo 0 >$mount/in/cgroup.procs; : </dev/null; ls /proc" >/dev/null ||
		return 1
	tring report $work/own >$work/own.txt
	# It entered by a call that had begun outside.
	[ "$(tasks_of $work/own | wc -l)" = 1 ] &&
		sed -n 1p $work/own.txt | grep -q ': sys_exit:'
}

# A task is where it was last, and a child that has ended where it began.
tables_tell_cgroups() {
	# shellcheck disable=SC2016 # for the inner shell
	tring record -q -e sched,cgroup_attach_task -o $work/told -- \
		sh -c 'echo $$ >$0/mover
			echo 0 >$0/mount/in/cgroup.procs
			ls /proc
			echo 0 >$0/mount/out/below/cgroup.procs
			ls /proc
			: behind it' $work >/dev/null || return 1
	tring top --json -n 0 sched $work/told >/tmp/json || return 1
	grep "\"pid\":$(cat $work/mover),.*\"cgroup\":\"/out/below\"" /tmp/json &&
		grep '"cgroup":"/in",' /tmp/json &&
		grep '"cgroup":"/","command":"tring record ' /tmp/json &&
		! grep '"command":"tring record ' /tmp/json | grep -v '"task":"tring"'
}

lists_come_back() {
	printf '/out\n/out/below\n' >$list
	settings $tring >/tmp/before
	tring record -q --cgroup in -e raw_syscalls -o $work/back -- true || return 1
	settings $tring | diff /tmp/before - || return 1
	rm -f /tmp/runs
	# shellcheck disable=SC2016 # for the inner shell
	killed_when '[ -e /tmp/runs ]' tring record -q --cgroup in -e raw_syscalls -o $work/back \
		-- sh -c 'while kill -0 $PPID; do ls /proc; echo >/tmp/runs; done' \
		>/dev/null 2>&1 || return 1
	[ "$(cat $list)" = /in ] && tring reset && settings $tring | diff /tmp/before - &&
		echo >$list
}

version_1_is_refused() {
	mkdir $work/old/group &&
		refuses_options 2 'a cgroup of version 1' --cgroup $work/old/group -e sched -s 100
}

need_tring
mkdir -p $mount
# The option spares each move a grace period.
mount -t cgroup2 -o favordynmods cgroup2 $mount || fail "no cgroups"
mkdir $mount/in $mount/out $mount/out/below
case $(uname -m) in
aarch64) getpgid=155 ;;
*) getpgid=121 ;;
esac

check "set_event_cgroup takes paths and ids" file_takes_a_list
check "set_event_cgroup takes many long paths" long_paths
check "each instance has its own cgroups" each_instance_has_its_own
check "a cgroup may be removed while it is recorded" removed_cgroups
check "no event of tasks that move and fork is missing, and none is foreign" movers_are_followed
check "a switch and a wake-up are recorded for either task" switches_have_two_sides
check "--cgroup takes directories and paths" record_options
check "-F and --cgroup record what both let through" command_in_cgroup
check "tables tell the cgroups of tasks that move" tables_tell_cgroups
check "a user's cgroups come back" lists_come_back
check "a cgroup that is not there is refused" \
	refuses_options 2 'no such cgroup' --cgroup none -e sched -s 100
mkdir $work/old
if mount -t cgroup -o none,name=tring_test cgroup $work/old; then
	check "a cgroup of version 1 is refused" version_1_is_refused
	rmdir $work/old/group
	umount $work/old
else
	skip "a cgroup of version 1 is refused: this kernel has none"
fi
if [ -n "$loaded" ]; then
	check "rmmod with a list of cgroups" sh -c "echo /in >$list && rmmod tring"
fi
umount $mount 2>/dev/null
exit 0
