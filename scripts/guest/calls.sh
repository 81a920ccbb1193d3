#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0
#
# A task whose calls of functions are known, for functions.sh and graph.sh. A shell reads byte by
# byte: a text of another length would be another number of calls.

echo $$ >/tmp/task.pid
for _ in $(seq 50); do
	read -r line </proc/sys/kernel/ostype
	echo "$line" >/tmp/line
done
