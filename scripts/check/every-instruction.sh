#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# every-instruction.sh - interrupt the ring's writers at every instruction, on
# Debian's stock 6.1 kernel in QEMU. kunit-tests/every-instruction/main.c says which
# interrupts there are and what is checked.
#
#   TRING_SHARE=1     try each interrupt at each step of each situation, which takes
#                     twenty times as long
#
# Then some seeded faults of kunit-tests/mutants, each of which must show.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/judge.sh"

dir=$out/every-instruction
begin_tests every-instruction "$dir.logs"
mkdir -p "$dir"

use_stock 6.1
name=tring_every_instruction

# build TREE FOLDER LOG - CONFIG_TRING is off: the ring is linked into the module
build() {
	with_progress "building ${2##*/}" "$3" "$1/scripts/build/build-module.sh" -o "$2" \
		"$kdir" CONFIG_TRING= CONFIG_TRING_EVERY_INSTRUCTION=m
}

# run GUEST MODULE PARAMETERS - one CPU, which only the test interrupts
run() {
	"$top/kunit-tests/every-instruction/fake-rdtsc.py" "$2" "${2%.ko}-fake-clock.ko" ||
		return 1
	with_progress "every-instruction: QEMU ($3)" "$1.log" \
		"$top/scripts/qemu/qemu-run.sh" -c 1 \
		-a log_buf_len=4M -a nowatchdog \
		-a tsc=reliable \
		-e "PARAMETERS=$3" -f "${2%.ko}-fake-clock.ko=/$name.ko" -o "$1" \
		"$top/scripts/guest/every-instruction.sh"
}

folder=$cache/module-every-instruction
module=$folder/$name.ko
judge "the module is built" build "$top" "$folder" "$dir/build.log"
judge "the module runs to its end" run "$dir/guest" "$module" \
	"share=${TRING_SHARE:-15} pairs=300"
[ "$failed" = 0 ] || count_tests

results=$dir/guest/results
sed -n 's/^situation: \(.*\): ok$/ok - \1/p; t; s/^situation: /not ok - /p' "$results/log.txt" \
	>"$dir/situations.txt"
add_tests "$dir/situations.txt"
grep -a '^FAILED: ' "$results/log.txt" | sed 's/^/    /' || :
judge "the console is clean" \
	"$top/scripts/qemu/console-badness.sh" "$dir/guest/console.log" "$results/dmesg.log"
grep -a '^done: ' "$results/log.txt" || :

judge "interrupts that are interrupted" grep -a '^pairs: .*: ok$' "$results/log.txt"
judge "an interrupt at each instruction that can be reached, but for 4 %" \
	"$top/kunit-tests/every-instruction/instruction-coverage.py" "$module" \
	"$results/sections.txt" "$results/log.txt"

# sees MUTANT SITUATION - a seeded fault that must show in this situation, on the console: it may
# end in a panic
sees() {
	local tree=$cache/every-instruction-tree faulty=$folder-mutant

	graft_sources "$tree" Kbuild kmod uapi kunit-tests scripts
	"$top/kunit-tests/mutants/apply-mutant.py" \
		"$top/kunit-tests/mutants/mutants.txt" "$1" "$tree" &&
		build "$tree" "$faulty" "$dir/$1.build.log" || return 1
	run "$dir/$1" "$faulty/$name.ko" "only=$2 pairs=0" || :
	grep -a -m 1 ' FAILED: ' "$dir/$1/console.log"
}

judge "sees the fault discard-no-poison" sees discard-no-poison discard
judge "sees the fault slow-no-clamp" sees slow-no-clamp write,_the_clock_steps_back
judge "sees the fault pid-kept-blindly" sees pid-kept-blindly write_as_another_task
count_tests
