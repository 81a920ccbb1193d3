#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0
#
# lttng-workload.sh SECONDS - runs the workload, with LTTng on only meanwhile.

lttng start bytes
/guest/workload.sh "$1"
lttng stop bytes
