#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# bench.sh - what an event costs in tring, in ftrace, in LTTng and at least, in
# instructions, on Debian's stock 6.1 kernel, side by side in one boot. QEMU
# counts them, so that the figures do not depend on the machine or on what else
# runs there. See docs/performance.md.
#
# The table is printed, and its data are left in out/bench/results.json. Without
# LTTng (it is downloaded, and does not build for every kernel) its column is
# empty, and why is said.

. "$(dirname "$0")/lib.sh"

release=$(stock_release) || die "no stock 6.1 kernel: run scripts/install-deps.sh"
kdir=/lib/modules/$release/build
modules=$cache/module-bench
dir=$out/bench
commit=$(git -C "$top" describe --always --dirty 2>/dev/null || say unknown)
mkdir -p "$dir"
rm -f "$dir"/*

files=(-f "$modules/tring.ko=/bench/tring.ko"
	-f "$modules/tring_bench.ko=/bench/tring_bench.ko")
options=(CONFIG_TRING_BENCHMARK=m)

# add_lttng DIR - what the guest needs to have LTTng, too
add_lttng() {
	local lttng=$1 module

	options+=(CONFIG_TRING_BENCHMARK_LTTNG=m "TRING_LTTNG=$lttng"
		"KBUILD_EXTRA_SYMBOLS=$lttng/Module.symvers")
	files+=(-f "$modules/tring_bench_lttng.ko=/bench/tring_bench_lttng.ko"
		-f "$dir/lttng-order=/bench/lttng/order")
	modprobe -n --show-depends -S "$release" -d "$lttng/modules" \
		lttng-ring-buffer-client-overwrite |
		awk '$1 == "insmod" { print $2 }' >"$dir/lttng-modules"
	: >"$dir/lttng-order"
	while read -r module; do
		files+=(-f "$module=/bench/lttng/${module##*/}")
		say "${module##*/}" >>"$dir/lttng-order"
	done <"$dir/lttng-modules"
}

if with_progress "LTTng's modules" "$dir/lttng.log" \
	"$top/scripts/bench-lttng.sh" "$release"; then
	grep 'left out$' "$dir/lttng.log" || :
	add_lttng "$(tail -n 1 "$dir/lttng.log")"
else
	say "LTTng cannot be had here: $(tail -n 1 "$dir/lttng.log")"
fi

with_progress 'building the modules' "$dir/build.log" \
	"$top/scripts/build-module.sh" -o "$modules" "$kdir" "${options[@]}"
with_progress 'counting instructions' "$dir/qemu.log" \
	"$top/scripts/qemu-run.sh" -i -t 900 -o "$cache/qemu-bench" "${files[@]}" \
	"$top/scripts/guest/bench.sh"
"$top/scripts/console-badness.sh" "$cache/qemu-bench/console.log"

"$top/scripts/bench-table.py" --kernel "$release" --commit "$commit" \
	--json "$dir/results.json" "$cache/qemu-bench/results/bench.txt" |
	tee "$dir/table.txt"
