#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0
#
# The guest's first process: mounts file systems and loads modules. Then it runs the script
# by run.sh, or goes on as the first process of a Debian, which does that.

/bin/busybox mkdir -p /bin /sbin /usr/bin /usr/sbin /dev /proc /sys /tmp /run \
	/etc
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

if [ ! -e /guest/system ]; then
	exec /guest/run.sh
fi

# What the Debian writes is dropped.
mkdir -p /lower /layer /new
mount -t 9p -o ro,trans=virtio,version=9p2000.L,cache=mmap,msize=262144 system /lower
mount -t tmpfs tmpfs /layer
mkdir /layer/upper /layer/work
mount -t overlay -o lowerdir=/lower,upperdir=/layer/upper,workdir=/layer/work overlay /new
cp -a /guest /new/guest
# On a host with much to do a unit takes longer than systemd waits.
mkdir -p /new/etc/systemd/system/service.d
printf '[Service]\nTimeoutStartSec=infinity\n' >/new/etc/systemd/system/service.d/patient.conf
umount /sys/kernel/debug /sys/kernel/tracing
for folder in dev proc sys; do
	mount --move /$folder /new/$folder
done
exec switch_root /new /sbin/init
