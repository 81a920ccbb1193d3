#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0
#
# Runs in the guest of scripts/check/every-instruction.sh. The module runs the test
# in its init function, and stays loaded so that the addresses of its sections can
# be read.

module=tring_every_instruction

# The parameters are separate words.
# shellcheck disable=SC2086
insmod /$module.ko ${PARAMETERS-}
status=$?
dmesg | sed -n "s/.*$module: //p" >/results/log.txt
for section in .text .text.unlikely; do
	address=$(cat /sys/module/$module/sections/$section 2>/dev/null) &&
		echo "$section $address"
done >/results/sections.txt
exit $status
