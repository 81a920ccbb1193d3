#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
#
# Records with the program and the module that packages have installed; the latter is
# loaded before. /results/said has what they say.
set -e

exec >/results/said 2>&1
modinfo=$(sed -n 's/^tring .* \(Live\) .*/\1/p' /proc/modules)
echo "tring is $modinfo on $(uname -r)"
[ "$modinfo" = Live ]
tring record -e sched,irq -o /tmp/trace -- sleep 1
tring report /tmp/trace >/tmp/report
grep -q ' sched_switch: ' /tmp/report
grep -q ' softirq_entry: ' /tmp/report
echo "$(grep -c . /tmp/report) lines"
tring stat
rmmod tring
[ ! -e /sys/kernel/tracing/tring ]
