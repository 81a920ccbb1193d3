#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
#
# Runs in the guest of scripts/check/debug-module.sh: the scripts that $PARTS names, each
# with a module of its own, and a look for leaked memory.

. /guest/lib.sh
. /guest/kmemleak.sh

for part in $PARTS; do
	# this one loads the module itself
	[ "$part" = held-files ] || check "$part: insmod" load_tring
	run_part "$part"
	[ ! -e $tring ] || check "$part: rmmod" unload_tring
done
check "no leaks" no_leaks
echo "end" >>/results/tests
