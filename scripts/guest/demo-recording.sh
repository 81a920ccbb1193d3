#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0
#
# demo-recording.sh DIR SECONDS - records workload.sh into DIR, and beside it a task that writes to
# the disk and waits until it is there. docs/questions.md asks of this recording.

. /guest/environment

# writes until the workload has ended
write() {
	until [ -e /tmp/demo-ended ]; do
		dd if=/dev/zero of=/dev/vda bs=4k count=64 2>/dev/null
		sync -d /dev/vda
	done
}

load() {
	write &
	/guest/workload.sh "$1"
	touch /tmp/demo-ended
	wait
}

if [ "$1" = load ]; then
	load "$2"
	exit
fi
rm -f /tmp/demo-ended
exec tring record -e sched -e irq -e timer -e signal -e block -e syscalls -o "$1" -- \
	/guest/demo-recording.sh load "$2"
