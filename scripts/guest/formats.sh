#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
#
# The guest's half of scripts/check/compare-plans.sh: hands out the formats of all
# events that the kernel has, and what numbers in them are called.

. /guest/lib.sh

cd $tracefs || exit 1
for path in events/*/*/format; do
	mkdir -p "/results/${path%/format}"
	cat "$path" >"/results/$path"
done
cat printk_formats >/results/printk_formats
cat /proc/kallsyms >/results/kallsyms
