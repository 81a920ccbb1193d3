#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# demo.sh - "make demo": records kernel events with tring on Debian's stock 6.1
# kernel in QEMU and shows them. The trace stays in out/demo/trace.

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/check/viewers.sh"

demo=$out/demo
trace=$demo/trace
log=$out/demo.log
begin=$SECONDS

"$top/scripts/build/install-deps.sh" demo
lock_cache
use_stock 6.1
begin_built=$SECONDS

with_progress "building tring.ko for $release" "$log" \
	"$top/scripts/build/build-module.sh" -o "$cache/module-stock" \
	"$kdir" || { tail -n 20 "$log"; exit 1; }
module=$(tail -n 1 "$log")
with_progress "building the reader" "$log" \
	make -C "$top" reader || { tail -n 20 "$log"; exit 1; }
tring=$top/tring

# what a task writes to
truncate -s 16M "$out/demo.disk"
with_progress "recording on $release in QEMU" "$log" \
	env TRING_FOLLOW=1 "$top/scripts/qemu/qemu-run.sh" -r "$release" -R "$system" -o "$demo" \
	-c "${TRING_CPUS:-2}" -d "$out/demo.disk" -t 600 -e TRING_SECONDS="${TRING_SECONDS:-3}" \
	-f "$module=/guest/tring.ko" \
	-f "$tring=/bin/tring" \
	"$top/scripts/guest/demo.sh" || { tail -n 20 "$log"; exit 1; }
"$top/scripts/qemu/console-badness.sh" "$demo/console.log" ||
	die "the kernel complained, see $demo/console.log"

rm -rf "$trace"
mv "$demo/results/trace" "$trace"

# babeltrace2 must read the trace without a warning.
logs=$demo
events=$(babeltrace_count "$trace") || die "babeltrace2 cannot read $trace"
"$tring" report "$trace" >"$demo/report.txt" ||
	die "tring report cannot read $trace"
"$tring" page -o "$demo/trace.html" "$trace" || die "tring page cannot show $trace"

say
say "Recorded on $release:"
sed "s|/results/trace|out/demo/trace|" "$demo/results/said"
say
say "The first lines of \"tring report out/demo/trace\":"
head -n 12 "$demo/report.txt"
say
say "The trace is in out/demo/trace, CTF 1.8: babeltrace2 reads $events events there"
say "without a warning. Next:"
say "    ./tring report out/demo/trace"
say "    ./tring top out/demo/trace"
say "    babeltrace2 out/demo/trace | head"
say "    a browser on out/demo/trace.html, which \"tring page\" has written"
say "(done in $((SECONDS - begin_built)) s, after $((begin_built - begin)) s of installing)"
