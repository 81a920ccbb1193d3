#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Runs the script in the guest, hands out /results and reports last that it has finished.

mkdir -p /results
. /guest/environment
cd /results || exit 1
/guest/script >/dev/console 2>&1
status=$?

dmesg >/results/dmesg.log
port=
for name in /sys/class/virtio-ports/*/name; do
	if [ "$(cat "$name" 2>/dev/null)" = results ]; then
		port=/dev/$(basename "$(dirname "$name")")
	fi
done
if [ -z "$port" ]; then
	echo "no port for the results" >/guest/status
elif ! tar -cf "$port" -C /results .; then
	echo "the results could not be written" >/guest/status
elif [ "$status" != 0 ]; then
	echo "script ended with status $status" >/guest/status
else
	echo "finished $(cat /guest/word)" >/guest/status
fi
poweroff -f
