#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
#
# Runs in the guest of scripts/check/compare-plans.sh: hands out the formats of all
# events of the kernel, and the names of the numbers in them.

. /guest/lib.sh

cd $tracefs || exit 1
for path in events/*/*/format; do
	mkdir -p "/results/${path%/format}"
	cat "$path" >"/results/$path"
done
cat printk_formats >/results/printk_formats
cat /proc/kallsyms >/results/kallsyms
