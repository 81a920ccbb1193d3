#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# check.sh [GROUP...] - runs all tests, as "make check", or the named groups.
# "check-debug" stands for the groups on instrumented kernels, which take too long
# for each "make check". The last line is "N passed, N failed, N skipped", also
# after an interruption; the exit status is 0 only if all tests have run and none
# has failed.
#
# "--group NAME=COMMAND" adds a group, for scripts/check/check-the-check.sh.

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/check/judge.sh"

finished=no
logs=$out/check
begin=$SECONDS

# Names the failures again: a reader of the last lines alone must see what has failed.
print_total() {
	local log

	for log in "${failed_logs[@]}"; do
		say "failed: $log"
		print_failures "$log" 12
	done
	if [ "$finished" = no ]; then
		say "check: broken off"
		failed=$((failed + 1))
	fi
	say "$passed passed, $failed failed, $skipped skipped"
}
on_exit+=(print_total)

groups=()
debug_groups=(kunit-arm64 kunit-debug torture-debug held-debug sources-debug kunit-kcsan
	torture-kcsan)
while [ $# -gt 0 ]; do
	case $1 in
	--group)
		groups+=("$2")
		shift
		;;
	check-debug)
		groups+=("${debug_groups[@]}")
		"$top/scripts/build/install-deps.sh" debug
		;;
	reader | fuzz | static | kunit-um | kunit-x86_64 | kunit-arm64 | \
	kunit-debug | kunit-kcsan | rig | \
	litmus | explorer | every-instruction | install | \
	torture | torture-debug | torture-kcsan | held-debug | sources-debug | \
	whole-path-stock | whole-path-6.12 | whole-path-built-in | \
	many-cpus | broken-off | blackbox | kdump)
		groups+=("$1")
		;;
	*)
		die "no group '$1'"
		;;
	esac
	shift
done
if [ ${#groups[@]} = 0 ]; then
	# debug_groups and every-instruction take long, and kdump needs more packages: only
	# by name.
	groups=(reader fuzz litmus explorer kunit-um kunit-x86_64 static
		whole-path-stock whole-path-6.12 whole-path-built-in many-cpus broken-off
		blackbox torture install rig)
	rm -rf "$logs"
	lock_cache
	"$top/scripts/build/install-deps.sh"
	# Unpacked here, where the progress is shown.
	"$top/scripts/build/shadow-tree.sh" >/dev/null
	"$top/scripts/build/stock-kernel.sh" 6.12 >/dev/null
fi

for group in "${groups[@]}"; do
	case $group in
	*=*) run_group "${group%%=*}" bash -c "${group#*=}" ;;
	reader) run_group reader "$top/scripts/build/build-reader.sh" check ;;
	fuzz) run_group fuzz "$top/scripts/check/fuzz.sh" -s 60 ;;
	static) run_group static "$top/scripts/check/static-checks.sh" ;;
	kunit-*) run_group "$group" "$top/scripts/check/kunit.sh" "${group#kunit-}" ;;
	whole-path-*)
		run_group "$group" "$top/scripts/check/whole-path.sh" \
			"${group#whole-path-}"
		;;
	many-cpus) run_group many-cpus "$top/scripts/check/many-cpus.sh" ;;
	blackbox) run_group blackbox "$top/scripts/check/blackbox.sh" -n 1 ;;
	kdump) run_group kdump "$top/scripts/check/kdump.sh" ;;
	broken-off) run_group broken-off "$top/scripts/check/broken-off.sh" ;;
	litmus) run_group litmus "$top/scripts/check/litmus.sh" ;;
	explorer) run_group explorer "$top/scripts/check/explorer.sh" --seconds 60 ;;
	every-instruction)
		run_group every-instruction "$top/scripts/check/every-instruction.sh"
		;;
	torture) run_group torture "$top/scripts/torture.sh" -s 60 ;;
	torture-*)
		run_group "$group" "$top/scripts/torture.sh" -s 60 \
			-k "${group#torture-}"
		;;
	install) run_group install "$top/scripts/check/install.sh" ;;
	held-debug | sources-debug)
		run_group "$group" "$top/scripts/check/debug-module.sh" "${group%-debug}"
		;;
	rig) run_group rig "$top/scripts/check/check-the-check.sh" ;;
	esac
done
finished=yes
say "all groups took $((SECONDS - begin)) s; logs are in $out"
[ "$failed" = 0 ]
