#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
#
# Runs in the guest of scripts/check/held-debug.sh: the tests of held files, and a look for
# leaked memory.

. /guest/lib.sh
. /guest/kmemleak.sh

/guest/held-files.sh
check "no leaks" no_leaks
echo "end" >>/results/tests
