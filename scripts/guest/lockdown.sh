#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0
#
# Test of a kernel that is locked down. No module without a signature is loaded behind it, so
# whole-path.sh runs this script last; qemu-run.sh can run it alone.

. /guest/lib.sh

# Nothing is at that address: without the lockdown the module takes it.
refuses_persist() {
	mount -t securityfs none /sys/kernel/security || return 1
	/guest/load-locked /guest/tring.ko persist=0x700000000,32M >/tmp/said 2>&1 && return 1
	cat /tmp/said
	grep -q 'locked down' /tmp/said && grep -q 'Operation not permitted' /tmp/said &&
		dmesg | grep -q 'Lockdown: load-locked: unsafe module parameters is restricted' &&
		[ ! -e $tring ]
}

check "persist= is refused by a kernel that is locked down" refuses_persist
