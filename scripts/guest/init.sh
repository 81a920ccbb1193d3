#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
#
# The guest's first process: mounts file systems and loads modules, runs the script,
# hands out /results and reports last that it has finished.

/bin/busybox mkdir -p /bin /sbin /usr/bin /usr/sbin /dev /proc /sys /tmp /run \
	/etc /results
/bin/busybox --install -s /bin
export PATH=/bin:/sbin:/usr/bin:/usr/sbin:/usr/local/bin HOME=/

mount -t devtmpfs devtmpfs /dev
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t debugfs debugfs /sys/kernel/debug
mount -t tracefs tracefs /sys/kernel/tracing
ifconfig lo 127.0.0.1 up 2>/dev/null
hostname tring-guest
echo root:x:0:0:root:/:/bin/sh >/etc/passwd

while read -r module; do
	insmod "$module" || echo "insmod $module failed" >/guest/status
done </guest/modules

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
