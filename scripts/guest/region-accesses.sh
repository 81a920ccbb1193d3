#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
#
# Runs in the guest of scripts/bench/region-accesses.sh, where QEMU counts accesses to the memory
# of PERSIST: records EVENT there, and leaves the counters of the rings and the addresses of
# the module's functions in /results.

. /guest/lib.sh

insmod /guest/tring.ko "persist=$PERSIST" buffer_size_kb=2048 || { fail "insmod"; exit 1; }
grep '\[tring\]$' /proc/kallsyms >/results/kallsyms
check "tring arm" tring arm -q -e "$EVENT"
# a system call and a switch each
for turn in $(seq 300); do
	usleep "$turn" # time: so long is measured
done
dd if=/dev/zero bs=1 count=60000 of=/dev/null 2>/dev/null
echo 0 >$tring/tracing_on
cat $tring/per_cpu/cpu*/stats >/results/stats
exit $failures
