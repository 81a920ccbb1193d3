#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# every-instruction.sh - interrupt the ring's writers at every instruction, on
# Debian's stock 6.1 kernel in QEMU. kunit-tests/every-instruction/main.c says which
# interrupts there are and what is checked.
#
#   TRING_SHARE=1     try each interrupt at each step of each situation, which takes
#                     twenty times as long
#   TRING_ONLY=NAME   only the situation with this name, with "_" for spaces
#
# The last line is "every-instruction: N passed, N failed, N skipped".

. "$(dirname "$0")/../lib.sh"

lock_cache
dir=$out/every-instruction
passed=0 failed=0
mkdir -p "$dir"

pass() {
	passed=$((passed + 1))
	say "ok - $*"
}

fail() {
	failed=$((failed + 1))
	say "not ok - $*"
}

finish() {
	say "every-instruction: $passed passed, $failed failed, 0 skipped"
	[ "$failed" = 0 ]
	exit
}

release=$(stock_release) || die "no stock 6.1 kernel: run scripts/build/install-deps.sh"
name=tring_every_instruction

# CONFIG_TRING is off: the ring is linked into the module.
folder=$cache/module-every-instruction
module=$folder/$name.ko
if ! with_progress "building the module" "$dir/build.log" \
		"$top/scripts/build/build-module.sh" -o "$folder" \
		"/lib/modules/$release/build" CONFIG_TRING= \
		CONFIG_TRING_EVERY_INSTRUCTION=m; then
	fail "the module is built"
	finish
fi

parameters="share=${TRING_SHARE:-15} pairs=${TRING_PAIRS:-300}"
[ -z "${TRING_ONLY-}" ] || parameters+=" only=$TRING_ONLY"
# One CPU, which only the test interrupts.
if ! with_progress "every-instruction: QEMU ($parameters)" "$dir/qemu.log" \
		"$top/scripts/qemu/qemu-run.sh" -c 1 \
		-t "${TRING_TIMEOUT:-900}" -a log_buf_len=4M -a nowatchdog \
		-e "PARAMETERS=$parameters" -f "$module=/$name.ko" -o "$dir/guest" \
		"$top/scripts/guest/every-instruction.sh"; then
	fail "the module runs to its end, see $dir/guest/console.log"
	finish
fi

results=$dir/guest/results
grep -a '^situation: ' "$results/log.txt" >"$dir/situations.txt" || :
while read -r line; do
	case $line in
	*': ok') pass "${line#situation: }" ;;
	*) fail "${line#situation: }" ;;
	esac
done <"$dir/situations.txt"
grep -a '^FAILED: ' "$results/log.txt" | sed 's/^/    /' || :
if "$top/scripts/qemu/console-badness.sh" "$dir/guest/console.log" "$results/dmesg.log"; then
	pass "the console is clean"
else
	fail "the console is clean"
fi
grep -a '^done: ' "$results/log.txt" || :
if [ -n "${TRING_ONLY-}" ]; then
	[ -s "$dir/situations.txt" ] || fail "there is a situation named $TRING_ONLY"
	finish
fi

if grep -aq '^pairs: .*: ok$' "$results/log.txt"; then
	pass "interrupts that are interrupted"
else
	fail "interrupts that are interrupted"
fi
status=0
"$top/kunit-tests/every-instruction/instruction-coverage.py" "$module" \
	"$results/sections.txt" "$results/log.txt" >"$dir/coverage.txt" || status=$?
cat "$dir/coverage.txt"
if [ "$status" = 0 ]; then
	pass "an interrupt at each instruction that can be reached, but for 4 %"
else
	fail "an interrupt at each instruction that can be reached, but for 4 %"
fi
finish
