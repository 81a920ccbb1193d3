#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# held-debug.sh - rmmod while files are held, and holders that use them behind it, on the
# kernel of "kunit.sh debug-module": KASAN sees each access to memory that is freed.
#
# scripts/guest/held-files.sh has the tests. The last line is
# "held-debug: N passed, N failed, N skipped".

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/judge.sh"

dir=$out/held-debug
logs=$out/held-debug.logs
mkdir -p "$logs"
lock_cache

"$top/scripts/check/kunit.sh" debug-module --build-only
kdir=$cache/kunit-debug-module
module=$cache/module-held-debug
with_progress "tring.ko with KASAN" "$logs/build-module.log" \
	"$top/scripts/build/build-module.sh" -o "$module" "$kdir"
cc -std=gnu11 -O2 -Wall -Wextra -Wshadow -Werror -o "$logs/hold-path" \
	"$top/scripts/guest/hold-path.c"

# The options are those of torture.sh.
guest=0
with_progress "held-debug: QEMU" "$logs/qemu.log" \
	env TRING_FOLLOW=1 "$top/scripts/qemu/qemu-run.sh" \
	-k "$kdir/arch/x86/boot/bzImage" -m 3072 -a loglevel=7 -a pci=noacpi \
	-o "$dir" -t "${TRING_TIMEOUT:-1800}" \
	-f "$module/tring.ko=/guest/tring.ko" -f "$logs/hold-path=/guest/hold-path" \
	-f "$top/scripts/guest/lib.sh=/guest/lib.sh" \
	-f "$top/scripts/guest/kmemleak.sh=/guest/kmemleak.sh" \
	-f "$top/scripts/guest/held-files.sh=/guest/held-files.sh" \
	"$top/scripts/guest/held-debug.sh" || guest=$?
judge_guest "$guest" "$dir/results/tests"
judge "nothing bad on the console" \
	"$top/scripts/qemu/judge-console.sh" debug "$dir/console.log" "$logs" "$module/tring.ko"
count_tests held-debug
