#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# debug-module.sh held | sources - runs parts of whole-path.sh on the kernel of
# "kunit.sh debug-module": KASAN sees each access to memory that is freed, lockdep each order
# of locks, kmemleak what is not freed.
#
#   held     rmmod while files are held, and holders that use them behind it
#   sources  events from all sources, and everything that chooses among them
#
# The last line is "KIND-debug: N passed, N failed, N skipped".

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/judge.sh"

case ${1-} in
held) parts=held-files ;;
sources) parts='filters triggers stacks tasks functions graph sources' ;;
*) die "held or sources" ;;
esac
name=$1-debug
dir=$out/$name
logs=$out/$name.logs
mkdir -p "$logs"
lock_cache

kdir=$("$top/scripts/check/kunit.sh" debug-module --build-only | tail -n 1)
module=$cache/module-debug-module
with_progress "tring.ko with KASAN" "$logs/build-module.log" \
	"$top/scripts/build/build-module.sh" -o "$module" "$kdir"
with_progress "the reader" "$logs/build-reader.log" \
	"$top/scripts/build/build-reader.sh" all
tring=$(tail -n 1 "$logs/build-reader.log")
cc -std=gnu11 -O2 -Wall -Wextra -Wshadow -Werror -o "$logs/hold-path" \
	"$top/scripts/guest/hold-path.c"
cc -std=gnu11 -O2 -fno-omit-frame-pointer -static -Wall -Wextra -Wshadow -Werror \
	-o "$logs/user-frames" "$top/scripts/guest/user-frames.c"
# The options are those of torture.sh.
guest=0
with_progress "$name: QEMU" "$logs/qemu.log" \
	env TRING_FOLLOW=1 "$top/scripts/qemu/qemu-run.sh" \
	-k "$kdir/arch/x86/boot/bzImage" -m 3072 -a loglevel=7 -a pci=noacpi \
	-o "$dir" -e PARTS="$parts" -e TRING_SECONDS=5 \
	-b /usr/bin/dd -f "$tring=/bin/tring" \
	-f "$module/tring.ko=/guest/tring.ko" -f "$logs/hold-path=/guest/hold-path" \
	-f "$logs/user-frames=/guest/user-frames" \
	"$top/scripts/guest/whole-path.sh" || guest=$?
judge_guest "$guest" "$dir/results/tests"
judge "nothing bad on the console" \
	"$top/scripts/qemu/judge-console.sh" debug "$dir/console.log" "$logs" "$module/tring.ko"
count_tests "$name"
