#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Runs in a Debian with tring's packages and with the two files of "TRACING THE BOOT" in
# tring(4): the boot is in the ring, from the loading of modules on. /guest/record is the
# packages' own test. Last, the kernel is locked down. /results/said has what they say.
set -e

# not_permitted COMMAND... - fails, and says that it is not permitted
not_permitted() {
	if "$@" 2>/tmp/error; then
		echo "permitted: $*"
		return 1
	fi
	cat /tmp/error
	grep -q 'Operation not permitted' /tmp/error
}

exec >/results/said 2>&1
tring=/sys/kernel/tracing/tring
echo "tring on $(uname -r), $(grep -o '\[.*\]' /sys/kernel/security/lockdown)"
echo 0 >$tring/tracing_on
[ "$(cat $tring/buffer_size_kb)" = 8192 ]
grep -o '\[boot\]' $tring/trace_clock
cut -d: -f1 $tring/set_event | sort | uniq -c
tring peek >/tmp/boot
echo "tring peek: $(wc -l </tmp/boot) lines"
# DKMS built the module when another kernel ran, so the types came from this one's image.
grep -x 'workqueue:workqueue_queue_work probe' $tring/event_sources
# It runs once the modules are loaded.
grep 'sched_process_exec: .*/systemd-sysctl ' /tmp/boot
rmmod tring
[ ! -e $tring ]
rm /etc/modprobe.d/tring.conf
/guest/record
[ ! -e $tring ]
# With Secure Boot; nothing is at that address, which the module would take otherwise.
if grep -q '\[integrity\]' /sys/kernel/security/lockdown; then
	not_permitted modprobe tring persist=0x700000000,32M
	[ ! -e $tring ]
fi
modprobe tring
echo confidentiality >/sys/kernel/security/lockdown
not_permitted tring record -q -e sched -o /tmp/none -- true
rmmod tring
not_permitted modprobe tring
