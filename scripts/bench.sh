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

"$top/scripts/install-deps.sh" bench
release=$(stock_release) || die "no stock 6.1 kernel: run scripts/install-deps.sh"
kdir=/lib/modules/$release/build
modules=$cache/module-bench
dir=$out/bench
commit=$(git -C "$top" describe --always --dirty 2>/dev/null || say unknown)
mkdir -p "$dir"
rm -f "$dir"/*

files=(-f "$modules/tring.ko=/bench/tring.ko"
	-f "$modules/tring_bench.ko=/bench/tring_bench.ko"
	-f "$top/scripts/guest/lib.sh=/guest/lib.sh"
	-f "$top/scripts/guest/bench-lib.sh=/bench/bench-lib.sh")
options=(CONFIG_TRING_BENCHMARK=m)

# add_lttng DIR - what the guest needs to have LTTng, too
add_lttng() {
	local lttng=$1 file from=$1/modules/lib/modules/$release

	options+=(CONFIG_TRING_BENCHMARK_LTTNG=m "TRING_LTTNG=$lttng"
		"KBUILD_EXTRA_SYMBOLS=$lttng/Module.symvers")
	for file in tring_bench_lttng tring_bench_lttng_event; do
		files+=(-f "$modules/$file.ko=/bench/$file.ko")
	done
	for file in "$from"/modules.* "$from"/extra/*.ko; do
		files+=(-f "$file=/lib/modules/$release/${file#"$from"/}")
	done
	files+=(-b /usr/bin/lttng -b /usr/bin/lttng-sessiond
		-b /usr/lib/x86_64-linux-gnu/lttng/libexec/lttng-consumerd
		-f /usr/share/xml/lttng/session.xsd=/usr/share/xml/lttng/session.xsd)
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
	"$top/scripts/qemu-run.sh" -i -t 900 -e ROWS="${TRING_ROWS:-ring event}" \
	-o "$cache/qemu-bench" "${files[@]}" \
	"$top/scripts/guest/bench.sh"
"$top/scripts/console-badness.sh" "$cache/qemu-bench/console.log"

"$top/scripts/bench-table.py" --kernel "$release" --commit "$commit" \
	--json "$dir/results.json" "$cache/qemu-bench/results/bench.txt" |
	tee "$dir/table.txt"
