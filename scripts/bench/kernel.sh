#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# kernel.sh - builds the 6.12 kernel of the benchmark, without tring, and prints
# its build folder. The first build takes a quarter of an hour.

. "$(dirname "$0")/../lib.sh"

config=$top/scripts/bench/kernel-6.12.config
dir=$cache/bench-6.12
mkdir -p "$dir"
lock_cache
tree=$("$top/scripts/build/shadow-tree.sh")

build() {
	make -C "$tree" O="$dir" KCONFIG_ALLCONFIG="$config" allnoconfig &&
		make -C "$tree" O="$dir" -j "$jobs" bzImage modules
}
build >"$dir/build.log" 2>&1 || die "no 6.12 kernel, see $dir/build.log"
# The kernel build silently drops options that it does not know.
while read -r option; do
	case $option in
	'#'* | '') continue ;;
	esac
	grep -qx "$option" "$dir/.config" || die "$option is not in $dir/.config"
done <"$config"
say "$dir"
