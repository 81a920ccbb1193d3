#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# blackbox.sh [-n RUNS] [-c CPUS] [-k KERNEL] [-s SEED] - ends guests in the middle of recording,
# RUNS times each (default 2):
#
#   panic   by a panic; the rings are in memory that outlives the kernel
#   kill    from outside, at any instant; the rings are there, too
#   image   as kill, with rings in any memory: nothing was prepared
#
# and makes traces of the guest's memory by tring salvage. Each committed event must be there,
# by the ring's counters and by numbered texts, and no other one: see
# scripts/trace/check-blackbox.py. After a panic another guest boots in the same memory and
# salvages what it finds. KERNEL is 6.1 (default), or a name of scripts/build/stock-kernel.sh. The
# last line is "blackbox: N passed, N failed, N skipped".

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/judge.sh"

runs=2 cpus=2 kernel=6.1 seed=$RANDOM
while getopts 'n:c:k:s:' option; do
	case $option in
	n) runs=$OPTARG ;;
	c) cpus=$OPTARG ;;
	k) kernel=$OPTARG ;;
	s) seed=$OPTARG ;;
	*) die "see the head of $0" ;;
	esac
done

# Where Debian's kernels find RAM that they leave alone on this command line.
megabytes=512 region=0x10000000,32M reserved="memmap=32M\$0x10000000"
logs=$out/blackbox.logs
dir=$out/blackbox
rm -rf "$logs" "$dir"
mkdir -p "$logs" "$dir"
lock_cache
RANDOM=$seed
say "seed $seed"

if [ "$kernel" = 6.1 ]; then
	root='' release=$(stock_release) ||
		die "no stock 6.1 kernel: run scripts/build/install-deps.sh"
else
	read -r release root < <("$top/scripts/build/stock-kernel.sh" "$kernel" | tail -n 1)
fi
# The first two are those of whole-path.sh.
case $kernel in
6.1) module=$cache/module-stock ;;
*) module=$cache/module-$kernel ;;
esac
with_progress "tring.ko for $release" "$logs/build-module.log" \
	"$top/scripts/build/build-module.sh" -o "$module" \
	"$root/lib/modules/$release/build" || { failed=1; count_tests blackbox; }
with_progress "the reader" "$logs/build-reader.log" \
	"$top/scripts/build/build-reader.sh" all || { failed=1; count_tests blackbox; }
tring=$(tail -n 1 "$logs/build-reader.log")
mkdir -p "$cache/bin"
gcc -std=gnu11 -O2 -Wall -Wextra -pthread -static -o "$cache/bin/numbered-markers" \
	"$top/scripts/guest/numbered-markers.c"

# prepare NAME STAGE WORD PERSIST - sets $boot: runs a guest whose memory is $dir/NAME.ram
prepare() {
	boot=("$top/scripts/qemu/qemu-run.sh" -r "$release" ${root:+-R "$root"} -o "$dir/$1-$2" \
		-c "$cpus" -m "$megabytes" -M "$dir/$1.ram" -a "$reserved" \
		-t "${TRING_TIMEOUT:-300}" -e "STAGE=$2" -e "WORD=$3" -e "PERSIST=$4" \
		-f "$module/tring.ko=/guest/tring.ko" \
		-f "$tring=/bin/tring" -f "$top/scripts/guest/lib.sh=/guest/lib.sh" \
		-f "$cache/bin/numbered-markers=/guest/numbered-markers" \
		"$top/scripts/guest/blackbox.sh")
}

# end_of_guest NAME STAGE WORD PERSIST DELAY - waits until the guest records and DELAY seconds
# more, and kills it, or waits for its panic
end_of_guest() {
	local console=$dir/$1-$2/console.log pid

	prepare "$@"
	"${boot[@]}" &
	pid=$!
	children+=("$pid")
	until grep -qs '^records' "$console"; do
		kill -0 "$pid" 2>/dev/null || { say "the guest has ended too early"; return 1; }
		sleep 0.1
	done
	if [ "$2" = kill ]; then
		sleep "$5"
		kill "$pid"
	fi
	wait "$pid" || :
	forget_child "$pid"
	[ "$2" = kill ] || grep 'Kernel panic' "$console"
}

# salvaged NAME WORD - makes traces of the guest's memory and checks those of the last boot
salvaged() {
	"$tring" salvage --base 0 "$dir/$1.ram" -o "$dir/$1.trace" &&
		"$top/scripts/trace/check-blackbox.py" "$tring" "$dir/$1.trace" "$2" \
			"$dir/$1.ram"
}

one_run() {
	local name=$1-$2 stage=$1 persist=$region word delay

	word=$(printf '%04x%04x%04x%04x' "$RANDOM" "$RANDOM" "$RANDOM" $((RANDOM | 1)))
	delay=$((RANDOM % 3)).$((RANDOM % 1000))
	if [ "$1" = image ]; then
		stage=kill persist=''
	fi
	judge "$name: the guest ends while it records, after $delay s" \
		end_of_guest "$name" "$stage" "$word" "$persist" "$delay"
	judge "$name: all that was committed is salvaged" salvaged "$name" "$word"
	if [ "$1" = panic ]; then
		cp --sparse=always "$dir/$name.ram" "$dir/$name.before"
		prepare "$name" salvage "$word" "$region"
		judge "$name: the next boot salvages it" "${boot[@]}"
		add_tests "$dir/$name-salvage/results/tests"
		judge "$name: the next boot's trace is right" \
			"$top/scripts/trace/check-blackbox.py" "$tring" \
			"$dir/$name-salvage/results/last_boot" "$word" "$dir/$name.before"
	fi
	rm -f "$dir/$name.ram" "$dir/$name.before"
}

for ((run = 1; run <= runs; run++)); do
	for kind in panic kill image; do
		one_run $kind $run
	done
done
count_tests blackbox
