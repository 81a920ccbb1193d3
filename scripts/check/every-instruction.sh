#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# every-instruction.sh - an interrupt at every instruction of the ring's
# writers, on Debian's stock 6.1 kernel in QEMU: which come, and what is checked,
# is in kunit-tests/every-instruction/main.c. TRING_SHARE=1 tries each interrupt at
# each step of each situation, which takes twenty times as long. The last line is
# "every-instruction: N passed, N failed, N skipped".

. "$(dirname "$0")/../lib.sh"

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

# build FOLDER [MAKE-ARGUMENT...] - CONFIG_TRING is off: the ring is in the module
build() {
	local folder=$1

	shift
	with_progress "building ${folder##*/}" "$dir/${folder##*/}.log" \
		"$top/scripts/build/build-module.sh" -o "$folder" \
		"/lib/modules/$release/build" CONFIG_TRING= \
		CONFIG_TRING_EVERY_INSTRUCTION=m "$@"
}

# run RESULTS MODULE PARAMETERS - one CPU, which is interrupted by us alone
run() {
	with_progress "every-instruction: QEMU ($3)" "$1.log" "$top/scripts/qemu/qemu-run.sh" -c 1 \
		-t "${TRING_TIMEOUT:-900}" -a log_buf_len=4M -a nowatchdog \
		-e "PARAMETERS=$3" -f "$2=/$name.ko" -o "$1" \
		"$top/scripts/guest/every-instruction.sh"
}

whole=$cache/module-every-instruction
if ! build "$whole"; then
	fail "the module is built"
	finish
fi

if run "$dir/whole" "$whole/$name.ko" "share=${TRING_SHARE:-15} pairs=${TRING_PAIRS:-300}"; then
	results=$dir/whole/results
	grep -a '^situation: ' "$results/log.txt" >"$dir/situations.txt" || :
	while read -r line; do
		case $line in
		*': ok') pass "${line#situation: }" ;;
		*) fail "${line#situation: }" ;;
		esac
	done <"$dir/situations.txt"
	grep -a '^FAILED: ' "$results/log.txt" | sed 's/^/    /' || :
	if grep -aq '^pairs: .*: ok$' "$results/log.txt"; then
		pass "interrupts that are interrupted"
	else
		fail "interrupts that are interrupted"
	fi
	if "$top/scripts/qemu/console-badness.sh" "$dir/whole/console.log" \
			"$results/dmesg.log"; then
		pass "the console is clean"
	else
		fail "the console is clean"
	fi
	status=0
	"$top/kunit-tests/every-instruction/instruction-coverage.py" "$whole/$name.ko" \
		"$results/sections.txt" "$results/log.txt" >"$dir/coverage.txt" ||
		status=$?
	grep -a '^done: ' "$results/log.txt" || :
	cat "$dir/coverage.txt"
	if [ "$status" = 0 ]; then
		pass "an interrupt at each instruction that can be reached, but for 4 %"
	else
		fail "an interrupt at each instruction that can be reached, but for 4 %"
	fi
else
	fail "the module runs to its end, see $dir/whole/console.log"
fi

finish
