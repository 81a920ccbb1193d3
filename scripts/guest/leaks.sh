#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0
#
# The first process of "kunit.sh debug", which starts after the kernel has run the
# suites. Reports whether kmemleak finds leaked memory, and whether it finds a leak
# on purpose. kunit.sh looks for the lines that begin with "leaks:".

/bin/busybox mkdir -p /sys
/bin/busybox --install -s /bin
export PATH=/bin
mount -t sysfs sysfs /sys
mount -t debugfs debugfs /sys/kernel/debug
. /kmemleak.sh

if ! leaks_scan; then
	echo "leaks: kmemleak does not scan"
elif grep -q . $kmemleak; then
	cat $kmemleak
	echo "leaks: some found"
else
	echo "leaks: none found"
fi

# This module leaks on purpose, so the kernel's message must not reach the console.
dmesg -n 1
insmod /kmemleak-test.ko
if leaks_scan && grep -q kmemleak_test_init $kmemleak; then
	echo "leaks: those on purpose are seen"
else
	echo "leaks: those on purpose are not seen"
fi
poweroff -f
