#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0
#
# Runs in the guest of scripts/demo.sh: records a small workload.

. /guest/lib.sh

load_tring || exit 1
/guest/demo-recording.sh /results/trace "${TRING_SECONDS:-3}" >/results/said || exit 1
unload_tring
