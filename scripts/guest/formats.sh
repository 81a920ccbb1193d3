#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
#
# Runs in the guest of scripts/build/formats.sh: hands out the formats of all
# events of the kernel, and the names of the numbers in them.
#
#   MODULES  modules with events, which were to be loaded; /results/loaded and /results/refused
#            tell which were

. /guest/lib.sh

: >/results/loaded
: >/results/refused
for module in $MODULES; do
	list=refused
	[ ! -e "/sys/module/$module/initstate" ] || list=loaded
	echo "$module" >>/results/$list
done
cd $tracefs || exit 1
for path in events/*/*/format; do
	mkdir -p "/results/${path%/format}"
	cat "$path" >"/results/$path"
done
cat printk_formats >/results/printk_formats
cat /proc/kallsyms >/results/kallsyms
