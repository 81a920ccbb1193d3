#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Runs the packages' own test by autopkgtest, in a Debian that has them. /results/summary
# has its result, /results/said what it says.
set -e

exec >/results/said 2>&1
rmmod tring
rm /etc/modprobe.d/tring.conf
# On a host with much to do, dpkg takes longer than autopkgtest waits.
autopkgtest --no-built-binaries --timeout-factor=20 --summary-file=/results/summary \
	/guest/tree -- null
[ ! -e /sys/kernel/tracing/tring ]
