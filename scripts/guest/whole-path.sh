#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0
#
# Runs the parts that $PARTS names: each is a script that loads a module of its own, or works
# with what is built in, and depends on no other.

. /guest/lib.sh
. /guest/kmemleak.sh

# has_needs PART - succeeds if this kernel has what the part needs
has_needs() {
	case $1 in
	latency | pages | stacks | triggers)
		[ -e $tracefs/kprobe_events ] && [ -e $tracefs/events/syscalls ]
		;;
	call-strings)
		[ -e $tracefs/events/syscalls ]
		;;
	cgroups)
		grep -q cgroup2 /proc/filesystems
		;;
	questions)
		[ -e $tracefs/events/syscalls ] && [ -b /dev/vda ]
		;;
	why)
		[ -b /dev/vda ]
		;;
	esac
}

for part in $PARTS; do
	if has_needs "$part"; then
		run_part "$part"
	else
		skip "$part: this guest lacks kprobes, cgroups, events of system calls or a disk"
	fi
	if [ -z "${TRING_BUILT_IN-}" ] && [ -e $tring ]; then
		check "$part: rmmod" unload_tring
	fi
done
check "no leaks" no_leaks
echo end >>/results/tests
exit 0
