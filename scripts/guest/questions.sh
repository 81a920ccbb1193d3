#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0
#
# Records what the commands of docs/questions.md are run on.

. /guest/lib.sh

need_tring
check "questions: a recording as the demo's" /guest/demo-recording.sh /results/questions 1
exit 0
