#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0
#
# Tests of tracefs with gid=, uid= and mode=: a group may read and write trace_marker, other
# users may do nothing. whole-path.sh runs this script for a module, as a built-in tring has its
# files before it can be mounted; qemu-run.sh can run it alone. It unloads tring, and leaves root
# as the owner.

. /guest/lib.sh

cat >>/etc/passwd <<'END'
member:x:1001:77::/:/bin/sh
other:x:1002:1002::/:/bin/sh
owner:x:1003:1003::/:/bin/sh
END

# may USER COMMAND
may() {
	su "$1" -c "$2" >/dev/null 2>&1
}

may_not() {
	! may "$@"
}

# all_files_have OWNER:GROUP - and no mode has a bit for others
all_files_have() {
	entries | while read -r file; do
		case $(stat -c '%a %u:%g' "$file") in
		[0-7][0-7]0" $1") ;;
		*) stat -c '%n %a %u:%g' "$file" ;;
		esac
	done >/tmp/other-owners
	head -n 5 /tmp/other-owners
	[ ! -s /tmp/other-owners ]
}

# each_file USER TEST [FILE...] - the test of $file succeeds for each of tring's files and for
# those; one shell of the user tries them all
each_file() {
	user=$1 test=$2
	shift 2
	# shellcheck disable=SC2046 # words
	said=$(su "$user" -c "for file; do
			{ $test; } >/dev/null 2>&1 || exec echo \$file
		done
		echo none" sh $(entries -type f) "$@")
	echo "not so for: $said"
	[ "$said" = none ]
}

# shellcheck disable=SC2016 # for the inner shell
others_may_do_nothing() {
	each_file other '[ ! -r $file ] && [ ! -w $file ] && ! cat $file && ! (: >>$file)' \
		$tring $tring/instances && may_not other "ls $tring" &&
		may_not other "cd $tring" && may_not other "mkdir $tring/instances/others" &&
		may_not other "rmdir $tring/instances/group"
}

# shellcheck disable=SC2016 # for the inner shell
the_group_may_read() {
	# an empty ring that records makes a reader wait
	each_file member 'case $file in
		*/trace_marker | */last_boot | */symbols) ! cat $file ;;
		*/trace_pipe_raw_compact) (: <$file) ;;
		*) cat $file ;;
		esac' && may member "ls $tring/instances/group"
}

# shellcheck disable=SC2016 # for the inner shell
the_group_may_write_markers_only() {
	each_file member 'case $file in
		*/trace_marker) echo from a member >$file ;;
		*) ! (: >>$file) ;;
		esac' && may_not member "mkdir $tring/instances/more" &&
		may_not member "rmdir $tring/instances/group"
}

names_take_a_capability() {
	chmod 660 $tring/symbols
	may member "[ -r $tring/symbols ]" && may_not member "cat $tring/symbols"
}

[ ! -e $tring ] || unload_tring
mount -o remount,gid=77,mode=750 $tracefs
load_tring || { fail "insmod"; exit 1; }
mkdir $tring/instances/group
echo 1 >$tring/tracing_on
check "gid=77: all files are that group's" all_files_have 0:77
check "gid=77: others may do nothing" others_may_do_nothing
check "gid=77: the group may read all but trace_marker, last_boot and symbols" the_group_may_read
check "gid=77: names of addresses take a capability, too" names_take_a_capability
chmod 600 $tring/symbols
check "gid=77: the group may write trace_marker alone" the_group_may_write_markers_only
rmdir $tring/instances/group
unload_tring

mount -o remount,uid=1003,gid=77,mode=755 $tracefs
load_tring || { fail "insmod"; exit 1; }
mkdir $tring/instances/group
check "uid=1003: all files are that user's" all_files_have 1003:77
check "uid=1003: the owner may change settings" may owner "echo 0 >$tring/tracing_on"
check "uid=1003: the owner may make instances" may owner "mkdir $tring/instances/mine"
check "uid=1003: and remove them" may owner "rmdir $tring/instances/mine"
check "mode=755: others may do nothing" others_may_do_nothing
rmdir $tring/instances/group
unload_tring

# The mode of tracefs' root alone keeps others out as well.
mount -o "remount,uid=0,gid=0,mode=700" $tracefs
load_tring || { fail "insmod"; exit 1; }
check "gid=0 again: all files are root's" all_files_have 0:0
check "rmmod" unload_tring
exit 0
