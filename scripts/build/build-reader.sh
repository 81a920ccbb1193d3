#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# build-reader.sh [all|check|clean] - builds the reader outside the checkout;
# "all" prints the path of the program. Each checkout has a build folder of its
# own, because make compares dates.

. "$(dirname "$0")/../lib.sh"

goal=${1:-all}
dir=$cache/reader-$(printf '%s' "$top" | cksum | cut -d' ' -f1)

if [ "$goal" = all ]; then
	make -C "$top/userspace-reader" O="$dir" -j "$jobs" all >&2
	say "$dir/tring"
else
	exec make --no-print-directory -C "$top/userspace-reader" O="$dir" "$goal"
fi
