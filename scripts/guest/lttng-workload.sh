#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
#
# lttng-workload.sh SECONDS - the workload, with LTTng on for no longer than it
# lasts.

lttng start bytes
/guest/workload.sh "$1"
lttng stop bytes
